"""Judges a log of a bus, whoever sent it, as a cluster does that wants the frames of a bench.

A frame is expected while its terminals are on. A log does not have the terminals; they are taken from the frames:
whichever is sent only while a terminal is on shows that it was on, from its first frame to its last.

    missing      never there (what goes on change alone may be), or not at the beginning or end of that time, or gaps
    gap          an interval > 2.5 periods
    off period   the median interval differs by more than a tenth of the period
    wrong        the checker of received frames (protection/checker.py) refuses it, it has another length, or bits that
                 never change in the plan are others
"""

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any, Final, NamedTuple

from hilbridge.codec.frame import EXTENDED_MASK, Frame
from hilbridge.codec.layout import occupied
from hilbridge.codec.sources import FixedSource
from hilbridge.common.units import MILLISECOND
from hilbridge.explain.causes import Cause
from hilbridge.explain.lit import lit_lamps
from hilbridge.plan.rest_bus import RECORD, records
from hilbridge.plan.selection import Outgoing
from hilbridge.plan.terminals import BITS
from hilbridge.protection.build import build_checker
from hilbridge.protection.checker import Checker
from hilbridge.settings import BusSettings
from vehiclesim.databus import DataBus

_GAP: Final = 2.5
"""Periods."""

_OFF_PERIOD: Final = 0.1
"""Share of the period."""

_IMPLIED: Final = {
    BITS["R"]: BITS[30] | BITS["R"],
    BITS[15]: BITS[30] | BITS["R"] | BITS[15],
    BITS[50]: BITS[30] | BITS["R"] | BITS[15] | BITS[50],
    BITS["run"]: BITS[30] | BITS["R"] | BITS[15] | BITS["run"],
}
"""The terminals that are on while a frame is sent that goes while one terminal alone is on."""

_REASONS: Final = {
    "wrong_length": "too short",
    "wrong_header": "its length or data id is wrong",
    "wrong_checksum": "its checksum is wrong",
    "counter_invalid": "its counter has a number that it never takes",
    "counter_repeated": "its counter repeats a number",
    "counter_frozen": "its counter stands still",
    "counter_jumped": "its counter jumps",
}
"""The checker's reasons in words."""


class Judgement(NamedTuple):
    """What a log shows of a frame: whether it was expected, what is wrong, and the lamps that it lights at the end."""

    expected: bool
    causes: tuple[Cause, ...]
    lit: Mapping[str, str]


class _Course:
    """What is noted of one frame of the plan."""

    def __init__(self, outgoing: Outgoing, checker: Checker | None) -> None:
        self.outgoing: Final = outgoing
        self.first: int | None = None
        self.last = 0
        self.intervals: Final = array("q")
        self.wrong: Final[Counter[str]] = Counter()
        self.newest = b""
        self._checker: Final = checker
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
        if (different := (int.from_bytes(data, "little") ^ self._fixed) & self._mask) != 0:
            byte = ((different & -different).bit_length() - 1) // 8
            self.wrong[f"byte {byte} is not as the plan has it, where nothing changes"] += 1


class LogCheck:
    """The check of one bus: `note` takes its frames in order, `judgements` has what came of it."""

    def __init__(self, frames: Sequence[Outgoing], settings: BusSettings) -> None:
        """`frames`: those of the plan of a bench that never ran."""
        self.others: Final[Counter[int]] = Counter()
        """The frames under identifiers that the plan does not have, by identifier with its flag."""

        self._courses: Final = {one.can_id: _Course(one, _checker(one, settings)) for one in frames}
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
        window = self._window(course)
        if window is None:
            return Judgement(expected=False, causes=(), lit={})
        causes = [*_missing(course, *window), *_wrong(course)]
        return Judgement(expected=True, causes=tuple(causes), lit=lit_lamps(course.outgoing, course.newest))

    def _window(self, course: _Course) -> tuple[int, int] | None:
        """Return from when until when [ns] one of the frame's terminals was on; None: no frame shows that."""
        wanted = course.outgoing.terminals
        if wanted & BITS[30]:
            return 0, self._last
        shows = [
            other
            for other in self._courses.values()
            if other.first is not None
            and (other.outgoing.terminals == wanted or _IMPLIED.get(other.outgoing.terminals, 0) & wanted)
        ]
        if not shows:
            return None
        begin = min(other.first or 0 for other in shows)
        return begin, max(begin, *(other.last - other.outgoing.after_run for other in shows))


def check_log(log: bytes, check: LogCheck) -> None:
    """Have every frame of a log checked, in the form of rest_bus.py."""
    for offset, (t, can_id, flags, length) in records(log):
        start = offset + RECORD.size
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


def _checker(outgoing: Outgoing, settings: BusSettings) -> Checker | None:
    section, name = outgoing.place[-2:]
    frame = settings.raw[str(name)] if section == "raw" else settings.messages.get(str(name))
    if frame is None:
        return None
    place = (*outgoing.place, "protection")
    return build_checker(frame.protection, outgoing.codec, outgoing.can_id, outgoing.length, place, gapless=True)


def _missing(course: _Course, begin: int, end: int) -> list[Cause]:
    """Return what is wrong with the times of a frame that is expected from `begin` to `end` [ns]."""
    outgoing = course.outgoing
    period = outgoing.sending.period if outgoing.events is None else outgoing.events.cycle
    if course.first is None:
        identifier = f"0x{outgoing.can_id & EXTENDED_MASK:X}"
        if outgoing.sending.kind == "once":
            return [Cause(f"missing: no frame {identifier} in the log, unless it began after the terminals came on")]
        return [] if period is None else [Cause(f"missing: no frame {identifier} in the log")]
    if period is None:
        return []
    causes = []
    longest = _GAP * period
    if course.first - begin > longest:
        causes.append(Cause(f"missing in the first {_ms(course.first - begin)}"))
    if end - course.last > longest:
        causes.append(Cause(f"missing in the last {_ms(end - course.last)}"))
    gaps = [interval for interval in course.intervals if interval > longest]
    if gaps:
        causes.append(Cause(f"missing for up to {_ms(max(gaps))}, {len(gaps)} times"))
    if course.intervals:
        usual = median(course.intervals)
        if usual > (1 + _OFF_PERIOD) * period:
            causes.append(Cause(f"late: every {_ms(usual)} in place of every {_ms(period)}"))
        elif usual < (1 - _OFF_PERIOD) * period and outgoing.sending.kind == "cyclic":
            causes.append(Cause(f"too often: every {_ms(usual)} in place of every {_ms(period)}; do two send it?"))
    return causes


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
