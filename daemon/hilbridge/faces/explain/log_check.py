"""Judges a log of a bus, from any sender, as a cluster does that wants the frames of a bench.

A frame is expected while its terminals are on. A log does not have the terminals; they are taken from the frames:
whichever is sent only while a terminal is on shows that it was on, from its first frame to its last.

    missing      never there (what goes on change alone may be), or not at the beginning or end of that time, or gaps
    gap          an interval > 2.5 periods
    off period   the median interval differs by more than a tenth of the period
    wrong        the checker of received frames (frames/protection/checker.py) refuses it, it has another length, or
                 bits that never change in the plan are others
"""

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any, Final, NamedTuple

from cantools.database.can import Signal

from hilbridge.base.common.units import MILLISECOND
from hilbridge.faces.explain.causes import Cause
from hilbridge.frames.codec.frame import EXTENDED_MASK, LOGGED, Frame
from hilbridge.frames.codec.layout import Raw, extract, occupied
from hilbridge.frames.codec.sources import FixedSource
from hilbridge.frames.codec.turns import Turns
from hilbridge.frames.plan.lit import lit_lamps
from hilbridge.frames.plan.rest_bus import records
from hilbridge.frames.plan.selection import Outgoing
from hilbridge.frames.plan.terminals import BITS
from hilbridge.frames.protection.build import build_checker
from hilbridge.frames.protection.checker import Checker
from vehiclesim.databus import DataBus

_GAP: Final = 2.5
"""Periods."""

_FEWEST: Final = 3
"""Intervals that show a period: the first after a wake-up is a short one."""

_OFF_PERIOD: Final = 0.1
"""Share of the period."""

_IMPLIED: Final = {
    BITS["R"]: BITS[30] | BITS["R"],
    BITS[15]: BITS[30] | BITS["R"] | BITS[15],
    BITS[50]: BITS[30] | BITS["R"] | BITS[15] | BITS[50],
    BITS["run"]: BITS[30] | BITS["R"] | BITS[15] | BITS["run"],
}
"""The terminals that are on while a frame is sent that goes while one terminal alone is on."""

_PERHAPS_OFF: Final = ", unless terminal 15 was off while terminal R was on"
"""The doubt about a frame of terminal 15 in a log where only frames of terminal R show that the key was turned."""

_REASONS: Final = {
    "wrong_length": "too short",
    "wrong_header": "its length or data id is wrong",
    "wrong_checksum": "its checksum is wrong",
    "counter_invalid": "its counter has a number that it never takes",
    "counter_repeated": "its counter repeats a number",
    "counter_frozen": "its counter stands still",
    "counter_jumped": "its counter jumps",
}
"""The checker's reasons as text."""


class Judgement(NamedTuple):
    """A verdict on a frame from a log: whether it was expected, what is wrong, and the lamps that it lights."""

    expected: bool
    causes: tuple[Cause, ...]
    lit: Mapping[str, str]


class _Course:
    """The notes on one frame of the plan."""

    def __init__(self, outgoing: Outgoing, checker: Checker | None) -> None:
        self.outgoing: Final = outgoing
        self.first: int | None = None
        self.last = 0
        self.intervals: Final = array("q")
        self.wrong: Final[Counter[str]] = Counter()
        self.newest = b""
        self._checker: Final = checker
        self._turns: Final = _turns(outgoing)
        self._mask, self._fixed = fixed_bits(outgoing)

    def note(self, t: int, data: bytes) -> None:
        if self.first is None:
            self.first = t
        else:
            self.intervals.append(t - self.last)
        self.last, self.newest = t, data
        if len(data) != self.outgoing.length:
            self.wrong[f"it has {len(data)} bytes in place of {self.outgoing.length}"] += 1
            return
        if self._checker is not None and (reason := self._checker.check(data)) is not None:
            self.wrong[_REASONS[reason]] += 1
        for turn in self._turns:
            if not turn.goes_on(data):
                self.wrong[f"{turn.signal} is not in its turn"] += 1
        if (different := (int.from_bytes(data, "little") ^ self._fixed) & self._mask) != 0:
            byte = ((different & -different).bit_length() - 1) // 8
            self.wrong[f"byte {byte} is not as the plan has it, where nothing changes"] += 1


