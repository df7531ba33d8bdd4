"""From a raw reading to the value that the data bus stores: ends, dead zone, curve.

    value = clamp(base + (raw - origin) · gain, lowest, highest)
    bus   = round(sign(value) · reach · f(|value| / reach))        reach = the larger end of the range, f = the curve

`raw` is a finite number in the unit of the sender; all others are bus integers. f goes from 0..1 to 0..1 and acts
alike on both sides of a steering wheel's centre. Rounding (where the model's own results are truncated) keeps the
decimals of a sender whose steps are the bus's: 12.3 % is 1230 and not 1229.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

from hilbridge.codec.units import IDENTITY, Conversion
from hilbridge.inputs.controls import Control
from hilbridge.settings import InputSignal
from vehiclesim.curves import power
from vehiclesim.tables import Table

Curve: TypeAlias = Callable[[float], float]


class Calibration:
    """The equation above. Without a curve, f(x) = x."""

    __slots__ = ("_base", "_curve", "_gain", "_highest", "_lowest", "_origin", "_reach")

    def __init__(
        self, origin: float, gain: float, base: float, limits: tuple[int, int], curve: Curve | None = None
    ) -> None:
        """`limits`: lowest and highest."""
        lowest, highest = limits
        self._origin: Final = origin
        self._gain: Final = gain
        self._base: Final = base
        self._lowest: Final = lowest
        self._highest: Final = highest
        self._curve: Final = curve
        self._reach: Final = max(highest, -lowest)

    def to_bus(self, raw: float) -> int:
        """The bus integer; a reading beyond the ends stays at the end."""
        value = self._base + (raw - self._origin) * self._gain
        if value <= self._lowest:
            value = self._lowest
        elif value >= self._highest:
            value = self._highest
        if self._curve is not None:
            size = self._reach * self._curve(abs(value) / self._reach)
            value = size if value >= 0.0 else -size
        return round(value)


def calibrate(control: Control, signal: InputSignal, conversion: Conversion = IDENTITY) -> Calibration:
    """The calibration of one control.

    With `minimum` and `maximum`, the way between them, less the dead zone at each end, is the control's whole
    travel: share = ((raw - minimum) / (maximum - minimum) - dead_zone) / (1 - 2 · dead_zone), 0 at the control's
    lowest and 1 at its highest value. Swapped ends invert. Without them value = raw · scale + offset, which
    `conversion` brings from the sender's unit to the entry's.
    """
    lowest, highest = limits = _limits(control)
    curve = _curve(signal)
    if signal.minimum is None or signal.maximum is None:
        base = signal.offset * conversion.factor + conversion.offset
        gain = signal.scale * conversion.factor
        return Calibration(0.0, gain * control.resolution, base * control.resolution, limits, curve)
    way = signal.maximum - signal.minimum
    origin = signal.minimum + signal.dead_zone * way
    gain = (highest - lowest) / (way * (1.0 - 2.0 * signal.dead_zone))
    return Calibration(origin, gain, lowest, limits, curve)


def calibrate_share(control: Control, signal: InputSignal) -> Calibration:
    """For a reading that is already a share of the travel: only the curve is left."""
    lowest, highest = limits = _limits(control)
    return Calibration(0.0, highest - lowest, lowest, limits, _curve(signal))


def _limits(control: Control) -> tuple[int, int]:
    return round(control.lowest * control.resolution), round(control.highest * control.resolution)


def _curve(signal: InputSignal) -> Curve | None:
    if signal.gamma is not None:
        gamma = signal.gamma
        return lambda x: power(x, gamma)
    if signal.curve:
        return Table([x for x, _ in signal.curve], [y for _, y in signal.curve]).at
    return None
