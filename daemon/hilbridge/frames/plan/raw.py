"""Frames without a database: the bytes and signals of the bench file, protected, in the same plan as all others."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from hilbridge.base.common.errors import ConfigurationError, Doubt, ErrorCollector, KeyPath
from hilbridge.base.common.units import MILLISECOND
from hilbridge.files.settings import BusSettings
from hilbridge.files.settings.frames import SignalMap
from hilbridge.files.settings.traffic import PlacedFrame, RawFrame
from hilbridge.frames.codec.codec import CompiledMessage
from hilbridge.frames.codec.frame import BRS, EXTENDED, FD
from hilbridge.frames.codec.layout import occupied
from hilbridge.frames.codec.mapping import Assignment, assign, sources_of
from hilbridge.frames.codec.placed import placed_codec
from hilbridge.frames.codec.sources import ExpressionSource
from hilbridge.frames.codec.turns import Turns
from hilbridge.frames.codec.variant import Encoder
from hilbridge.frames.plan.events import build_events
from hilbridge.frames.plan.selection import (
    Outgoing,
    Selection,
    at_rest,
    encoder,
    lamps,
    lights,
    protected_signals,
    require_cycle,
)
from hilbridge.frames.plan.send_type import Sending, cannot_go, sending
from hilbridge.frames.plan.terminals import terminal_bits
from hilbridge.frames.protection import build_protector
from vehiclesim.entries import STANDARD, Entries

_SHORT: Final = 0xFFFF
"""Identifiers up to this one look as if they had a digit too many."""


def with_raw_frames(
    selection: Selection, settings: BusSettings, tick: int, place: KeyPath, entries: Entries = STANDARD
) -> Selection:
    """Return what a bus sends with its raw frames, by identifier; `tick` [ns], `place`: key path of the bus.

    ConfigurationError: no period, or one that is no multiple of the tick, CAN FD on a classic bus, protection that does
    not fit, an identifier that is sent already, the name of a message.
    """
    raw: list[Outgoing] = []
    errors = ErrorCollector()
    for name, frame in settings.raw.items():
        with errors.attempt():
            raw.append(_outgoing(name, frame, settings, tick, (*place, "raw", name), entries))
    errors.verdict()
    _refuse_namesakes(selection, raw)
    outgoing = sorted([*selection.outgoing, *raw], key=lambda frame: frame.can_id)
    _refuse_doubles(outgoing)
    return replace(selection, outgoing=tuple(outgoing))


def _outgoing(
    name: str, frame: RawFrame, settings: BusSettings, tick: int, place: KeyPath, entries: Entries
) -> Outgoing:
    if frame.is_fd and not settings.fd:
        raise ConfigurationError("a CAN FD frame: the bus needs 'fd: true'", place)
    can_id = frame.id | (EXTENDED if frame.is_extended else 0)
    build = reply_frame if frame.is_reply else placed_frame
    outgoing = build(name, frame, can_id, at_rest(frame.signals, settings), tick, place, entries)
    return replace(outgoing, flags=FD | BRS if frame.is_fd else 0, doubt=_doubt(frame, place))


def reply_frame(
    name: str,
    frame: PlacedFrame,
    can_id: int,
    maps: Mapping[str, SignalMap],
    tick: int,
    place: KeyPath,
    entries: Entries,
) -> Outgoing:
    """Return bytes as a frame that goes when it is asked for, and never by itself; see `placed_frame`."""
    cyclic = frame.model_copy(update={"send": "cyclic", "period": tick / MILLISECOND, "phase": None})
    outgoing = placed_frame(name, cyclic, can_id, maps, tick, place, entries)
    return replace(outgoing, sending=Sending("cyclic", None))


def placed_frame(
    name: str,
    frame: PlacedFrame,
    can_id: int,
    maps: Mapping[str, SignalMap],
    tick: int,
    place: KeyPath,
    entries: Entries,
) -> Outgoing:
    """Return bytes as a frame of a plan; `maps`: where the values of its signals come from; `tick` [ns].

    ConfigurationError, with the key path: see `with_raw_frames`.
    """
    if cannot_go(None, frame):
        raise ConfigurationError("needs 'period', or another 'send' than cyclic", place)
    length = len(frame.content)
    codec = _codec(name, frame, can_id, (*place, "signals")) if frame.signals else None
    protector = build_protector(frame.protection, codec, can_id, length, (*place, "protection"))
    outgoing = Outgoing(
        message=name,
        can_id=can_id,
        flags=0,
        length=length,
        sending=sending(None, frame, tick, place),
        terminals=terminal_bits(frame.terminals),
        wake_up=frame.wake_up,
        after_run=round(frame.after_run * MILLISECOND),
        encode=lambda _: frame.content,
        protector=protector,
        place=place,
        events=build_events(frame, codec, tick, place, entries),
        feeds=frame.feeds,
        darkens=frame.darkens,
        lights=lights(frame.signals),
        protection=frame.protection,
    )
    if codec is None:
        return outgoing
    assignments = assign(codec, maps, (*place, "signals"), entries)
    sources = sources_of(assignments)
    require_cycle(outgoing.sending, assignments, (*place, "signals"))
    upon = _between_signals(frame, codec, assignments)
    return replace(
        outgoing,
        codec=codec,
        assignments=tuple(assignments),
        encode=upon(encoder(codec, sources, length, outgoing.held)),
        lamps=tuple((end, upon(lit)) for end, lit in lamps(codec, sources, length, frame.signals)),
        protected=protected_signals(codec, protector) if protector is not None else {},
    )


def _doubt(frame: RawFrame, place: KeyPath) -> Doubt | None:
    """Return a doubt for a short identifier that is one of 29 bits for its number alone."""
    if not frame.is_extended or "extended" in frame.model_fields_set or frame.id > _SHORT:
        return None
    words = f"the identifier 0x{frame.id:X} has 29 bits, as it is above 0x7FF; 'extended: true' says that it is meant"
    return Doubt(words, (*place, "id"))


def _codec(name: str, frame: PlacedFrame, can_id: int, place: KeyPath) -> CompiledMessage:
    """Return the codec of a raw frame's signals. ConfigurationError: they overlap, or do not fit into its bytes."""
    length, multiplexer = len(frame.content), frame.pages
    extended = bool(can_id & EXTENDED)
    return placed_codec(
        name, can_id & ~EXTENDED, frame.signals, place, extended=extended, length=length, multiplexer=multiplexer
    )


