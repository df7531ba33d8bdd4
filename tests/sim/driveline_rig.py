"""A test stand for drivelines: a motor with a given torque, the dividers, and wheels that are flywheels."""

from collections.abc import Sequence

from vehiclesim.block import Block, State
from vehiclesim.solver import Solver
from vehiclesim.transmission.driveline import Divider

from .blocks import Flywheel, Motor


class Wheel(Flywheel):
    """A flywheel with a road under it: beyond `grip` [N m] it slides. Without a shaft it is not driven.

    The road only resists, so a wheel whose torque stays below its grip stays at rest.
    """

    def __init__(self, inertia: float = 1.0, speed: float = 0.0, reaction: float = 0.0, grip: float = 0.0) -> None:
        super().__init__(inertia, speed, reaction)
        self.grip = grip

    def compute_state_upstream(self) -> None:
        shaft = self.inputs[0]
        if shaft is not None:
            shaft.L = self.inertia * self.speed
            shaft.I = self.inertia
            shaft.Tr = self.reaction + self._road(self.reaction)

    def evaluate_torque_downstream(self) -> None:
        shaft = self.inputs[0]
        torque = self.reaction + (shaft.out_td if shaft is not None else 0.0)
        self._torque = torque + self._road(torque)

    def set_state(self, state: State) -> None:
        self.speed = state.L / self.inertia

    def _road(self, torque: float) -> float:
        stop = -(self.inertia * self.speed / self.step_time.delta_time + torque)
        return min(max(stop, -self.grip), self.grip)


class Rig:
    """Motor, dividers and wheels, stepped together, with the energy that each of them got or lost."""

    def __init__(self, root: Divider, wheels: Sequence[Wheel], blocks: Sequence[Divider] = ()) -> None:
        self.motor = Motor()
        self.root = root
        self.wheels = list(wheels)
        self.dividers = list(blocks) or [root]
        self.work = 0.0  # of the motor and of the wheels' reactions [J]
        self.losses = [0.0 for _ in self.dividers]  # [J]
        Block.connect(root, self.motor)
        self.solver = Solver([self.motor, *self.dividers, *self.wheels])

    @property
    def kinetic_energy(self) -> float:
        return sum(0.5 * wheel.inertia * wheel.speed * wheel.speed for wheel in self.wheels)

    def step(self, delta_time: float = 0.001) -> None:
        """One step, which is one substep; what acts in it is constant, so mean speeds give its work exactly."""
        speed = self.motor.speed
        slips = [divider.sensor_slip for divider in self.dividers]
        speeds = [wheel.speed for wheel in self.wheels]
        self.solver.step(delta_time)
        self.work += self.motor.torque * 0.5 * (speed + self.motor.speed) * delta_time
        for before, wheel in zip(speeds, self.wheels, strict=True):
            self.work += wheel.reaction * 0.5 * (before + wheel.speed) * delta_time
        for k, divider in enumerate(self.dividers):
            mean = 0.5 * (slips[k] + divider.sensor_slip)
            self.losses[k] += divider.sensor_transfer_torque * mean * delta_time

    def run(self, seconds: float, delta_time: float = 0.001) -> None:
        for _ in range(round(seconds / delta_time)):
            self.step(delta_time)


def on_two_wheels(divider: Divider, one: Wheel, two: Wheel) -> Rig:
    """A divider alone, with its two wheels."""
    Block.connect(one, divider, 0)
    Block.connect(two, divider, 1)
    return Rig(divider, [one, two])
