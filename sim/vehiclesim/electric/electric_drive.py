"""The electric drive of a vehicle: from pedals and battery to the torque of the motor, once before each step."""

from typing import ClassVar, Final

from vehiclesim.block import RPM_TO_W
from vehiclesim.chassis.brakes import Brakes
from vehiclesim.curves import clamp
from vehiclesim.electric.accelerator import Accelerator, fade
from vehiclesim.electric.battery import TractionBattery
from vehiclesim.electric.motor import Motor
from vehiclesim.parameters import ElectricSettings
from vehiclesim.state import Stateful

_CREEP_ACCELERATION: Final = 1.0
"""[m/s²] with which a vehicle begins to creep (assumed: as behind a torque converter)."""


_RESPONSE: Final = 0.05
"""[s], in which the motor is brought to a requested speed (assumed: faster than an engine)."""

_PASSES: Final = 3
"""With which the torque approaches a limit of the battery: the loss depends on it, and is a tenth of the power."""


class Surroundings:
    """Inputs of the electric drive, which the vehicle sets before every step."""

    def __init__(self) -> None:
        self.key: int = 0  # -1 off, 0 on, 1 start
        self.throttle: float = 0.0  # 0 = released .. 1 = fully down
        self.gear: int = 0  # engaged, 0 in neutral and P
        self.lead: float = 0.0  # speed of the motor per speed of the vehicle in this gear [rad/m]
        self.speed: float = 0.0  # over the road [m/s], negative backward
        self.tcs_rpms: float = -1.0  # speed requested by traction control [1/min], negative: none
        self.tcs_ratio: float = 1.0  # share of that request that is followed
        self.aid_acts: bool = False  # ABS or ESC work on the brakes


class ElectricDrive(Stateful):
    """The control of motor and battery.

    T = T_accelerator - T_brake, within what motor and battery can.

    T_brake is that of a deceleration a: m·a/lead. It fades out towards standstill, where the vehicle creeps. With the
    brake pedal the motor brakes first, and takes its part from the friction brakes of the driven wheels; while ABS or
    ESC act, friction brakes alone.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("ready", "battery", "used", "recuperated", "_was_start")

    def __init__(self, settings: ElectricSettings, motor: Motor, brakes: Brakes, mass: float, radius: float) -> None:
        """Take mass of the vehicle [kg] and radius of its driven wheels [m]."""
        self.surroundings: Surroundings = Surroundings()
        self.motor: Motor = motor
        self.battery: TractionBattery = TractionBattery(settings.battery)
        self.ready: bool = False  # to drive: the key was turned to "start"
        self.used: float = 0.0  # energy that the battery gave [J]
        self.recuperated: float = 0.0  # energy that it took [J]
        self._brakes: Brakes = brakes
        self._mass: float = mass
        self._radius: float = radius
        self._accelerator: Accelerator = Accelerator(motor, mass, settings.overrun_deceleration)
        self._braking: float = settings.braking_deceleration
        self._creep_speed: float = settings.creep_speed
        self._auxiliary_power: float = settings.battery.auxiliary_power * 1e3
        self._was_start: bool = False

    def control(self) -> None:
        """Set the motor's torque for the coming step, and what it takes from the friction brakes."""
        around = self.surroundings
        self._turn_key(around.key)
        lead = around.lead
        torque = relief = 0.0
        if self.ready and around.gear != 0 and lead > 0.0:
            torque, relief = self._wanted(lead)
            if around.tcs_rpms >= 0.0 and torque > 0.0:
                torque = self._without_slip(torque)
            possible = self._feasible(torque)
            relief = clamp(relief - (possible - torque), 0.0, relief)
            torque = possible
        self.motor.torque = torque
        relieved = relief * lead * self._radius / len(self._brakes.driven)
        for wheel in self._brakes.driven:
            self._brakes.relieved[wheel] = relieved

    def step(self, delta_time: float) -> None:
        """Take the energy of the past step from the battery, or give it back."""
        motor, battery = self.motor, self.battery
        motor.end_step()
        power = 0.0
        if self.ready:
            power = motor.sensor_power + motor.sensor_loss + self._auxiliary_power
        battery.step(power, delta_time)
        if battery.power > 0.0:
            self.used += battery.power * delta_time
        else:
            self.recuperated -= battery.power * delta_time

    @property
    def sensor_power_share(self) -> float:
        """Power at the battery over the most that it gives, or takes: -1 .. 1, as a power gauge shows it."""
        battery = self.battery
        most = battery.max_discharge if battery.power > 0.0 else battery.max_charge
        return clamp(battery.power / most, -1.0, 1.0) if most > 0.0 else 0.0

    def _turn_key(self, key: int) -> None:
        """Become ready when the key is turned to "start", as long as it is not turned off."""
        if key > 0:
            self.ready = True
        elif key < 0:
            self.ready = False

    def _wanted(self, lead: float) -> tuple[float, float]:
        """Return the torque [N m] that pedals and creeping ask for, and which part of it brakes for the brake pedal."""
        around, brakes = self.surroundings, self._brakes
        speed = around.speed if around.gear > 0 else -around.speed
        per_deceleration = self._mass / lead
        pedal = clamp(around.throttle, 0.0, 1.0)
        torque = self._accelerator.torque(pedal, speed, lead)
        if brakes.brake_input <= 0.0 and brakes.handbrake_input <= 0.0 and self._creep_speed > 0.0:
            missing = clamp(1.0 - speed / self._creep_speed, 0.0, 1.0)
            torque += (1.0 - pedal) * _CREEP_ACCELERATION * per_deceleration * missing
        if around.aid_acts:
            return (torque if torque > 0.0 else 0.0), 0.0
        wanted = brakes.driven_pedal_torque() / (lead * self._radius)
        most = self._braking * per_deceleration
        relief = (wanted if wanted < most else most) * fade(speed)
        return torque - relief, relief

    def _without_slip(self, torque: float) -> float:
        """Return T + tcs_ratio·(T_tcs - T), where T_tcs < T brings the rotor to the requested speed in `_RESPONSE`.

        T_tcs = T_before + I·(w_tcs - w)/_RESPONSE, I the inertia of what turns with the rotor.
        """
        around, motor = self.surroundings, self.motor
        gap = around.tcs_rpms * RPM_TO_W - abs(motor.sensor_w)
        most = clamp(motor.torque + motor.inertia() * gap / _RESPONSE, 0.0, torque)
        return torque + around.tcs_ratio * (most - torque)

    def _feasible(self, torque: float) -> float:
        """Return the torque held within what motor and battery can."""
        motor, battery = self.motor, self.battery
        w = motor.sensor_w
        most = motor.most_torque(w)
        torque = clamp(torque, -most, most)
        power = torque * w + motor.loss(w, torque) + self._auxiliary_power
        bound = battery.most_discharge() if power > 0.0 else -battery.most_charge()
        if (power - bound) * power <= 0.0 or w == 0.0:
            return torque
        wanted = torque
        for _ in range(_PASSES):
            share = (bound - motor.loss(w, torque) - self._auxiliary_power) / (w * wanted)
            torque = wanted * clamp(share, 0.0, 1.0)
        return torque
