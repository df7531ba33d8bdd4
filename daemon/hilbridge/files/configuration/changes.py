"""Values in place of those in files: `--set vehicle.body.mass=1400` of a run, and the parameters of a campaign.

A key that begins with `bench.` or `vehicle.` is a key path of that file, `bench.buses.powertrain.bitrate`; a list is
entered by number, from 0. Any other key is a parameter of the scenario. The file is checked with the new values, so
that a wrong one is told as if it were there.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, Self

from hilbridge.base.common.errors import ConfigurationError, quoted
from hilbridge.files.configuration.yamlfile import YamlFile

_FILES: Final = ("bench", "vehicle")


class Changes(NamedTuple):
    """New values by key path of the bench file, by key path of the vehicle file, and by parameter of the scenario."""

    bench: Mapping[str, Any]
    vehicle: Mapping[str, Any]
    scenario: Mapping[str, Any]

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """Sort what is given by the files that it changes."""
        parts: dict[str, dict[str, Any]] = {name: {} for name in (*_FILES, "")}
        for key, value in given.items():
            file, dot, path = key.partition(".")
            parts[file if dot and file in _FILES else ""][path if dot and file in _FILES else key] = value
        return cls(*parts.values())


UNCHANGED: Final = Changes.of({})


def change(file: YamlFile, changes: Mapping[str, Any]) -> None:
    """Put values into what was read of a file; a section that it lacks is added.

    ConfigurationError: a key path leads through a single value, or to an item that a list does not have.
    """
    for path, value in changes.items():
        *way, last = path.split(".")
        node: Any = file.data
        for depth, key in enumerate(way, start=1):
            node = _enter(node, key, ".".join(way[:depth]), file)
        if isinstance(node, dict):
            node[last] = value
        else:
            node[_number(node, last, path, file)] = value


def _enter(node: Any, key: str, path: str, file: YamlFile) -> Any:
    inner = node.setdefault(key, {}) if isinstance(node, dict) else node[_number(node, key, path, file)]
    if not isinstance(inner, dict | list):
        raise ConfigurationError(f"{file.path}: {path} is a single value, and has no keys to set")
    return inner


def _number(items: list[Any], key: str, path: str, file: YamlFile) -> int:
    if not key.isdecimal() or int(key) >= len(items):
        raise ConfigurationError(f"{file.path}: {path}: {quoted(key)} is no number of an item below {len(items)}")
    return int(key)
