"""The notation of a fault in the words of the command line.

    frame powertrain.EngineData1 drop probability=0.5
    signal powertrain.EngineData1.EngineRpm offset value=500
    route diagnosis delay delay=20
    ecu powertrain.HILBRIDGE          link powertrain bus-off          physics fault.Misfire value=0.3
    sensor CoolantTemperature open
    diagnostics engine late delay=500 service=0x22
    {"kind": "frame", "bus": "powertrain", "message": "EngineData1", "effect": "drop"}

The kind, its object, its effect where it has several, then keys of the bench file's `faults` with their values; or all
of it as JSON. The keys and their values are checked where the fault is added.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError, quoted

_TARGETS: Final = {
    "signal": ("bus", "message", "signal"),
    "frame": ("bus", "message"),
    "route": ("route",),
    "ecu": ("bus", "node"),
    "link": ("bus",),
    "physics": ("entry",),
    "sensor": ("entry",),
    "diagnostics": ("unit",),
}
"""The keys that the second word gives, joined by dots."""

_TEXTS: Final = ("data",)
"""Keys whose value is no number, though it may look like one: `7E00`."""


def fault_keys(what: str | Mapping[str, Any], keys: Mapping[str, Any]) -> dict[str, Any]:
    """Return a fault, as text or as keys of a bench file, with further keys; `seconds` stands for the key 'for'."""
    fault = parse_fault(what.split()) if isinstance(what, str) else dict(what)
    return fault | {"for" if key == "seconds" else key: value for key, value in keys.items()}


def parse_fault(words: Sequence[str]) -> dict[str, Any]:
    """Return the fault as in a bench file; words may hold blanks. ConfigurationError: they have no such meaning."""
    if words and words[0].startswith("{"):
        return _of_json(" ".join(words))
    words = " ".join(words).split()
    plain = [word for word in words if "=" not in word]
    fault = dict(_pair(word) for word in words if "=" in word)
    if not plain or plain[0] not in _TARGETS:
        raise ConfigurationError(f"a fault begins with its kind, one of {', '.join(_TARGETS)}")
    kind, *rest = plain
    fault["kind"] = kind
    if rest:
        keys = _TARGETS[kind]
        names = rest[0].split(".", len(keys) - 1)
        if len(names) < len(keys):
            raise ConfigurationError(f"{quoted(rest[0])} does not fit: {kind} faults are of {'.'.join(keys).upper()}")
        fault |= {key: _number(name) if key == "message" else name for key, name in zip(keys, names, strict=True)}
    if rest[1:]:
        fault["effect"] = rest[1]
    if rest[2:]:
        raise ConfigurationError(f"{quoted(rest[2])} is one word too many: further keys are written KEY=VALUE")
    return fault


def _of_json(text: str) -> dict[str, Any]:
    try:
        fault: dict[str, Any] = json.loads(text)
    except ValueError as error:
        raise ConfigurationError(f"this is no JSON: {error}") from None
    return fault


def _pair(word: str) -> tuple[str, Any]:
    key, _, value = word.partition("=")
    return key, value if key in _TEXTS else _number(value)


def _number(text: str) -> int | float | str:
    """Return the number in a text, or the text if it is none."""
    for convert in (lambda text: int(text, 0), float):
        try:
            return convert(text)
        except ValueError:
            continue
    return text
