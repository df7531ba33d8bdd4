"""Cruise control: holds a speed by the throttle, as the buttons of body.CruiseButton ask.

    off        main                                        standby
    standby    set: at the present speed                   active
               resume: at the last set speed               active
    active     more pedal than it asks for                 override, until the pedal is back
               cancel, brake, clutch, no forward gear,
               slower than the lowest speed                standby; the set speed stays
    any        the throttle is stuck                       fault, until the ignition is off
    any        main, or ignition off                       off; the set speed is forgotten

    throttle = P·e + P/T·∫e dt within 0 .. 1, at most RATE faster; e = set speed - speed; bumpless at its beginning

The integral waits while the throttle is at a limit or the driver overrides. The conditions are those of owners'
manuals; P, T and the rate are assumed. Until main is pressed, commands write state and speed for the cluster.
"""

from typing import ClassVar, Final

from vehiclesim.channels import BODY, NAN, BodyData, FaultData
from vehiclesim.chassis.brakes import Brakes
from vehiclesim.chassis.chassis import Chassis
from vehiclesim.curves import clamp
from vehiclesim.databus import Channel
from vehiclesim.engine.engine import Engine
from vehiclesim.equipment.equipment import Car, Equipment
from vehiclesim.loader import Inputs
from vehiclesim.parameters import CruiseSettings, VehicleSettings
from vehiclesim.transmission.gearbox import Gearbox

OFF: Final = 0
STANDBY: Final = 1
ACTIVE: Final = 2
OVERRIDE: Final = 4
FAULT: Final = 5
"""Integers of body.CruiseState; 3 is a speed limiter, which a command may show."""

MAIN: Final = 1
SET: Final = 2
RESUME: Final = 3
CANCEL: Final = 4
FASTER: Final = 5
SLOWER: Final = 6
"""Integers of body.CruiseButton."""

_STEP: Final = 1.0 / 3.6
"""[m/s] that a press of faster or slower changes."""
_GAIN: Final = 0.12
"""P [s/m]."""
_TIME: Final = 6.0
"""T [s]."""
_RATE: Final = 0.4
"""[1/s]."""
_PRESSED: Final = 0.02
"""Share of the travel of the brake from which its switch is closed."""
_OPEN: Final = 0.9
"""Engagement of the clutch below which its switch is closed."""
_MORE: Final = 0.02
"""Throttle by which the driver asks for more."""


class CruiseControl(Equipment):
    """Buttons, conditions and controller; `state` is an integer of body.CruiseState, `target` the set speed [m/s]."""

    state_vars: ClassVar[tuple[str, ...]] = ("state", "target", "throttle", "_integral", "_button", "_shows")

    _levers: Inputs
    _faults: list[int]
    _body: Channel
    _engine: Engine
    _gearbox: Gearbox
    _chassis: Chassis

    def __init__(self, settings: CruiseSettings) -> None:
        self.state: int = OFF
        self.target: float = 0.0
        self.throttle: float = 0.0
        self._minimum: float = settings.minimum_speed
        self._maximum: float = settings.maximum_speed
        self._integral: float = 0.0
        self._button: int = 0  # that was pressed at the step before
        self._shows: bool = False  # main was pressed: state and speed are its own

    def join(self, car: Car) -> None:
        self._levers, self._faults = car.loader.levers, car.data.fault
        self._body = Channel(car.data.body, BODY)
        self._engine, self._gearbox, self._chassis = car.aids.engine, car.gearbox, car.aids.chassis

    def feed(self, delta_time: float) -> None:
        """Follow the buttons and the conditions, and ask for throttle."""
        button = self._levers.values[BodyData.CRUISE_BUTTON]
        pressed = button if button != self._button else 0
        self._button = button
        if pressed == 0 and self.state == OFF:
            return
        pedal = self._engine.throttle_input
        self._follow(pressed, pedal)
        if self.state in (ACTIVE, OVERRIDE):
            self._control(delta_time, pedal)
            self.restore()

    def _follow(self, pressed: int, pedal: float) -> None:
        """Change the state."""
        if self._engine.ignition_input < 0:
            self._turn_off()
        elif pressed == MAIN:
            if self.state == OFF:
                self.state, self._shows = STANDBY, True
            elif self.state != FAULT:
                self._turn_off()
        elif self.state == OFF:
            return
        elif self.state == FAULT or self._faults[FaultData.STUCK_THROTTLE] != NAN:
            self.state, self.throttle = FAULT, 0.0
        elif self.state == STANDBY:
            self._engage(pressed, pedal)
        elif pressed == CANCEL or not self._may_act():
            self.state, self.throttle = STANDBY, 0.0
        else:
            self._change(pressed)

    def _turn_off(self) -> None:
        self.state, self.target, self.throttle = OFF, 0.0, 0.0

    def _engage(self, pressed: int, pedal: float) -> None:
        wanted = pressed == SET or (pressed == RESUME and self.target > 0.0)
        if not wanted or not self._may_act():
            return
        if pressed == SET:
            self.target = min(self._chassis.sensor_speed, self._maximum)
        self.state, self.throttle = ACTIVE, pedal
        self._integral = pedal - _GAIN * (self.target - self._chassis.sensor_speed)

    def _change(self, pressed: int) -> None:
        """Change the set speed."""
        if pressed == FASTER:
            self.target = min(self.target + _STEP, self._maximum)
        elif pressed == SLOWER:
            self.target = max(self.target - _STEP, self._minimum)
        elif pressed == SET:
            self.target = clamp(self._chassis.sensor_speed, self._minimum, self._maximum)

    def _may_act(self) -> bool:
        """Return whether all conditions are met."""
        chassis, gearbox = self._chassis, self._gearbox
        clutch = gearbox.automated or self._engine.clutch_input > _OPEN
        in_gear = gearbox.sensor_gear > 0 or gearbox.sensor_shifting
        rolling = chassis.sensor_speed >= self._minimum
        return rolling and in_gear and clutch and chassis.brakes.brake_input < _PRESSED

    def _control(self, delta_time: float, pedal: float) -> None:
        """Compute the throttle, and see whether the driver asks for more."""
        if pedal > self.throttle + _MORE:
            self.state = OVERRIDE
            return
        self.state = ACTIVE
        error = self.target - self._chassis.sensor_speed
        wanted = _GAIN * error + self._integral
        most = _RATE * delta_time
        self.throttle = clamp(clamp(wanted, self.throttle - most, self.throttle + most), 0.0, 1.0)
        if 0.0 < self.throttle < 1.0 or (self.throttle >= 1.0) != (error > 0.0):
            self._integral += _GAIN / _TIME * error * delta_time

    def restore(self) -> None:
        if self.state == ACTIVE and self.throttle > self._engine.throttle_input:
            self._engine.throttle_input = self.throttle

    def publish(self) -> None:
        if self._shows:
            self._body.values[BodyData.CRUISE_STATE] = self.state
            self._body.write(BodyData.CRUISE_SPEED, self.target)
            self._shows = self.state != OFF


def make_cruise(settings: VehicleSettings, _engine: Engine, _brakes: Brakes) -> Equipment | None:
    """Return the cruise control of a vehicle that has it."""
    return CruiseControl(settings.cruise) if settings.cruise.enabled else None
