"""A condition of bench files, such as "vehicle.EngineRpm > 500", over values that a daemon has answered."""

import math
from collections.abc import Mapping
from typing import Final

from hilbridge.client.talks import EntryValue
from hilbridge.frames.codec.expression import parse
from vehiclesim.databus import DataBus
from vehiclesim.entries import Entries, Entry


class Condition:
    """A condition on entries of the data bus, of a bench that has answered `values`.

    ConfigurationError: it is none, or names an unknown entry.
    """

    def __init__(self, text: str, values: Mapping[str, EntryValue]) -> None:
        declared = (path.partition(".") for path in values if path.startswith("custom."))
        self._data: Final = DataBus()
        self._data.declare(Entries(tuple(Entry("custom", name, 1000, "", "", "") for _, _, name in declared)))
        self._source: Final = parse(text, entries=self._data.entries)

    def check(self, values: Mapping[str, EntryValue]) -> bool:
        """Return whether the condition holds; it does not while a value is not available."""
        for place in self._source.entries:
            value = values[self._data.entries.at(place).path].value
            self._data.restore(*place, math.nan if value is None else value)
        result = self._source.value(self._data.channels)
        return result == result and result != 0
