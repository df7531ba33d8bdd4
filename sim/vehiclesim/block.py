"""The contract of a drivetrain part: blocks joined by shafts, momentum flowing up and torque flowing down.

A drivetrain is a tree. Its root is a motor, its leaves are wheels. In every substep each block first reports, from
the wheels up, the momentum, inertia and reaction torque that its input shaft carries; then, from the motor down, it
passes on the drive torque it receives. A block with a flywheel of its own (`inertial`) also hands its state to the
solver and gets it back integrated. sim/README.md writes a complete block.
"""

from typing import ClassVar, Final

from mypy_extensions import mypyc_attr

from vehiclesim.state import Stateful

RPM_TO_W: Final = 3.141592653589793 / 30.0
"""[rad/s] per [1/min]."""

W_TO_RPM: Final = 30.0 / 3.141592653589793
"""[1/min] per [rad/s]."""


class StepTime(Stateful):
    """The time a block calculates with: `time` [s] and `delta_time` [s] of the current step or substep.

    In `pre_step` and `get_state` it is the step's start, in a substep the substep's own, in `set_state` the step's
    end; `delta_time` is the whole step's outside of substeps.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("time",)

    def __init__(self) -> None:
        self.time: float = 0.0
        self.delta_time: float = 0.0
        self.elapsed: float = 0.0  # since the start of the step [s]; it does not depend on when the run began
        self.substeps: float = 1.0  # of the step: number of calls of get_substep_derivative


class State:
    """The integrated quantities of one inertial block."""

    def __init__(self, L: float = 0.0, Px: float = 0.0, Py: float = 0.0, Lr: float = 0.0) -> None:
        self.L: float = L  # angular momentum [N m s]
        self.Px: float = Px  # linear momentum, longitudinal [N s]
        self.Py: float = Py  # linear momentum, lateral [N s]
        self.Lr: float = Lr  # reactive angular momentum [N m s]


class Derivative:
    """The rates of change of a State."""

    def __init__(self, T: float = 0.0, Fx: float = 0.0, Fy: float = 0.0, Tr: float = 0.0) -> None:
        self.T: float = T  # torque, dL/dt [N m]
        self.Fx: float = Fx  # force, dPx/dt [N]
        self.Fy: float = Fy  # force, dPy/dt [N]
        self.Tr: float = Tr  # reaction torque, dLr/dt [N m]


@mypyc_attr(allow_interpreted_subclasses=True)
class Block(Stateful):
    """One part of a drivetrain.

    A subclass declares its shafts in `initialize`, and overrides the events it takes part in. All of them do
    nothing by default, and a block without momentum leaves `inertial` False. Further values that it carries from step
    to step are named in `state_vars`.
    """

    def __init__(self) -> None:
        self.inputs: list[Connection | None] = []
        self.outputs: list[Connection | None] = []
        self.step_time: StepTime = StepTime()
        self.inertial: bool = False
        self._initialized: bool = False

    # -- shafts ---------------------------------------------------------------------------------------------------

    def set_inputs(self, count: int) -> None:
        """Declare how many input shafts the block has."""
        self.inputs = [None] * count

    def set_outputs(self, count: int) -> None:
        """Declare how many output shafts the block has."""
        self.outputs = [None] * count

    @staticmethod
    def connect(downstream: "Block", upstream: "Block", output_slot: int = 0, input_slot: int = 0) -> "Connection":
        """Join an output of `upstream` to an input of `downstream` by a shaft; ValueError where no slot is free."""
        downstream.ensure_initialized()
        upstream.ensure_initialized()
        if not 0 <= input_slot < len(downstream.inputs):
            raise ValueError(f"{type(downstream).__name__} has no input {input_slot}")
        if not 0 <= output_slot < len(upstream.outputs):
            raise ValueError(f"{type(upstream).__name__} has no output {output_slot}")
        if downstream.inputs[input_slot] is not None:
            raise ValueError(f"input {input_slot} of {type(downstream).__name__} is taken")
        if upstream.outputs[output_slot] is not None:
            raise ValueError(f"output {output_slot} of {type(upstream).__name__} is taken")
        connection = Connection(downstream, input_slot, upstream, output_slot)
        downstream.inputs[input_slot] = connection
        upstream.outputs[output_slot] = connection
        return connection

    def disconnect_input(self, slot: int = 0) -> bool:
        """Remove the shaft at an input from both blocks; return whether there was one."""
        connection = self.inputs[slot] if slot < len(self.inputs) else None
        if connection is None:
            return False
        connection.upstream.outputs[connection.output_slot] = None
        self.inputs[slot] = None
        return True

    def disconnect_output(self, slot: int = 0) -> bool:
        """Remove the shaft at an output from both blocks; return whether there was one."""
        connection = self.outputs[slot] if slot < len(self.outputs) else None
        if connection is None:
            return False
        return connection.downstream.disconnect_input(connection.input_slot)

    def ensure_initialized(self) -> None:
        """Call `initialize` once, before the first connection or step."""
        if not self._initialized:
            self._initialized = True
            self.initialize()

    # -- events, in the order of a step -----------------------------------------------------------------------------

    def initialize(self) -> None:
        """Declare inputs, outputs and `inertial` here."""

    def check_connections(self) -> bool:
        """Return whether all shafts that the block needs are connected."""
        return True

    def pre_step(self) -> None:
        """Take over settings, inputs and states that were changed from outside; called once before each step."""

    def get_state(self, state: State) -> None:
        """Write the momentum of the inertial part into `state`."""

    def set_substep_state(self, state: State) -> None:
        """Take over the momentum at the start of this substep."""

    def compute_state_upstream(self) -> None:
        """Write L, I, Tr at the inputs from those at the outputs; also called once after `set_state`."""

    def evaluate_torque_downstream(self) -> None:
        """Write out_td at the outputs from that at the inputs (a motor generates it, a wheel consumes it)."""

    def get_substep_derivative(self, derivative: Derivative) -> None:
        """Write the torques and forces that acted on the inertial part in this substep."""

    def set_state(self, state: State) -> None:
        """Take over the integrated momentum at the end of the step; `get_state` returns it in the next one."""


@mypyc_attr(allow_interpreted_subclasses=True)
class InlineBlock(Block):
    """A block with one shaft in and one out: `_shaft` and `_output`, known once a Solver has been made."""

    _shaft: "Connection"
    _output: "Connection"

    def initialize(self) -> None:
        self.set_inputs(1)
        self.set_outputs(1)

    def check_connections(self) -> bool:
        shaft, output = self.inputs[0], self.outputs[0]
        if shaft is None or output is None:
            return False
        self._shaft, self._output = shaft, output
        return True


class Connection:
    """A shaft between the output of an upstream block and the input of a downstream block."""

    def __init__(self, downstream: Block, input_slot: int, upstream: Block, output_slot: int) -> None:
        self.L: float = 0.0  # angular momentum of all that the shaft drives [N m s]
        self.I: float = 0.0  # its inertia [kg m²]
        self.Tr: float = 0.0  # reaction torque on it, positive accelerates the driveline [N m]
        self.out_td: float = 0.0  # drive torque from the upstream block [N m]
        self.downstream: Block = downstream
        self.input_slot: int = input_slot
        self.upstream: Block = upstream
        self.output_slot: int = output_slot
