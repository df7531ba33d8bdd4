"""From the readings of a sender to the value of a control: check, filter, calibration, curve.

    value = clamp(base + (raw - origin) · gain, lowest, highest)
    bus   = round(sign(value) · reach · f(|value| / reach))        reach = the larger end of the range, f = the curve

`raw` is a finite number in the unit of the sender; all others are bus integers. f goes from 0..1 to 0..1 and acts
alike on both sides of a steering wheel's centre. Rounding (where the model's own results are truncated) keeps the
decimals of a sender whose steps are the bus's: 12.3 % is 1230 and not 1229.
"""

import math
from collections.abc import Callable, Sequence
from typing import Final, Protocol, TypeAlias, TypeVar

from hilbridge.bench.inputs.controls import Control
from hilbridge.files.settings import InputSignal
from hilbridge.frames.codec.units import IDENTITY, Conversion
from vehiclesim.curves import power, relaxation
from vehiclesim.tables import Table

Reading: TypeAlias = float | str
"""The content of a field: a number in the sender's unit, or a word."""

Curve: TypeAlias = Callable[[float], float]

GARBAGE: Final = "garbage"
"""A wanted field is no finite decimal number, or comes twice."""
OUT_OF_RANGE: Final = "out_of_range"
"""A position that the control does not have, a value outside the database's range or the plausible one, no number."""

_Value = TypeVar("_Value")


class Refused(Exception):  # noqa: N818 - expected of any sender, and counted
    """A sample that cannot be used: the reason by which it is counted, and its description for the log."""

    def __init__(self, reason: str, what: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.what = what


class SignalConditioner(Protocol[_Value]):
    """A converter of the readings of a control's fields into its bus integer, in two steps.

    A sample counts as a whole or not at all: all controls of a sample are evaluated before the first is converted.
    """

    def evaluate(self, readings: Sequence[Reading | None]) -> _Value | None:
        """Return the value of the readings, None where they give none; a reading is None if the sample lacks it.

        Nothing is remembered. Refused: the readings spoil the sample.
        """

    def to_bus(self, value: _Value, t: int) -> int:
        """Return the bus integer of a value of the time `t` [ns]."""

    def reset(self) -> None:
        """Forget earlier values, after a silence."""


_BEYOND: Final = 0.5
"""Share of a sensor's way that a reading may lie beyond either end; one further out results from a broken wire."""


def plausible_range(minimum: float, maximum: float) -> tuple[float, float]:
    """Return the lowest and highest reading that a sensor with these ends can have."""
    beyond = _BEYOND * abs(maximum - minimum)
    return min(minimum, maximum) - beyond, max(minimum, maximum) + beyond


class Sensor:
    """One number: checked, filtered, if wanted, and calibrated."""

    def __init__(
        self,
        control: Control,
        calibration: "Calibration",
        low_pass: "LowPass | None" = None,
        plausible: tuple[float, float] | None = None,
    ) -> None:
        """`plausible`: the lowest and highest reading that is no fault."""
        self._control: Final = control
        self._plausible: Final = plausible
        self._calibrate: Final = calibration.to_bus
        self._low_pass: Final = low_pass

    def evaluate(self, readings: Sequence[Reading | None]) -> float | None:
        """Return the number. A key at 5 must not crank; a pedal a little beyond its ends counts as at its end."""
        (reading,) = readings
        if reading is None:
            return None
        number = check_number(self._control, reading)
        if self._plausible is not None and not self._plausible[0] <= number <= self._plausible[1]:
            raise Refused(OUT_OF_RANGE, f"{number:g} is far beyond the ends of {self._control.name}")
        return number

    def to_bus(self, value: float, t: int) -> int:
        """Filter and calibrate the number."""
        return self._calibrate(value if self._low_pass is None else self._low_pass.filter(value, t))

    def reset(self) -> None:
        """Restart the filter."""
        if self._low_pass is not None:
            self._low_pass.reset()


def check_number(control: Control, reading: Reading) -> float:
    """Return a reading that is a number of this control. Refused: it is a word, not finite, or no position."""
    if isinstance(reading, str):
        raise Refused(GARBAGE)
    if not math.isfinite(reading) or (control.has_positions and not control.lowest <= reading <= control.highest):
        raise Refused(OUT_OF_RANGE)
    return reading


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
        """Return the bus integer of a reading, held inside the range."""
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
    """Return the calibration of one control.

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
    """Return the calibration of a reading that is already a share of the travel: the curve alone."""
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


class LowPass:
    """A first-order low-pass filter of irregular samples, with the time constant τ [ns].

        y' = (x - y) / τ     exactly, over the Δt since the last reading:     y += (x - y) · (1 - e^(-Δt/τ))

    The exponential is the model's own, so that every machine gives the same bits. Of several readings of one tick the
    last one counts.
    """

    __slots__ = ("_before", "_last", "_output", "_previous", "_time_constant")

    def __init__(self, time_constant: int) -> None:
        self._time_constant: Final = time_constant
        self._last: int | None = None  # [ns] of the last reading
        self._previous = 0  # [ns] of the one in the tick before that
        self._before = 0.0  # output after it
        self._output = 0.0

    def filter(self, x: float, t: int) -> float:
        """Return the output at `t` [ns]; the first reading passes as it is."""
        if self._last is None or t == self._previous:
            self._before, self._previous = x, t
        elif t != self._last:
            self._before, self._previous = self._output, self._last
        self._last = t
        step = (t - self._previous) / self._time_constant
        self._output = self._before + (x - self._before) * step * relaxation(step)
        return self._output

    def reset(self) -> None:
        """Pass the next reading as it is, after a silence."""
        self._last = None
