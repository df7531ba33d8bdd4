"""Reads the labels of a signal's numbers: which is on and which is off, and which stands for each state of ours."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from cantools.database.can import Signal

from hilbridge.desk.draft.quantity import Quantity
from hilbridge.frames.protection.names import words_of
from hilbridge.frames.protection.validity import says_invalid

_ON: Final = (
    "on|active|activated|aktiv|ein|yes|ja|true|pressed|applied|applying|apply|betaetigt|engaged|lit|set|gedrueckt"
)
_OFF: Final = (
    "off|inactive|inaktiv|aus|no|not|nicht|nein|none|false|released|keine?|deactivated|disabled|disengaged|un[a-z]+ed"
)

_NO_STATE: Final = re.compile("_(?:reserved|not_used\\w*|nicht_verbaut\\w*|undef|shifting|zwischenstellung)_")
"""Labels of numbers that say nothing about the state, beside those that say that there is no valid value."""

_MOST_ALIKE: Final = 2


def labels_of(signal: Signal) -> dict[float, str]:
    """Return the words of each label, by its number in the signal's unit; empty: it has none."""
    scale, offset = signal.scale, signal.offset
    return {raw * scale + offset: words_of(str(label)) for raw, label in sorted((signal.choices or {}).items())}


def on_and_off(quantity: Quantity, labels: Mapping[float, str]) -> tuple[float, float] | None:
    """Return the numbers of a switch that is on and off, None if the labels do not say both."""
    off = _pattern(f"{quantity.off}|{_OFF}" if quantity.off else _OFF)
    on = _pattern(f"{quantity.on}|{_ON}" if quantity.on else _ON)
    said = {number: words for number, words in labels.items() if not _says_nothing(words)}
    offs = [number for number, words in said.items() if off.search(words)]
    ons = [number for number, words in said.items() if on.search(words) and number not in offs]
    return (ons[0], offs[0]) if ons and offs else None


def states_of(quantity: Quantity, labels: Mapping[float, str]) -> list[tuple[str, float]]:
    """Return the conditions of `quantity.states` that the labels name, each with its number; no number twice.

    Nothing, where a state has more than two numbers: then these are gears or the like, of which the label is a part.
    """
    found: list[tuple[str, float]] = []
    if any(count > _MOST_ALIKE for count in Counter(labels.values()).values()):
        return found
    for condition, patterns in quantity.states:
        number = _first(patterns, {one: words for one, words in labels.items() if not _is_taken(one, found)})
        if number is not None:
            found.append((condition, number))
    return found


def rest_of(labels: Mapping[float, str], taken: Iterable[float]) -> float:
    """Return the number for every other state: one that is labelled as off or as no state, else 0."""
    off, used = _pattern(_OFF), set(taken)
    free = {number: words for number, words in labels.items() if number not in used}
    for says in (off.search, _says_nothing):
        if found := [number for number, words in free.items() if says(words)]:
            return found[0]
    return 0.0


def _first(patterns: Iterable[str], labels: Mapping[float, str]) -> float | None:
    for pattern in map(_pattern, patterns):
        for number, words in labels.items():
            if pattern.search(words) and not _says_nothing(words):
                return number
    return None


def _says_nothing(words: str) -> bool:
    return _NO_STATE.search(words) is not None or says_invalid(words)


def _is_taken(number: float, found: Iterable[tuple[str, float]]) -> bool:
    return any(number == one for _, one in found)


def _pattern(names: str) -> re.Pattern[str]:
    return re.compile(f"_(?:{names})_")
