"""What `hilbridge check` says about the frames: a row for each, and how full the bus gets."""

from collections.abc import Sequence
from dataclasses import dataclass

from hilbridge.frames.busload import classic_time, fd_time
from hilbridge.frames.frame import BRS, EXTENDED, EXTENDED_MASK, FD
from hilbridge.frames.mapping import Assignment
from hilbridge.frames.schedule import MILLISECOND
from hilbridge.frames.selection import Outgoing, Selection
from hilbridge.settings import NANOSECONDS


@dataclass(frozen=True, slots=True)
class FrameReport:
    """A frame: `length` [byte], `period` and `phase` [ms], and where each signal comes from."""

    message: str
    identifier: int
    extended: bool
    fd: bool
    length: int
    period: float
    phase: float
    signals: tuple[Assignment, ...]


@dataclass(frozen=True, slots=True)
class BusReport:
    """A bus. `load` [%] is the worst case of busload.py; None where nobody names the bit rate.

    `not_sent` has the reason by message.
    """

    bus: str
    bitrate: int | None
    load: float | None
    frames: tuple[FrameReport, ...]
    not_sent: dict[str, str]
    warnings: tuple[str, ...]


def report(bus: str, selection: Selection, phases: Sequence[int]) -> BusReport:
    """The report of one bus, with the phase [ns] of each of its frames."""
    load: float | None = None
    if selection.bitrate is not None and selection.data_bitrate is not None:
        rates = selection.bitrate, selection.data_bitrate
        load = 100 * sum(_time(frame, *rates) * NANOSECONDS / frame.period for frame in selection.outgoing)
    frames = tuple(_row(frame, phase) for frame, phase in zip(selection.outgoing, phases, strict=True))
    warnings = [signal.warning for frame in frames for signal in frame.signals if signal.warning is not None]
    return BusReport(bus, selection.bitrate, load, frames, dict(selection.not_sent), (*selection.warnings, *warnings))


def _row(frame: Outgoing, phase: int) -> FrameReport:
    return FrameReport(
        frame.message,
        frame.can_id & EXTENDED_MASK,
        bool(frame.can_id & EXTENDED),
        bool(frame.flags & FD),
        frame.length,
        frame.period / MILLISECOND,
        phase / MILLISECOND,
        frame.assignments,
    )


def _time(frame: Outgoing, bitrate: int, data_bitrate: int) -> float:
    """[s] on the wire."""
    extended = bool(frame.can_id & EXTENDED)
    if not frame.flags & FD:
        return classic_time(frame.length, bitrate, extended=extended)
    return fd_time(frame.length, bitrate, data_bitrate if frame.flags & BRS else bitrate, extended=extended)
