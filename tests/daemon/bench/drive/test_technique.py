"""The pedals and the feet on them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.bench.drive.technique import BITE, FOOT, Pedals


def test_a_foot_needs_its_time() -> None:
    """From released to fully down in 1/FOOT seconds, and not further."""
    pedals = Pedals()
    for tick in range(1, 201):
        pedals.move(0.005, throttle=1.0)
        assert pedals.throttle == pytest.approx(min(FOOT * 0.005 * tick, 1.0))
    assert (pedals.brake, pedals.clutch) == (0.0, 0.0)


def test_pedals_that_are_not_named_are_released() -> None:
    """Each at the speed of the foot."""
    pedals = Pedals()
    pedals.move(1.0, throttle=1.0, brake=1.0, clutch=1.0)
    pedals.move(0.1, clutch=1.0)
    assert pedals.throttle == pedals.brake == pytest.approx(1.0 - 0.1 * FOOT)
    assert pedals.clutch == 1.0
    pedals.release()
    assert pedals.clutch == 0.0


@pytest.mark.parametrize(("reserve", "speed"), [(1.0, -BITE), (0.5, -0.5 * BITE), (0.0, 0.0), (-2.0, BITE)])
def test_the_clutch_comes_up_as_the_engine_bears_it(reserve: float, speed: float) -> None:
    """Slower the less reserve there is, and down again without any."""
    pedals = Pedals()
    pedals.clutch = 0.5
    pedals.let_in(0.1, reserve)
    assert pedals.clutch == pytest.approx(0.5 + 0.1 * speed)


@given(st.lists(st.floats(-2.0, 2.0), max_size=50), st.floats(0.0, 1.0))
def test_the_clutch_stays_between_what_is_allowed_and_the_floor(reserves: list[float], lowest: float) -> None:
    """Once it is as far down as `lowest` asks, it does not come up further."""
    pedals = Pedals()
    pedals.clutch = 1.0
    for reserve in reserves:
        pedals.let_in(0.1, reserve, lowest)
        assert lowest <= pedals.clutch <= 1.0
