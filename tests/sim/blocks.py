"""The two simplest blocks there are: a motor with a torque that a test sets, and a flywheel at the end of a shaft."""

from vehiclesim import Block, Derivative, State


class Motor(Block):
    """A motor without inertia: `torque` [N m] goes out, `speed` [rad/s] comes back."""

    def __init__(self, torque: float = 0.0) -> None:
        super().__init__()
        self.torque = torque

    def initialize(self) -> None:
        self.set_outputs(1)

    @property
    def speed(self) -> float:
        shaft = self.outputs[0]
        assert shaft is not None
        return shaft.L / shaft.I

    def evaluate_torque_downstream(self) -> None:
        shaft = self.outputs[0]
        assert shaft is not None
        shaft.out_td = self.torque


class Flywheel(Block):
    """An inertia [kg m²] that turns at `speed` [rad/s], with a constant `reaction` torque [N m] on it."""

    def __init__(self, inertia: float = 10.0, speed: float = 0.0, reaction: float = 0.0) -> None:
        super().__init__()
        self.inertia = inertia
        self.speed = speed
        self.reaction = reaction
        self._torque = 0.0

    def initialize(self) -> None:
        self.set_inputs(1)
        self.inertial = True

    def get_state(self, state: State) -> None:
        state.L = self.inertia * self.speed

    def set_substep_state(self, state: State) -> None:
        self.speed = state.L / self.inertia

    def compute_state_upstream(self) -> None:
        shaft = self.inputs[0]
        assert shaft is not None
        shaft.L = self.inertia * self.speed
        shaft.I = self.inertia
        shaft.Tr = self.reaction

    def evaluate_torque_downstream(self) -> None:
        shaft = self.inputs[0]
        assert shaft is not None
        self._torque = shaft.out_td + self.reaction

    def get_substep_derivative(self, derivative: Derivative) -> None:
        derivative.T = self._torque

    def set_state(self, state: State) -> None:
        self.speed = state.L / self.inertia


class Gear(Block):
    """Turns its input `ratio` times as fast as its output."""

    def __init__(self, ratio: float) -> None:
        super().__init__()
        self.ratio = ratio

    def initialize(self) -> None:
        self.set_inputs(1)
        self.set_outputs(1)

    def check_connections(self) -> bool:
        return self.inputs[0] is not None and self.outputs[0] is not None

    def compute_state_upstream(self) -> None:
        upper, lower = self.inputs[0], self.outputs[0]
        assert upper is not None
        assert lower is not None
        upper.L, upper.I, upper.Tr = lower.L / self.ratio, lower.I / self.ratio**2, lower.Tr / self.ratio

    def evaluate_torque_downstream(self) -> None:
        upper, lower = self.inputs[0], self.outputs[0]
        assert upper is not None
        assert lower is not None
        lower.out_td = upper.out_td * self.ratio
