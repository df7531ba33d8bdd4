"""Finds the values of the model among the signals of a database, by name and unit."""

import re
from collections.abc import Mapping, Sequence
from enum import IntEnum
from functools import cache
from typing import Final, NamedTuple

from cantools.database.can import Message, Signal

from hilbridge.desk.draft.labels import labels_of, on_and_off, rest_of, states_of
from hilbridge.desk.draft.quantities import DISPLAYS, OTHERWISE, QUALITY, QUANTITIES, WHEEL_SPEEDS
from hilbridge.desk.draft.quantity import Quantity
from hilbridge.frames.codec.units import find_unit, has_unit
from hilbridge.frames.protection.names import words_of
from hilbridge.frames.protection.validity import says_invalid, says_valid

_OTHERWISE: Final = frozenset(OTHERWISE.split())
_DISPLAYS: Final = frozenset(DISPLAYS.split())

_SPELLINGS: Final = {"cel": "degC", "umin": "rpm", "upm": "rpm", "u/m": "rpm", "km/hormph": "km/h", "%ofmax": "%"}
"""Units that only databases of amateurs have, without blanks and in small letters."""

_FEWEST_BITS: Final = 5
"""A signal of fewer bits carries no measurement."""

_MOST_BITS_OF_A_SWITCH: Final = 2

_MOST_BITS_OF_STATES: Final = 8

_SIGNED: Final = ("chassis.SteeringWheelAngle", "chassis.YawRate")
_SIGN: Final = re.compile("_(?:vz|sign|vorzeichen)_")
"""Values whose sign some databases have in a signal beside, and the words of its name."""

_FEWEST_STATES: Final = 2
"""States that the labels must name; a signal has as many bits at least."""


class Certainty(IntEnum):
    """How sure a guess is."""

    GUESS = 0
    LIKELY = 1
    SURE = 2


class Finding(NamedTuple):
    """A signal that carries a value of the model: from what it is taken, how sure that is and why.

    `origin` is an entry of the data bus or an expression, or the number that QUALITY is sent as; `unit` is the
    signal's, where the database does not name it.
    """

    signal: Signal
    quantity: Quantity
    origin: str
    unit: str | None
    certainty: Certainty
    reason: str


def recognize(message: Message) -> list[Finding]:
    """Return the findings of a message, in the order of its signals."""
    return [finding for signal in message.signals if (finding := _recognized(signal, message)) is not None]


def wheels_together(findings: Mapping[str, Sequence[Finding]]) -> dict[str, list[Finding]]:
    """Return the findings by message, where wheel speeds that are not those of all four wheels are guesses.

    Wheels that stay at 0 beside others that turn are an implausible car to every receiver.
    """
    found = {one.origin for some in findings.values() for one in some if one.certainty > Certainty.GUESS}
    missing = [wheel for wheel in WHEEL_SPEEDS if wheel not in found]
    if not missing or len(missing) == len(WHEEL_SPEEDS):
        return {name: list(some) for name, some in findings.items()}
    reason = f"; {len(missing)} of the four wheels {'is' if len(missing) == 1 else 'are'} not found"
    return {
        name: [
            one._replace(certainty=Certainty.GUESS, reason=one.reason + reason) if one.origin in WHEEL_SPEEDS else one
            for one in some
        ]
        for name, some in findings.items()
    }


def is_display(message: Message) -> bool:
    """Return whether a message comes from an instrument cluster or the like, by its own name or its sender's."""
    words = {
        re.sub(r"\d+$", "", word) for name in (message.name, *message.senders) for word in words_of(name).split("_")
    }
    return not _DISPLAYS.isdisjoint(words)


def _recognized(signal: Signal, message: Message) -> Finding | None:
    words, around = words_of(signal.name), words_of(message.name)
    otherwise = _OTHERWISE.intersection(words.split("_"))
    for quantity in QUANTITIES:
        if not otherwise.issubset(quantity.despite.split()):
            continue
        kind = _name_of(quantity, words, around)
        finding = None if kind is None else _measured(signal, quantity, kind)
        if finding is not None:
            return _unsigned(finding, message)
    return _quality(signal)


class _Name(IntEnum):
    """Which of a quantity's names a signal has."""

    LONG = 0
    OPPOSITE = 1
    ALONE = 2


def _name_of(quantity: Quantity, words: str, around: str) -> _Name | None:
    """Return which name of a quantity a signal has in a message, by the words of both; None: none."""
    names, opposite, alone, within, short = _patterns(quantity)
    if opposite.search(words):
        return _Name.OPPOSITE
    if names.search(words) or (short.fullmatch(words) and within.search(around)):
        return _Name.LONG
    return _Name.ALONE if alone.fullmatch(words) else None


@cache
def _patterns(quantity: Quantity) -> tuple[re.Pattern[str], ...]:
    names = (quantity.names, quantity.opposite, quantity.alone, quantity.within, quantity.short)
    return tuple(re.compile(f"_(?:{one or '(?!)'})_") for one in names)


