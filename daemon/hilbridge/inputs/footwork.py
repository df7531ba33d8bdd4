"""What the demo driver's feet and hand do while something is going on, and what eyes and ears tell.

The actions are called once a tick; each moves the pedals at the speed of a foot towards where they belong. All of it
follows from the bus and the time that has passed: no clock, nothing random.
"""

from typing import Final

from hilbridge.drive.technique import FOOT, Pedals
from vehiclesim.channels import VehicleData
from vehiclesim.databus import DataBus
from vehiclesim.parameters import VehicleSettings

_CRUISING_SPEED: Final = 22.0
"""[m/s], 79 km/h."""

_COMFORT: Final = 2.5
"""[m/s²] that the driver aims at in every gear."""

_HALF_OPEN: Final = 0.6
"""Throttle that the driver does not go beyond."""

_BRAKING: Final = 0.2
"""Brake pedal for a stop without hurry, about 2 m/s²."""

_SLOW_FOOT: Final = 0.8
_CAREFUL_FOOT: Final = 2.0
"""[1/s] of a pedal's travel: pressing on, no hurry needed."""

_LONGEST_TICK: Final = 0.1
"""[s]. After a longer gap the feet have not moved further than in this time."""


class Footwork(Pedals):
    """Pedals, lever, and the habits that fit the vehicle.

    Habits follow from the data sheet, because a truck is shifted at 1,200 rpm and a sports car at 3,000.
    """

    def __init__(self, bus: DataBus, vehicle: VehicleSettings) -> None:
        engine = vehicle.engine
        highest = min(engine.max_rpm, engine.rpm_limiter_max) if engine.rpm_limiter else engine.max_rpm
        super().__init__()
        self._bus: Final = bus
        self._idle_rpm: Final = engine.idle_rpm
        self._launch_rpm: Final = engine.idle_rpm + 0.12 * (highest - engine.idle_rpm)
        self._shift_rpm: Final = engine.idle_rpm + 0.36 * (highest - engine.idle_rpm)
        self._ratios: Final = vehicle.gearbox.ratios
        pull = engine.peak_rpm_torque * vehicle.driveline.total_ratio / (vehicle.wheels.radius * vehicle.body.mass)
        self._effort: Final = [_COMFORT / (pull * ratio) for ratio in self._ratios]
        self._dt = 0.0
        self.gear = self._next_gear = 0
        self.rpm = 0.0
        self.speed = 0.0  # [m/s]

    def take_seat(self) -> None:
        """Feet off, lever in neutral, a look at the instruments."""
        self.release()
        self.gear = 0
        self.look(0.0)

    # -- what eyes and ears tell --------------------------------------------------------------------------------------

    def look(self, dt: float) -> None:
        """Takes in the instruments, `dt` [s] after the last look."""
        values = self._bus.vehicle
        self._dt = min(dt, _LONGEST_TICK)
        self.rpm = values[VehicleData.ENGINE_RPM] / 1000
        self.speed = values[VehicleData.SPEED] / 1000

    def engine_runs(self) -> bool:
        return self._bus.vehicle[VehicleData.ENGINE_WORKING] != 0

    def engine_is_dead(self) -> bool:
        return self._bus.vehicle[VehicleData.ENGINE_WORKING] == 0

    def moves(self) -> bool:
        return self.speed > 0.0

    def stands(self) -> bool:
        return not self.moves()

    def is_fast(self) -> bool:
        return self.speed >= _CRUISING_SPEED

    def is_in_gear(self) -> bool:
        return self.gear != 0 and self._bus.vehicle[VehicleData.GEARBOX_GEAR] == self.gear

    def clutch_is_down(self) -> bool:
        return self.clutch >= 1.0

    def clutch_is_up(self) -> bool:
        return self.clutch <= 0.0

    def wants_higher_gear(self) -> bool:
        """The engine is fast enough, and would still be well above idle in the next gear."""
        if self.gear == len(self._ratios) or self.rpm < self._shift_rpm:
            return False
        return self.rpm * self._ratios[self.gear] / self._ratios[self.gear - 1] > 1.3 * self._idle_rpm

    def speeds_match(self) -> bool:
        """The engine has fallen to the speed of the gearbox, so that the clutch can come up without a jerk."""
        input_rpm = self._bus.vehicle[VehicleData.TRANSMISSION_RPM] / 1000 * self._ratios[self.gear - 1]
        return self.is_in_gear() and self.rpm <= 1.02 * input_rpm

    def labours(self) -> bool:
        """The engine nears idle: time to declutch."""
        return self.rpm < 1.25 * self._idle_rpm

    # -- what feet and hand do ----------------------------------------------------------------------------------------

    def park(self) -> None:
        """Handbrake on, neutral, feet off the pedals."""
        self.gear = 0
        self.handbrake = 1.0
        self._move()

    def select_first(self) -> None:
        """Clutch down, then first gear."""
        self._move(clutch=1.0)
        if self.clutch_is_down():
            self.gear = 1

    def pull_away(self) -> None:
        """Holds the engine above idle with the right foot while the left one lets the clutch take hold.

        The clutch comes up more slowly the more the engine is pulled down, and goes down again near idle.
        """
        self.handbrake = 0.0
        lacking = (self._launch_rpm - self.rpm) / self._launch_rpm
        lowest = 1.05 * self._idle_rpm
        reserve = (self.rpm - lowest) / (self._launch_rpm - lowest)
        throttle = max(0.0, min(0.1 + 1.5 * lacking, _HALF_OPEN))
        locked = self._bus.vehicle[VehicleData.CLUTCH_LOCK] >= 1000
        self._move(throttle=throttle, clutch=0.0 if locked else self.clutch)
        if not locked:
            self.let_in(self._dt, reserve)

    def accelerate(self) -> None:
        """Opens the throttle as far as this gear needs for a comfortable acceleration."""
        self._next_gear = self.gear + 1
        self._move(throttle=min(0.1 + self._effort[self.gear - 1], _HALF_OPEN), foot=_SLOW_FOOT)

    def lift(self) -> None:
        """Off the throttle, and the clutch down behind it."""
        self._move(clutch=1.0 if self.throttle < 0.1 else 0.0, foot=_CAREFUL_FOOT)

    def shift_up(self) -> None:
        """Takes the next gear and waits while the engine falls to the speed that it will have there."""
        self.gear = self._next_gear
        self._move(clutch=1.0)

    def take_up(self) -> None:
        """Lets the clutch in."""
        self._move(throttle=0.15, foot=_CAREFUL_FOOT)

    def hold_speed(self) -> None:
        """More throttle the more speed is missing."""
        wanted = 0.15 + 0.1 * (_CRUISING_SPEED - self.speed)
        self._move(throttle=max(0.0, min(wanted, _HALF_OPEN)), foot=_SLOW_FOOT)

    def coast(self) -> None:
        """Feet off, in gear."""
        self._move()

    def slow_down(self) -> None:
        """Brakes in gear, so that the engine helps."""
        self._move(brake=_BRAKING, foot=_SLOW_FOOT)

    def stop(self) -> None:
        """Neutral, and less brake towards the end, so that the vehicle stops without a jerk."""
        self._move(brake=min(_BRAKING, 0.05 + 0.1 * self.speed), clutch=1.0)
        if self.clutch_is_down():
            self.gear = 0

    def brake_hard(self) -> None:
        """For the vehicle that does not stop otherwise, on a hill."""
        self.gear = 0
        self._move(brake=1.0, clutch=1.0)

    def _move(self, throttle: float = 0.0, brake: float = 0.0, clutch: float = 0.0, foot: float = FOOT) -> None:
        self.move(self._dt, throttle=throttle, brake=brake, clutch=clutch, foot=foot)
