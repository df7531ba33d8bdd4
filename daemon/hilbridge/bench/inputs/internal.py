"""Inputs from code inside the daemon: requests of J1939, and what overrides.py holds.

To the arbiter they are sources like any other: their place in its list is their priority, their name is in the
log, and what they do not keep up times out.
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from hilbridge.bench.inputs.binding import Binding
from hilbridge.bench.inputs.controls import CONTROLS, Control
from hilbridge.bench.inputs.signal_conditioner import Sensor, calibrate
from hilbridge.bench.inputs.source import Source
from hilbridge.files.settings import InputSignal
from vehiclesim.channels import REQUEST

_PLAIN: Final = InputSignal()


@lru_cache(maxsize=1024)
def _sensor(control: Control) -> Sensor:
    """Return what checks and rounds the values of a control; it remembers nothing, so equal controls share it."""
    return Sensor(control, calibrate(control, _PLAIN))


class DirectSource(Source):
    """A source without fields: its values come in the units of the entries."""

    def __init__(self, name: str, controls: Sequence[Control], *, timeout: float | None, recovery: float = 0.0) -> None:
        bindings = [Binding(control, (control.name,), _PLAIN, ()) for control in controls]
        super().__init__(name, bindings, [*map(_sensor, controls)], timeout=timeout, recovery=recovery)
        self._positions: Final = {control: i for i, control in enumerate(controls)}

    def _release(self, i: int) -> None:
        """Give control `i` to the next source at once."""
        if self.fresh[i]:
            self.fresh[i] = False
            self.news = True


class RequestSource(DirectSource):
    """The Request channel, held by J1939 commands until they release it; CONTROLS lists its entries by their ids."""

    def __init__(self) -> None:
        super().__init__("J1939", [control for control in CONTROLS if control.channel == REQUEST], timeout=None)

    def set(self, index: int, value: float, t: int) -> None:
        """Hold an entry at `value`, in its unit and inside its range, from `t` [ns] on; NaN releases it."""
        if math.isnan(value):
            self.release(index)
        else:
            self.accepted += 1
            self._set(index, self.bindings[index].control.to_bus(value), t)

    def release(self, index: int) -> None:
        """Give an entry back to the next source."""
        self._release(index)
