"""The tyre: the force of the contact patch as a function of its slip and its deflection."""

from dataclasses import replace
from math import sqrt
from typing import ClassVar, Final

from mypy_extensions import mypyc_attr

from vehiclesim.chassis.steering import DEGREE
from vehiclesim.curves import clamp
from vehiclesim.parameters import GRAVITY, TyreSettings
from vehiclesim.state import Stateful

_MOST_LOAD: Final = 3.0
"""Nominal loads up to which friction and cornering stiffness change."""


class _Line:
    """A part of a friction curve up to the slip at its `end`: mu = offset + slope·s."""

    def __init__(self, end: float, slope: float, offset: float) -> None:
        self.end: float = end
        self.slope: float = slope
        self.offset: float = offset


class FrictionBranch:
    """Friction coefficient over slip of one sign: straight lines through the points of a table, constant beyond.

    Each line is mu = offset + slope·s. Only mu/s is used, which has a value at s = 0 too: the slope there.
    """

    def __init__(self, slips: list[float], coefficients: list[float]) -> None:
        self.peak: float = max(coefficients)
        self.peak_slip: float = slips[coefficients.index(self.peak)]
        self.end: float = slips[-1]  # slip from which on the coefficient stays the same
        self._lines: list[_Line] = []
        slip, coefficient = 0.0, 0.0
        for next_slip, next_coefficient in zip(slips, coefficients, strict=True):
            slope = (next_coefficient - coefficient) / (next_slip - slip)
            self._lines.append(_Line(next_slip, slope, coefficient - slope * slip))
            slip, coefficient = next_slip, next_coefficient
        self._last: float = coefficient

    def secant(self, slip: float) -> float:
        """mu(s)/s for s >= 0."""
        for line in self._lines:
            if slip <= line.end:
                return line.slope if line.offset == 0.0 else line.slope + line.offset / slip
        return self._last / slip


def _branch(slips: tuple[float, ...], coefficients: tuple[float, ...], sign: float) -> FrictionBranch:
    """Make the branch of the points of a table whose slip has this sign, from zero outwards."""
    points = sorted(
        (slip * sign, coefficient * sign)
        for slip, coefficient in zip(slips, coefficients, strict=True)
        if slip * sign > 0.0
    )
    return FrictionBranch([slip for slip, _ in points], [coefficient for _, coefficient in points])


def on_axle(tyre: TyreSettings, compliance: float, load: float) -> TyreSettings:
    """Return a tyre with the compliance [deg] of its axle added to its slip: s + compliance·F_y/F_z.

    `load`: that of the wheel at rest [N], at which the compliance is exact. Such an effective characteristic of an axle
    is that of Pacejka, Tire and Vehicle Dynamics, 1.3.
    """
    if compliance == 0.0:
        return tyre
    peak, q = tyre.stiffest_load, load / tyre.nominal_load
    stiffness = 1.0 if peak is None else (peak * peak + 1.0) / (peak * peak + q * q)  # k of the tyre, see there
    slope = compliance * DEGREE * stiffness
    slips = zip(tyre.lateral_slip, tyre.lateral_friction, strict=True)
    return replace(tyre, lateral_slip=tuple(slip + slope * mu for slip, mu in slips))


