"""The tyre against its tables, and as a spring at rest."""

from math import exp, hypot, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vehiclesim import TyreSettings
from vehiclesim.chassis.tyre import Tyre

LOAD = 4000.0
RELAXATION = 0.3
STIFFNESS = 8.5  # coefficient per slip of the default table, up to 0.1
PUBLISHED = [
    (-1.0, -0.75),
    (-0.3, -0.75),
    (-0.2, -0.80),
    (-0.1, -0.85),
    (-0.05, -0.425),
    (0.0, 0.0),
    (0.02, 0.17),
    (0.1, 0.85),
    (0.15, 0.825),
    (0.3, 0.75),
    (5.0, 0.75),
]
"""Points and straight lines of UC-win/Road's table: slip ratio, coefficient."""

SLIP = st.floats(-2.0, 2.0)


def settled(slip_x: float, slip_y: float, speed: float = 20.0) -> Tyre:
    """A tyre that has slipped for two seconds."""
    tyre = Tyre(TyreSettings())
    for _ in range(2000):
        tyre.roll(slip_x * abs(speed), slip_y * abs(speed), speed, LOAD, 0.001)
        tyre.deflection_x += tyre.rate_x() * 0.001
        tyre.deflection_y += tyre.rate_y() * 0.001
    return tyre


@pytest.mark.parametrize("speed", [5.0, 20.0, -20.0])
@pytest.mark.parametrize(("slip", "coefficient"), PUBLISHED)
def test_the_force_is_that_of_the_table(slip: float, coefficient: float, speed: float) -> None:
    """Along and across the wheel, forward and backward; constant beyond the last point."""
    along = settled(slip, 0.0, speed)
    assert along.force_x == pytest.approx(coefficient * LOAD, abs=1e-6 * LOAD)
    assert along.force_y == 0.0
    across = settled(0.0, slip, speed)
    assert across.force_y == pytest.approx(coefficient * LOAD, abs=1e-6 * LOAD)
    assert across.force_x == 0.0


def test_a_table_may_differ_by_direction_and_sign() -> None:
    """Braking, driving, to the left and to the right each have their own points."""
    tyre = Tyre(
        TyreSettings(
            longitudinal_slip=(-0.2, 0.0, 0.1, 0.4),
            longitudinal_friction=(-1.0, 0.0, 0.5, 0.6),
            lateral_slip=(-0.1, 0.0, 0.05),
            lateral_friction=(-0.7, 0.0, 0.9),
        )
    )
    for slip, coefficient in ((-0.1, -0.5), (-0.2, -1.0), (-0.9, -1.0), (0.05, 0.25), (0.25, 0.55), (0.9, 0.6)):
        for _ in range(2000):
            tyre.roll(slip * 20.0, 0.0, 20.0, LOAD, 0.001)
            tyre.deflection_x += tyre.rate_x() * 0.001
        assert tyre.force_x == pytest.approx(coefficient * LOAD, rel=1e-6)
    tyre.deflection_x = 0.0
    for slip, coefficient in ((-0.05, -0.35), (-0.4, -0.7), (0.05, 0.9), (0.4, 0.9)):
        for _ in range(2000):
            tyre.roll(0.0, slip * 20.0, 20.0, LOAD, 0.001)
            tyre.deflection_y += tyre.rate_y() * 0.001
        assert tyre.force_y == pytest.approx(coefficient * LOAD, rel=1e-6)


@pytest.mark.parametrize("slip", [0.05, 0.1, 0.2, 1.0])
@pytest.mark.parametrize(("x", "y"), [(1.0, 0.0), (0.6, 0.8), (-0.8, 0.6), (0.0, -1.0)])
def test_slips_in_both_directions_share_one_force(slip: float, x: float, y: float) -> None:
    """With equal tables the force has the size of the table at the whole slip, and its direction."""
    size = 8.5 * slip if slip <= 0.1 else max(0.75, 0.9 - 0.5 * slip)
    tyre = settled(slip * x, slip * y)
    share = 1e-6 if slip <= 0.3 else 0.01  # beyond the table each direction has its own end
    assert hypot(tyre.force_x, tyre.force_y) == pytest.approx(size * LOAD, rel=1e-6)
    assert tyre.force_x == pytest.approx(size * LOAD * x, abs=share * LOAD)
    assert tyre.force_y == pytest.approx(size * LOAD * y, abs=share * LOAD)


