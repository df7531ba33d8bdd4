"""A drivetrain block of your own: the documented example. overdrive.yaml puts it behind the gearbox.

A block says what shafts it has (`initialize`), reports upward what hangs on its output (`compute_state_upstream`), and
passes torque downward (`evaluate_torque_downstream`). sim/README.md tells the whole contract.
"""

from vehiclesim import Block, Connection


class Gear(Block):
    """w_in = ratio·w_out: L_in = L_out/ratio, I_in = I_out/ratio², Tr_in = Tr_out/ratio, T_out = ratio·T_in.

    It has neither inertia nor losses.
    """

    _input: Connection
    _output: Connection

    def __init__(self, ratio: float) -> None:
        super().__init__()
        if ratio == 0.0:
            raise ValueError("a gear has a ratio other than 0")
        self.ratio = ratio  # setting: input speed over output speed

    def initialize(self) -> None:
        """One shaft in, one out."""
        self.set_inputs(1)
        self.set_outputs(1)

    def check_connections(self) -> bool:
        """A gear that ends in nothing is an error of whoever connected it."""
        if self.inputs[0] is None or self.outputs[0] is None:
            return False
        self._input, self._output = self.inputs[0], self.outputs[0]
        return True

    def compute_state_upstream(self) -> None:
        """From the wheels to the engine, as the engine's side sees it."""
        self._input.L = self._output.L / self.ratio
        self._input.I = self._output.I / (self.ratio * self.ratio)
        self._input.Tr = self._output.Tr / self.ratio

    def evaluate_torque_downstream(self) -> None:
        """From the engine to the wheels."""
        self._output.out_td = self._input.out_td * self.ratio
