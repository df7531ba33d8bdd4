"""Electric all-wheel drive: a second motor, on the axle that the gearbox does not drive."""

from typing import ClassVar

from vehiclesim.block import Derivative, InlineBlock, State
from vehiclesim.chassis.brakes import Brakes
from vehiclesim.curves import clamp
from vehiclesim.electric.motor import Motor
from vehiclesim.electric.shaft_drive import BatteryElectricDrive
from vehiclesim.engine.engine import Engine
from vehiclesim.parameters import ElectricSettings
from vehiclesim.transmission.mesh import Mesh


class AxleMotor(InlineBlock):
    """A motor whose rotor turns rigidly with the shaft of an axle: I = I_out + J, L = L_out + J·w, Tr = Tr_out + T.

    It is a mesh of ratio 1 without loss, whose input is the rotor: see there for a tyre that breaks away.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("_mesh",)

    def __init__(self, motor: Motor, inertia: float) -> None:
        """Take the inertia J [kg m²] of the rotor at the shaft."""
        super().__init__()
        self.motor: Motor = motor
        self.inertia: float = inertia
        self._mesh: Mesh = Mesh(inertia, 1.0)
        self._mesh.engage(1.0)

    @property
    def w(self) -> float:
        """Speed of the shaft [rad/s], negative backwards; it is known once a Solver has been made."""
        return self._shaft.L / self._shaft.I

    def initialize(self) -> None:
        super().initialize()
        self.inertial = True

    def get_state(self, state: State) -> None:
        state.L = self._mesh.momentum

    def set_substep_state(self, state: State) -> None:
        self._mesh.momentum = state.L

    def compute_state_upstream(self) -> None:
        self._mesh.report(self._shaft, self._output, 0.0)
        self._shaft.Tr += self.motor.torque * self.motor.ratio

    def evaluate_torque_downstream(self) -> None:
        drive = self._shaft.out_td + self.motor.torque * self.motor.ratio
        self._mesh.transmit(drive, self._output, self.step_time.delta_time)

    def get_substep_derivative(self, derivative: Derivative) -> None:
        derivative.T = self._mesh.torque

    def set_state(self, state: State) -> None:
        self._mesh.momentum = state.L


class TwoAxleDrive(BatteryElectricDrive):
    """Both motors share T_demand as what they can at their speeds; what the first cannot is not made up by the second.

    Torques of the second count at the shaft of the first, by the ratio of both axles.
    """

    state_vars: ClassVar[tuple[str, ...]] = (*BatteryElectricDrive.state_vars, "second", "carried", "axle")

    def __init__(
        self,
        settings: ElectricSettings,
        motor: Motor,
        second: Motor,
        engine: Engine,
        brakes: Brakes,
        mass: float,
        radius: float,
        ratio: float,
    ) -> None:
        """Take the final drive of the second axle over that of the first."""
        super().__init__(settings, motor, engine, brakes, mass, radius)
        self.second: Motor = second
        inertia = 0.0 if settings.axle_motor is None else settings.axle_motor.inertia * second.ratio * second.ratio
        self.axle: AxleMotor = AxleMotor(second, inertia)
        self._gain: float = ratio * second.ratio  # torque at the first shaft per torque of the second rotor

    def most_torque(self, w: float) -> float:
        return super().most_torque(w) + self.second.most_torque(w * self._gain) * self._gain

    def drive(self, torque: float, relief: float, lead: float) -> None:
        second = self.second
        first, other = super().most_torque(self.motor.w / self.motor.ratio), second.most_torque(second.w) * self._gain
        self.extra_power = 0.0
        asked = torque if self.ready else 0.0
        share = other / (first + other) if first + other > 0.0 else 0.0
        wanted = clamp(share * asked / self._gain, -second.most_torque(second.w), second.most_torque(second.w))
        power = wanted * second.w
        bound = self.battery.most_discharge() if power > 0.0 else -self.battery.most_charge()
        allowed = share * (bound - self._auxiliary_power) - second.loss(second.w, wanted)
        if (power - allowed) * power > 0.0:
            wanted *= clamp(allowed / power, 0.0, 1.0)
        second.torque = wanted
        self.extra_power = wanted * second.w + second.loss(second.w, wanted)
        self.carried = wanted * self._gain
        super().drive(torque - self.carried, relief, lead)

    def step(self, delta_time: float) -> None:
        second = self.second
        second.end_step(self.axle.w * second.ratio)
        self.extra_power = second.sensor_power + second.sensor_loss
        super().step(delta_time)
