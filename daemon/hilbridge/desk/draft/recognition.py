"""Finds the values of the model among the signals of a database, by name and unit."""

import re
from enum import IntEnum
from functools import cache
from typing import Final, NamedTuple

from cantools.database.can import Message, Signal

from hilbridge.desk.draft.quantities import DISPLAYS, OTHERWISE, QUANTITIES, Quantity
from hilbridge.frames.codec.units import find_unit, has_unit
from hilbridge.frames.protection.names import words_of

_OTHERWISE: Final = frozenset(OTHERWISE.split())
_DISPLAYS: Final = frozenset(DISPLAYS.split())

_SPELLINGS: Final = {"cel": "degC", "umin": "rpm", "upm": "rpm", "u/m": "rpm", "km/hormph": "km/h", "%ofmax": "%"}
"""Units that only databases of amateurs have, without blanks and in small letters."""

_FEWEST_BITS: Final = 5
"""A signal of fewer bits carries no measurement."""

_MOST_BITS_OF_A_SWITCH: Final = 2


class Certainty(IntEnum):
    """How sure a guess is."""

    GUESS = 0
    LIKELY = 1
    SURE = 2


class Finding(NamedTuple):
    """A signal that carries a value of the model: from what it is taken, how sure that is and why.

    `origin` is an entry of the data bus or an expression; `unit` is the signal's, where the database does not tell.
    """

    signal: Signal
    quantity: Quantity
    origin: str
    unit: str | None
    certainty: Certainty
    reason: str


def recognize(message: Message) -> list[Finding]:
    """Return the findings of a message, in the order of its signals."""
    return [finding for signal in message.signals if (finding := _recognized(signal)) is not None]


def is_display(message: Message) -> bool:
    """Return whether a message comes from an instrument cluster or the like, by its own name or its sender's."""
    words = {
        re.sub(r"\d+$", "", word) for name in (message.name, *message.senders) for word in words_of(name).split("_")
    }
    return not _DISPLAYS.isdisjoint(words)


def _recognized(signal: Signal) -> Finding | None:
    words = words_of(signal.name)
    if not _OTHERWISE.isdisjoint(words.split("_")):
        return None
    for quantity in QUANTITIES:
        named, alone = _patterns(quantity)
        if named.search(words) or alone.fullmatch(words):
            finding = _measured(signal, quantity, alone=not named.search(words))
            if finding is not None:
                return finding
    return None


@cache
def _patterns(quantity: Quantity) -> tuple[re.Pattern[str], re.Pattern[str]]:
    return re.compile(f"_(?:{quantity.names})_"), re.compile(f"_(?:{quantity.alone or '(?!)'})_")


def _measured(signal: Signal, quantity: Quantity, *, alone: bool) -> Finding | None:
    """Return the finding of a signal whose name fits; None if its unit or length does not."""
    if quantity.is_switch:
        return _switch(signal, quantity, alone=alone)
    if quantity.coded:
        reason = "by its name; its codes differ from maker to maker"
        return Finding(signal, quantity, quantity.origin, None, Certainty.GUESS, reason)
    if signal.length < _FEWEST_BITS:
        return None
    if not has_unit(signal.unit):
        certainty = Certainty.GUESS if alone else Certainty.LIKELY
        unit = quantity.unit if quantity.unit != "%" or _reaches_beyond_one(signal) else "1"
        reason = f"by its name; the database names no unit, {unit} is assumed"
        return Finding(signal, quantity, quantity.origin, unit, certainty, reason)
    spelling = _SPELLINGS.get("".join((signal.unit or "").casefold().split()))
    unit = spelling or signal.unit or ""
    found, wanted = find_unit(unit), find_unit(quantity.unit or "")
    origin = quantity.origin
    if found is not None and found.dimension == "volume" and origin == "auxiliary.FuelShare":
        origin, wanted = "auxiliary.FuelLevel", found
    if found is None or wanted is None or found.dimension != wanted.dimension:
        return None
    reason = f"by its name and its unit, {unit}" if spelling is None else f"by its name; its unit is taken as {unit}"
    return Finding(signal, quantity, origin, spelling, Certainty.SURE, reason)


def _switch(signal: Signal, quantity: Quantity, *, alone: bool) -> Finding | None:
    if signal.length > _MOST_BITS_OF_A_SWITCH or has_unit(signal.unit):
        return None
    certainty = Certainty.LIKELY if signal.length == 1 and not alone else Certainty.GUESS
    reason = "by its name" if signal.length == 1 else f"by its name; what its {signal.length} bits mean is not known"
    return Finding(signal, quantity, quantity.origin, None, certainty, reason)


def _reaches_beyond_one(signal: Signal) -> bool:
    """Return whether a ratio without unit is in percent: its range goes beyond 1."""
    highest = ((1 << signal.length) - 1) * signal.scale + signal.offset
    return max(highest if signal.maximum is None else signal.maximum, highest) > 1
