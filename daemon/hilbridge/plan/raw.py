"""Frames without a database: the bytes of the bench file, protected, in the same plan as all others."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from hilbridge.codec.frame import BRS, EXTENDED, FD
from hilbridge.common.errors import ConfigurationError, KeyPath
from hilbridge.common.units import MILLISECOND
from hilbridge.plan.selection import Outgoing, Selection
from hilbridge.plan.send_type import Sending
from hilbridge.plan.terminals import terminal_bits
from hilbridge.protection import build_protector
from hilbridge.settings import BusSettings
from hilbridge.settings.common import in_whole_ticks
from hilbridge.settings.traffic import RawFrame


def with_raw_frames(selection: Selection, settings: BusSettings, tick: int, place: KeyPath) -> Selection:
    """Return what a bus sends with its raw frames, by identifier; `tick` [ns], `place`: key path of the bus.

    ConfigurationError: a period that is no multiple of the tick, CAN FD on a classic bus, protection that does not
    fit, an identifier that is sent already.
    """
    raw = [_outgoing(frame, settings, tick, (*place, "raw", index)) for index, frame in enumerate(settings.raw)]
    outgoing = sorted([*selection.outgoing, *raw], key=lambda frame: frame.can_id)
    _refuse_doubles(outgoing)
    return replace(selection, outgoing=tuple(outgoing))


def _outgoing(frame: RawFrame, settings: BusSettings, tick: int, place: KeyPath) -> Outgoing:
    if frame.is_fd and not settings.fd:
        raise ConfigurationError("a CAN FD frame: the bus needs 'fd: true'", place)
    content = frame.content
    can_id = frame.id | (EXTENDED if frame.is_extended else 0)
    return Outgoing(
        message=f"raw frame 0x{frame.id:X}",
        can_id=can_id,
        flags=FD | BRS if frame.is_fd else 0,
        length=len(content),
        sending=_sending(frame, tick, place),
        terminals=terminal_bits(frame.terminals),
        wake_up=frame.wake_up,
        after_run=round(frame.after_run * MILLISECOND),
        encode=lambda _: content,
        protector=build_protector(frame.protection, None, can_id, len(content), (*place, "protection")),
        place=place,
    )


def _sending(frame: RawFrame, tick: int, place: KeyPath) -> Sending:
    period = in_whole_ticks(frame.period, tick, (*place, "period"))
    if not frame.phase:
        return Sending("cyclic", period, None if frame.phase is None else 0)
    return Sending("cyclic", period, in_whole_ticks(frame.phase, tick, (*place, "phase")) % period)


def _refuse_doubles(outgoing: Sequence[Outgoing]) -> None:
    for one, other in pairwise(outgoing):
        if one.can_id == other.can_id:
            raw = max(one, other, key=lambda frame: (frame.place[2] == "raw", frame.place[3]))
            raise ConfigurationError(f"{one.message} and {other.message} have the same identifier", raw.place)
