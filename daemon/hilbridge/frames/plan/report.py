"""Reports about the frames: the plan in rows for `hilbridge check`, and the counters of each frame for the status.

load [%] = 100 * sum of (time on the wire at worst / period), over the frames with a cycle
highest load [%]: frames on change are sent as often as their minimum delay (at least a tick) allows
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from hilbridge.base.common.errors import Doubt
from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH
from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.base.common.words import listed
from hilbridge.frames.bus.busload import frame_time
from hilbridge.frames.codec.frame import BRS, EXTENDED, EXTENDED_MASK, FD
from hilbridge.frames.codec.mapping import Assignment
from hilbridge.frames.codec.pgn import GLOBAL, split
from hilbridge.frames.codec.ranges import is_doubtful
from hilbridge.frames.codec.sources import FixedSource
from hilbridge.frames.plan.cycle_statistics import PeriodStatistics
from hilbridge.frames.plan.planned import PlannedFrame
from hilbridge.frames.plan.selection import Outgoing, Selection
from hilbridge.frames.plan.terminals import BITS
from hilbridge.frames.protection.names import names_checksum, names_counter
from hilbridge.frames.protection.validity import says_invalid
from hilbridge.frames.transport.transport_frames import BROADCAST_GAP, packets

_FULL: Final = 100.0
"""[%]"""

_TOP_BIT: Final = 7

_MOST_NAMES: Final = 4
"""Signals that a warning names, apart from counters and checksums, which it all names."""


class SignalReport(NamedTuple):
    """The origin of a signal: mapped, by name, constant, default, left out, counter or checksum; and as text.

    `raw` is the number in the frame where it stays the same. An event of the frame is in such a row too, with its
    code and its condition.
    """

    signal: str
    origin: str
    text: str
    raw: float | None = None


@dataclass(frozen=True, slots=True)
class FrameReport:
    """A frame: `length` [byte], times [ms], None where a frame has no such time. `terminals` by name."""

    message: str
    identifier: int
    extended: bool
    fd: bool
    length: int
    send: str
    period: float | None
    phase: float | None
    minimum_delay: float | None
    repetitions: int
    repetition_period: float | None
    terminals: tuple[str, ...]
    wake_up: bool
    after_run: float
    bulb_check: float | None
    repeat: float | None
    one_at_a_time: bool
    signals: tuple[SignalReport, ...]
    feeds: tuple[str, ...]
    darkens: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BusReport:
    """A bus. `load` and `highest_load` [%] are worst cases (busload.py); None where the bit rate is unknown.

    `not_sent` has the reason by message.
    """

    bus: str
    bitrate: int | None
    load: float | None
    highest_load: float | None
    frames: tuple[FrameReport, ...]
    not_sent: dict[str, str]
    warnings: tuple[Doubt, ...]


class FrameStatistics(NamedTuple):
    """The counters of a frame; `last` [ns] is the time at which it was sent last.

    `skipped` counts the cycles of late ticks, `withheld` those in which the link was lost; `checksum_failures`
    those of a function of the user (frames/protection/checksum.py); `period` where it has one.
    """

    bus: str
    message: str
    identifier: int
    sent: int
    skipped: int
    withheld: int
    checksum_failures: int
    last: int | None
    period: PeriodStatistics | None


def statistics(frame: PlannedFrame) -> FrameStatistics:
    """Return the counters of a frame so far."""
    protector = frame.outgoing.protector
    return FrameStatistics(
        frame.bus.name,
        frame.outgoing.message,
        frame.can_id & EXTENDED_MASK,
        frame.sent,
        frame.skipped,
        frame.withheld,
        0 if protector is None else protector.failures,
        frame.last,
        None if frame.outgoing.events is not None else frame.cycle_statistics.statistics(),
    )


def report(bus: str, selection: Selection, phases: Sequence[int], tick: int) -> BusReport:
    """Return the report of one bus, with the phase [ns] of each of its frames."""
    frames = tuple(_row(frame, phase) for frame, phase in zip(selection.outgoing, phases, strict=True))
    load, highest = _loads(selection, tick)
    warnings = [warning for frame in selection.outgoing for warning in _warnings(frame)]
    warnings += _crowded_broadcasts(selection)
    if load is not None and load > _FULL:
        warnings.insert(0, Doubt(f"the frames need up to {load:.1f} % of what the bus can carry"))
    return BusReport(
        bus,
        selection.bitrate,
        load,
        highest,
        frames,
        dict(selection.not_sent),
        (*selection.warnings, *warnings),
    )


def _row(frame: Outgoing, phase: int) -> FrameReport:
    sending = frame.sending
    return FrameReport(
        message=frame.message,
        identifier=frame.can_id & EXTENDED_MASK,
        extended=bool(frame.can_id & EXTENDED),
        fd=bool(frame.flags & FD),
        length=frame.length,
        send=sending.kind,
        period=_milliseconds(sending.period),
        phase=None if sending.period is None else phase / MILLISECOND,
        minimum_delay=_milliseconds(sending.minimum_delay),
        repetitions=sending.repetitions,
        repetition_period=_milliseconds(sending.repetition_period),
        terminals=tuple(str(terminal) for terminal, bit in BITS.items() if frame.terminals & bit),
        wake_up=frame.wake_up,
        after_run=frame.after_run / MILLISECOND,
        bulb_check=_milliseconds(max((end for end, _ in frame.lamps), default=None)),
        repeat=None if frame.events is None else _milliseconds(frame.events.repeat),
        one_at_a_time=frame.events is not None and frame.events.one_at_a_time,
        signals=(*_signals(frame), *_events(frame)),
        feeds=tuple(frame.feeds),
        darkens=tuple(frame.darkens),
    )


def _signals(frame: Outgoing) -> Iterator[SignalReport]:
    for signal, origin, source, text, _ in frame.assignments:
        if (role := frame.protected.get(signal)) is not None:
            yield SignalReport(signal, role, "filled in when the frame goes")
        else:
            raw = source.raw if isinstance(source, FixedSource) and origin != "left out" else None
            yield SignalReport(signal, origin, text, raw)
    for signal, reason in {} if frame.codec is None else frame.codec.left_out.items():
        yield SignalReport(signal, "left out", reason)
    if frame.protector is not None and not frame.protected:  # a raw frame: no signal has a name there
        for role, position in frame.protector.numbers:
            yield SignalReport(role, role.rstrip(" 0123456789"), f"{position.words}; filled in when the frame goes")


def _events(frame: Outgoing) -> Iterator[SignalReport]:
    for event in frame.events.events if frame.events is not None else ():
        yield SignalReport(event.name, f"event {event.code:g}", event.text)


def _milliseconds(time: int | None) -> float | None:
    return time / MILLISECOND if time else None


def _warnings(frame: Outgoing) -> Iterator[Doubt]:
    """Yield what may not be as the user meant it."""
    if frame.doubt is not None:
        yield Doubt(f"{frame.message}: {frame.doubt.message}", frame.doubt.place)
    for row in frame.assignments:
        if row.signal in frame.protected and row.origin in ("mapped", "constant"):
            kind, place = frame.protected[row.signal], (*frame.place, "signals", row.signal)
            yield Doubt(f"{row.signal} is mapped, but the {kind} lies there and is sent in its place", place)
    rows = [row for row in frame.assignments if row.signal not in frame.protected]
    yield from (row.warning for row in rows if row.warning is not None)
    period, database = frame.sending.period, frame.database_period
    if period is not None and database and period != database * MILLISECOND:
        yield Doubt(f"{frame.message}: goes every {period / MILLISECOND:g} ms, the database says {database} ms")
    if frame.sending.on_change and not frame.lamps and not any(row.source.entries for row in rows):
        yield Doubt(f"{frame.message}: goes on change, but nothing in it ever changes")
    yield from _doubtful_ranges(frame, rows)
    yield from _from_the_top_bit(frame)
    without = [row.signal for row in rows if row.origin == "default"]
    yield from _invalid_at_rest(frame, without)
    if without:
        yield Doubt(f"{frame.message}: no source for {_listed(frame, without)}; the start value is sent")


def _invalid_at_rest(frame: Outgoing, resting: Sequence[str]) -> Iterator[Doubt]:
    """Yield one warning about signals whose start value is not valid by its label; all ones are meant so (J1939)."""
    signals = [] if frame.codec is None else [frame.codec.signals[name] for name in resting]
    labels = {one.name: one.name_of(one.rest) for one in signals if one.rest != (1 << one.length) - 1}
    names = [f"{name} {label!r}" for name, label in labels.items() if label is not None and says_invalid(label)]
    if names:
        reason = "at the start value: a receiver may refuse the frame, and 'constant' sends another number"
        yield Doubt(f"{frame.message}: {listed(names, _MOST_NAMES)} {reason}", frame.place)


def _doubtful_ranges(frame: Outgoing, rows: Iterable[Assignment]) -> Iterator[Doubt]:
    """Yield one warning about the signals of a frame whose values are held in a range that cannot have been meant."""
    if frame.codec is None:
        return
    signals = [frame.codec.signals[row.signal] for row in rows if row.source.entries or row.origin == "mapped"]
    names = [f"{one.name} {one.range_text} on {one.length} bits" for one in signals if is_doubtful(one)]
    if names:
        reason = "hold values in ranges of the database that can hardly be meant"
        yield Doubt(f"{listed(names, _MOST_NAMES)} {reason}: 'range: raw' sends them as they are", frame.place)


def _from_the_top_bit(frame: Outgoing) -> Iterator[Doubt]:
    """Yield a warning about each signal of a raw frame whose place looks like Motorola's and is read as Intel's."""
    if frame.codec is None or "raw" not in frame.place:
        return
    for name, one in frame.codec.layouts.items():
        if one.byte_order == "little_endian" and one.length > 1 and one.start % 8 == _TOP_BIT:
            reason = f"begins at the top bit of a byte and lies in bits {one.start} to {one.start + one.length - 1}"
            meant = "a number of which the high byte goes first has 'order: big'"
            yield Doubt(f"{frame.message}: {name} {reason}: {meant}", (*frame.place, "signals", name))


def _crowded_broadcasts(selection: Selection) -> Iterator[Doubt]:
    """Yield a warning for each source address whose long messages need more time than there is: one goes at a time."""
    needed: dict[int, float] = {}
    for frame in selection.outgoing:
        if frame.is_long and frame.sending.period is not None and split(frame.can_id).destination == GLOBAL:
            source = split(frame.can_id).source
            share = packets(frame.length) * BROADCAST_GAP / frame.sending.period
            needed[source] = needed.get(source, 0.0) + share
    for source, share in needed.items():
        if share > 1:
            reason = f"needs {100 * share:.0f} % of the time of its broadcasts, 50 ms for each packet of one at a time"
            yield Doubt(f"address 0x{source:02X} {reason}: cycles are left out")


def _listed(frame: Outgoing, signals: Sequence[str]) -> str:
    """Return names of signals, counters and checksums first: a receiver drops the frame without them."""
    lengths = {} if frame.codec is None else {name: signal.length for name, signal in frame.codec.signals.items()}
    protective = [name for name in signals if _is_protective(name, lengths.get(name, 0))]
    others = [name for name in signals if name not in protective]
    left = len(others) - _MOST_NAMES
    return ", ".join([*protective, *others[:_MOST_NAMES], *([f"and {left} more"] if left > 0 else [])])


def _is_protective(name: str, bits: int) -> bool:
    return names_counter(name, bits) or names_checksum(name, bits)


def _loads(selection: Selection, tick: int) -> tuple[float | None, float | None]:
    """Return the load [%] of the frames with a cycle, and that of all at their highest rate."""
    if selection.bitrate is None or selection.data_bitrate is None:
        return None, None
    load = highest = 0.0
    for frame in selection.outgoing:
        bitrate = selection.bitrate
        data_bitrate = selection.data_bitrate if frame.flags & BRS else bitrate
        extended, fd = bool(frame.can_id & EXTENDED), bool(frame.flags & FD)
        frames, length = (1 + packets(frame.length), CLASSIC_LENGTH) if frame.is_long else (1, frame.length)
        share = 100 * SECOND * frames * frame_time(length, bitrate, data_bitrate, extended=extended, fd=fd)
        often = cyclic = share / frame.sending.period if frame.sending.period is not None else 0.0
        if frame.events is not None:
            cyclic = share / frame.events.interval
        elif frame.sending.on_change:
            often = share / max(frame.sending.minimum_delay, tick)
        load += cyclic
        highest += often
    return load, highest
