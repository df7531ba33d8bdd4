"""The test stand agrees with published figures, with a fine scan and with calculus."""

import math
from dataclasses import replace

import pytest

from hilbridge.desk.fit.stand import Stand
from vehiclesim.engine.engine import Engine

from ....sim.published_engines import ALL, DATA_SHEETS, DEFAULT, SPORTS


@pytest.mark.parametrize("name", DATA_SHEETS)
def test_landmarks_are_the_published_ones(name: str) -> None:
    """Values within 0.1 %, speeds within 15 rpm, as the model's own data sheet."""
    stand, sheet = Stand(ALL[name]), DATA_SHEETS[name]
    assert stand.max_torque == pytest.approx((sheet.max_torque, sheet.max_torque_rpm), rel=1e-3, abs=15)
    assert stand.max_power.value == pytest.approx(sheet.max_power_in_kw, rel=1e-3)
    assert stand.max_power.rpm == pytest.approx(sheet.max_power_rpm, abs=15)
    assert stand.best_consumption.value == pytest.approx(sheet.specific_fuel_consumption, rel=1e-3)
    assert stand.best_consumption.rpm == pytest.approx(sheet.specific_fuel_consumption_rpm, abs=15)


def test_a_peak_lies_where_a_fine_scan_finds_it() -> None:
    """Between the steps of the coarse scan too."""
    fine = Engine(DEFAULT).specifications(0.1)
    assert Stand(DEFAULT).max_torque.rpm == pytest.approx(fine.peak_rpm, abs=0.11)
    assert Stand(DEFAULT).max_power.rpm == pytest.approx(fine.max_power_rpm, abs=0.11)


def test_a_cap_begins_where_the_free_torque_reaches_it() -> None:
    """The torque without cap is the cap there, to a millionth."""
    free = Engine(replace(SPORTS, torque_cap=False))
    assert free.calculate_torque(Stand(SPORTS).max_torque.rpm) == pytest.approx(175.0, rel=1e-6)


def test_landmarks_move_smoothly_with_a_parameter() -> None:
    """A hundredth of a rpm at max_rpm moves the power peak, where a scan in whole steps would stay."""
    one, two = (Stand(replace(DEFAULT, max_rpm=rpm)).max_power.rpm for rpm in (6500.0, 6501.0))
    half = Stand(replace(DEFAULT, max_rpm=6500.5)).max_power.rpm
    assert one < half < two
    assert half - one == pytest.approx(two - half, rel=0.05)


def test_coast_down_of_a_constant_friction_is_momentum_over_torque() -> None:
    """t = I·(w1 - w2)/Tf; and of a friction proportional to speed, t = I/c·ln(w1/w2)."""
    constant = replace(DEFAULT, friction_torque=20.0, rotational_friction=0.0, viscous_friction=0.0)
    time = constant.inertia * 2000.0 * math.pi / 30.0 / 20.0
    assert Stand(constant).coast_down(4000.0, 2000.0) == pytest.approx(time, rel=1e-9)
    proportional = replace(DEFAULT, friction_torque=0.0, rotational_friction=0.1, viscous_friction=0.0)
    time = proportional.inertia / 0.1 * math.log(2.0)
    assert Stand(proportional).coast_down(4000.0, 2000.0) == pytest.approx(time, rel=1e-7)
