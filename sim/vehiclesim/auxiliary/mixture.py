"""The mixture of a petrol engine: commanded and actual lambda, and the fuel trims of the control between them.

    lambda = commanded·(1 + lean) / (metering·(1 + short + long))

`lean` is unmetered air (or missing fuel) of a fault, `metering` what the air meter reads over what flows. A
combustion that fails leaves its oxygen, and the sensors read lambda/(1 - missed): a two-point sensor burns hardly any
of its fuel. In closed loop the short trim ramps up while the front sensor reads lean and down while it reads rich;
lag and hysteresis h make it swing around its mean, as two-point control does, with the period

    T = 4·(h/rate + lag·tanh(T/(4·lag))),   lag = sensor + 120/n,   rate ~ n

about once a second at idle and twice at 2500 1/min: the gas of one cycle is at the sensor as the next one ends, and
each cycle takes a step of the ramp. The long trim slowly takes over that mean. Times and rates are assumed.
"""

from typing import ClassVar, Final

from vehiclesim.curves import clamp
from vehiclesim.fuel import RICH_FROM
from vehiclesim.state import Stateful

OFF: Final = 0
OPEN_COLD: Final = 1
CLOSED: Final = 2
OPEN_DRIVING: Final = 4
"""Fuel system status as SAE J1979 PID 03 codes it; the last one is enrichment, or fuel cut on overrun."""

_CLOSED_FROM: Final = 40.0
"""[°C] of the coolant."""

_COLD_ENRICHMENT: Final = 0.003
"""[1/K] below that."""

_MOST_ENRICHMENT: Final = 0.25

_SENSOR_LAG: Final = 0.05
"""[s] of the sensor (assumed)."""

_TRANSPORT: Final = 120.0
"""[s/min] from the injection until its gas is at the sensor: the time of one cycle over the speed (assumed)."""

_RAMP_RPM: Final = 800.0
"""[1/min] of the rate of the short trim, which the control takes in every cycle anew (assumed)."""

_SLOWEST: Final = 0.5
_FASTEST: Final = 5.0
"""Speed over that between which lag and rate follow it."""

_AIR: Final = 1.1
"""Reading of two-point sensors in pure air: the leanest that they resolve."""

_FUEL: Final = 0.9
"""Reading of two-point sensors without any air: the richest that they resolve."""

_LEAST_METERED: Final = 0.5
_MOST_METERED: Final = 2.0
"""Reading over the true air beyond which an engine control takes the air from speed and pressure (assumed)."""

_MOST_MISSED: Final = 0.9
"""Share of failed combustions from which the exhaust is air."""

_HYSTERESIS: Final = 0.003

_SHORT_RATE: Final = 0.03
"""[1/s] at _RAMP_RPM"""

_LONG_TIME: Final = 20.0
"""[s]"""

_MOST_TRIM: Final = 0.25

_SENSOR_FROM: Final = 300.0
"""[°C] of the catalyst, from which the rear sensor works."""

_STORAGE_TIME: Final = 5.0
"""[s] over which the oxygen store of the catalyst averages what the rear sensor sees."""


class Mixture(Stateful):
    """Lambda control with one front and one rear sensor. The attributes up to `sensor_error` are inputs."""

    state_vars: ClassVar[tuple[str, ...]] = (
        "status",
        "commanded",
        "lambda_",
        "short_trim",
        "long_trim",
        "_sensed",
        "_lean",
        "_stored",
    )

    def __init__(self, full_load_lambda: float) -> None:
        self.running: bool = False
        self.burning: bool = False  # there is fuel
        self.load: float = 0.0  # 0..1
        self.rpm: float = _RAMP_RPM  # [1/min]
        self.coolant: float = 20.0  # [°C]
        self.catalyst: float = 20.0  # [°C]
        self.fault: float = 0.0  # share of unmetered air
        self.missed: float = 0.0  # share of the combustions that fail
        self.metering: float = 1.0  # air that the meter reads over that which flows
        self.sensor_error: float = 0.0  # lambda that the front sensor reads too much

        self.status: int = OFF
        self.commanded: float = 1.0
        self.lambda_: float = 1.0  # of the gas that is burnt
        self.short_trim: float = 0.0
        self.long_trim: float = 0.0
        self._sensed: float = 1.0  # lambda at the front sensor
        self._lean: bool = False  # its two-point signal
        self._stored: float = 1.0  # lambda behind the catalyst
        self._enrichment: float = 1.0 - full_load_lambda

    def step(self, delta_time: float) -> None:
        """Advance by `delta_time` [s]."""
        self._command()
        speed = clamp(self.rpm / _RAMP_RPM, _SLOWEST, _FASTEST)
        if self.status == CLOSED:
            self._control(delta_time, _SHORT_RATE * speed)
        else:
            self.short_trim = 0.0
        metered = clamp(self.metering, _LEAST_METERED, _MOST_METERED)
        self.lambda_ = self.commanded * (1.0 + self.fault) / (metered * (1.0 + self.short_trim + self.long_trim))
        gas = self.exhaust if self.burning and self.missed < _MOST_MISSED else _AIR
        read = gas if self.sensor_error == 0.0 else clamp(gas + self.sensor_error, _FUEL, _AIR)
        lag = _SENSOR_LAG + _TRANSPORT / (_RAMP_RPM * speed)
        self._sensed += (read - self._sensed) * delta_time / (lag + delta_time)
        self._stored += (gas - self._stored) * delta_time / (_STORAGE_TIME + delta_time)

    @property
    def exhaust(self) -> float:
        """Lambda by the oxygen in the exhaust of an engine that burns."""
        return self.lambda_ / (1.0 - self.missed) if self.missed < _MOST_MISSED else _AIR

    @property
    def rear_voltage(self) -> float:
        """[V] of the two-point sensor behind the catalyst: 0.65 at lambda 1, 0.45 while it is cold."""
        if self.status == OFF or self.catalyst < _SENSOR_FROM:
            return 0.45
        return clamp(0.65 + 25.0 * (1.0 - self._stored), 0.1, 0.9)

    def _command(self) -> None:
        self.commanded = 1.0
        if not self.running:
            self.status = OFF
        elif not self.burning:
            self.status = OPEN_DRIVING
        elif self.coolant < _CLOSED_FROM:
            self.status = OPEN_COLD
            self.commanded = 1.0 - clamp(_COLD_ENRICHMENT * (_CLOSED_FROM - self.coolant), 0.0, _MOST_ENRICHMENT)
        elif self.load > RICH_FROM:
            self.status = OPEN_DRIVING
            self.commanded = 1.0 - self._enrichment * clamp((self.load - RICH_FROM) / (1.0 - RICH_FROM), 0.0, 1.0)
        else:
            self.status = CLOSED

    def _control(self, delta_time: float, rate: float) -> None:
        if self._sensed > 1.0 + _HYSTERESIS:
            self._lean = True
        elif self._sensed < 1.0 - _HYSTERESIS:
            self._lean = False
        ramp = rate * delta_time
        self.short_trim = clamp(self.short_trim + (ramp if self._lean else -ramp), -_MOST_TRIM, _MOST_TRIM)
        handover = self.short_trim * delta_time / _LONG_TIME
        long_trim = clamp(self.long_trim + handover, -_MOST_TRIM, _MOST_TRIM)
        self.short_trim -= long_trim - self.long_trim
        self.long_trim = long_trim
