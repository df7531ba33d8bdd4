"""The planetary gear of a power split, and the rotor of the second electric machine on its sun.

    z_s·w_sun + z_r·w_ring = (z_s + z_r)·w_carrier          z the numbers of teeth (Willis)

The engine turns the carrier, and the ring the shaft of the first motor. So it is an open divider of the share
a = z_s/(z_s + z_r): T_sun = a·T, T_ring = (1-a)·T of the torque T of the carrier. With a = 1 all of it turns the
generator, and nothing the wheels: a series hybrid.
"""

from typing import ClassVar

from vehiclesim.block import Block, Connection, Derivative, State
from vehiclesim.electric.motor import Motor
from vehiclesim.transmission.driveline import Divider


class Planetary(Divider):
    """Output 0 is the sun, output 1 the ring; without loss, and free of any coupling between them."""

    def __init__(self, sun_share: float) -> None:
        super().__init__(1.0, sun_share, 0.0)

    def capacity(self, torque: float) -> float:
        return 0.0


class GeneratorRotor(Block):
    """The end of a shaft: I·dw/dt = T_in + T_motor·ratio. `motor` has the torque of the step."""

    state_vars: ClassVar[tuple[str, ...]] = ("_momentum",)

    _shaft: Connection

    def __init__(self, motor: Motor, inertia: float) -> None:
        """Take the inertia [kg m²] at the shaft."""
        super().__init__()
        self._motor: Motor = motor
        self.inertia: float = inertia
        self._momentum: float = 0.0

    @property
    def w(self) -> float:
        """Speed of the shaft [rad/s], negative backwards."""
        return self._momentum / self.inertia

    def initialize(self) -> None:
        self.set_inputs(1)
        self.inertial = True

    def check_connections(self) -> bool:
        shaft = self.inputs[0]
        if shaft is None:
            return False
        self._shaft = shaft
        return True

    def get_state(self, state: State) -> None:
        state.L = self._momentum

    def set_substep_state(self, state: State) -> None:
        self._momentum = state.L

    def compute_state_upstream(self) -> None:
        shaft = self._shaft
        shaft.L = self._momentum
        shaft.I = self.inertia
        shaft.Tr = self._motor.torque * self._motor.ratio

    def get_substep_derivative(self, derivative: Derivative) -> None:
        derivative.T = self._shaft.out_td + self._motor.torque * self._motor.ratio

    def set_state(self, state: State) -> None:
        self._momentum = state.L
