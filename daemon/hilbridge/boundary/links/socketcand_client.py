"""One client of the socketcand port: its mode, its jobs, its subscriptions, and what waits for it.

A job and a subscription have their time from the ticks: an interval shorter than a tick is one of a tick.
"""

from collections.abc import Callable
from typing import Final

from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH
from hilbridge.base.common.units import MILLISECOND
from hilbridge.boundary.links import socketcand as protocol
from hilbridge.boundary.links.client_server import Client
from hilbridge.boundary.links.link import LinkStatistics
from hilbridge.boundary.links.socketcand import Filter, MalformedError, Mode
from hilbridge.frames.codec.frame import Frame

QUEUE_LIMIT: Final = 64 << 10
"""[bytes] waiting for one client: some 1,400 frames of 8 bytes."""

MOST_JOBS: Final = 64
MOST_FILTERS: Final = 256
MOST_PAGES: Final = 4096
"""The most of one client; what is more is refused and counted."""


_NEVER: Final = 1 << 62
"""[ns]"""


HEARS_OK: Final = 250 * MILLISECOND
"""[ns]"""


class Job:
    """A frame that is sent again and again; `due` [ns]: when next."""

    __slots__ = ("due", "frame", "interval")

    def __init__(self, frame: Frame, interval: int, due: int) -> None:
        self.frame = frame
        self.interval: Final = interval
        self.due = due


class Subscription:
    """The subscription of a client to an identifier. `held`: the newest frame that waits for the end of an interval."""

    __slots__ = ("_before", "filter", "held", "next")

    def __init__(self, chosen: Filter) -> None:
        self.filter: Final = chosen
        self.held: Frame | None = None
        self.next = 0
        """[ns] when the next frame goes to the client at the earliest."""

        self._before: Final[dict[int, int]] = {}  # the content under its mask, by the page's number

    def takes(self, frame: Frame, t: int) -> bool:
        """Return whether a frame goes to the client at once; one that has to wait is held."""
        if not self._differs(frame.data):
            return False
        if t < self.next:
            self.held = frame
            return False
        self.next = t + self.filter.interval
        self.held = None
        return True

    def due(self, t: int) -> Frame | None:
        """Return the frame that has waited long enough."""
        if self.held is None or t < self.next:
            return None
        frame, self.held = self.held, None
        self.next = t + self.filter.interval
        return frame

    def _differs(self, data: bytes) -> bool:
        if self.filter.pages is None:
            return True
        value = int.from_bytes(data[:CLASSIC_LENGTH].ljust(CLASSIC_LENGTH, b"\0"), "big")
        page = value & self.filter.page
        mask = self.filter.pages.get(page)
        if mask is None:
            return False
        masked = value & mask
        if self._before.get(page) == masked:
            return False
        self._before[page] = masked
        return True


