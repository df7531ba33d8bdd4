"""Vehicles on four wheels that tests need: one with a motor on each driven wheel, and one with a whole drivetrain."""

from itertools import pairwise
from math import hypot
from typing import Any

from vehiclesim import (
    RPM_TO_W,
    Block,
    Body,
    BodySettings,
    Brakes,
    BrakeSettings,
    Chassis,
    ChassisSettings,
    Connection,
    Engine,
    EngineSettings,
    Gearbox,
    GearboxSettings,
    Solver,
    Steering,
    SteeringSettings,
    TyreSettings,
    Wheel,
    WheelSettings,
    make_chassis,
    make_wheel,
)

from .blocks import Motor
from .states import change

GRAVITY = 9.80665
AIR_DENSITY = 1.225

FRICTIONLESS = WheelSettings(radius=0.3, inertia=1.0, rolling_resistance=0.0, rolling_resistance_speed=0.0)
RESISTING = WheelSettings(radius=0.3, inertia=1.0, rolling_resistance=0.01, rolling_resistance_speed=0.0)
AIRLESS = BodySettings(mass=1000.0, drag_area=0.0)
AIRY = BodySettings(mass=1000.0, drag_area=0.6)
WEIGHT = 1000.0 * GRAVITY  # [N]
EQUIVALENT_MASS = 1000.0 + 4 * 1.0 / 0.3**2  # [kg]


class RunningGear:
    """Chassis, brakes, steering and wheels (front left, front right, rear left, rear right); no drivetrain yet."""

    solver: Solver

    def __init__(
        self,
        wheel: WheelSettings = FRICTIONLESS,
        body: BodySettings = AIRLESS,
        tyre: TyreSettings = TyreSettings(),  # noqa: B008 - frozen
        chassis: ChassisSettings = ChassisSettings(),  # noqa: B008 - frozen
    ) -> None:
        self.body = Body(body)
        self.brakes = Brakes(BrakeSettings())
        self.steering = Steering(SteeringSettings(), chassis)
        self.wheels: list[Wheel] = [make_wheel(wheel, tyre) for _ in range(4)]
        self.chassis: Chassis = make_chassis(chassis, self.body, self.wheels, self.steering, self.brakes)

    @property
    def speed(self) -> float:
        return self.chassis.sensor_speed

    @property
    def spins(self) -> list[float]:
        return [wheel.spin for wheel in self.wheels]

    @property
    def loads(self) -> list[float]:
        return [wheel.sensor_load for wheel in self.wheels]

    def launch(self, speed: float) -> None:
        """Rolls straight ahead at a speed [m/s] from now on."""
        mass = self.body.mass
        change(self.chassis, _momentum_x=mass * speed)
        for wheel in self.wheels:
            wheel.spin = speed / wheel.radius
        self.solver.update_shafts()

    def run(self, seconds: float, delta_time: float = 0.001) -> list[float]:
        """The forward speeds [m/s] from now on, one per step."""
        speeds = [self.speed]
        for _ in range(round(seconds / delta_time)):
            self.solver.step(delta_time)
            speeds.append(self.speed)
        return speeds


class Trolley(RunningGear):
    """A motor on each wheel whose place is named; the other wheels are free."""

    def __init__(self, *driven: int, speed: float = 0.0, max_substep: float = 0.001, **sets: Any):
        super().__init__(**sets)
        self.motors = [Motor() for _ in driven]
        for motor, place in zip(self.motors, driven, strict=True):
            Block.connect(self.wheels[place], motor)
        self.solver = Solver([*self.motors, self.chassis, *self.wheels], max_substep)
        self.launch(speed)

    def drive(self, torque: float) -> None:
        """The torque [N m] of each motor."""
        for motor in self.motors:
            motor.torque = torque


