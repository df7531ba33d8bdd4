"""Protectors and checkers for the tests of this folder, from settings as the bench file has them."""

from typing import Any

from hilbridge.files.settings.protection import ProtectionSettings
from hilbridge.frames.codec import CompiledMessage
from hilbridge.frames.codec.frame import EXTENDED
from hilbridge.frames.protection import Checker, Protector, build_checker, build_protector

PLACE = ("buses", "powertrain", "messages", "Example", "protection")


def parsed(*settings: Any) -> list[ProtectionSettings]:
    return [ProtectionSettings.model_validate(each) for each in settings]


def can_id(identifier: int) -> int:
    """With the flag for 29 bits where it needs them."""
    return identifier | (EXTENDED if identifier > 0x7FF else 0)


def protector(
    *settings: Any, identifier: int = 0x123, length: int = 8, codec: CompiledMessage | None = None
) -> Protector:
    built = build_protector(parsed(*settings), codec, can_id(identifier), length, PLACE)
    assert built is not None
    return built


def checker(*settings: Any, identifier: int = 0x123, length: int = 8, codec: CompiledMessage | None = None) -> Checker:
    built = build_checker(parsed(*settings), codec, can_id(identifier), length, PLACE)
    assert built is not None
    return built


def protected(one: Protector, data: bytes, frames: int = 1) -> list[bytes]:
    """The same data in so many frames."""
    sent = []
    for _ in range(frames):
        frame = bytearray(data)
        one.protect(frame)
        sent.append(bytes(frame))
    return sent


def counted(**counter: Any) -> dict[str, Any]:
    """A group of a counter in the lower half of byte 0."""
    return {"counter": {"at": {"bit": 0, "width": 4}, **counter}}


def summed(*, byte: int = 7, **checksum: Any) -> dict[str, Any]:
    """A group of a checksum in one byte; sum8 where nothing else is said."""
    return {"checksum": {"at": {"bit": 8 * byte, "width": 8}, "algorithm": "sum8", **checksum}}
