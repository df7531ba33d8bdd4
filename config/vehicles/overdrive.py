"""A drivetrain block of your own: the documented example. overdrive.yaml puts it behind the gearbox.

A block with one shaft in and one out reports upward what hangs on its output (`compute_state_upstream`), and passes
torque downward (`evaluate_torque_downstream`). sim/README.md tells the whole contract.
"""

from vehiclesim import InlineBlock


class Gear(InlineBlock):
    """w_in = ratio·w_out: L_in = L_out/ratio, I_in = I_out/ratio², Tr_in = Tr_out/ratio, T_out = ratio·T_in.

    It has neither inertia nor losses.
    """

    def __init__(self, ratio: float) -> None:
        super().__init__()
        if ratio == 0.0:
            raise ValueError("a gear has a ratio other than 0")
        self.ratio = ratio  # setting: input speed over output speed

    def compute_state_upstream(self) -> None:
        """From the wheels to the engine, as the engine's side sees it."""
        self._shaft.L = self._output.L / self.ratio
        self._shaft.I = self._output.I / (self.ratio * self.ratio)
        self._shaft.Tr = self._output.Tr / self.ratio

    def evaluate_torque_downstream(self) -> None:
        """From the engine to the wheels."""
        self._output.out_td = self._shaft.out_td * self.ratio
