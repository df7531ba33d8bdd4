"""Common to all electric drives: readiness, creeping, braking for the brake pedal, limits, the battery's energy."""

from typing import ClassVar, Final, NamedTuple

from mypy_extensions import mypyc_attr

from vehiclesim.chassis.brakes import Brakes
from vehiclesim.curves import clamp
from vehiclesim.electric.accelerator import Accelerator, fade
from vehiclesim.electric.battery import TractionBattery
from vehiclesim.electric.motor import Motor
from vehiclesim.engine.engine import Engine
from vehiclesim.parameters import ElectricSettings
from vehiclesim.state import Stateful

_CREEP_ACCELERATION: Final = 1.0
"""[m/s²] with which a vehicle begins to creep (assumed: as behind a torque converter)."""

_PASSES: Final = 3
"""With which the torque approaches a limit of the battery: the loss depends on it, and is a tenth of the power."""


class ElectricMemory(NamedTuple):
    """The non-volatile values of an electric drive: plain numbers, stored under their names."""

    used: float  # energy that the battery gave [J]
    recuperated: float  # energy that it took [J]
    charge: float


class Surroundings:
    """Inputs of the electric drive, which the vehicle sets before every step."""

    def __init__(self) -> None:
        self.key: int = 0  # -1 off, 0 on, 1 start
        self.throttle: float = 0.0  # 0 = released .. 1 = fully down
        self.gear: int = 0  # engaged, 0 in neutral and P
        self.parked: bool = False  # in P
        self.coolant: float = 20.0  # [°C] of the engine
        self.lead: float = 0.0  # speed of the gearbox's input shaft per speed of the vehicle in this gear [rad/m]
        self.speed: float = 0.0  # over the road [m/s], negative backward
        self.aid_acts: bool = False  # ABS or ESC work on the brakes


