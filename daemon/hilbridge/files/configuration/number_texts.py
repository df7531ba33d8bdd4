"""Numbers as people write them, where a file needs a bare number: `500k`, `10 ms`, `50 %`, and `3,6` in a flow mapping.

A number with a unit is the number of the setting's own unit: 0.01 s of a period in ms is 10. `3,6` between braces is
YAML for the value 3 and a key 6 without a value.
"""

import re
from typing import Any, Final

_NUMBER: Final = re.compile(r"\s*([+-]?\d+(?:\.\d+)?)\s*([A-Za-z%/°²³]*)\s*")
_HEXADECIMAL: Final = re.compile(r"(?=.*[0-9])[0-9A-Fa-f]{2,8}")
"""Digits of an identifier, with a decimal one among them: a word such as `bad` is none."""

_SCALES: Final[dict[str, dict[str, float]]] = {
    "bit/s": {
        "k": 1e3,
        "kb": 1e3,
        "kbit": 1e3,
        "kbit/s": 1e3,
        "kbps": 1e3,
        "kbaud": 1e3,
        "kbd": 1e3,
        "baud": 1,
        "bps": 1,
    }
    | {"m": 1e6, "mb": 1e6, "mbit": 1e6, "mbit/s": 1e6, "mbps": 1e6, "mbaud": 1e6},
    "ms": {"s": 1e3, "us": 1e-3, "µs": 1e-3},
    "s": {"ms": 1e-3, "min": 60, "h": 3600},
    "m/s": {"km/h": 1 / 3.6, "kmh": 1 / 3.6, "kph": 1 / 3.6},
    "m": {"mm": 1e-3, "cm": 1e-2, "km": 1e3},
    "kg": {"t": 1e3, "g": 1e-3},
    "W": {"kw": 1e3},
    "Pa": {"bar": 1e5, "kpa": 1e3, "hpa": 100},
    "": {"%": 0.01},
    "1": {"%": 0.01},
}
"""Other units, in lower case, and how many of the setting's own unit one of them is."""


def number_meant(text: str, *, whole: bool = False, unit: str = "") -> str | None:
    """Return the number that a text means in a unit; None: it means none, or none that is `whole` where one is due."""
    if whole and _HEXADECIMAL.fullmatch(text) and not text.isdigit():
        return f"0x{text}"
    found = _NUMBER.fullmatch(text)
    if found is None:
        return _exponential(text)
    number, written = float(found[1]), found[2].casefold()
    if unit == "ms" and written == "hz" and number > 0:
        number = 1000 / number
    elif written and written != unit.casefold():
        scale = _SCALES.get(unit, {}).get(written)
        if scale is None:
            return None
        number *= scale
    meant = f"{number:.12g}"
    return None if whole and not float(meant).is_integer() else meant


def _exponential(text: str) -> str | None:
    try:
        return f"{float(text):.12g}"
    except ValueError:
        return None


def decimal_comma(key: object, section: Any) -> str | None:
    """Return the number that a key without a value was meant to end, if it consists of digits: `3.6`."""
    if not isinstance(section, dict) or not str(key).isdigit() or section.get(key) is not None:
        return None
    keys = list(section)
    if key not in keys or (number := keys.index(key)) == 0:
        return None
    before = re.search(r"\d+$", str(section[keys[number - 1]]))
    return f"{before[0]}.{key}" if before else None
