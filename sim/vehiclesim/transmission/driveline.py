"""Blocks that divide one shaft between two: differentials and the torque splitter of an all-wheel drive.

    w_in = i·(a·w1 + (1-a)·w2)                      i the ratio, a the share of output 1: ½ in a differential
    T1 = a·T - T_c,   T2 = (1-a)·T + T_c            T = i·T_in, the torque of the carrier

The gears alone divide the torque by fixed shares and leave the speeds free. A coupling between the outputs moves the
transfer torque T_c from output 1 to output 2; it only acts against the slip w1 - w2, so it only dissipates power.
"""

from typing import ClassVar, Final

from mypy_extensions import mypyc_attr

from vehiclesim.block import Block, Connection
from vehiclesim.curves import clamp, cosine, log2, relaxation, sine
from vehiclesim.parameters import DifferentialSettings, DifferentialType, SplitterSettings

VISCOSITY: Final = 100.0
"""[N m s/rad]. A viscous coupling of stiffness λ passes -VISCOSITY·ln(1-λ) per rad/s of slip at the wheels.

So λ is the share of the slip that is gone after 5 ms from two free wheels of 1 kg m²; 0.25 gives 29 N m per rad/s. A
coupling of 40 N m at 100 rpm, before a final drive of 4, has 0.46.
"""

NO_OVERRIDE: Final = 0
FORCE_LOCKED: Final = 1
FORCE_OPEN: Final = 2
"""Values of a lock override, as they are in the Settings channel of the data bus."""

_UNLIMITED: Final = float("inf")
_LN_2: Final = 0.6931471805599453
_DEGREE: Final = 3.141592653589793 / 180.0


