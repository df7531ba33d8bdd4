"""Which recipe the settings of a group mean in one frame.

With a preset, a key that the user gives replaces the preset's. A counter or checksum whose place the user does not give
lies in the database's signal of that name (with Tesla: whose name ends so), else at the preset's usual place.
"""

from typing import Any, TypeVar

from pydantic import ValidationError

from hilbridge.common.errors import ConfigurationError, KeyPath
from hilbridge.protection.e2e import e2e
from hilbridge.protection.places import Places
from hilbridge.protection.presets import preset
from hilbridge.protection.recipe import Recipe
from hilbridge.settings.protection import ChecksumSettings, CounterSettings, ProtectionSettings

_Part = TypeVar("_Part", CounterSettings, ChecksumSettings)


def resolve(settings: ProtectionSettings, places: Places, can_id: int, length: int, place: KeyPath) -> Recipe:
    """The recipe. ConfigurationError: a preset needs a constant or a place that nobody gives."""
    if settings.e2e is not None:
        return e2e(settings.e2e, length, (*place, "e2e"))
    if settings.preset is None:
        return Recipe(settings.counter, settings.checksum)
    usual = preset(settings, settings.preset, can_id, length, place)
    tail = settings.preset == "tesla"
    counter = _values(usual.counter, settings.counter, places, "counter", tail=tail)
    checksum = _values(usual.checksum, settings.checksum, places, "checksum", tail=tail)
    return Recipe(
        _validated(CounterSettings, counter, settings.preset, (*place, "counter")) if counter else None,
        _validated(ChecksumSettings, checksum, settings.preset, (*place, "checksum")),
        usual.constants,
    )


def _values(usual: _Part | None, given: _Part | None, places: Places, word: str, *, tail: bool) -> dict[str, Any]:
    """The keys of a counter or checksum and their values; none where the frame has no such thing."""
    values = _explicit(usual) | _explicit(given)
    if given is None or given.at is None:
        named = places.named(word, tail=tail)
        values |= {"at": named} if named is not None else {}
    return values


def _explicit(part: CounterSettings | ChecksumSettings | None) -> dict[str, Any]:
    return {} if part is None else {key: getattr(part, key) for key in part.model_fields_set}


def _validated(kind: type[_Part], values: dict[str, Any], name: str, place: KeyPath) -> _Part:
    if values.get("at") is None:
        raise ConfigurationError(f"is missing: {name} has no usual place for it", (*place, "at"))
    try:
        return kind(**values)
    except ValidationError as error:
        cause: ConfigurationError = error.errors()[0]["ctx"]["error"]
        raise ConfigurationError(cause.message, (*place, *cause.place)) from None
