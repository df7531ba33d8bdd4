"""Electric all-wheel drive: a second motor, on the axle that the gearbox does not drive."""

from typing import ClassVar, Final

from vehiclesim.block import Derivative, InlineBlock, State
from vehiclesim.chassis.brakes import Brakes
from vehiclesim.curves import clamp
from vehiclesim.electric.motor import Motor
from vehiclesim.electric.shaft_drive import BatteryElectricDrive
from vehiclesim.engine.engine import Engine
from vehiclesim.parameters import ElectricSettings
from vehiclesim.tables import Map
from vehiclesim.transmission.mesh import Mesh

_SPEEDS: Final = 12
"""Intervals of the table of shares, up to the speed at which either motor has no torque any more."""

_TORQUES: Final = 24


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
    """One motor alone gives T_demand, or both share it as what they can at their speeds: whichever loses least.

    Torques of the second count at the shaft of the first, by the ratio of both axles. Of two equal motors no other
    share loses less (Yuan and Wang, IEEE Transactions on Vehicular Technology 61, 2012, 3365). The choice is a table
    over speed and torque, of rolling wheels; between its points the share moves from one to the other. What the first
    cannot do is not made up by the second.
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
        self._shares: Map = self._least_losses()

    def most_torque(self, w: float) -> float:
        return super().most_torque(w) + self.second.most_torque(w * self._gain) * self._gain

    def drive(self, torque: float, relief: float, lead: float) -> None:
        second = self.second
        first, other = super().most_torque(self.motor.w / self.motor.ratio), second.most_torque(second.w) * self._gain
        self.extra_power = 0.0
        asked = torque if self.ready else 0.0
        most = first + other
        share = self._shares.at(abs(self.motor.w / self.motor.ratio), abs(asked) / most) if most > 0.0 else 0.0
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

    def _least_losses(self) -> Map:
        """Return the share of the second in the torque, over the speed [rad/s] of the first shaft and T/T_most."""
        first, second, ratio, gain = self.motor, self.second, self.motor.ratio, self._gain
        top = min(first.most_w / ratio, second.most_w / gain)
        speeds = [top * k / _SPEEDS for k in range(_SPEEDS + 1)]
        loads = [k / _TORQUES for k in range(_TORQUES + 1)]
        rows: list[list[float]] = []
        for w in speeds:
            one, other = first.most_torque(w * ratio) * ratio, second.most_torque(w * gain) * gain
            row: list[float] = []
            for load in loads[1:]:
                torque = load * (one + other)
                best, least = other / (one + other), float("inf")
                for share, able in ((best, True), (0.0, torque <= one), (1.0, torque <= other)):
                    mine, theirs = (1.0 - share) * torque / ratio, share * torque / gain
                    loss = first.loss(w * ratio, mine) + second.loss(w * gain, theirs)
                    if able and loss < least:
                        best, least = share, loss
                row.append(best)
            rows.append([row[0], *row])
        return Map(speeds, loads, rows)