@mypyc_attr(allow_interpreted_subclasses=True)
class Divider(Block):
    """One shaft in, two out, and between these a viscous coupling beside a friction coupling.

    The viscous one passes c·slip. The friction takes the value that ends the substep without slip, at most its
    capacity; while it is inside, the outputs turn together ("holding"). With the slip s at the start of the substep,
    a_s its acceleration by all other torques, C = 1/I1 + 1/I2, x = c·C·dt, φ = (1 - e^-x)/x and the friction F

        T_c = c·φ·s + (1-φ)·a_s/C + φ·F       the mean of the substep, which ends with s·e^-x + (a_s - C·F)·φ·dt

    This needs no sign of the slip, and is the same however the time is cut into substeps.

    `gear` is the ratio between the outputs and the wheels: a coupling before the final drive turns faster.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("sensor_transfer_torque", "_friction", "_holding")

    _shaft: Connection
    _one: Connection
    _two: Connection

    def __init__(self, ratio: float, share: float, stiffness: float, gear: float = 1.0) -> None:
        super().__init__()
        self.lock_override: int = NO_OVERRIDE
        self.sensor_transfer_torque: float = 0.0  # T_c [N m]
        self._ratio: float = ratio
        self._share_one: float = share
        self._share_two: float = 1.0 - share
        self._always_locked: bool = stiffness >= 1.0
        self._viscosity: float = 0.0  # c [N m s/rad]
        if not self._always_locked:
            self._viscosity = -VISCOSITY * _LN_2 * log2(1.0 - stiffness) / (gear * gear)
        self._locked: bool = False  # by type or override
        self._open: bool = False  # by override
        self._holding: bool = False
        self._friction: float = 0.0  # F, as last seen [N m]
        self._inverse_one: float = 0.0  # 1/I1 in this substep
        self._inverse_two: float = 0.0
        self._slip: float = 0.0  # s [rad/s]
        self._viscous: float = 0.0  # c, as far as it acts in this step
        self._mean: float = 1.0  # φ

    @property
    def sensor_slip(self) -> float:
        """w1 - w2 [rad/s]; it is known once a Solver has been made."""
        return self._slip

    def capacity(self, torque: float) -> float:
        """Return the highest friction torque [N m] between the outputs at a torque [N m] of the carrier."""
        raise NotImplementedError

    def initialize(self) -> None:
        self.set_inputs(1)
        self.set_outputs(2)

    def check_connections(self) -> bool:
        shaft, one, two = self.inputs[0], self.outputs[0], self.outputs[1]
        if shaft is None or one is None or two is None:
            return False
        self._shaft, self._one, self._two = shaft, one, two
        return True

    def pre_step(self) -> None:
        self._open = self.lock_override == FORCE_OPEN
        locked = self.lock_override == FORCE_LOCKED or (self._always_locked and not self._open)
        self._viscous = 0.0 if locked or self._open else self._viscosity
        if locked != self._locked or self._open:
            self._locked = self._holding = locked
            self._friction = 0.0

    def compute_state_upstream(self) -> None:
        """Holding: I = (I1+I2)/i², L = (L1+L2)/i, Tr = (Tr1+Tr2)/i, one mass.

        Slipping, T_c = α + β·T, and the shaft turns as its two outputs let it:
        1/I = i²·[a·(a-β)/I1 + b·(b+β)/I2] with b = 1-a, L = I·i·(a·w1 + b·w2), Tr = I·i·[a·(Tr1-α)/I1 + b·(Tr2+α)/I2].
        For an open differential these are I = 4·I1·I2/(I1+I2)/i² and Tr = 2·(I2·Tr1 + I1·Tr2)/(I1+I2)/i.
        """
        shaft, one, two = self._shaft, self._one, self._two
        ratio = self._ratio
        inverse_one = self._inverse_one = 1.0 / one.I
        inverse_two = self._inverse_two = 1.0 / two.I
        slip = self._slip = one.L * inverse_one - two.L * inverse_two
        compliance = inverse_one + inverse_two
        self._mean = 1.0
        if self._viscous > 0.0:
            self._mean = relaxation(self._viscous * compliance * self.step_time.delta_time)
        if self._holding:
            shaft.L = (one.L + two.L) / ratio
            shaft.I = (one.I + two.I) / (ratio * ratio)
            shaft.Tr = (one.Tr + two.Tr) / ratio
            return
        share_one, share_two = self._share_one, self._share_two
        fixed = self._friction
        per_torque = 0.0
        if self._viscous > 0.0:
            stiff = (1.0 - self._mean) / compliance
            apart = one.Tr * inverse_one - two.Tr * inverse_two
            fixed = self._viscous * self._mean * slip + stiff * apart + self._mean * fixed
            per_torque = stiff * (share_one * inverse_one - share_two * inverse_two)
        mobility = share_one * (share_one - per_torque) * inverse_one
        mobility += share_two * (share_two + per_torque) * inverse_two
        shaft.I = 1.0 / (ratio * ratio * mobility)
        lever = shaft.I * ratio
        shaft.L = lever * (share_one * one.L * inverse_one + share_two * two.L * inverse_two)
        shaft.Tr = lever * (share_one * (one.Tr - fixed) * inverse_one + share_two * (two.Tr + fixed) * inverse_two)

    def evaluate_torque_downstream(self) -> None:
        one, two = self._one, self._two
        torque = self._ratio * self._shaft.out_td
        torque_one, torque_two = self._share_one * torque, self._share_two * torque
        capacity = _UNLIMITED if self._locked else 0.0 if self._open else self.capacity(torque)
        if capacity <= 0.0 and self._viscous <= 0.0:
            self._holding = False
            self._friction = self.sensor_transfer_torque = 0.0
            one.out_td, two.out_td = torque_one, torque_two
            return
        compliance = self._inverse_one + self._inverse_two
        slip = self._slip
        mean = self._mean
        apart = (torque_one + one.Tr) * self._inverse_one - (torque_two + two.Tr) * self._inverse_two
        # e^-x = 1 - x·φ, so that [s·e^-x/(φ·dt) + a_s]/C, the friction without slip at the end, is
        closing = (slip / (mean * self.step_time.delta_time) + apart) / compliance - self._viscous * slip
        friction = clamp(closing, -capacity, capacity)
        transfer = self._viscous * mean * slip + (1.0 - mean) * apart / compliance + mean * friction
        self._holding = -capacity < closing < capacity
        self._friction = friction
        self.sensor_transfer_torque = transfer
        one.out_td, two.out_td = torque_one - transfer, torque_two + transfer


class Differential(Divider):
    """Equal torques on both outputs, at a mean speed of w_in/i; the type says which torque friction can move.

    | type        | capacity                                     |
    |-------------|----------------------------------------------|
    | open        | 0                                            |
    | locked      | unlimited                                    |
    | viscous     | preload, beside a viscous coupling           |
    | clutch pack | preload + μ·cot(angle of the ramp)·abs(T)    |
    | torque bias | preload + abs(T)·(n-1)/(2·(n+1))             |

    T is the torque of the carrier. The ramp is that of power for T > 0 and that of coast for T < 0, which it is by the
    direction of the torque alone. Torque bias lets the slower side have n times the torque of the faster one.
    """

    def __init__(
        self,
        settings: DifferentialSettings = DifferentialSettings(),  # noqa: B008 - frozen
        gear: float = 1.0,
    ) -> None:
        kind = settings.type
        super().__init__(settings.ratio, 0.5, settings.stiffness if kind is DifferentialType.VISCOUS else 0.0, gear)
        self._preload: float = settings.preload
        self._power_gain: float = 0.0
        self._coast_gain: float = 0.0
        if kind is DifferentialType.OPEN:
            self._preload = 0.0
        elif kind is DifferentialType.LOCKED:
            self._preload = _UNLIMITED
            self._always_locked = True
        elif kind is DifferentialType.CLUTCH_PACK:
            self._power_gain = settings.clutch_friction * _cotangent(settings.power_angle)
            self._coast_gain = settings.clutch_friction * _cotangent(settings.coast_angle)
        elif kind is DifferentialType.TORQUE_BIAS:
            self._power_gain = self._coast_gain = 0.5 * (settings.bias_ratio - 1.0) / (settings.bias_ratio + 1.0)

    def capacity(self, torque: float) -> float:
        return self._preload + (self._power_gain * torque if torque > 0.0 else -self._coast_gain * torque)


def _cotangent(degrees: float) -> float:
    angle = degrees * _DEGREE
    return cosine(angle) / sine(angle)


class TorqueSplitter(Divider):
    """Output 1 is the primary axle, w_in = i·w1; output 2, the secondary, gets what the viscous coupling moves.

    T1 = T - T_c and T2 = T_c: the primary axle loses what the secondary gets. `gear` is the ratio between the outputs
    and the wheels, see `Divider`.
    """

    def __init__(
        self,
        settings: SplitterSettings = SplitterSettings(),  # noqa: B008 - frozen
        gear: float = 1.0,
    ) -> None:
        super().__init__(settings.ratio, 1.0, settings.stiffness, gear)

    def capacity(self, torque: float) -> float:
        return 0.0
