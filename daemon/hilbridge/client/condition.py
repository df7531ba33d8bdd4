"""A condition of bench files, such as "vehicle.EngineRpm > 500", over values that a daemon has answered."""

import math
from collections.abc import Mapping
from typing import Final

from hilbridge.client.talks import EntryValue
from hilbridge.codec.expression import parse
from vehiclesim.channels import ENTRIES
from vehiclesim.databus import DataBus


class Condition:
    """A condition on entries of the data bus. ConfigurationError: it is none, or names an unknown entry."""

    def __init__(self, text: str) -> None:
        self._source: Final = parse(text)
        self._data: Final = DataBus()

    def check(self, values: Mapping[str, EntryValue]) -> bool:
        """Return whether the condition holds; it does not while a value is not available."""
        for channel, index in self._source.entries:
            value = values[ENTRIES[channel][index].path].value
            self._data.write(channel, index, math.nan if value is None else value)
        result = self._source.value(self._data.channels)
        return result == result and result != 0
