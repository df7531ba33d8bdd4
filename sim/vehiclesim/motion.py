"""A motion that another simulation prescribes: our vehicle on rollers, its engine on a test stand.

The rollers turn the wheels, so that the vehicle runs at the prescribed speed; the stand holds the engine at the
prescribed speed, with the clutch open between both. All else follows by the model's own laws: fuel from the pedal and
the speed of the engine, heat from fuel, way, pulses and counters from the motion.
"""

from typing import Final

from vehiclesim.block import RPM_TO_W
from vehiclesim.chassis.chassis import Chassis
from vehiclesim.curves import clamp
from vehiclesim.engine.engine import Engine
from vehiclesim.parameters import EngineSettings
from vehiclesim.transmission.gearbox import Gearbox
from vehiclesim.transmission.shifting import NO_GEAR

ACCELERATION: Final = 15.0
"""[m/s²] The most by which the speed changes, whatever is prescribed; tyres of road cars give less."""

ENGINE_ACCELERATION: Final = 15_000.0 * RPM_TO_W
"""[rad/s²] The most by which the speed of the engine changes: from idle to the limiter in half a second."""

LATERAL_ACCELERATION: Final = 8.0
"""[m/s²] The most that steering makes of a speed; the path is wider then."""

_FOLLOWING: Final = 0.1
_ENGINE_FOLLOWING: Final = 0.05
"""[s] Time constants with which both speeds follow: they smooth the steps of samples that come every 10 to 100 ms."""

_CLOSE: Final = 1e-3
"""[m/s], [rad/s] Negligible difference."""

_RUNNING: Final = 0.5
"""Share of the idle speed below which an engine that is held does not run."""


class Motion:
    """v' = (v_prescribed - v)/T inside ±ACCELERATION, and likewise the engine up to its highest speed.

    Without a speed nothing is prescribed. Without an engine speed the drivetrain stays closed: the wheels turn the
    engine as gearbox and clutch let them. Without a gear the gearbox keeps its own. With a reverse gear the speed is
    backwards. Nothing holds an engine whose key is off, as that of an electric vehicle. The idle control holds what is
    prescribed where that is less than its own speed.
    """

    def __init__(self, chassis: Chassis, engine: Engine, gearbox: Gearbox, settings: EngineSettings) -> None:
        self.speed: float = float("nan")  # [m/s]; not-a-number: none is prescribed
        self.rpm: float = float("nan")  # of the engine [1/min]
        self.gear: int = NO_GEAR
        self.prescribed: bool = False
        self._chassis: Chassis = chassis
        self._engine: Engine = engine
        self._gearbox: Gearbox = gearbox
        self._idle_rpm: float = settings.idle_rpm
        limit = settings.rpm_limiter_max if settings.rpm_limiter else settings.max_rpm
        self._highest: float = (limit if limit < settings.max_rpm else settings.max_rpm) * RPM_TO_W
        self._start_speed: float = 0.0  # at the start of the step [m/s]
        self._start_w: float = 0.0  # of the engine [rad/s]
        self._held: bool = False  # the engine, in this step

    def prescribe(self, speed: float, rpm: float, gear: int) -> None:
        """Take what is prescribed from now on; not-a-number and NO_GEAR: nothing."""
        self.speed = speed
        self.rpm = rpm
        self.prescribed = speed == speed
        self.gear = gear if self.prescribed else NO_GEAR
        self._gearbox.prescribed_gear = self.gear
        self._chassis.brakes.released = self.prescribed
        self._engine.idle_rise = 0.0  # a cold one is written in each step

    def hold(self) -> None:
        """Open the clutch between rollers and stand, before a step."""
        engine = self._engine
        self._start_speed = self._chassis.sensor_speed
        self._start_w = engine.sensor_rpm * RPM_TO_W
        self._held = self.rpm == self.rpm and engine.ignition_input >= 0
        if self._held:
            engine.clutch_input = 0.0
            engine.stop_start = 0  # an engine that stands has no speed
            rise = self.rpm - self._idle_rpm
            if rise < engine.idle_rise:
                engine.idle_rise = rise
            if self.rpm < _RUNNING * self._idle_rpm:
                engine.fuel_supply = 0.0

    def impose(self, delta_time: float) -> None:
        """Turn wheels and engine to their speeds at the end of a step of `delta_time` [s]; then the shafts are new."""
        chassis, start = self._chassis, self._start_speed
        wanted = self.speed
        if NO_GEAR < self.gear < 0 and wanted > 0.0:
            wanted = -wanted
        speed = _followed(start, wanted, _FOLLOWING, ACCELERATION, delta_time)
        curvature = chassis.steering.curvature
        yaw_rate = curvature * speed
        most = LATERAL_ACCELERATION / (abs(speed) if abs(speed) > _CLOSE else _CLOSE)
        chassis.roll(speed, clamp(yaw_rate, -most, most), (speed - start) / delta_time)
        if self._held:
            w = clamp(self.rpm * RPM_TO_W, 0.0, self._highest)
            self._engine.turn(_followed(self._start_w, w, _ENGINE_FOLLOWING, ENGINE_ACCELERATION, delta_time))


def _followed(present: float, wanted: float, time: float, most: float, delta_time: float) -> float:
    """Return a speed after `delta_time` [s] of approaching another with a time constant [s] and a highest rate."""
    gap = wanted - present
    if -_CLOSE < gap < _CLOSE:
        return wanted
    step = most * delta_time
    return present + clamp(gap * delta_time / (time + delta_time), -step, step)
