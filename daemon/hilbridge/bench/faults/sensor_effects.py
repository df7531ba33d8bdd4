"""Faults of sensors: what each makes of the value that the vehicle has.

    open, ground, supply    the reading of its circuit (vehiclesim/sensors.csv)
    offset                  x + value
    scale                   x · value
    stuck                   value, or x of the first step with the fault
    slow                    y' = (x - y)/value, from x of the first step on
    noise                   x + value · r,  -1 <= r < 1, by the fault's own seeded numbers

A value that is not available has no reading under the last five, except where it is stuck at a value.
"""

from collections.abc import Callable
from random import Random
from typing import Final

from hilbridge.files.settings.faults import SensorFault
from vehiclesim.sensors import Sensor, Sensors
from vehiclesim.sensors import SensorFault as WrongSensor

Reading = Callable[[float, float], float]
"""A function from a value and the time of a step [s] to what is read."""


class SensorEffect(WrongSensor):
    """A fault of one sensor, from `begin` to `end`."""

    def __init__(self, reading: Reading, sensor: Sensor, sensors: Sensors) -> None:
        super().__init__(sensor)
        self._reading: Final = reading
        self._sensors: Final = sensors

    def read(self, value: float, delta_time: float) -> float:
        return self._reading(value, delta_time)

    def begin(self) -> None:
        self._sensors.add(self)

    def end(self) -> None:
        self._sensors.remove(self)


def circuit_of(sensor: Sensor) -> dict[str, float]:
    """Return what a sensor reads by fault of its circuit, as far as it can have them."""
    readings = {"open": sensor.open, "ground": sensor.ground, "supply": sensor.supply}
    return {effect: reading for effect, reading in readings.items() if reading is not None}


def reading_of(settings: SensorFault, sensor: Sensor, random: Random) -> Reading:
    """Return the function of a fault; the settings have the value that its effect needs."""
    effect, value = settings.effect, settings.value
    if effect == "stuck":
        return _Held(value)
    if value is None:
        reading = circuit_of(sensor)[effect]
        return lambda _x, _dt: reading
    number = value
    if effect == "slow":
        return _Slow(number)
    if effect == "noise":
        return lambda x, _dt: x + number * (2.0 * random.random() - 1.0)
    if effect == "scale":
        return lambda x, _dt: x * number
    return lambda x, _dt: x + number


class _Held:
    """Reads a constant: a given one, or the first value that there is."""

    def __init__(self, value: float | None) -> None:
        self._value = value

    def __call__(self, x: float, _dt: float) -> float:
        if self._value is None and x == x:
            self._value = x
        return x if self._value is None else self._value


class _Slow:
    """Reads a value with a first-order lag."""

    def __init__(self, time: float) -> None:
        self._time: Final = time
        self._y = float("nan")

    def __call__(self, x: float, dt: float) -> float:
        self._y = x if self._y != self._y else self._y + (x - self._y) * dt / (self._time + dt)
        return self._y
