"""The signals of VSS that a bench has values for: each with its entries, its conversion and its bounds."""

import math
import sys
from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from hilbridge.base.common.errors import ConfigurationError, ErrorCollector, KeyPath
from hilbridge.base.common.words import counted
from hilbridge.client.talks import EntryValue
from hilbridge.files.configuration.vss import VssFile
from hilbridge.files.settings.vss import RANGES, VssSignal
from hilbridge.frames.codec.expression import parse
from hilbridge.frames.codec.sources import ExpressionSource
from hilbridge.frames.codec.units import Conversion, convert
from vehiclesim.databus import DataBus
from vehiclesim.entries import STANDARD, Entry

Value: TypeAlias = bool | int | float | str

_LARGEST_FLOAT: Final = (2 - 2.0**-23) * 2.0**127
"""The largest number of IEEE 754 binary32, which carries a `float`."""


class Withheld(NamedTuple):
    """The reason why a path has no value."""

    reason: str


NOT_AVAILABLE: Final = Withheld("not available")
BEYOND: Final = Withheld("beyond bounds")
NO_STATE: Final = Withheld("no such state")


class Signal:
    """A path with its datatype and unit, and how its value comes from the data bus.

        number = expression · factor + offset      [unit of the path]

    ConfigurationError, with the place in the table: an unknown entry, a unit that it cannot be converted to, a state
    that the entry has not.
    """

    def __init__(self, path: str, settings: VssSignal) -> None:
        place: KeyPath = ("signals", path)
        self.path: Final = path
        self.settings: Final = settings
        self._source: Final[ExpressionSource] = parse(settings.value, place=(*place, "value"))
        if not self._source.entries:
            raise ConfigurationError("names no entry of the data bus", (*place, "value"))
        self.entries: Final = tuple(STANDARD.at(one) for one in self._source.entries)
        self.conversion: Final[Conversion] = convert(self.entries[0].unit, settings.unit, (*place, "unit"))
        self._states: Final = _states(settings, self.entries[0], (*place, "states"))
        self._lowest, self._highest = _bounds(settings)

    def read(self, data: DataBus) -> Value | Withheld:
        """Return the value now, of the datatype's kind, or why there is none; no value is held at a bound."""
        number = self._source.value(data.channels)
        if number != number:
            return NOT_AVAILABLE
        if self.settings.type == "boolean":
            return number != 0
        if self.settings.type == "string":
            return self._states.get(number, NO_STATE)
        number = self.conversion.apply(number)
        if self.settings.type in RANGES and math.isfinite(number):
            number = round(number)
        return number if self._lowest <= number <= self._highest else BEYOND

    def conversion_text(self) -> str:
        """Return how the value is converted, for people: `· 3.6`, `7 states`, `rounded`; empty: not at all."""
        if self.settings.type == "boolean":
            return "true unless 0"
        if self._states:
            return counted(len(self._states), "state")
        factor, offset = self.conversion
        text = "" if factor == 1 else f"· {factor:.10g}"
        text += f" {offset:+g}" if offset else ""
        return f"{text}, rounded".lstrip(", ") if self.settings.type in RANGES else text.strip()


def _states(settings: VssSignal, entry: Entry, place: KeyPath) -> dict[float, str]:
    """Return what a string is by the number of the entry's state; a whole number stands for itself."""
    codes = {name: code for code, name in entry.codes}
    found: dict[float, str] = {}
    for state, name in settings.states.items():
        try:
            found[codes[state] if state in codes else int(state)] = name
        except ValueError:
            known = f"; it has {', '.join(codes)}" if codes else ""
            raise ConfigurationError(f"{entry.path} has no state {state!r}{known}", (*place, state)) from None
    return found


def _bounds(settings: VssSignal) -> tuple[float, float]:
    """Return the lowest and the highest value: of the path, and of what its datatype can hold."""
    widest = _LARGEST_FLOAT if settings.type == "float" else sys.float_info.max
    lowest: float
    highest: float
    lowest, highest = RANGES.get(settings.type, (-widest, widest))
    return (
        lowest if settings.min is None else max(lowest, settings.min),
        highest if settings.max is None else min(highest, settings.max),
    )


def signals_of(table: VssFile) -> list[Signal]:
    """Return the signals of a table. InvalidFileError: everything in it that no bench has."""
    errors, found = ErrorCollector(), []
    for path, settings in table.settings.signals.items():
        with errors.attempt():
            found.append(Signal(path, settings))
    try:
        errors.verdict()
    except ConfigurationError as error:
        raise table.locate(error) from None
    return found


def entries_without_path(signals: list[Signal]) -> list[str]:
    """Return the entries of the data bus that no signal reads, in the order of the bus."""
    read = {entry.path for signal in signals for entry in signal.entries}
    return [entry.path for entry in STANDARD.all() if entry.path not in read]


class Reader:
    """The values of signals, read from what a bench has answered."""

    def __init__(self, signals: list[Signal]) -> None:
        self.signals: Final = signals
        self._data: Final = DataBus()
        self._places: Final = {
            entry.path: place
            for signal in signals
            for entry in signal.entries
            if (place := STANDARD.find(entry.path)) is not None
        }

    def read(self, answered: Mapping[str, EntryValue]) -> dict[str, Value | Withheld]:
        """Return the value of each path; an entry that is not among those answered is not available.

        Nor is one whose value no data bus has.
        """
        for path, place in self._places.items():
            entry = answered.get(path)
            self._data.restore(*place, math.nan if entry is None or entry.value is None else entry.value)
        return {signal.path: signal.read(self._data) for signal in self.signals}
