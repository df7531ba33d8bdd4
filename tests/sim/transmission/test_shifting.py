"""Which gears there are, and what the driver's lever and shift steps ask for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vehiclesim.transmission.shifting import GearRange, Shifter


@pytest.mark.parametrize(("lever", "gear"), [(-9, -2), (-1, -1), (0, 0), (4, 4), (9, 5)])
def test_a_lever_reaches_the_nearest_gear_that_exists(lever: int, gear: int) -> None:
    """Two reverse gears and five forward."""
    assert GearRange(5, 2).existing(lever) == gear


@pytest.mark.parametrize(
    ("minimum", "maximum", "gears"),
    [
        (0, 0, [-2, -1, 0, 1, 2, 3, 4, 5]),
        (2, 0, [-2, -2, 0, 2, 2, 3, 4, 5]),
        (0, 3, [-2, -1, 0, 1, 2, 3, 3, 3]),
        (0, 1, [-1, -1, 0, 1, 1, 1, 1, 1]),
        (4, 3, [-2, -2, 0, 3, 3, 3, 3, 3]),
        (9, 9, [-2, -2, 0, 5, 5, 5, 5, 5]),
        (-1, -1, [-2, -1, 0, 1, 2, 3, 4, 5]),
    ],
)
def test_overrides_narrow_both_directions(minimum: int, maximum: int, gears: list[int]) -> None:
    """0 is none, neutral is always allowed, the longest gear wins a contradiction, and some gear is always left."""
    allowed = GearRange(5, 2)
    allowed.override(minimum, maximum)
    assert [allowed.allowed(gear) for gear in range(-2, 6)] == gears


@given(
    forward=st.integers(1, 18),
    reverse=st.integers(0, 4),
    minimum=st.integers(-5, 25),
    maximum=st.integers(-5, 25),
    gear=st.integers(-30, 30),
)
def test_an_allowed_gear_exists_and_stays_allowed(
    forward: int, reverse: int, minimum: int, maximum: int, gear: int
) -> None:
    """Whatever the overrides are."""
    gears = GearRange(forward, reverse)
    gears.override(minimum, maximum)
    allowed = gears.allowed(gears.existing(gear))
    assert -reverse <= allowed <= forward
    assert gears.allowed(allowed) == allowed


def test_the_last_movement_counts() -> None:
    """A lever that moves sets the gear, steps add to the gear as it is, a lever that rests does nothing."""
    driver = Shifter(GearRange(5, 1))
    gear = 0
    gears = []
    for lever, steps in ((2, 0), (2, 1), (2, 0), (2, -2), (4, 0), (4, 9), (0, 0), (0, -1), (0, -1)):
        gear = driver.select(gear, lever, 0, steps)
        gears.append(gear)
    assert gears == [2, 3, 3, 1, 4, 5, 0, -1, -1]


def test_an_override_moves_the_gear_without_the_driver() -> None:
    """And back it goes only by hand: the lever has not moved."""
    gears = GearRange(5, 1)
    driver = Shifter(gears)
    gear = driver.select(0, 5, 0, 0)
    gears.override(0, 3)
    gear = driver.select(gear, 5, 0, 0)
    assert gear == 3
    gears.override(0, 0)
    assert driver.select(gear, 5, 0, 0) == 3
    assert driver.select(gear, 5, 0, 1) == 4


def test_a_saved_driver_remembers_the_lever() -> None:
    """Otherwise a resting lever would count as moved."""
    one, other = Shifter(GearRange(5, 1)), Shifter(GearRange(5, 1))
    gear = one.select(0, 2, 0, 1)
    other.set_state_vars(one.get_state_vars())
    assert other.select(gear, 2, 0, 0) == gear == 3