class _Turn:
    """A signal that takes its numbers in turn; where in its turn it may be."""

    def __init__(self, signal: Signal, raws: Sequence[Raw]) -> None:
        self.signal: Final = signal.name
        self._layout: Final = signal
        self._raws: Final = raws
        self._places = set(range(len(raws)))

    def goes_on(self, data: bytes) -> bool:
        """Return whether the number of the next frame is one that may follow."""
        raw = extract(self._layout, data)
        fitting = {place for place, one in enumerate(self._raws) if one == raw}
        possible = {place for place in fitting if (place - 1) % len(self._raws) in self._places}
        self._places = possible or fitting
        return bool(possible)


class LogCheck:
    """The check of one bus: `note` takes its frames in order, `judgements` has the result."""

    def __init__(self, frames: Sequence[Outgoing]) -> None:
        """`frames`: those of the plan of a bench that never ran."""
        self.others: Final[Counter[int]] = Counter()
        """The frames under identifiers that the plan does not have, by identifier with its flag."""

        self._courses: Final = {one.can_id: _Course(one, _checker(one)) for one in frames}
        self._last = 0

    def note(self, t: int, frame: Frame) -> None:
        """Take a frame of the log at `t` [ns]."""
        self._last = t
        course = self._courses.get(frame.can_id)
        if course is None:
            self.others[frame.can_id] += 1
        else:
            course.note(t, frame.data)

    def judgements(self) -> dict[str, Judgement]:
        """Return what the log shows, by message."""
        return {one.outgoing.message: self._judge(one) for one in self._courses.values()}

    def _judge(self, course: _Course) -> Judgement:
        wanted = course.outgoing.terminals
        shows, doubt = [one for one in self._shows(wanted) if one is not course], ""
        if not shows and wanted == BITS[15]:
            shows, doubt = self._shows(BITS["R"]), _PERHAPS_OFF
        if course.first is not None:
            shows.append(course)
        if not shows and not wanted & BITS[30]:
            return Judgement(expected=False, causes=(), lit={})
        missing = [Cause(f"{text}{doubt}") for text in _missing(course, *self._window(wanted, shows))]
        causes = (*missing, *_off_period(course), *_wrong(course))
        return Judgement(expected=True, causes=causes, lit=lit_lamps(course.outgoing, course.newest))

    def _window(self, wanted: int, shows: Sequence[_Course]) -> tuple[int, int]:
        """Return from when until when [ns] one of the `wanted` terminals was on, as these frames show."""
        if wanted & BITS[30]:
            return 0, self._last
        begin = min(one.first or 0 for one in shows)
        return begin, max(begin, *(one.last - one.outgoing.after_run for one in shows))

    def _shows(self, terminals: int) -> list[_Course]:
        """Return the frames of the log that show that one of these terminals was on."""
        return [
            course
            for course in self._courses.values()
            if course.first is not None
            and (course.outgoing.terminals == terminals or _IMPLIED.get(course.outgoing.terminals, 0) & terminals)
        ]


def check_log(log: bytes, check: LogCheck) -> None:
    """Have every frame of a log checked, in the form of rest_bus.py."""
    for offset, (t, can_id, flags, length) in records(log):
        start = offset + LOGGED.size
        check.note(t, Frame(can_id, log[start : start + length], flags))


