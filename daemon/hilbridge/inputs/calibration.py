"""From a raw reading to the integer that the data bus stores."""

from typing import Final

from hilbridge.inputs.controls import Control
from hilbridge.settings import InputSignal


class Calibration:
    """bus = round(clamp(base + (raw - origin) · gain, lowest, highest)), rounded to the nearest step.

    `raw` is a finite number in the unit of the sender; `base`, `lowest` and `highest` are bus integers. Rounding
    (where the model's own results are truncated) keeps the decimals of a sender whose steps are the bus's: 12.3 %
    is 1230 and not 1229.
    """

    __slots__ = ("_base", "_gain", "_highest", "_lowest", "_origin")

    def __init__(self, origin: float, gain: float, base: float, lowest: int, highest: int) -> None:
        self._origin: Final = origin
        self._gain: Final = gain
        self._base: Final = base
        self._lowest: Final = lowest
        self._highest: Final = highest

    def to_bus(self, raw: float) -> int:
        """The bus integer; a reading beyond the ends stays at the end."""
        value = self._base + (raw - self._origin) * self._gain
        if value <= self._lowest:
            return self._lowest
        if value >= self._highest:
            return self._highest
        return round(value)


def calibrate(control: Control, signal: InputSignal, factor: float = 1.0) -> Calibration:
    """The calibration of one control.

    With `minimum` and `maximum`, the way between them, less the dead zone at each end, is the control's whole
    travel: share = ((raw - minimum) / (maximum - minimum) - dead_zone) / (1 - 2 · dead_zone), 0 at the control's
    lowest and 1 at its highest value. Swapped ends invert. Without them the reading times `factor` (from the
    sender's unit to the entry's) is the value.
    """
    lowest = round(control.lowest * control.resolution)
    highest = round(control.highest * control.resolution)
    if signal.minimum is None or signal.maximum is None:
        return Calibration(0.0, factor * control.resolution, 0.0, lowest, highest)
    way = signal.maximum - signal.minimum
    origin = signal.minimum + signal.dead_zone * way
    gain = (highest - lowest) / (way * (1.0 - 2.0 * signal.dead_zone))
    return Calibration(origin, gain, lowest, lowest, highest)