class SocketcandClient(Client):
    """One program. `take` gets what it sends to the bus; the bus has a name, by which it is opened."""

    __slots__ = (
        "_bus",
        "_due",
        "_ended",
        "_input",
        "_interval",
        "_next_held",
        "_next_job",
        "_pages",
        "_raw_from",
        "_statistics",
        "_take",
        "jobs",
        "mode",
        "subscriptions",
    )

    def __init__(
        self, bus: str, take: Callable[["SocketcandClient", Frame, int], None], statistics: LinkStatistics
    ) -> None:
        super().__init__(bytearray(protocol.GREETING))
        self.mode = Mode.NO_BUS
        self.jobs: Final[dict[int, Job]] = {}
        self.subscriptions: Final[dict[int, Subscription]] = {}
        self._bus: Final = bus
        self._take: Final = take
        self._statistics: Final = statistics
        self._input: Final = bytearray()
        self._ended = False
        self._interval = 0  # [ns] of the statistics
        self._due = 0
        self._next_job = 0  # [ns] not before it any job is due
        self._next_held = _NEVER  # [ns] nor any held frame
        self._pages = 0  # of all subscriptions
        self._raw_from = 0  # [ns]

    @property
    def is_finished(self) -> bool:
        return self._ended

    def offer(self, line: bytes) -> bool:
        """Queue a whole line, or nothing if there is no room for it; return whether it was queued."""
        if len(self.output) + len(line) > QUEUE_LIMIT:
            return False
        self.output.extend(line)
        return True

    def receive(self, data: bytes, t: int) -> None:
        self._input.extend(data)
        for command in protocol.elements(self._input):
            if not self._ended:
                self._carry_out(command, t)
        if len(self._input) > protocol.LONGEST_COMMAND:
            self._statistics.errors += 1
            self._input.clear()

    def poll(self, t: int, most: int) -> int:
        """Send the frames of jobs that are due at `t` [ns], `most` of them; return how many. The others come next."""
        if t < self._next_job:
            return 0
        due = [(can_id, job) for can_id, job in self.jobs.items() if t >= job.due]
        for can_id, job in due[:most]:
            job.due = max(job.due + job.interval, t + 1)
            self.jobs[can_id] = self.jobs.pop(can_id)  # those that had to wait are before it
            self._take(self, job.frame, t)
        self._next_job = min((job.due for job in self.jobs.values()), default=0)
        return min(len(due), most)

    def wants(self, frame: Frame, t: int, *, own: bool) -> bool:
        """Return whether a frame of the bus goes to the client at once; `own`: it has sent the frame."""
        if self.mode is Mode.RAW:
            return not own and t >= self._raw_from
        if self.mode is not Mode.BCM:
            return False
        subscription = self.subscriptions.get(frame.can_id)
        if subscription is None:
            return False
        taken = subscription.takes(frame, t)
        if subscription.held is not None:
            self._next_held = min(self._next_held, subscription.next)
        return taken

    def held(self, t: int) -> list[Frame]:
        """Return the frames of subscriptions that have waited long enough at `t` [ns]."""
        if t < self._next_held:
            return []
        waiting = [one for one in self.subscriptions.values() if one.held is not None]
        frames = [one.due(t) for one in waiting]
        self._next_held = min((one.next for one in waiting if one.held is not None), default=_NEVER)
        return [one for one in frames if one is not None]

    def statistics_due(self, t: int) -> bool:
        """Return whether the client gets the counters of the bus at `t` [ns]."""
        if not self._interval or t < self._due:
            return False
        self._due = t + self._interval
        return True

    @property
    def waits_for_time(self) -> bool:
        """Whether something is due by itself."""
        return bool(self._interval or self.jobs or self.subscriptions)

    def _carry_out(self, command: str, t: int) -> None:
        name, *words = command.split() or [""]
        self._raw_from = t
        if self.mode is Mode.NO_BUS:
            self._open(name, words)
        elif name in _MODES and not words:
            self._enter(_MODES[name], t)
        elif name == "echo" and not words:
            self.offer(b"< echo >")
        elif name not in _COMMANDS[self.mode]:
            self._statistics.errors += 1
            self.offer(protocol.UNKNOWN)
        else:
            try:
                self._obey(name, words, t)
            except MalformedError:
                self._statistics.errors += 1

    def _open(self, name: str, words: list[str]) -> None:
        if name == "open" and words == [self._bus]:
            self.mode = Mode.BCM
            self.offer(protocol.OK)
        elif name == "open":
            self.offer(protocol.NO_BUS)
            self._ended = True
        else:
            self._statistics.errors += 1
            self.offer(protocol.UNKNOWN)

    def _enter(self, mode: Mode, t: int) -> None:
        """Change the mode: jobs, subscriptions and statistics end with theirs.

        Frames of raw mode begin after HEARS_OK, or with the next command: python-can wants to read < ok > alone.
        """
        self._raw_from = t + HEARS_OK
        if mode is not self.mode:
            self.jobs.clear()
            self.subscriptions.clear()
            self._pages = self._interval = 0
            self.mode = mode
        self.offer(protocol.OK)

    def _obey(self, name: str, words: list[str], t: int) -> None:
        """Carry out a command of the mode. MalformedError: its arguments are wrong."""
        if name == "send":
            self._take(self, protocol.frame(words), t)
        elif name == "sendrtr":
            self._take(self, protocol.remote(words), t)
        elif name == "add":
            self._add(protocol.interval(*_two(words)), protocol.frame(words[2:]), t)
        elif name == "update":
            frame = protocol.frame(words)
            job = self.jobs.get(frame.can_id)
            if job is not None:
                job.frame = frame
        elif name == "delete":
            self.jobs.pop(_only_identifier(words), None)
        elif name == "unsubscribe":
            self._unsubscribe(_only_identifier(words))
        elif name == "statistics":
            self._interval = protocol.number(words[0] if len(words) == 1 else "") * MILLISECOND
            self._due = t + self._interval
        else:
            self._subscribe(name, words)

    def _add(self, interval: int, frame: Frame, t: int) -> None:
        if frame.can_id not in self.jobs and len(self.jobs) >= MOST_JOBS:
            self._statistics.refused += 1
            return
        self._take(self, frame, t)
        if interval:
            self.jobs[frame.can_id] = Job(frame, interval, t + interval)
            self._next_job = 0
        else:
            self.jobs.pop(frame.can_id, None)

    def _subscribe(self, name: str, words: list[str]) -> None:
        if name == "subscribe":
            chosen = Filter(protocol.interval(*_two(words)))
            can_id = _only_identifier(words[2:])
        else:
            can_id, chosen = protocol.content_filter(words) if name == "filter" else protocol.page_filter(words)
        pages = len(chosen.pages or ())
        is_new = can_id not in self.subscriptions
        if (is_new and len(self.subscriptions) >= MOST_FILTERS) or self._pages + pages > MOST_PAGES:
            self._statistics.refused += 1
            return
        self._unsubscribe(can_id)
        self.subscriptions[can_id] = Subscription(chosen)
        self._pages += pages

    def _unsubscribe(self, can_id: int) -> None:
        subscription = self.subscriptions.pop(can_id, None)
        if subscription is not None:
            self._pages -= len(subscription.filter.pages or ())


_MODES: Final = {"rawmode": Mode.RAW, "bcmmode": Mode.BCM, "controlmode": Mode.CONTROL}
_COMMANDS: Final = {
    Mode.BCM: frozenset(
        ("send", "sendrtr", "add", "update", "delete", "subscribe", "filter", "muxfilter", "unsubscribe")
    ),
    Mode.RAW: frozenset(("send", "sendrtr")),
    Mode.CONTROL: frozenset(("statistics",)),
}


def _two(words: list[str]) -> tuple[str, str]:
    """Return seconds and microseconds. MalformedError: they are missing."""
    if len(words) < len(("S", "US")):
        raise MalformedError
    return words[0], words[1]


def _only_identifier(words: list[str]) -> int:
    if len(words) != 1:
        raise MalformedError
    return protocol.identifier(words[0])
