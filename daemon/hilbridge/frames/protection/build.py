"""Builds protectors and checkers from the settings of a frame's protection.

Everything is checked here: that signals exist and lie in every frame, that nothing overlaps or leaves the frame, and
that no checksum covers another one that is filled after it.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import or_
from typing import Any, NamedTuple, TypeVar

from pydantic import ValidationError

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.files.settings.protection import (
    ChecksumSettings,
    CounterSettings,
    NumberSettings,
    ProtectionSettings,
)
from hilbridge.frames.codec.codec import CompiledMessage
from hilbridge.frames.protection.checker import Checker, Tracker, tracker
from hilbridge.frames.protection.checksum import Calculation, Hook, calculation, covered, field_sum
from hilbridge.frames.protection.counter import Counter, Numbers
from hilbridge.frames.protection.e2e import e2e
from hilbridge.frames.protection.position import Places, Position
from hilbridge.frames.protection.presets import preset
from hilbridge.frames.protection.protector import Group, Protector
from hilbridge.frames.protection.recipe import Recipe

_Settings = TypeVar("_Settings", CounterSettings, ChecksumSettings)


class _Sealed(NamedTuple):
    """A checksum, and the bits that enter it."""

    position: Position
    calculate: Calculation
    coverage: int


class _Built(NamedTuple):
    """One group in its frame."""

    counter: Counter | None
    second: Counter | None
    settings: CounterSettings
    checksum: _Sealed | None
    constants: list[tuple[Position, int]]
    place: KeyPath

    @property
    def rounds(self) -> bool:
        """Whether the second counter advances when the first wraps."""
        return self.settings.second is not None and self.settings.second.advance == "round"

    def positions(self) -> Iterator[tuple[Position, KeyPath]]:
        """Yield the positions that are filled, each with its key path."""
        for position, _ in self.constants:
            yield position, (*self.place, "e2e")
        if self.counter is not None:
            yield self.counter.position, (*self.place, "counter", "at")
        if self.second is not None:
            yield self.second.position, (*self.place, "counter", "second", "at")
        if self.checksum is not None:
            yield self.checksum.position, (*self.place, "checksum", "at")

    def trackers(self, *, gapless: bool) -> Iterator[Tracker]:
        """Yield the trackers of the counters; a second one that counts rounds is the upper digit of the first."""
        here = (*self.place, "counter")
        if self.counter is not None:
            yield tracker(self.counter, self.second if self.rounds else None, self.settings, here, gapless=gapless)
        if self.second is not None and self.settings.second is not None and not self.rounds:
            yield tracker(self.second, None, self.settings.second, (*here, "second"), gapless=gapless)


def build_protector(
    settings: Sequence[ProtectionSettings], codec: CompiledMessage | None, can_id: int, length: int, place: KeyPath
) -> Protector | None:
    """Build the protector of a frame of `length` bytes; None without settings. `place`: key path of the list.

    `can_id` carries its flag for 29 bits; without `codec` all places are bits. ConfigurationError: see above.
    """
    places = Places(codec, length)
    groups = _built(settings, places, can_id, length, place)
    if not groups:
        return None
    return Protector(
        [Group(one.counter, one.second, one.checksum and one.checksum[:2], rounds=one.rounds) for one in groups],
        [constant for one in groups for constant in one.constants],
        places.signals([filled for one in groups for filled in one.positions()]),
    )


def resolved(
    settings: Sequence[ProtectionSettings], codec: CompiledMessage | None, can_id: int, length: int, place: KeyPath
) -> list[tuple[Recipe, list[tuple[Numbers, Position]], Position | None]]:
    """Return each group written out: its recipe, numbers and bits of its counters, and the bits of its checksum.

    For those who fill frames by another program; parameters and errors as of `build_protector`.
    """
    places = Places(codec, length)
    groups = []
    for index, one in enumerate(settings):
        here = (*place, index)
        built, recipe = _group(one, places, can_id, length, here), _resolve(one, places, can_id, length, here)
        counters = [(each.numbers, each.position) for each in (built.counter, built.second) if each is not None]
        groups.append((recipe, counters, built.checksum and built.checksum.position))
    return groups


def build_checker(
    settings: Sequence[ProtectionSettings],
    codec: CompiledMessage | None,
    can_id: int,
    length: int,
    place: KeyPath,
    *,
    gapless: bool = False,
) -> Checker | None:
    """Build the checker of a received frame; parameters and errors as of `build_protector`.

    `gapless`: a counter that leaves out a number has jumped, whatever the settings say of lost frames.
    """
    groups = _built(settings, Places(codec, length), can_id, length, place)
    if not groups:
        return None
    return Checker(
        length,
        [constant for one in groups for constant in one.constants],
        [(*one.checksum[:2], one.counter) for one in groups if one.checksum is not None],
        [each for one in groups for each in one.trackers(gapless=gapless)],
    )


def _built(
    settings: Sequence[ProtectionSettings], places: Places, can_id: int, length: int, place: KeyPath
) -> list[_Built]:
    groups = [_group(one, places, can_id, length, (*place, index)) for index, one in enumerate(settings)]
    taken = 0
    for group in groups:
        for position, where in group.positions():
            if position.occupied & taken:
                raise ConfigurationError("overlaps with another counter or checksum of the frame", where)
            taken |= position.occupied
    later = 0
    for group in reversed(groups):
        if group.checksum is not None:
            if group.checksum.coverage & later:
                reason = "covers the checksum of a later group, which is filled after it"
                raise ConfigurationError(reason, (*group.place, "checksum"))
            later |= group.checksum.position.occupied
    return groups


def _group(settings: ProtectionSettings, places: Places, can_id: int, length: int, place: KeyPath) -> _Built:
    recipe = _resolve(settings, places, can_id, length, place)
    counter = second = checksum = None
    here = (*place, "counter")
    if recipe.counter is not None:
        counter = _counter(recipe.counter, places, here)
        if recipe.counter.second is not None:
            second = _counter(recipe.counter.second, places, (*here, "second"))
    if recipe.checksum is not None:
        here = (*place, "checksum")
        if recipe.checksum.data_ids and counter is None:
            raise ConfigurationError("needs a counter that chooses among them", (*here, "data_ids"))
        checksum = _checksum(recipe.checksum, places, can_id, length, here)
    constants = [(places.position([constant.at], place), constant.number) for constant in recipe.constants]
    return _Built(counter, second, recipe.counter or CounterSettings(), checksum, constants, place)


def _counter(settings: NumberSettings, places: Places, place: KeyPath) -> Counter:
    position = places.position(settings.at or [], (*place, "at"))
    return Counter(Numbers(settings, position.highest, place), position)


def _checksum(settings: ChecksumSettings, places: Places, can_id: int, length: int, place: KeyPath) -> _Sealed:
    position = places.position(settings.at or [], (*place, "at"))
    if settings.algorithm == "field-sum":
        fields = [places.position([one], (*place, "fields", i)) for i, one in enumerate(settings.fields)]
        counted = reduce(or_, (field.occupied for field in fields))
        if counted & position.occupied:
            raise ConfigurationError("the checksum itself lies among them", (*place, "fields"))
        return _Sealed(position, field_sum(settings, fields), counted)
    coverage = covered(settings, position, length, place)
    if settings.function is not None:
        hook = Hook(settings.function, position, can_id, length, (*place, "function"))
        return _Sealed(position, hook, coverage)
    return _Sealed(position, calculation(settings, position, can_id, length, place), coverage)


def _resolve(settings: ProtectionSettings, places: Places, can_id: int, length: int, place: KeyPath) -> Recipe:
    """Return the recipe that the settings of a group mean in one frame.

    With a preset, a key that the user gives replaces the preset's. A counter or checksum whose place the user does not
    give lies in the database's signal of that name (with Tesla: whose name ends so), else at the preset's usual place.
    ConfigurationError: a preset needs a constant or a place that is not given.
    """
    if settings.e2e is not None:
        return e2e(settings.e2e, length, (*place, "e2e"))
    if settings.preset is None:
        return Recipe(settings.counter, settings.checksum)
    usual = preset(settings, settings.preset, can_id, length, place)
    tail = settings.preset == "tesla"
    left_out = settings.counter is not None and settings.counter.left_out
    counter = {} if left_out else _values(usual.counter, settings.counter, places, "counter", tail=tail)
    checksum = _values(usual.checksum, settings.checksum, places, "checksum", tail=tail)
    return Recipe(
        _validated(CounterSettings, counter, settings.preset, (*place, "counter")) if counter else None,
        _validated(ChecksumSettings, checksum, settings.preset, (*place, "checksum")),
        usual.constants,
    )


def _values(
    usual: _Settings | None, given: _Settings | None, places: Places, word: str, *, tail: bool
) -> dict[str, Any]:
    """Return the keys of a counter or checksum and their values; none where the frame has no such thing."""
    values = _explicit(usual) | _explicit(given)
    if given is None or given.at is None:
        named = places.named(word, tail=tail)
        values |= {"at": named} if named is not None else {}
    return values


def _explicit(part: CounterSettings | ChecksumSettings | None) -> dict[str, Any]:
    return {} if part is None else {key: getattr(part, key) for key in part.model_fields_set}


def _validated(kind: type[_Settings], values: dict[str, Any], name: str, place: KeyPath) -> _Settings:
    if values.get("at") is None:
        raise ConfigurationError(f"is missing: {name} has no usual place for it", (*place, "at"))
    try:
        return kind(**values)
    except ValidationError as error:
        cause: ConfigurationError = error.errors()[0]["ctx"]["error"]
        raise ConfigurationError(cause.message, (*place, *cause.place)) from None
