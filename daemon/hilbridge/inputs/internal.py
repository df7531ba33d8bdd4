"""Inputs from code inside the daemon: requests of J1939, the cockpit's pedals.

To the arbiter they are sources like any other: their place in its list is their priority, their name stands in the
log, and what they do not keep up times out.
"""

import math
from collections.abc import Sequence
from typing import Final

from hilbridge.inputs.binding import Binding
from hilbridge.inputs.controls import Control
from hilbridge.inputs.signal_conditioner import Sensor, calibrate
from hilbridge.inputs.source import Source
from hilbridge.settings import InputSignal

_PLAIN: Final = InputSignal()


class DirectSource(Source):
    """A source without fields: its values come in the units of the entries."""

    def __init__(self, name: str, controls: Sequence[Control], *, timeout: float | None, recovery: float = 0.0) -> None:
        bindings = [Binding(control, (control.name,), _PLAIN, ()) for control in controls]
        sensors = [Sensor(control, calibrate(control, _PLAIN)) for control in controls]
        super().__init__(name, bindings, sensors, timeout=timeout, recovery=recovery)
        self._positions: Final = {control: i for i, control in enumerate(controls)}

    def _release(self, i: int) -> None:
        """The next source gets control `i`, at once."""
        if self.fresh[i]:
            self.fresh[i] = False
            self.news = True


class InternalSource(DirectSource):
    """Controls that somebody sets by calling `set`, and gives back by `release` or by falling silent.

    `timeout` (None: what is set stays set) and `recovery` [ms].
    """

    def set(self, control: Control, value: float, t: int) -> None:
        """The control stands at `value`, in its entry's unit and held inside its range, from `t` [ns] on.

        NaN releases it: nothing is asked for any more.
        """
        if math.isnan(value):
            self.release(control)
        else:
            self.accepted += 1
            self._set(self._positions[control], control.to_bus(value), t)

    def release(self, control: Control) -> None:
        """Gives the control back before the time-out."""
        self._release(self._positions[control])
