"""Trains for tests: a vehicle with a motor on each rear wheel, and a trailer behind it."""

from math import cos, sin

from vehiclesim import Block, Body, BodySettings, Brakes, ChassisSettings, Solver, Steering, Wheel, make_wheel
from vehiclesim.chassis.trailer import Trailer
from vehiclesim.chassis.train import TrainChassis
from vehiclesim.parameters import (
    BrakeSettings,
    SteeringSettings,
    TrailerSettings,
    TyreSettings,
    WheelSettings,
)

from .blocks import Motor
from .states import change

FRICTIONLESS = WheelSettings(radius=0.3, inertia=1.0, rolling_resistance=0.0, rolling_resistance_speed=0.0)
CARAVAN = TrailerSettings(mass=1200.0)


class Train:
    """A vehicle whose rear wheels motors drive, and a trailer behind it."""

    def __init__(
        self,
        trailer: TrailerSettings = CARAVAN,
        wheel: WheelSettings = FRICTIONLESS,
        body: BodySettings = BodySettings(mass=1500.0, drag_area=0.0),  # noqa: B008 - frozen
        chassis: ChassisSettings = ChassisSettings(),  # noqa: B008 - frozen
        tyre: TyreSettings = TyreSettings(),  # noqa: B008 - frozen
        steering: SteeringSettings = SteeringSettings(ackermann=0.0),  # noqa: B008 - frozen
        max_substep: float = 0.001,
    ) -> None:
        self.body = Body(body)
        self.brakes = Brakes(BrakeSettings())
        self.steering = Steering(steering, chassis)
        self.wheels: list[Wheel] = [make_wheel(wheel, tyre) for _ in range(4)]
        self.trailer = Trailer(trailer, trailer.tyre or tyre)
        self.chassis = TrainChassis(chassis, self.body, self.wheels, self.steering, self.brakes, self.trailer)
        self.motors = [Motor(), Motor()]
        for motor, rear in zip(self.motors, self.wheels[2:], strict=True):
            Block.connect(rear, motor)
        self.solver = Solver([*self.motors, self.chassis, *self.wheels, *self.trailer.wheels], max_substep)

    @property
    def all_wheels(self) -> list[Wheel]:
        return [*self.wheels, *self.trailer.wheels]

    def drive(self, torque: float) -> None:
        """The torque [N m] of each motor."""
        for motor in self.motors:
            motor.torque = torque

    def launch(self, speed: float, articulation: float = 0.0) -> None:
        """Rolls at a speed [m/s] from now on, the trailer at an angle [rad] with the yaw rate that rolls."""
        self.trailer.turn(articulation)
        self.chassis.roll(speed, 0.0, 0.0)
        self.solver.update_shafts()

    def swing(self, x: float, y: float, yaw: float, trailer_yaw: float, articulation: float) -> None:
        """Sets momenta [N s, N m s] and the angle [rad]."""
        self.trailer.turn(articulation)
        change(self.chassis, _momentum_x=x, _momentum_y=y, _momentum_yaw=yaw)
        state = self.chassis.get_state_vars()
        state["trailer"]["momentum"] = trailer_yaw
        state["trailer"]["articulation"] = articulation
        self.chassis.set_state_vars(state)
        self.solver.update_shafts()

    def run(self, seconds: float, delta_time: float = 0.001) -> list[float]:
        speeds = []
        for _ in range(round(seconds / delta_time)):
            self.solver.step(delta_time)
            speeds.append(self.chassis.sensor_speed)
        return speeds

    def angular_momentum(self) -> float:
        """About the common centre of gravity [N m s], from the speeds of both bodies."""
        chassis, trailer = self.chassis, self.trailer
        gamma, hitch = trailer.articulation, self.hitch
        apart_x = hitch - trailer.to_centre * cos(gamma)  # of the centres of gravity
        apart_y = -trailer.to_centre * sin(gamma)
        w_x = trailer.to_centre * trailer.yaw_rate * sin(gamma)
        w_y = hitch * chassis.sensor_yaw_rate - trailer.to_centre * trailer.yaw_rate * cos(gamma)
        reduced = self.body.mass * trailer.mass / (self.body.mass + trailer.mass)
        own = chassis.sensor_yaw_rate * self.vehicle_inertia + trailer.yaw_rate * trailer.yaw_inertia
        return own + reduced * (apart_x * w_y - apart_y * w_x)

    @property
    def hitch(self) -> float:
        """Place of the hitch before the centre of gravity of the vehicle [m]."""
        return self.trailer.hitch_ahead - self.chassis._to_rear

    @property
    def vehicle_inertia(self) -> float:
        return self.chassis._yaw_inertia
