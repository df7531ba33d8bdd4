"""Frames that no database describes: their signals are placed by the bench file."""

from collections.abc import Mapping
from dataclasses import replace

from cantools.database.can import Message, Signal
from cantools.database.conversion import LinearConversion

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH
from hilbridge.files.settings.traffic import RawFrame, RawSignal, SignalPlace
from hilbridge.frames.codec.codec import CompiledMessage, compile_message
from hilbridge.frames.codec.database import Database
from hilbridge.frames.codec.layout import occupied


def placed_codec(
    name: str,
    identifier: int,
    signals: Mapping[str, SignalPlace],
    place: KeyPath,
    *,
    extended: bool,
    length: int | None = None,
    multiplexer: str | None = None,
) -> CompiledMessage:
    """Return the codec of a frame of `length` bytes; by default as long as its signals need.

    `multiplexer` is the signal whose numbers are the pages of those that have one.

    ConfigurationError, with the key path `place` of the signals: they overlap, or do not fit.
    """
    message = _message(name, identifier, signals, extended=extended, length=length, multiplexer=multiplexer)
    codec = compile_message(message)
    for signal, reason in codec.left_out.items():
        raise ConfigurationError(f"signal {signal}: {reason}", place)
    if codec.overlaps:
        first = next(name for name in codec.signals if name in codec.overlaps)
        second = next(name for name in codec.signals if name in codec.overlaps[first])
        raise ConfigurationError(f"signals {first} and {second} overlap", place)
    return codec


def with_raw_frames(database: Database | None, raw: Mapping[str, RawFrame]) -> Database:
    """Return what frames of a bus mean: the raw frames by their names, and the database where they leave it alone."""
    own = [
        _message(
            name,
            frame.id,
            frame.signals,
            extended=frame.is_extended,
            length=len(frame.content),
            multiplexer=frame.pages,
            cycle_time=round(frame.period) if frame.period is not None and frame.period % 1 == 0 else None,
        )
        for name, frame in raw.items()
    ]
    if database is None:
        return Database("the bench file", own, [])
    taken = {(message.frame_id, message.is_extended_frame) for message in own}
    others = [one for one in database.messages if (one.frame_id, one.is_extended_frame) not in taken]
    return replace(database, messages=[*own, *others])


def _message(
    name: str,
    identifier: int,
    signals: Mapping[str, SignalPlace],
    *,
    extended: bool,
    length: int | None,
    multiplexer: str | None,
    cycle_time: int | None = None,
) -> Message:
    pages = None if multiplexer is None else signals[multiplexer]
    placed = [_signal(signal, one, multiplexer, pages) for signal, one in signals.items()]
    taken = 0
    for signal in placed:
        taken |= occupied(signal)
    needed = -(-taken.bit_length() // 8)
    size = needed if length is None else length
    return Message(
        identifier, name, size, placed, is_extended_frame=extended, is_fd=size > CLASSIC_LENGTH, cycle_time=cycle_time,
        strict=False,
    )  # fmt: skip


def _signal(name: str, place: SignalPlace, multiplexer: str | None, pages: SignalPlace | None) -> Signal:
    page = place.page if isinstance(place, RawSignal) else None
    return Signal(
        name,
        place.bit,
        place.width,
        "big_endian" if place.order == "big" else "little_endian",
        is_signed=place.signed,
        conversion=LinearConversion(place.scale, place.offset, is_float=False),
        is_multiplexer=name == multiplexer,
        multiplexer_signal=None if page is None else multiplexer,
        multiplexer_ids=None if page is None or pages is None else [round((page - pages.offset) / pages.scale)],
    )
