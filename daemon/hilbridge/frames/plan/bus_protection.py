"""The protection of a message: its own, else that of the bus.

The presets of a bus protect every message that has a signal of the name CHECKSUM and says nothing of `protection`. Of
several presets the first is taken that knows the frame. A counter that the message does not name is left out, or lies
at the preset's usual place where the checksum needs it.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hilbridge.base.common.errors import ConfigurationError, Doubt, KeyPath
from hilbridge.files.settings import BusSettings, MessageMap
from hilbridge.files.settings.protection import CounterSettings, Preset, ProtectionSettings
from hilbridge.frames.codec.codec import CompiledMessage
from hilbridge.frames.protection import Protector, build_protector
from hilbridge.frames.protection.position import Places


class FrameProtection(NamedTuple):
    """The settings that protect a frame, what they build, and a doubt where the bus's presets do not fit."""

    settings: Sequence[ProtectionSettings]
    protector: Protector | None
    doubt: Doubt | None = None


def frame_protection(
    own: MessageMap, settings: BusSettings, codec: CompiledMessage, can_id: int, length: int, place: KeyPath
) -> FrameProtection:
    """Return the protection of a message of `length` bytes; `place` is its key path.

    ConfigurationError: its own protection does not fit.
    """
    if "protection" in own.model_fields_set or not settings.protection:
        built = build_protector(own.protection, codec, can_id, length, (*place, "protection"))
        return FrameProtection(own.protection, built)
    reasons = []
    for usual in _candidates(settings.protection, Places(codec, length)):
        try:
            return FrameProtection([usual], build_protector([usual], codec, can_id, length, (*place, "protection")))
        except ConfigurationError as error:
            reasons.append(error.message)
    if not reasons:
        return FrameProtection([], None)
    return FrameProtection([], None, Doubt(f"goes without counter and checksum: {reasons[-1]}", place))


def _candidates(presets: Sequence[Preset], places: Places) -> Iterator[ProtectionSettings]:
    """Yield the protection that presets may give a message: none where it names no checksum."""
    for name in presets:
        tail = name == "tesla"
        if places.named("checksum", tail=tail) is not None:
            if places.named("counter", tail=tail) is None:
                yield ProtectionSettings(preset=name, counter=CounterSettings(left_out=True))
            yield ProtectionSettings(preset=name)