@mypyc_attr(allow_interpreted_subclasses=True)
class ElectricDrive(Stateful):
    """The common base of electric drives: motor, battery, and what a driver's pedals mean.

    `control` sets, before a step, the torque of the motor, what it takes from the friction brakes, and the inputs of
    the engine; `step` takes the energy of the step from the battery.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("ready", "battery", "motor", "used", "recuperated")

    def __init__(
        self, settings: ElectricSettings, motor: Motor, engine: Engine, brakes: Brakes, mass: float, radius: float
    ) -> None:
        """Take mass of the vehicle [kg] and radius of its driven wheels [m]."""
        self.surroundings: Surroundings = Surroundings()
        self.motor: Motor = motor
        self.engine: Engine = engine
        self.battery: TractionBattery = TractionBattery(settings.battery)
        self.ready: bool = False  # to drive
        self.used: float = 0.0  # energy that the battery gave in all [J]
        self.recuperated: float = 0.0  # energy that it took in all [J]
        self.accelerator: Accelerator = Accelerator(self.most_torque, mass, settings.overrun_deceleration)
        self.brakes: Brakes = brakes
        self.mass: float = mass
        self._radius: float = radius
        self._braking: float = settings.braking_deceleration
        self._creep_speed: float = settings.creep_speed
        self._auxiliary_power: float = settings.battery.auxiliary_power * 1e3
        self.extra_power: float = 0.0  # that a second machine takes from the battery, or gives [W]
        self.direction: float = 1.0  # in which the shaft turns when the vehicle moves as its gear says; -1 backward

    def control(self, delta_time: float) -> None:
        """Set the inputs of motor, brakes and engine for the coming step [s]."""
        raise NotImplementedError

    def hold_engine(self) -> None:
        """Set the inputs of the engine that follow from the state of the drive."""

    @property
    def engine_rests(self) -> bool:
        """True while the clutch behind the engine must be open for the motor to drive alone."""
        return False

    def rotor_w(self) -> float:
        """Return the present speed of the rotor [rad/s]."""
        raise NotImplementedError

    def most_torque(self, w: float) -> float:
        """Return the highest torque [N m] of all that drives the shaft with the motor, at its speed [rad/s]."""
        raise NotImplementedError

    def pedal_torque(self, rpm: float, throttle: float) -> float:
        """Return the torque [N m] at the gearbox that a pedal asks for at a speed [1/min], without recuperation."""
        raise NotImplementedError

    def step(self, delta_time: float) -> None:
        """Take the energy of the past step from the battery, or give it back."""
        motor, battery = self.motor, self.battery
        motor.end_step(self.rotor_w())
        power = 0.0
        if self.ready:
            power = motor.sensor_power + motor.sensor_loss + self._auxiliary_power + self.extra_power
        battery.step(power, delta_time)
        if battery.power > 0.0:
            self.used += battery.power * delta_time
        else:
            self.recuperated -= battery.power * delta_time

    def memory(self) -> ElectricMemory:
        """Return the values to be stored before the power is switched off."""
        return ElectricMemory(self.used, self.recuperated, self.battery.charge)

    def start_from(self, memory: ElectricMemory) -> None:
        """Continue from stored values."""
        self.used = memory.used
        self.recuperated = memory.recuperated
        self.battery.charge = clamp(memory.charge, 0.0, 1.0)

    @property
    def sensor_power_share(self) -> float:
        """Power at the battery over the most that it gives, or takes: -1 .. 1, as a power gauge shows it."""
        battery = self.battery
        most = battery.max_discharge if battery.power > 0.0 else battery.max_charge
        return clamp(battery.power / most, -1.0, 1.0) if most > 0.0 else 0.0

    def turn_key(self) -> None:
        """Become ready when the key is turned to "start", as long as it is not turned off."""
        key = self.surroundings.key
        if key > 0:
            self.ready = True
        elif key < 0:
            self.ready = False

    def creep(self, speed: float, pedal: float, lead: float) -> float:
        """Return the torque [N m] at a shaft of `lead` [rad/m] with which a vehicle creeps, its brakes released."""
        brakes = self.brakes
        if brakes.brake_input > 0.0 or brakes.handbrake_input > 0.0 or self._creep_speed <= 0.0:
            return 0.0
        missing = clamp(1.0 - speed / self._creep_speed, 0.0, 1.0)
        return (1.0 - pedal) * _CREEP_ACCELERATION * self.mass / lead * missing

    def pedals(self, lead: float) -> tuple[float, float]:
        """Return the torque [N m] of a shaft that pedals and creeping ask for, and what of it is for the brake pedal.

        T = T_accelerator + T_creep - T_brake, where T_brake [N m] brakes with m·a/lead at most, and fades out towards
        standstill. While ABS or ESC act, friction brakes alone.
        """
        around = self.surroundings
        speed = around.speed if around.gear > 0 else -around.speed
        pedal = clamp(around.throttle, 0.0, 1.0)
        torque = self.accelerator.torque(pedal, speed, lead) + self.creep(speed, pedal, lead)
        if around.aid_acts:
            return (torque if torque > 0.0 else 0.0), 0.0
        relief = self.brake_torque(speed, lead)
        return torque - relief, relief

    def brake_torque(self, speed: float, lead: float) -> float:
        """Return T_brake [N m] at a speed [m/s] in the direction of the gear."""
        wanted = self.brakes.driven_pedal_torque() / (lead * self._radius)
        most = self._braking * self.mass / lead
        return (wanted if wanted < most else most) * fade(speed)

    def drive(self, torque: float, relief: float, lead: float) -> None:
        """Give the shaft a torque [N m] as far as the motor can, and take `relief` of it from the friction brakes.

        The torque is positive in the direction of the gear.
        """
        motor, direction = self.motor, self.direction
        motor.torque = self._feasible(direction * torque / motor.ratio)
        left = clamp(relief - (direction * motor.torque * motor.ratio - torque), 0.0, relief)
        self.brakes.relieve(left * lead * self._radius)

    def _feasible(self, torque: float) -> float:
        """Return the torque held within what motor and battery can."""
        motor, battery = self.motor, self.battery
        w = motor.w
        other = self._auxiliary_power + self.extra_power
        most = motor.most_torque(w)
        torque = clamp(torque, -most, most)
        power = torque * w + motor.loss(w, torque) + other
        bound = battery.most_discharge() if power > 0.0 else -battery.most_charge()
        if (power - bound) * power <= 0.0 or torque * w == 0.0:
            return torque
        wanted = torque
        for _ in range(_PASSES):
            share = (bound - motor.loss(w, torque) - other) / (w * wanted)
            torque = wanted * clamp(share, 0.0, 1.0)
        return torque
