"""The codec of a frame that no database describes: its signals are placed by the bench file."""

from collections.abc import Mapping

from cantools.database.can import Message, Signal
from cantools.database.conversion import LinearConversion

from hilbridge.codec.codec import CompiledMessage, compile_message
from hilbridge.codec.layout import occupied
from hilbridge.common.errors import ConfigurationError, KeyPath
from hilbridge.settings.traffic import SignalPlace


def placed_codec(
    name: str,
    identifier: int,
    signals: Mapping[str, SignalPlace],
    place: KeyPath,
    *,
    extended: bool,
    length: int | None = None,
) -> CompiledMessage:
    """Return the codec of a frame of `length` bytes; by default as long as its signals need.

    ConfigurationError, with the key path `place` of the signals: they overlap, or do not fit.
    """
    placed = [_signal(signal, one) for signal, one in signals.items()]
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


def _signal(name: str, place: SignalPlace) -> Signal:
    return Signal(
        name,
        place.bit,
        place.width,
        "big_endian" if place.order == "big" else "little_endian",
        is_signed=place.signed,
        conversion=LinearConversion(place.scale, place.offset, is_float=False),
    )