@given(
    x=SLIP,
    y=SLIP,
    deflection_x=st.floats(-0.09, 0.09),
    deflection_y=st.floats(-0.09, 0.09),
    speed=st.floats(-60.0, 60.0),
    change=st.floats(-50.0, 50.0),
    substep=st.sampled_from([0.00025, 0.001, 0.005]),
)
def test_no_force_leaves_the_friction_ellipse(
    x: float, y: float, deflection_x: float, deflection_y: float, speed: float, change: float, substep: float
) -> None:
    """Whatever the tyre did before and however the wheel changes its speed, F_x² + F_y² <= (0.85·F_z)²."""
    tyre = Tyre(TyreSettings())
    tyre.deflection_x, tyre.deflection_y = deflection_x, deflection_y
    tyre.roll(x * (1.0 + abs(speed)), y * (1.0 + abs(speed)), speed, LOAD, substep)
    assert tyre.stiffness > 0.0
    tyre.follow(change)
    assert hypot(tyre.force_x, tyre.force_y) <= 0.85 * LOAD * (1.0 + 1e-12)


@pytest.mark.parametrize("along", [1.0, -1.0])
@pytest.mark.parametrize("across", [1.0, -1.0])
def test_a_force_that_breaks_away_ends_on_the_ellipse_of_its_own_signs(along: float, across: float) -> None:
    """(F_x/mu_x)² + (F_y/mu_y)² = F_z² with the peaks of driving or braking and of the left or right: four tables."""
    settings = TyreSettings(
        longitudinal_slip=(-0.1, 0.0, 0.1),
        longitudinal_friction=(-1.2, 0.0, 0.6),
        lateral_slip=(-0.1, 0.0, 0.1),
        lateral_friction=(-0.5, 0.0, 0.9),
    )
    tyre = Tyre(settings)
    tyre.rim_mass = 1e9  # as stiff beyond the peak as before it
    tyre.roll(along * 0.2, across * 1.5, 20.0, LOAD, 0.001)
    direction = tyre.force_y / tyre.force_x
    assert tyre.follow(along * 0.1)
    assert not tyre.follow(along * 1000.0)
    assert abs(tyre.force_y / tyre.force_x) < abs(direction)
    mu_x, mu_y = (0.6 if along > 0.0 else 1.2), (0.9 if across > 0.0 else 0.5)
    assert hypot(tyre.force_x / mu_x, tyre.force_y / mu_y) == pytest.approx(LOAD, rel=1e-12)
    assert (tyre.force_x * along > 0.0, tyre.force_y * across > 0.0) == (True, True)


@given(x=SLIP, y=SLIP, speed=st.floats(-60.0, 60.0))
def test_a_wheel_without_load_has_no_grip(x: float, y: float, speed: float) -> None:
    """Nor has one on a road without friction."""
    tyre = Tyre(TyreSettings())
    tyre.roll(x, y, speed, 0.0, 0.001)
    assert tyre.follow(1.0)
    assert (tyre.force_x, tyre.force_y, tyre.stiffness) == (0.0, 0.0, 0.0)


def test_a_new_slip_builds_up_over_the_relaxation_length() -> None:
    """u = sigma·s·(1 - e^(-x/sigma)) after a way x; F is regularised slip and deflection by the damping speed v_e."""
    tyre = Tyre(TyreSettings())
    speed, slip, substep = 3.0, 0.02, 1e-5
    way = 0.0
    damping = 0.5 * sqrt(RELAXATION * 9.80665 * STIFFNESS)
    for _ in range(20):
        for _ in range(1000):
            tyre.roll(slip * speed, 0.0, speed, LOAD, substep)
            tyre.deflection_x += tyre.rate_x() * substep
            way += speed * substep
        deflection = RELAXATION * slip * (1.0 - exp(-way / RELAXATION))
        assert tyre.deflection_x == pytest.approx(deflection, rel=1e-4)
        expected = (slip * speed + damping * deflection / RELAXATION) / (speed + damping)
        assert tyre.force_x == pytest.approx(STIFFNESS * LOAD * expected, rel=1e-3)


def test_a_standing_tyre_is_a_spring_with_a_damper() -> None:
    """F = F_z·dmu/ds·(u/sigma + u'/v_e), and v_e damps a load's own mass F_z/g critically: c² = 4·k·m."""
    tyre = Tyre(TyreSettings())
    tyre.deflection_x = 0.006
    tyre.roll(0.0, 0.0, 0.0, LOAD, 1e-9)
    spring = tyre.force_x / 0.006
    assert spring == pytest.approx(STIFFNESS * LOAD / RELAXATION, rel=1e-6)
    tyre.deflection_x = 0.0
    tyre.roll(0.01, 0.0, 0.0, LOAD, 1e-9)
    damper = tyre.force_x / 0.01
    assert damper**2 == pytest.approx(4.0 * spring * LOAD / 9.80665, rel=1e-6)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_only_the_elastic_part_of_a_slide_comes_back(sign: float) -> None:
    """Slid 5 m at 0.75·F_z, the tread is held by 0.75/0.85 of the deflection at the peak, 26.5 of 30 mm."""
    tyre = Tyre(TyreSettings())
    for _ in range(500):
        tyre.roll(sign * 10.0, 0.0, -sign * 10.0, LOAD, 0.001)
        tyre.deflection_x += tyre.rate_x() * 0.001
    tyre.roll(-sign * 1e-9, 0.0, sign * 1e-9, LOAD, 0.001)
    assert tyre.force_x == pytest.approx(sign * 0.75 * LOAD, rel=1e-3)
    assert tyre.deflection_x + tyre.rate_x() * 0.001 == pytest.approx(sign * 0.03 * 0.75 / 0.85, rel=1e-6)