def fixed_bits(outgoing: Outgoing) -> tuple[int, int]:
    """Return the bits of a frame that never change in the plan, as a mask and as they are; none of a multiplexed one.

    Bit b of the frame is bit b of the numbers.
    """
    channels = DataBus().channels
    content = int.from_bytes(outgoing.encode(channels), "little")
    mask = (1 << 8 * outgoing.length) - 1
    if outgoing.codec is not None:
        if any(layout.multiplexer_ids for layout in outgoing.codec.layouts.values()):
            return 0, 0
        fixed = {row.signal for row in outgoing.assignments if isinstance(row.source, FixedSource)}
        for name, layout in outgoing.codec.layouts.items():
            if name not in fixed:
                mask &= ~occupied(layout)
    for _, encode in outgoing.lamps:
        mask &= ~(content ^ int.from_bytes(encode(channels), "little"))
    if outgoing.events is not None:
        for event in outgoing.events.events:
            mask &= ~(event.on.mask | (0 if event.off is None else event.off.mask))
    if outgoing.protector is not None:
        for position in outgoing.protector.positions:
            mask &= ~position.occupied
    return mask, content & mask


def _checker(outgoing: Outgoing) -> Checker | None:
    place = (*outgoing.place, "protection")
    return build_checker(outgoing.protection, outgoing.codec, outgoing.can_id, outgoing.length, place, gapless=True)


def _missing(course: _Course, begin: int, end: int) -> list[str]:
    """Return where a frame is missing that is expected from `begin` to `end` [ns]."""
    outgoing, period = course.outgoing, _period(course.outgoing)
    if course.first is None:
        absent = f"missing: no frame 0x{outgoing.can_id & EXTENDED_MASK:X} in the log"
        if outgoing.sending.kind == "once":
            return [f"{absent}, unless it began after the terminals came on"]
        return [] if period is None else [absent]
    if period is None:
        return []
    found = []
    longest = _GAP * period
    if course.first - begin > longest:
        found.append(f"missing in the first {_ms(course.first - begin)}")
    if end - course.last > longest:
        found.append(f"missing in the last {_ms(end - course.last)}")
    gaps = [interval for interval in course.intervals if interval > longest]
    if gaps:
        found.append(f"missing for up to {_ms(max(gaps))}, {len(gaps)} times")
    return found


def _off_period(course: _Course) -> list[Cause]:
    """Return whether a frame is usually sent at another period than its own."""
    period = _period(course.outgoing)
    if period is None or len(course.intervals) < _FEWEST:
        return []
    usual = median(course.intervals)
    if usual > (1 + _OFF_PERIOD) * period:
        return [Cause(f"late: every {_ms(usual)} in place of every {_ms(period)}")]
    if usual < (1 - _OFF_PERIOD) * period and course.outgoing.sending.kind == "cyclic":
        return [Cause(f"too often: every {_ms(usual)} in place of every {_ms(period)}; do two send it?")]
    return []


def _period(outgoing: Outgoing) -> int | None:
    """Return the period [ns] at which a frame is sent in any case."""
    return outgoing.sending.period if outgoing.events is None else outgoing.events.cycle


def _turns(outgoing: Outgoing) -> list[_Turn]:
    codec = outgoing.codec
    if codec is None:
        return []
    return [
        _Turn(codec.layouts[name], [codec.signals[name].to_raw(number) for number in memory.numbers])
        for name, memory in outgoing.memories.items()
        if isinstance(memory, Turns)
    ]


def _wrong(course: _Course) -> list[Cause]:
    frames = len(course.intervals) + 1
    return [Cause(f"wrong: {reason}, in {count} of {frames} frames") for reason, count in course.wrong.most_common()]


def _ms(time: float) -> str:
    return f"{time / MILLISECOND:.4g} ms"


def with_judgements(rows: Sequence[Mapping[str, Any]], judged: Mapping[str, Judgement]) -> list[dict[str, Any]]:
    """Return rows of the part `lamps` of one bus as the log shows them: expected or not, and what they light."""
    return [
        {**row, "awake": judged[row["message"]].expected, "lit": judged[row["message"]].lit, "bulb_check": False}
        | {"unavailable": []}
        for row in rows
    ]