@mypyc_attr(allow_interpreted_subclasses=True)
class Tyre(Stateful):
    """Slip and deflection, one of each along the wheel (x) and across it (y), and the force that follows from them.

        u' = v_slip - |v|·u/sigma                        deflection [m], sigma the relaxation length [m]
        s  = (v_slip + v_e·u/sigma) / (|v| + v_e)        slip ratio

    v_slip [m/s] is the speed of the tread over the road: w·R - v along the wheel, -v_side across it. Once the
    deflection has settled s is v_slip/|v|; at standstill it is a spring, u/sigma, with a damper, v_slip/v_e. So a
    standing tyre holds a slope without creep, and the same expression gives the usual slip ratio on the move.
    v_e = ½·√(sigma·g·dmu/ds) makes the standing vehicle critically damped on its tyres.

    On the move this slip follows at once. Across the wheel, with a lateral relaxation length, it follows the deflection
    instead, over that length at any speed: s = w·v_slip/|v| + (1 - w)·u/sigma with w = |v|·v_e/(|v| + v_e)², which is
    the same spring with the same damper at standstill.

    Slips of both directions act together: with n = s/s_peak of each and rho = √(n_x² + n_y²), each coefficient is
    that of the slip rho·s_peak, divided among the directions as n_x : n_y. That is an ellipse for every rho.

    The tables hold for the nominal load F_0. At another load F_z, with q = F_z/F_0, x = q/p and p the stiffest load,

        F_y = m·F_z·mu(s·k/m),  m = 1 + d·(q - 1),  k = (1 + 1/p²)/(1 + x²)

    so that friction falls by d, and cornering stiffness is highest at p, as in Pacejka's Magic Formula:
    2·x/(1 + x²) is its sin(2·arctan(x)). Along the wheel only friction depends on the load, in the same way.

    Forces are those of the end of the substep, F = (mu(rho)/s)·s_end with the secant mu/s of its beginning. A secant
    is never negative, so however stiff the tyre is, it brings the slip towards zero and not beyond. Beyond the peak,
    where more slip makes no more force along the wheel, the stiffness is that of the turning direction of the force,
    k·n_y²/rho², and at least k - M/dt: so much a free rim of the mass M needs for its slip to end at zero.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("deflection_x", "deflection_y")

    def __init__(self, settings: TyreSettings) -> None:
        self.driving: FrictionBranch = _branch(settings.longitudinal_slip, settings.longitudinal_friction, 1.0)
        self.braking: FrictionBranch = _branch(settings.longitudinal_slip, settings.longitudinal_friction, -1.0)
        self.leftward: FrictionBranch = _branch(settings.lateral_slip, settings.lateral_friction, 1.0)
        self.rightward: FrictionBranch = _branch(settings.lateral_slip, settings.lateral_friction, -1.0)
        self._relaxation: float = settings.relaxation_length
        steepest = max(self.driving.secant(0.0), self.braking.secant(0.0))
        self.damping_speed: float = 0.5 * sqrt(self._relaxation * GRAVITY * steepest)
        self._longest_x: float = self._relaxation * max(self.driving.end, self.braking.end)
        self._relaxation_y: float = settings.lateral_relaxation_length or self._relaxation
        self._lags: bool = settings.lateral_relaxation_length is not None
        self._longest_y: float = self._relaxation_y * max(self.leftward.end, self.rightward.end)
        self.deflection_x: float = 0.0  # [m]
        self.deflection_y: float = 0.0
        self.load_sensitive: bool = (
            settings.longitudinal_load_sensitivity != 0.0
            or settings.lateral_load_sensitivity != 0.0
            or settings.stiffest_load is not None
        )
        self._nominal_load: float = settings.nominal_load
        self._sensitivity_x: float = settings.longitudinal_load_sensitivity  # d
        self._sensitivity_y: float = settings.lateral_load_sensitivity
        peak = settings.stiffest_load
        self._degression: float = 0.0 if peak is None else 1.0 / (peak * peak)  # 1/p²
        self._friction_x: float = 1.0  # m along the wheel
        self._friction_y: float = 1.0  # m across it
        self._stretch: float = 1.0  # m/k, of the slips across the wheel
        self.rim_mass: float = 0.0  # input: inertia of the wheel over R² [kg]
        self.slide_x: float = 0.0  # v_slip [m/s]
        self.slide_y: float = 0.0
        self.force_x: float = 0.0  # on the vehicle [N]
        self.force_y: float = 0.0
        self.stiffness: float = 0.0  # dF_x/d(w·R) [N s/m]
        self._grip: float = 0.0  # load times the friction of the road [N]
        self._substep: float = 0.001  # [s]
        self._renewal: float = 1.0  # sigma + |v|·dt [m]
        self._renewal_y: float = 1.0
        self._held_x: float = 0.0  # deflection that remains when sliding ends [m]
        self._held_y: float = 0.0

    def bear(self, load: float) -> None:
        """Take over the load [N] on which friction and cornering stiffness depend."""
        q = load / self._nominal_load
        q = q if q < _MOST_LOAD else _MOST_LOAD
        self._friction_x = 1.0 + self._sensitivity_x * (q - 1.0)
        self._friction_y = 1.0 + self._sensitivity_y * (q - 1.0)
        self._stretch = self._friction_y * (1.0 + self._degression * q * q) / (1.0 + self._degression)

    def roll(self, slide_x: float, slide_y: float, speed: float, grip: float, substep: float) -> None:
        """Compute forces and stiffness at slip speeds, a speed over ground [m/s] and a grip of load·friction [N]."""
        held_x = self.deflection_x
        if held_x * slide_x < 0.0:
            held_x = self._held_deflection(held_x, self.driving, self.braking, self._relaxation)
        held_y = self.deflection_y
        if held_y * slide_y < 0.0:
            held_y = self._held_deflection(held_y, self.leftward, self.rightward, self._relaxation_y * self._stretch)
        travel = speed if speed > 0.0 else -speed
        renewal = self._relaxation + travel * substep
        damping_speed = self.damping_speed
        regularised = travel + damping_speed
        memory = damping_speed / (renewal * regularised)
        gain = 1.0 / regularised + memory * substep
        slip_x = gain * slide_x + memory * held_x
        if self._lags:
            renewal_y = self._relaxation_y + travel * substep
            weight = damping_speed / (regularised * regularised)
            memory_y = (1.0 - travel * weight) / renewal_y
            slip_y = (weight + memory_y * substep) * slide_y + memory_y * held_y
            self._renewal_y = renewal_y
        else:
            slip_y = gain * slide_y + memory * held_y
            self._renewal_y = renewal

        along = self.driving if slip_x >= 0.0 else self.braking
        across = self.leftward if slip_y >= 0.0 else self.rightward
        peak_x, peak_y = along.peak_slip, across.peak_slip
        n_x = slip_x / peak_x
        slip_y /= self._stretch
        n_y = slip_y / peak_y
        rho = sqrt(n_x * n_x + n_y * n_y)
        secant_x = grip * self._friction_x * along.secant(rho * peak_x)
        self.force_x = secant_x * slip_x
        self.force_y = grip * self._friction_y * across.secant(rho * peak_y) * slip_y
        stiffness = secant_x * gain
        if rho > 1.0:
            least = stiffness - self.rim_mass / substep
            stiffness *= n_y * n_y / (rho * rho)
            stiffness = stiffness if stiffness > least else least
        self.stiffness = stiffness

        self.slide_x = slide_x
        self.slide_y = slide_y
        self._held_x = held_x
        self._held_y = held_y
        self._grip = grip
        self._substep = substep
        self._renewal = renewal

    def is_past_peak(self, slip: float) -> bool:
        """Return whether a slip along the wheel lies beyond that of the highest force."""
        return slip > self.driving.peak_slip or slip < -self.braking.peak_slip

    def follow(self, change: float) -> bool:
        """Advance F_x to the end of a substep in which w·R changes [m/s]; return False if the tyre breaks away.

        No force leaves the ellipse of the peaks: (F_x/(mu_x·F_z))² + (F_y/(mu_y·F_z))² <= 1.
        """
        force_x = self.force_x = self.force_x + self.stiffness * change
        force_y = self.force_y
        grip = self._grip
        x = force_x / (self._friction_x * (self.driving.peak if force_x >= 0.0 else self.braking.peak))
        y = force_y / (self._friction_y * (self.leftward.peak if force_y >= 0.0 else self.rightward.peak))
        squares = x * x + y * y
        if squares <= grip * grip:
            return True
        scale = grip / sqrt(squares)
        self.force_x *= scale
        self.force_y *= scale
        return False

    def rate_x(self) -> float:
        """du_x/dt [m/s], for the end of the substep.

        u_end = (u + v_slip·dt)/(1 + |v|·dt/sigma), bounded by the deflection at the last slip of the table.
        """
        end = (self._held_x + self.slide_x * self._substep) * self._relaxation / self._renewal
        longest = self._longest_x
        end = end if -longest < end < longest else clamp(end, -longest, longest)
        return (end - self.deflection_x) / self._substep

    def rate_y(self) -> float:
        """du_y/dt [m/s], by the same rule."""
        end = (self._held_y + self.slide_y * self._substep) * self._relaxation_y / self._renewal_y
        longest = self._longest_y * self._stretch
        end = end if -longest < end < longest else clamp(end, -longest, longest)
        return (end - self.deflection_y) / self._substep

    def _held_deflection(self, deflection: float, plus: FrictionBranch, minus: FrictionBranch, unit: float) -> float:
        """Return the deflection kept when the slide reverses: u to the peak, u·(mu/s)/(mu/s)_peak beyond; s is u/unit.

        Beyond the peak the tread slides; that part of the deflection is not elastic.
        """
        branch, length = (plus, deflection) if deflection > 0.0 else (minus, -deflection)
        slip = length / unit
        if slip <= branch.peak_slip:
            return deflection
        return deflection * branch.secant(slip) * branch.peak_slip / branch.peak
