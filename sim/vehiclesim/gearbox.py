"""The gearbox: fixed ratios, shifted through neutral by lever or step by step."""

from typing import Final, NamedTuple

from mypy_extensions import mypyc_attr

from vehiclesim.block import W_TO_RPM, Block, Connection, Derivative, State
from vehiclesim.parameters import GearboxSettings

MANUAL: Final = 0
"""The transmission mode M: the box never shifts by itself."""

BLOCKING_SPEED: Final = 60.0
"""[rad/s]. A gear that would turn the input shaft backward faster than this cannot be engaged."""

_SYNCHRONOUS: Final = 1e-6
"""[rad/s]. Speed difference of shaft and gear below which the synchroniser is done."""


class GearboxState(NamedTuple):
    """What a Gearbox must know to go on exactly."""

    gear: int
    target: int
    lever: int
    time_in_neutral: float
    momentum: float
    synchronising: bool
    mesh_efficiency: float


@mypyc_attr(allow_interpreted_subclasses=True)
class Gearbox(Block):
    """Couples its input shaft rigidly to the output in gear (w_in = N·w_out), not at all in neutral.

    The input shaft has an inertia of its own and spins free in neutral. While a shift waits there, the synchroniser
    of the target gear brings the shaft to that gear's speed. What is left when the gear engages, because the engine
    is still coupled, a plastic impact evens out within one substep. Both keep the momentum N·L_in + L_out.

    A gear in mesh loses the share 1 - η of the power that goes through it, in either direction.
    """

    _shaft: Connection
    _output: Connection

    def __init__(self, settings: GearboxSettings = GearboxSettings()) -> None:  # noqa: B008 - frozen
        super().__init__()
        self.manual_gear: int = 0  # lever: -1, -2 .. reverse, 0 neutral, 1 .. forward
        self.gear_shift: int = 0  # gears to go up or down; 0 again when the box has taken it over
        self.sensor_gear: int = 0  # the engaged gear, 0 also while shifting
        self.sensor_mode: int = MANUAL
        self.sensor_shifting: bool = False
        self._reverse_gears: int = len(settings.reverse_ratios)
        self._forward_gears: int = len(settings.ratios)
        self._ratios: list[float] = [*reversed(settings.reverse_ratios), 0.0, *settings.ratios]
        self._shift_time: float = settings.shift_time
        self._efficiency: float = settings.efficiency
        self._inertia: float = settings.inertia
        self._target: int = 0
        self._target_ratio: float = 0.0
        self._lever: int = 0
        self._time_in_neutral: float = 0.0  # that is left before the target is engaged [s]
        self._ratio: float = 0.0  # N of the engaged gear, 0 in neutral
        self._synchroniser_torque: float = 0.0  # on the input shaft, while a shift waits in neutral [N m]
        self._momentum: float = 0.0  # of the input shaft [N m s]
        self._torque: float = 0.0  # dL/dt of the input shaft [N m]
        self._synchronising: bool = False
        self._mesh_efficiency: float = 1.0  # f, torque out by N·torque in, as last seen: η, 1/η, 1 while synchronising

    @property
    def sensor_output_rpm(self) -> float:
        """Speed of the output shaft [1/min]; it is known once a Solver has been made."""
        return self._output.L / self._output.I * W_TO_RPM

    def initialize(self) -> None:
        self.set_inputs(1)
        self.set_outputs(1)
        self.inertial = True

    def check_connections(self) -> bool:
        shaft, output = self.inputs[0], self.outputs[0]
        if shaft is None or output is None:
            return False
        self._shaft, self._output = shaft, output
        return True

    # -- shifting -------------------------------------------------------------------------------------------------

    def pre_step(self) -> None:
        """Goes to neutral at once when another gear is wanted; engages it at the step nearest to the shift time."""
        target = self._wanted_gear()
        if target != self._target:
            self._target = target
            self._target_ratio = self._ratios[target + self._reverse_gears]
            self._time_in_neutral = self._shift_time
            self._engage(0)
        time_is_over = self._time_in_neutral < 0.5 * self.step_time.delta_time
        if self.sensor_gear != target and time_is_over and not self._blocked():
            self._engage(target)
        self.sensor_shifting = self.sensor_gear != target

    def _wanted_gear(self) -> int:
        """What the last movement of the lever or the last shift step asks for; a lever that rests asks for nothing."""
        wanted = self._target
        self.manual_gear = self._constrained(self.manual_gear)
        if self.manual_gear != self._lever:
            wanted = self._lever = self.manual_gear
        wanted = self._constrained(wanted + self.gear_shift)
        self.gear_shift = 0
        return wanted

    def _engage(self, gear: int) -> None:
        self.sensor_gear = gear
        self._ratio = self._ratios[gear + self._reverse_gears]
        self._synchronising = gear != 0
        self._mesh_efficiency = 1.0

    def _blocked(self) -> bool:
        """The target gear is against the motion; the shift waits until the vehicle is slow enough."""
        return self._target_ratio * self._output.L <= -BLOCKING_SPEED * self._output.I

    def _constrained(self, gear: int) -> int:
        """The nearest gear that exists."""
        return max(-self._reverse_gears, min(gear, self._forward_gears))

    # -- momentum and torque --------------------------------------------------------------------------------------

    def get_state(self, state: State) -> None:
        state.L = self._momentum

    def set_substep_state(self, state: State) -> None:
        self._momentum = state.L

    def compute_state_upstream(self) -> None:
        """In gear L = L_out/(N·f) + L_in, I = I_out/(N²·f) + I_in, Tr = Tr_out/(N·f), with f = η or 1/η."""
        shaft = self._shaft
        output = self._output
        ratio = self._ratio
        if ratio == 0.0:
            self._synchroniser_torque = self._synchronise() if self.sensor_shifting else 0.0
            shaft.L = self._momentum
            shaft.I = self._inertia
            shaft.Tr = self._synchroniser_torque
            return
        rigid = self._inertia * ratio * output.L / output.I
        if self._synchronising and abs(self._momentum - rigid) < self._inertia * _SYNCHRONOUS:
            self._synchronising = False
        if not self._synchronising:
            self._momentum = rigid
        transfer = ratio * self._mesh_efficiency
        shaft.L = output.L / transfer + self._momentum
        shaft.I = output.I / (transfer * ratio) + self._inertia
        shaft.Tr = output.Tr / transfer

    def _synchronise(self) -> float:
        """T = (N·w_out - w_in) / (1/I_in + N²/I_out) / t_left: both sides meet at the end of the shift time."""
        if self._blocked():
            return 0.0
        ratio = self._target_ratio
        output = self._output
        difference = ratio * output.L / output.I - self._momentum / self._inertia
        compliance = 1.0 / self._inertia + ratio * ratio / output.I
        return difference / compliance / max(self._time_in_neutral, self.step_time.delta_time)

    def evaluate_torque_downstream(self) -> None:
        """Finds the impulse through the mesh that ends the substep with w_in = N·w_out.

        With p = N·[(L_in + T_in·dt)·I_out - N·I_in·(L_out + Tr_out·dt)] the output gets f·p/(I_out + f·N²·I_in).
        Driving, f = η; on overrun, f = 1/η; which of the two it is depends on the direction in which the output
        turns at the end. Where neither answer fits, the losses of the mesh hold the shafts at rest.
        """
        shaft = self._shaft
        output = self._output
        ratio = self._ratio
        if ratio == 0.0:
            self._torque = shaft.out_td + self._synchroniser_torque
            output.out_td = -self._synchroniser_torque * self._target_ratio
            return
        delta_time = self.step_time.delta_time
        load = output.L + output.Tr * delta_time
        pull = ratio * ((self._momentum + shaft.out_td * delta_time) * output.I - ratio * self._inertia * load)
        reflected = ratio * ratio * self._inertia
        efficiency = 1.0 if self._synchronising else self._efficiency
        forward = efficiency if pull > 0.0 else 1.0 / efficiency
        impulse = forward * pull / (output.I + forward * reflected)
        self._mesh_efficiency = forward
        if load + impulse < 0.0:
            backward = 1.0 / forward
            impulse = backward * pull / (output.I + backward * reflected)
            self._mesh_efficiency = backward
            if load + impulse > 0.0:
                output.out_td = -load / delta_time
                self._torque = -self._momentum / delta_time
                return
        output.out_td = impulse / delta_time
        self._torque = shaft.out_td - output.out_td / (ratio * self._mesh_efficiency)

    def get_substep_derivative(self, derivative: Derivative) -> None:
        derivative.T = self._torque

    def set_state(self, state: State) -> None:
        self._momentum = state.L
        if self.sensor_shifting and not self._blocked():
            self._time_in_neutral -= self.step_time.delta_time

    # -- saving and restoring -------------------------------------------------------------------------------------

    def get_state_vars(self) -> GearboxState:
        """The state, to be given back to `set_state_vars`."""
        return GearboxState(
            self.sensor_gear,
            self._target,
            self._lever,
            self._time_in_neutral,
            self._momentum,
            self._synchronising,
            self._mesh_efficiency,
        )

    def set_state_vars(self, state: GearboxState) -> None:
        """Goes on from a saved state."""
        self._engage(state.gear)
        self._target = state.target
        self._target_ratio = self._ratios[state.target + self._reverse_gears]
        self.sensor_shifting = state.gear != state.target
        self.manual_gear = self._lever = state.lever
        self._time_in_neutral = state.time_in_neutral
        self._momentum = state.momentum
        self._synchronising = state.synchronising
        self._mesh_efficiency = state.mesh_efficiency
