"""Tyres whose friction and cornering stiffness depend on the load, against Pacejka's Magic Formula."""

from dataclasses import replace

import numpy as np
import pytest

from vehiclesim import TyreSettings
from vehiclesim.chassis.tyre import Tyre, on_axle

# Pacejka, Tire and Vehicle Dynamics, table A3.1: 205/60 R 15 91V
FNOMIN, PDX1, PDX2, PDY1, PDY2, PKY1, PKY2 = 4000.0, 1.210, -0.037, -0.990, 0.145, -14.95, 2.130
LOADS = [500.0, 1500.0, 4000.0, 6000.0, 9000.0]

STIFFNESS = float(-PKY1 * np.sin(2.0 * np.arctan(1.0 / PKY2)))
"""Cornering stiffness over load, at the nominal one."""

PACEJKA = TyreSettings(
    longitudinal_slip=(-0.2, 0.0, 0.2),
    longitudinal_friction=(-PDX1, 0.0, PDX1),
    lateral_slip=(PDY1 / STIFFNESS, 0.0, -PDY1 / STIFFNESS),
    lateral_friction=(PDY1, 0.0, -PDY1),
    nominal_load=FNOMIN,
    longitudinal_load_sensitivity=PDX2 / PDX1,
    lateral_load_sensitivity=PDY2 / PDY1,
    stiffest_load=PKY2,
)


def force(slip_x: float, slip_y: float, load: float, settings: TyreSettings = PACEJKA) -> tuple[float, float]:
    """What a tyre makes of slips that have lasted, at 20 m/s on dry asphalt."""
    tyre = Tyre(settings)
    tyre.bear(load)
    for _ in range(1000):
        tyre.roll(slip_x * 20.0, slip_y * 20.0, 20.0, load, 0.001)
        tyre.deflection_x += tyre.rate_x() * 0.001
        tyre.deflection_y += tyre.rate_y() * 0.001
    return tyre.force_x, tyre.force_y


@pytest.mark.parametrize("load", LOADS)
def test_cornering_stiffness_is_that_of_the_magic_formula(load: float) -> None:
    """K_y = pKy1·F_0·sin(2·arctan(F_z/(pKy2·F_0)))."""
    expected = -PKY1 * FNOMIN * np.sin(2.0 * np.arctan(load / (PKY2 * FNOMIN)))
    assert force(0.0, 1e-3, load)[1] / 1e-3 == pytest.approx(float(expected), rel=1e-6)


@pytest.mark.parametrize("load", LOADS)
def test_friction_is_that_of_the_magic_formula(load: float) -> None:
    """mu = pD1 + pD2·(F_z - F_0)/F_0, in both directions."""
    dfz = (load - FNOMIN) / FNOMIN
    assert force(1.0, 0.0, load)[0] == pytest.approx((PDX1 + PDX2 * dfz) * load, rel=1e-6)
    assert force(0.0, 1.0, load)[1] == pytest.approx(-(PDY1 + PDY2 * dfz) * load, rel=1e-6)


def test_at_the_nominal_load_the_tables_hold() -> None:
    """Whatever the sensitivities."""
    plain = replace(PACEJKA, longitudinal_load_sensitivity=0.0, lateral_load_sensitivity=0.0, stiffest_load=None)
    for slips in ((0.05, 0.02), (-0.3, 0.1), (0.0, -0.5)):
        assert force(*slips, FNOMIN) == pytest.approx(force(*slips, FNOMIN, plain), rel=1e-12)


def test_a_tyre_without_sensitivity_ignores_what_it_is_told() -> None:
    """Its forces are proportional to the load."""
    plain = TyreSettings()
    assert not Tyre(plain).load_sensitive
    one, three = force(0.03, 0.04, 2000.0, plain), force(0.03, 0.04, 6000.0, plain)
    assert three == pytest.approx((3.0 * one[0], 3.0 * one[1]), rel=1e-12)


@pytest.mark.parametrize("load", [1000.0, 4000.0, 8000.0])
def test_no_force_leaves_the_ellipse_of_the_load(load: float) -> None:
    """(F_x/mu_x)² + (F_y/mu_y)² <= F_z², with the coefficients at that load."""
    dfz = (load - FNOMIN) / FNOMIN
    tyre = Tyre(PACEJKA)
    tyre.bear(load)
    for change in (-5.0, -0.1, 0.1, 5.0):
        tyre.roll(0.5, 0.5, 10.0, load, 0.001)
        tyre.follow(change)
        share = np.hypot(tyre.force_x / (PDX1 + PDX2 * dfz), tyre.force_y / (PDY1 + PDY2 * dfz)) / load
        assert share <= 1.0 + 1e-12


def test_beyond_three_nominal_loads_a_tyre_remains_as_it_is_there() -> None:
    """No load takes its friction away."""
    assert force(0.3, 0.2, 1e6) == pytest.approx(tuple(1e6 / 12e3 * side for side in force(0.3, 0.2, 12e3)), rel=1e-6)


@pytest.mark.parametrize("compliance", [2.0, -1.0])
@pytest.mark.parametrize("load", [2500.0, 4000.0])
def test_an_axle_gives_way_in_proportion_to_the_side_force(compliance: float, load: float) -> None:
    """At its load at rest the same force at a slip that is larger by the compliance [deg] times F_y/F_z."""
    bound = on_axle(PACEJKA, compliance, load)
    for slip in (-0.05, 0.01, 0.06):
        side = force(0.0, slip, load)[1]
        slipping = slip + np.radians(compliance) * side / load
        assert force(0.0, float(slipping), load, bound)[1] == pytest.approx(side, rel=1e-6)
    assert on_axle(PACEJKA, 0.0, load) is PACEJKA
