"""The first tick of a recording at whose end a condition holds.

The recording is replayed once, forward, and ends where the condition holds: a replay cannot begin in the middle, so a
search by halves would replay more, and would miss a condition that holds only for some ticks.
"""

from collections import deque
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from hilbridge.base.clock import StopRequest
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import SECOND
from hilbridge.bench.bench import Bench
from hilbridge.bench.scenario.expectations import BusCondition
from hilbridge.boundary.record.boundary_records import FRAME, FrameRecord
from hilbridge.boundary.record.recording import BoundaryRecord, Recording
from hilbridge.frames.codec.expression import parse
from hilbridge.frames.codec.frame import Frame
from hilbridge.runs.run.replay import ReplayResult, decoded, load_recorded, rebuild, replay
from vehiclesim.databus import DataBus
from vehiclesim.entries import Entries

_AROUND: Final = 5
"""Frames that are shown before and after the tick."""

_OF_TICK: Final = 20
"""Frames of the tick itself that are shown."""

Values = Mapping[str, float]
"""The values of the entries of a condition by their paths, in their own units; NaN is not available."""


class FrameAround(NamedTuple):
    """A frame on a bus at `t` [ns], received from outside or sent by the bench; its message where a database has it."""

    t: int
    bus: str
    received: bool
    frame: Frame
    message: str | None


class Hit(NamedTuple):
    """The first tick where the condition holds, and its time [ns].

    `values`: at its end; `before`: at the end of the tick before it, empty in the first; `available`: the time [ns]
    since which the values were available in every tick.
    """

    t: int
    tick: int
    values: Values
    before: Values
    available: int
    frames: list[FrameAround]


class Bisection(NamedTuple):
    """The result: `hit` is None where the condition held in no tick that was replayed."""

    hit: Hit | None
    replayed: ReplayResult


class _Watch:
    """Looks at the condition at the end of each tick."""

    def __init__(self, condition: str, entries: Entries, stop: StopRequest) -> None:
        self.t: int | None = None
        self.available = 0
        self.values: Values = {}
        self.before: Values = {}
        self._text: Final = condition
        self._stop: Final = stop
        self._entries: Entries | None = None
        self._condition: BusCondition | None = None
        self._places: dict[str, tuple[int, int]] = {}
        self._find(entries)

    def look(self, data: DataBus, t: int) -> None:
        """Note values and time of the tick, and end the replay if the condition holds."""
        if self._condition is None or data.entries is not self._entries:  # a reload may declare others
            try:
                self._find(data.entries)
            except ConfigurationError as error:
                raise ConfigurationError(f"at {t / SECOND:g} s, after a reload: {error.message}") from None
            self._condition = BusCondition(self._text, data, ())
        self.before, self.values = self.values, {path: data.read(*place) for path, place in self._places.items()}
        if any(value != value for value in self.values.values()):
            self.available = t + 1
        if self._condition.holds():
            self.t = t
            self._stop.requested = True

    def _find(self, entries: Entries) -> None:
        try:
            found = parse(self._text, entries=entries).entries
        except ConfigurationError as error:
            raise ConfigurationError(f"the condition, {error.message}") from None
        self._entries, self._condition = entries, None
        self._places = {entries.at(place).path: place for place in found}


def bisect(
    recording: Recording,
    condition: str,
    stop: StopRequest | None = None,
    progress: Callable[[int], None] | None = None,
) -> Bisection:
    """Replay until `condition` holds, to the end, or until `stop`; `progress` as Recording.records.

    ConfigurationError: it is no condition, names an entry that the bench has not, or the recording cannot be replayed.
    """
    bench = rebuild(recording, load_recorded(recording))
    stop = stop or StopRequest()
    watch = _Watch(condition, bench.vehicle.data.entries, stop)
    outcome = replay(recording, stop, progress, watch.look, bench)
    if watch.t is None or outcome.difference is not None:
        return Bisection(None, outcome)
    available = -(-watch.available // bench.settings.period) * bench.settings.period
    frames = _frames(recording, bench, watch.t)
    tick = watch.t // bench.settings.period
    return Bisection(Hit(watch.t, tick, watch.values, watch.before, available, frames), outcome)


def _frames(recording: Recording, bench: Bench, t: int) -> list[FrameAround]:
    """Return the frames of the tick of time `t` [ns], and some before and after it."""
    before: deque[BoundaryRecord] = deque(maxlen=_AROUND)
    of_tick: list[BoundaryRecord] = []
    after: list[BoundaryRecord] = []
    for record in recording.records():
        if record.kind != FRAME:
            continue
        (before if record.t < t else of_tick if record.t == t else after).append(record)
        if len(after) == _AROUND:
            break
    return [_around(record, bench) for record in (*before, *of_tick[:_OF_TICK], *after)]


def _around(record: BoundaryRecord, bench: Bench) -> FrameAround:
    number, received, frame = FrameRecord.decode(record.payload)
    bus = list(bench.buses)[number]
    return FrameAround(record.t, bus, received, frame, decoded(bench, bus, frame)[0])