@given(x=SLIP, y=SLIP, speed=st.floats(0.0, 60.0))
def test_a_settled_tyre_only_takes_energy(x: float, y: float, speed: float) -> None:
    """The force has the direction of the slip in both directions, so that F·v_slip >= 0."""
    tyre = Tyre(TyreSettings())
    for _ in range(50):
        tyre.roll(x * speed, y * speed, speed, LOAD, 0.02)
        tyre.deflection_x += tyre.rate_x() * 0.02
        tyre.deflection_y += tyre.rate_y() * 0.02
        assert tyre.force_x * x >= 0.0
        assert tyre.force_y * y >= 0.0


def test_the_same_situation_gives_the_same_force_again_after_the_tyre_has_followed_a_wheel() -> None:
    """What was found for a situation is used again only as long as nobody has changed the force."""
    tyre = Tyre(TyreSettings())
    tyre.roll(0.2, 0.1, 20.0, 3000.0, 0.001)
    first = (tyre.force_x, tyre.force_y, tyre.stiffness)
    assert tyre.follow(0.01)
    assert tyre.force_x > first[0]
    tyre.roll(0.2, 0.1, 20.0, 3000.0, 0.001)
    assert (tyre.force_x, tyre.force_y, tyre.stiffness) == first


@pytest.mark.parametrize("speed", [2.0, 10.0, 30.0])
def test_a_side_force_follows_over_its_relaxation_length_at_any_speed(speed: float) -> None:
    """F/F_end = 1 - (1 - w)·e^(-x/sigma) over the way x, w being the share of the damper: v·v_e/(v + v_e)²."""
    tyre = Tyre(TyreSettings(lateral_relaxation_length=0.6))
    substep = 0.006 / speed  # a hundredth of the length
    damper = speed * tyre.damping_speed / (speed + tyre.damping_speed) ** 2
    for step in range(300):
        tyre.roll(0.0, 0.05 * speed, speed, LOAD, substep)
        tyre.deflection_y += tyre.rate_y() * substep
        expected = 1.0 - (1.0 - damper) * exp(-0.01 * (step + 1))
        assert tyre.force_y / (STIFFNESS * 0.05 * LOAD) == pytest.approx(expected, abs=0.005)


def test_at_standstill_a_lateral_relaxation_length_is_that_of_a_spring() -> None:
    """F = mu'(0)·F_z·u/sigma along it, with its own length across; the damper is the same."""
    tyre = Tyre(TyreSettings(lateral_relaxation_length=0.6))
    tyre.deflection_x = tyre.deflection_y = 0.006
    tyre.roll(0.0, 0.0, 0.0, LOAD, 0.001)
    assert tyre.force_x == pytest.approx(STIFFNESS * LOAD * 0.006 / RELAXATION, rel=1e-9)
    assert tyre.force_y == pytest.approx(STIFFNESS * LOAD * 0.006 / 0.6, rel=1e-9)
    tyre.deflection_x = tyre.deflection_y = 0.0
    tyre.roll(0.01, 0.01, 0.0, LOAD, 1e-9)
    assert tyre.force_x == pytest.approx(tyre.force_y, rel=1e-6)


def test_a_sliding_tyre_is_only_as_stiff_as_a_free_rim_needs() -> None:
    """Past the peak: none if the rim stays past it; else a rim of 2 kg ends at no slip and not beyond."""
    tyre = Tyre(TyreSettings())
    tyre.rim_mass = 2.0
    tyre.roll(100.0, 0.0, 20.0, LOAD, 0.001)
    assert tyre.stiffness == 0.0
    tyre.roll(30.0, 0.0, 100.0, LOAD, 0.05)
    change = -tyre.force_x * 0.05 / (tyre.rim_mass + tyre.stiffness * 0.05)
    assert 0.0 < 30.0 + change < 0.05 * 30.0


def test_a_sliding_tyre_resists_a_turn_of_its_force() -> None:
    """Slipping across, a little more slip along the wheel turns the force: F/slide, but for the share along it."""
    tyre = Tyre(TyreSettings())
    tyre.rim_mass = 1000.0
    tyre.roll(0.0, 40.0, 20.0, LOAD, 0.001)
    across = tyre.stiffness
    assert across == pytest.approx(tyre.force_y / 40.0, rel=0.01)
    tyre.roll(24.0, 32.0, 20.0, LOAD, 0.001)
    assert tyre.stiffness == pytest.approx(across * 0.64, rel=1e-9)
