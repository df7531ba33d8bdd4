"""A route of the gateway in operation: the frames that wait on it, its least time between frames, its counters.

A frame that is taken at t goes at

    due = max(t + delay, due of the one before of its identifier + period)

and takes the place of that one while it waits for the period. Each frame that was taken waits, was forwarded, or was
left out for one reason:

    taken = waiting + forwarded + replaced + too_long + lost
"""

from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from typing import Final, Protocol

from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.bus.disturbance import Disturbance
from hilbridge.frames.codec.frame import FD, Frame

MOST_WAITING: Final = 256
"""Frames that wait on one route, and identifiers whose times it remembers at once."""


class Outlet(Protocol):
    """The gateway's place on a bus: a node of it, and so the origin of what it sends there."""

    @property
    def bus(self) -> Bus:
        """The bus."""

    @property
    def fd(self) -> bool:
        """Whether the bus has CAN FD frames."""

    def receive(self, frame: Frame, t: int) -> None:
        """Take a frame of the bus; none of those that the outlet has sent."""


@dataclass(slots=True)
class RouteStatistics:
    """Counters since the start of the run. `replaced`: by a newer one, while it waited for the period.

    `too_long`: more than 8 bytes, and the other bus has classic frames only. `lost`: too many waited.
    """

    taken: int = 0
    forwarded: int = 0
    replaced: int = 0
    too_long: int = 0
    lost: int = 0


class Waiting:
    """A frame that waits until `due` [ns]; `late`: it waits for the period, so that a newer one may replace it."""

    __slots__ = ("due", "frame", "late", "number", "outlet", "route")

    def __init__(self, due: int, number: int, route: "Route", outlet: Outlet, frame: Frame, *, late: bool) -> None:
        self.due = due
        self.number = number
        self.route = route
        self.outlet = outlet
        self.frame = frame
        self.late = late

    def __lt__(self, other: "Waiting") -> bool:
        return (self.due, self.number) < (other.due, other.number)


class Queue:
    """The frames that wait on all routes, in the order in which they are due, then in which they were taken."""

    def __init__(self) -> None:
        self.waiting: Final[list[Waiting]] = []
        self._numbers: Final = count()

    def put(self, due: int, route: "Route", outlet: Outlet, frame: Frame, *, late: bool) -> Waiting:
        """Let a frame wait until `due` [ns]."""
        entry = Waiting(due, next(self._numbers), route, outlet, frame, late=late)
        heappush(self.waiting, entry)
        return entry

    def release(self, t: int) -> None:
        """Send the frames that are due at `t` [ns]."""
        waiting = self.waiting
        while waiting and waiting[0].due <= t:
            entry = heappop(waiting)
            entry.route.forward(entry, t)


class Route:
    """A route by its name. `delay` and `period` in ns; `waiting` counts its frames in the queue."""

    def __init__(self, name: str, delay: int, period: int, queue: Queue) -> None:
        self.name: Final = name
        self.statistics = RouteStatistics()
        self.waiting = 0
        self.disturbance: Disturbance | None = None
        self._delay: Final = delay
        self._period: Final = period
        self._queue: Final = queue
        self._newest: dict[tuple[Outlet, int], Waiting] = {}  # by outlet and identifier, where there is a period

    def take(self, frame: Frame, outlet: Outlet, t: int) -> None:
        """Take a frame, as it is to be on the other bus, at `t` [ns]."""
        statistics = self.statistics
        statistics.taken += 1
        if frame.flags & FD and not outlet.fd:
            if len(frame.data) > CLASSIC_LENGTH:
                statistics.too_long += 1
                return
            frame = frame._replace(flags=0)
        due = t + self._delay
        if not self._period:
            self._enqueue(frame, outlet, due, late=False)
            return
        before = self._newest.get((outlet, frame.can_id))
        if before is None:
            if len(self._newest) >= MOST_WAITING and not self._forget(t):
                statistics.lost += 1
                return
        elif before.late and before.due > t:
            before.frame = frame
            statistics.replaced += 1
            return
        following = due if before is None else max(due, before.due + self._period)
        entry = self._enqueue(frame, outlet, following, late=following > due)
        if entry is not None:
            self._newest[outlet, frame.can_id] = entry

    def _enqueue(self, frame: Frame, outlet: Outlet, due: int, *, late: bool) -> Waiting | None:
        if self.waiting >= MOST_WAITING:
            self.statistics.lost += 1
            return None
        self.waiting += 1
        return self._queue.put(due, self, outlet, frame, late=late)

    def _forget(self, t: int) -> bool:
        """Forget the identifiers whose period is over at `t` [ns]; return whether there are any."""
        known = len(self._newest)
        self._newest = {key: entry for key, entry in self._newest.items() if entry.due + self._period > t}
        return len(self._newest) < known

    def forward(self, entry: Waiting, t: int) -> None:
        """Send a frame that has waited until `t` [ns]."""
        self.waiting -= 1
        self.statistics.forwarded += 1
        outlet, frame, disturbance = entry.outlet, entry.frame, self.disturbance
        if disturbance is None:
            outlet.bus.transmit(frame, outlet)
        else:
            frame = frame._replace(data=disturbance.falsified(frame.data))
            disturbance.transmit(frame, t, outlet.bus, outlet)

    def wait(self, entry: Waiting, outlet: Outlet | None) -> None:
        """Let a frame wait here that waited on the route before a reload; without an outlet it is lost."""
        if outlet is None:
            self.statistics.lost += 1
            return
        self.waiting += 1
        self._queue.put(entry.due, self, outlet, entry.frame, late=False)

    def continue_from(self, before: "Route") -> None:
        """Continue the counters of the route before a reload."""
        self.statistics = before.statistics