def _between_signals(
    frame: PlacedFrame, codec: CompiledMessage, assignments: Iterable[Assignment]
) -> Callable[[Encoder], Encoder]:
    """Return what lays an encoder's signals upon the bytes of the file: those of a page, where there are pages."""
    pages = frame.pages
    if pages is None:
        rest = _without_signals(frame, codec, None)
        return lambda encode: _upon(rest, encode)
    source = next(one.source for one in assignments if one.signal == pages)
    turns = source.memory if isinstance(source, ExpressionSource) else None
    if not isinstance(turns, Turns):
        raise TypeError(f"{pages} takes no turns")
    rests = {number: _without_signals(frame, codec, number) for number in turns.numbers}

    def upon(encode: Encoder) -> Encoder:
        return lambda channels: _added(encode(channels), rests[turns.now])

    return upon


def _without_signals(frame: PlacedFrame, codec: CompiledMessage, page: float | None) -> int:
    """Return the bytes as a little-endian number, with the bits of the signals (of all pages, and of `page`) at 0."""
    taken = sum(occupied(codec.layouts[name]) for name, one in frame.signals.items() if one.page in (None, page))
    return int.from_bytes(frame.content, "little") & ~taken


def _upon(rest: int, encode: Encoder) -> Encoder:
    """Return an encoder that adds the bits between the signals."""
    return (lambda channels: _added(encode(channels), rest)) if rest else encode


def _added(data: bytes, rest: int) -> bytes:
    return (int.from_bytes(data, "little") | rest).to_bytes(len(data), "little")


def _refuse_doubles(outgoing: Sequence[Outgoing]) -> None:
    for one, other in pairwise(outgoing):
        if one.can_id == other.can_id:
            raw = other if other.place[2] == "raw" else one
            raise ConfigurationError(f"{one.message} and {other.message} have the same identifier", raw.place)


def _refuse_namesakes(selection: Selection, raw: Sequence[Outgoing]) -> None:
    messages = {*(frame.message for frame in selection.outgoing), *selection.not_sent}
    for frame in raw:
        if frame.message in messages:
            raise ConfigurationError("is the name of a message of the database; choose another", frame.place)
