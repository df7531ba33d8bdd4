"""Conditions under which a service is done: expressions of the data bus."""

from collections.abc import Sequence
from typing import Final

from hilbridge.base.common.errors import KeyPath
from hilbridge.bench.diagnostics.refusal import Refusal
from hilbridge.files.settings.conditions import ConditionSettings
from hilbridge.frames.codec.expression import parse
from vehiclesim.databus import DataBus


class Conditions:
    """Conditions that must all hold. One whose value is not available does not."""

    def __init__(self, settings: Sequence[ConditionSettings], bus: DataBus, place: KeyPath) -> None:
        """ConfigurationError: an expression that cannot be understood."""
        self._channels: Final = bus.channels
        self._conditions: Final = [
            (parse(one.holds, place=(*place, index, "holds"), entries=bus.entries).value, one.refusal)
            for index, one in enumerate(settings)
        ]

    def require(self) -> None:
        """Refuse with the code of the first condition that does not hold."""
        for value, refusal in self._conditions:
            if not (number := value(self._channels)) or number != number:
                raise Refusal(refusal)