class OpenDifferential(Block):
    """T_1 = T_2 = r·T_in/2, w_in = r·(w_1 + w_2)/2, without inertia or losses."""

    upper: Connection
    left: Connection
    right: Connection

    def __init__(self, ratio: float) -> None:
        super().__init__()
        self.ratio = ratio

    def initialize(self) -> None:
        self.set_inputs(1)
        self.set_outputs(2)

    def check_connections(self) -> bool:
        upper, (left, right) = self.inputs[0], self.outputs
        if upper is None or left is None or right is None:
            return False
        self.upper, self.left, self.right = upper, left, right
        return True

    def compute_state_upstream(self) -> None:
        one, two = self.left, self.right
        both = one.I + two.I
        self.upper.I = 4.0 * one.I * two.I / both / self.ratio**2
        self.upper.L = self.upper.I * self.ratio * (one.L / one.I + two.L / two.I) / 2.0
        self.upper.Tr = 2.0 * (two.I * one.Tr + one.I * two.Tr) / both / self.ratio

    def evaluate_torque_downstream(self) -> None:
        self.left.out_td = self.right.out_td = self.ratio * self.upper.out_td / 2.0


DRIVEN = {"front": (0, 1), "rear": (2, 3), "all": (0, 1, 2, 3)}
"""Driven wheels of each layout."""


class Car(RunningGear):
    """Engine, gearbox and open differentials on two or four wheels."""

    def __init__(self, layout: str = "front", max_substep: float = 0.001, **sets: Any) -> None:
        super().__init__(WheelSettings(), BodySettings(), **sets)
        self.engine = Engine(EngineSettings(can_stall=True))
        self.gearbox = Gearbox(GearboxSettings())
        self.shaft = Block.connect(self.gearbox, self.engine)
        places = DRIVEN[layout]
        axles = [OpenDifferential(3.7) for _ in places[::2]]
        for number, place in enumerate(places):
            Block.connect(self.wheels[place], axles[number // 2], number % 2)
        centre = [OpenDifferential(1.0)] if len(axles) == 2 else []
        for slot, axle in enumerate(axles):
            Block.connect(axle, centre[0] if centre else self.gearbox, slot)
        for differential in centre:
            Block.connect(differential, self.gearbox)
        blocks = [self.engine, self.gearbox, *centre, *axles, self.chassis, *self.wheels]
        self.solver = Solver(blocks, max_substep)

    @property
    def clutch_slip(self) -> float:
        """Engine minus gearbox [rad/s]."""
        return self.engine.sensor_rpm * RPM_TO_W - self.shaft.L / self.shaft.I

    def start_engine(self, delta_time: float = 0.001) -> None:
        """To idle in first gear, clutch open, brake on."""
        self.brakes.brake_input = 1.0
        self.engine.ignition_input = 1
        self.run(1.0, delta_time)
        self.engine.ignition_input = 0
        self.gearbox.manual_gear = 1
        self.run(1.0, delta_time)


def distance(speeds: list[float], delta_time: float = 0.001) -> float:
    return sum(0.5 * (one + two) * delta_time for one, two in pairwise(speeds))


def path_speed(gear: RunningGear) -> float:
    """Speed of the centre of gravity [m/s], whatever its direction."""
    return hypot(gear.chassis.sensor_speed, gear.chassis.sensor_lateral_speed)


def assert_restored_goes_on(one: Trolley, other: Trolley) -> None:
    """Drive one, give the other its saved states, and demand the same speeds and sensors from then on, bit by bit."""
    for trolley in (one, other):
        trolley.drive(200.0)
        trolley.steering.steer_input = -0.1
        trolley.brakes.brake_input = 0.1
    one.run(0.5)
    other.chassis.set_state_vars(one.chassis.get_state_vars())
    for wheel, saved in zip(other.wheels, one.wheels, strict=True):
        wheel.set_state_vars(saved.get_state_vars())
    other.solver.update_shafts()
    assert other.run(0.5) == one.run(0.5)
    assert other.chassis.get_state_vars() == one.chassis.get_state_vars()
    assert [wheel.get_state_vars() for wheel in other.wheels] == [wheel.get_state_vars() for wheel in one.wheels]
