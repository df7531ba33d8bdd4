"""Integrals that lose nothing."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from vehiclesim.auxiliary.integral import Integral

AMOUNTS = st.floats(0.0, 1e5, allow_nan=False)


@given(st.lists(AMOUNTS, max_size=200))
def test_the_count_is_the_sum_rounded_down(amounts: list[float]) -> None:
    """Compared with exact fractions: off by no more than the rounding of each single addition."""
    integral = Integral()
    grown = sum(integral.add(amount) for amount in amounts)
    exact = sum(map(Fraction, amounts), Fraction(0))
    assert grown == integral.count
    assert 0.0 <= integral.fraction < 1.0
    assert abs(integral.count + Fraction(integral.fraction) - exact) <= Fraction(2) ** -36 * len(amounts)


def test_millions_of_small_amounts_add_up() -> None:
    """A million times a tenth is a hundred thousand; a float that sums them up is 1e-6 off."""
    integral = Integral()
    for _ in range(1_000_000):
        integral.add(0.1)
    assert abs(integral.count + integral.fraction - 100_000.0) < 1e-9


@given(st.sampled_from([0.0, -0.0, -1.0, -1e300, float("nan"), float("inf"), float("-inf"), 1e300]))
def test_what_is_no_amount_adds_nothing(amount: float) -> None:
    integral = Integral(7)
    assert integral.add(amount) == 0
    assert (integral.count, integral.fraction) == (7, 0.0)


def test_a_count_has_no_upper_bound() -> None:
    """A truck's odometer in millimetres passes 32 bits after 2,147 km."""
    integral = Integral(2**62)
    integral.add(1.5)
    assert (integral.count, integral.fraction) == (2**62 + 1, 0.5)


def test_a_restored_integral_goes_on_with_its_fraction() -> None:
    one, two = Integral(), Integral()
    one.add(0.75)
    two.set_state_vars(one.get_state_vars())
    assert two.add(0.25) == 1
