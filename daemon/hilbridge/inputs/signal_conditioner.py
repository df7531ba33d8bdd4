"""What stands between the fields of a sender and a control: readings in, bus integers out."""

import math
from collections.abc import Sequence
from typing import Final, Protocol, TypeAlias

from hilbridge.inputs.calibration import Calibration
from hilbridge.inputs.controls import Control
from hilbridge.inputs.smoothing import LowPass

Reading: TypeAlias = float | str
"""What a field says: a number in the sender's unit, or a word."""

GARBAGE: Final = "garbage"
"""A wanted field is no finite decimal number, or comes twice."""
OUT_OF_RANGE: Final = "out_of_range"
"""A position that the control does not have, a value outside the database's range, or no finite number."""


class SignalConditioner(Protocol):
    """Turns the readings of a control's fields, None for one that is not in the sample, into its value."""

    def refuses(self, readings: Sequence[Reading | None]) -> str | None:
        """Why a sample with these readings counts as a whole for nothing, or None."""

    def to_bus(self, readings: Sequence[Reading | None], t: int) -> int | None:
        """The bus integer of a sample at `t` [ns]; None where the readings say nothing."""

    def reset(self) -> None:
        """After a silence."""


class Sensor:
    """One number: calibrated and, if wanted, filtered before."""

    def __init__(self, control: Control, calibration: Calibration, low_pass: LowPass | None = None) -> None:
        self._control: Final = control
        self._to_bus: Final = calibration.to_bus
        self._low_pass: Final = low_pass

    def refuses(self, readings: Sequence[Reading | None]) -> str | None:
        """A key at 5 must not crank; a pedal beyond its ends only stands at the end."""
        (reading,) = readings
        return refusal(self._control, reading)

    def to_bus(self, readings: Sequence[Reading | None], t: int) -> int | None:
        (reading,) = readings
        if not isinstance(reading, float | int):
            return None
        if self._low_pass is not None:
            reading = self._low_pass.filter(reading, t)
        return self._to_bus(reading)

    def reset(self) -> None:
        if self._low_pass is not None:
            self._low_pass.reset()


def refusal(control: Control, reading: Reading | None) -> str | None:
    """Why a reading that stands for a number cannot be one of this control's."""
    if reading is None:
        return None
    if isinstance(reading, str):
        return GARBAGE
    if not math.isfinite(reading) or (control.has_positions and not control.lowest <= reading <= control.highest):
        return OUT_OF_RANGE
    return None
