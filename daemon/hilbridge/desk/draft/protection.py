"""Finds counters and checksums in a message by name and place, and the preset that may make them."""

import re
from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import Final, NamedTuple, get_args

from cantools.database.can import Signal

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.frame_lengths import FRAME_LENGTHS
from hilbridge.files.settings.protection import BitField, Preset, ProtectionSettings
from hilbridge.frames.codec.codec import CompiledMessage
from hilbridge.frames.codec.layout import occupied
from hilbridge.frames.protection import build_protector
from hilbridge.frames.protection.names import names_checksum, names_counter
from hilbridge.frames.protection.position import Places
from hilbridge.frames.protection.presets import PRESETS, preset
from hilbridge.frames.protection.recipe import Recipe

_ANYWHERE: Final[dict[Preset, int]] = {"psa": 4, "vw-pq": 8}
"""Presets whose checksum has no usual place, with its width [bit]."""

_LONGEST: Final = FRAME_LENGTHS[-1]


class Protection(NamedTuple):
    """The protection of a message: the signals, the settings that are written, and a comment about them.

    `settings` is a preset by name, or keys of a group; None where only the comment can be written. `filled`: further
    signals, of numbers that are split.
    """

    counter: Signal | None
    checksum: Signal | None
    settings: dict[str, object] | None
    comment: str
    filled: frozenset[str] = frozenset()


def guess_protection(codec: CompiledMessage, length: int, file: str) -> Protection | None:
    """Return what is known of a message's protection, None without counter and checksum; `file` names the database."""
    counter = _only(codec, names_counter)
    checksum = _only(codec, names_checksum)
    if counter is None and checksum is None:
        return None
    makes = {name: _shared_words(name, file) for name in get_args(Preset)}
    most = max(makes.values())
    likely = [name for name in makes if most and makes[name] == most]
    for name in likely:
        if filled := _designed(name, codec, length):
            comment = f"likely: {file} is of this make, which has a way of its own for this identifier"
            return Protection(counter, checksum, {"preset": name}, comment, filled)
    if checksum is None:
        return Protection(counter, None, _counted(counter), "a counter by its name, no checksum found")
    fitting = [name for name in likely or makes if _fits(name, counter, checksum, codec, length)]
    if likely and len(fitting) == 1:
        settings = _preset(fitting[0], counter, checksum)
        why = "places and identifier fit" if fitting[0] not in _ANYWHERE else "but its checksums have no usual place"
        return Protection(counter, checksum, settings, f"likely: {file} is of this make, {why}")
    if fitting:
        hint = f"by its places {' or '.join(fitting)} may make it"
    elif likely:
        hint = f"{' and '.join(likely)}, which {file} suggests, lacks this identifier or has other places"
    else:
        hint = "no preset has these places"
    comment = f"{checksum.name} is a checksum by its name; {hint}. Find out how it is made: hilbridge presets"
    return Protection(counter, checksum, _counted(counter), comment)


def _only(codec: CompiledMessage, names: Callable[[str, int], bool]) -> Signal | None:
    """Return the signal with such a name and length; of several the one next to the ends of the frame."""
    found = [
        signal
        for signal in codec.layouts.values()
        if not signal.is_float and signal.multiplexer_signal is None and not signal.is_multiplexer
        if signal.scale == 1 and names(signal.name, signal.length)
    ]
    return min(found, key=lambda signal: _distance(signal, codec.length), default=None)


def _distance(signal: Signal, length: int) -> int:
    """Return how many bytes a signal is away from the nearer end of the frame."""
    byte = (occupied(signal).bit_length() - 1) // 8
    return min(byte, length - 1 - byte)


def _counted(counter: Signal | None) -> dict[str, object] | None:
    return None if counter is None else {"counter": {"at": counter.name}}


def _preset(name: Preset, counter: Signal | None, checksum: Signal) -> dict[str, object]:
    """Return the settings of a preset; places only where it does not find them by itself."""
    places: dict[str, object] = {"counter": "none"} if counter is None and name in _ANYWHERE else {}
    for word, signal in (("counter", counter), ("checksum", checksum)):
        if signal is not None and signal.name.casefold() != word:
            places[word] = {"at": signal.name}
    return {"preset": name, **places}


def _fits(name: Preset, counter: Signal | None, checksum: Signal, codec: CompiledMessage, length: int) -> bool:
    """Return whether a preset knows this frame, and has its counter and checksum where they are."""
    own = ProtectionSettings.model_validate(_preset(name, counter, checksum))
    try:
        recipe = preset(own, name, codec.can_id, length, ())
        build_protector([own], codec, codec.can_id, length, ())
    except ConfigurationError:
        return False
    if recipe.counter is not None and counter is None and name not in _ANYWHERE:
        return False
    if name in _ANYWHERE:
        return checksum.length == _ANYWHERE[name]
    if recipe.counter is not None and counter is not None and not _lies(counter, recipe.counter.at):
        return False
    return recipe.checksum is not None and _lies(checksum, recipe.checksum.at)


def _designed(name: Preset, codec: CompiledMessage, length: int) -> frozenset[str]:
    """Return the signals of a frame that a preset has designed by itself; none: it has not, or signals lack."""
    table = PRESETS[name].by_frame
    recipe = None if table is None else table.values.get(codec.can_id)
    if not isinstance(recipe, Recipe) or recipe.counter is None or recipe.checksum is None:
        return frozenset()
    try:
        protector = build_protector([ProtectionSettings(preset=name)], codec, codec.can_id, length, ())
    except ConfigurationError:
        return frozenset()
    signals: frozenset[str] = protector.signals if protector is not None else frozenset()
    at = [*(recipe.counter.at or ()), *(recipe.checksum.at or ())]
    named = reduce(or_, (occupied(codec.layouts[signal]) for signal in signals), 0)
    return signals if Places(None, _LONGEST).position(at, ()).occupied == named else frozenset()


def _lies(signal: Signal, at: list[BitField] | None) -> bool:
    """Return whether a signal has the bits of a recipe."""
    return at is not None and occupied(signal) == Places(None, _LONGEST).position(at, ()).occupied


def _shared_words(name: Preset, file: str) -> int:
    """Return how many words of a preset and its cars are in the name of the database."""
    words = set(re.findall(r"\w+", f"{name} {PRESETS[name].used_by}".casefold().replace("-", " ")))
    return len(words & set(re.findall(r"[a-z0-9]+", file.casefold())))
