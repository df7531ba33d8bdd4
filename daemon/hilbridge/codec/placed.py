"""The codec of a frame that no database describes: its signals are placed by the bench file."""

from collections.abc import Mapping

from cantools.database.can import Message, Signal
from cantools.database.conversion import LinearConversion

from hilbridge.codec.codec import CompiledMessage, compile_message
from hilbridge.codec.layout import occupied
from hilbridge.common.errors import ConfigurationError, KeyPath
from hilbridge.settings.traffic import RawSignal, SignalPlace


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
    pages = None if multiplexer is None else signals[multiplexer]
    placed = [_signal(signal, one, multiplexer, pages) for signal, one in signals.items()]
    taken = 0
    for signal in placed:
        taken |= occupied(signal)
    needed = -(-taken.bit_length() // 8)
    size = needed if length is None else length
    message = Message(identifier, name, size, placed, is_extended_frame=extended, strict=False)
    try:
        return compile_message(message)
    except ConfigurationError as error:
        raise ConfigurationError(error.message, place) from error


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