def _measured(signal: Signal, quantity: Quantity, name: _Name) -> Finding | None:
    """Return the finding of a signal whose name fits; None if its unit or length does not."""
    if quantity.states and (finding := _stated(signal, quantity)) is not None:
        return finding
    if quantity.coded:
        reason = "by its name; its codes differ from maker to maker"
        return Finding(signal, quantity, quantity.origin, None, Certainty.GUESS, reason)
    if quantity.is_switch:
        return None if quantity.states else _switch(signal, quantity, name)
    if signal.length < _FEWEST_BITS:
        return None
    if not has_unit(signal.unit) and quantity.full:
        reason = "by its name; how much its numbers are is not known"
        return Finding(signal, quantity, quantity.origin, None, Certainty.GUESS, reason)
    if not has_unit(signal.unit):
        certainty = Certainty.GUESS if name is _Name.ALONE else Certainty.LIKELY
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
    if quantity.full:
        reason = f"by its name and its unit; {quantity.full:g} {quantity.unit} are assumed for 1"
        origin = f"{origin} * {quantity.full * float(wanted.factor / found.factor):g}"
        return Finding(signal, quantity, origin, None, Certainty.LIKELY, reason)
    reason = f"by its name and its unit, {unit}" if spelling is None else f"by its name; its unit is taken as {unit}"
    return Finding(signal, quantity, origin, spelling, Certainty.SURE, reason)


def _quality(signal: Signal) -> Finding | None:
    """Return the finding of a signal that says of another one that it is valid, and would not at its start value."""
    labels = {number: str(label) for number, label in (signal.choices or {}).items()}
    rest = round(signal.raw_initial or 0)
    valid = next((number for number in sorted(labels) if says_valid(labels[number])), None)
    if valid is None or not says_invalid(labels.get(rest, "")):
        return None
    number = f"{valid * signal.scale + signal.offset:g}"
    reason = f"by its labels, {labels[rest]!r} at {rest} and {labels[valid]!r} at {valid}"
    return Finding(signal, QUALITY, number, None, Certainty.LIKELY, reason)


def _unsigned(finding: Finding, message: Message) -> Finding:
    """Return the finding of an amount whose sign is a signal beside it: without the sign."""
    signal, origin = finding.signal, finding.origin
    is_amount = origin in _SIGNED and not signal.is_signed and signal.offset == 0
    if not is_amount or not any(_SIGN.search(words_of(one.name)) for one in message.signals):
        return finding
    if has_unit(signal.unit) and find_unit(signal.unit or "") != find_unit(finding.quantity.unit or ""):
        return finding._replace(certainty=Certainty.GUESS, reason=f"{finding.reason}; its sign is a signal beside it")
    reason = f"{finding.reason}; its sign is a signal beside it"
    return finding._replace(origin=f"abs({origin})", unit=None, reason=reason)


def _stated(signal: Signal, quantity: Quantity) -> Finding | None:
    """Return the finding of a signal whose labels, or else the usual codes, are states of ours; None: they are not."""
    if _has_other_unit(signal) or not _FEWEST_STATES <= signal.length <= _MOST_BITS_OF_STATES:
        return None
    labels = labels_of(signal)
    states = states_of(quantity, labels)
    reason = "by its name and its labels; other states are {{rest:g}}"
    if not labels and quantity.codes:
        states, reason = list(quantity.codes), f"by its name; the database has no labels, taken as {quantity.codes_of}"
    if len(states) < max(_FEWEST_STATES, len(quantity.states) - 2):
        return None
    rest = rest_of(labels, (number for _, number in states))
    chain = " else ".join(f"{number:g} if {condition}" for condition, number in states)
    return Finding(signal, quantity, f"{chain} else {rest:g}", None, Certainty.LIKELY, reason.format(rest=rest))


def _switch(signal: Signal, quantity: Quantity, name: _Name) -> Finding | None:
    """Return the finding of a switch: of one bit by its name, of more by its labels; else a guess."""
    labels = labels_of(signal)
    if _has_other_unit(signal) or signal.length > (_MOST_BITS_OF_STATES if labels else _MOST_BITS_OF_A_SWITCH):
        return None
    said = on_and_off(quantity, labels)
    if said is not None:
        origin = quantity.origin if said == (1, 0) else f"{said[0]:g} if {quantity.origin} else {said[1]:g}"
        origin = f"not {_enclosed(quantity.origin)}" if said == (0, 1) else origin
        certainty = Certainty.GUESS if name is _Name.ALONE else Certainty.LIKELY
        return Finding(signal, quantity, origin, None, certainty, "by its name and its labels")
    origin = f"not {_enclosed(quantity.origin)}" if name is _Name.OPPOSITE else quantity.origin
    certainty = Certainty.LIKELY if signal.length == 1 and name is not _Name.ALONE else Certainty.GUESS
    reason = "by its name" if signal.length == 1 else f"by its name; what its {signal.length} bits mean is not known"
    return Finding(signal, quantity, origin, None, certainty, reason)


def _enclosed(origin: str) -> str:
    return f"({origin})" if " " in origin else origin


def _has_other_unit(signal: Signal) -> bool:
    """Return whether a signal has a physical unit, so that it is no state; `SED` and the like are none."""
    return has_unit(signal.unit) and find_unit(signal.unit or "") is not None


def _reaches_beyond_one(signal: Signal) -> bool:
    """Return whether a ratio without unit is in percent: its range goes beyond 1."""
    highest = ((1 << signal.length) - 1) * signal.scale + signal.offset
    return max(highest if signal.maximum is None else signal.maximum, highest) > 1
