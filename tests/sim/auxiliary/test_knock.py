"""Knock control: a saw tooth under load, nothing without the fault."""

from itertools import pairwise

import pytest

from vehiclesim.auxiliary.knock import MOST_RETARD, KnockControl


def course(tendency: float, load: float, seconds: float) -> list[float]:
    control = KnockControl()
    control.tendency = tendency
    retards = []
    for _ in range(round(seconds / 0.01)):
        control.step(load, 0.01)
        retards.append(control.retard)
    return retards


@pytest.mark.parametrize("load", [0.0, 0.3, 0.9, 1.0])
def test_the_right_fuel_does_not_knock(load: float) -> None:
    assert set(course(0.0, load, 5.0)) == {0.0}


def test_bad_fuel_takes_the_ignition_back_in_steps_and_gives_it_again_slowly() -> None:
    """A third of 15° is 5°: the retard swings from there up to a step more, at 0.75° a second."""
    retards = course(1 / 3, 1.0, 60.0)[1000:]
    assert min(retards) == pytest.approx(5.0, abs=0.02)
    assert max(retards) == pytest.approx(7.5, abs=0.02)
    falls = [a - b for a, b in pairwise(retards) if a > b]
    assert max(falls) == pytest.approx(0.0075)


def test_light_loads_do_not_knock() -> None:
    """0.4° a percent: at half load 16° more than at full load."""
    assert set(course(1.0, 0.5, 5.0)) == {0.0}
    assert max(course(1.0, 0.8, 5.0)) > 10.0


def test_the_torque_falls_with_the_square_of_the_retard() -> None:
    """Heywood 15.3: ten degrees from the best spark cost 5 %."""
    control = KnockControl()
    control.retard = 10.0
    assert control.torque_loss == pytest.approx(0.05)
    assert max(course(1.0, 1.0, 60.0)) <= MOST_RETARD
