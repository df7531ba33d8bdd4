"""Rules of powers, logarithms and the bias function."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vehiclesim.curves import bias, clamp, cosine, log2, power, relaxation, sine


@given(st.floats(1e-300, 1e300))
def test_log2_agrees_with_the_c_library(x: float) -> None:
    """The error is below 1e-15, relative to the logarithm."""
    assert log2(x) == pytest.approx(math.log2(x), rel=1e-15, abs=1e-300)


@pytest.mark.parametrize("octave", range(-40, 41))
def test_log2_of_a_power_of_two_is_exact(octave: int) -> None:
    """Logarithms of powers of two are whole numbers."""
    assert log2(2.0**octave) == octave


@pytest.mark.parametrize("x", [0.0, -1.0])
def test_log2_needs_a_positive_number(x: float) -> None:
    """Nothing but a positive number has a logarithm."""
    with pytest.raises(ValueError, match="logarithm"):
        log2(x)


@given(st.floats(1e-9, 1e9), st.floats(0.0, 20.0))
def test_power_agrees_with_the_c_library(base: float, exponent: float) -> None:
    """The relative error is below 1e-14, for tiny and huge results too."""
    assert power(base, exponent) == pytest.approx(math.pow(base, exponent), rel=1e-14)


@pytest.mark.parametrize("base", [0.25, 1.0, 3.0, 1e-5])
@pytest.mark.parametrize("exponent", [0, 1, 2, 3, 7])
def test_power_with_a_whole_exponent(base: float, exponent: int) -> None:
    """A whole exponent is a repeated multiplication."""
    product = 1.0
    for _ in range(exponent):
        product *= base
    assert power(base, exponent) == pytest.approx(product, rel=1e-14)


def test_power_of_zero() -> None:
    """0^x is 0 for x > 0, and 0^0 is 1."""
    assert power(0.0, 1.7) == 0.0
    assert power(0.0, 0.0) == 1.0


@given(st.floats(0.001, 0.999))
def test_bias_passes_through_its_three_points(b: float) -> None:
    """bias(0) = 0, bias(½) = b, bias(1) = 1."""
    assert bias(0.0, b) == 0.0
    assert bias(0.5, b) == pytest.approx(b, rel=1e-14)
    assert bias(1.0, b) == 1.0


def test_bias_of_a_torque_converter() -> None:
    """The published lock of a converter at 800 of 2000 rpm with bias 0.1 is 4.765 %."""
    assert bias(800 / 2000, 0.1) == pytest.approx(0.04765, abs=5e-6)


@given(st.floats(0.01, 0.99), st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_bias_never_falls(b: float, one: float, two: float) -> None:
    """More in gives no less out."""
    low, high = sorted((one, two))
    assert bias(low, b) <= bias(high, b) * (1 + 1e-14)


@pytest.mark.parametrize(("x", "expected"), [(-3.0, 0.0), (7.0, 1.0)])
def test_bias_holds_its_argument_in_bounds(x: float, expected: float) -> None:
    """Arguments outside 0..1 count as the nearer end."""
    assert bias(x, 0.3) == expected


@given(st.floats(), st.floats(-1e6, 0.0), st.floats(0.0, 1e6))
def test_clamp_gives_a_number_in_bounds(value: float, minimum: float, maximum: float) -> None:
    """Whatever comes in, infinity and not-a-number included, the result lies between the bounds."""
    assert minimum <= clamp(value, minimum, maximum) <= maximum


def test_clamp_keeps_what_is_inside() -> None:
    """A value between the bounds stays as it is."""
    assert clamp(0.3, 0.0, 1.0) == 0.3


@given(st.floats(1e-12, 1e4))
def test_relaxation_is_the_mean_of_a_decay(x: float) -> None:
    """(1 - e^-x)/x, near zero too."""
    assert relaxation(x) == pytest.approx(-math.expm1(-x) / x, rel=1e-14)


def test_relaxation_begins_at_one() -> None:
    """What has not begun to decay is still there."""
    assert relaxation(0.0) == 1.0


@given(st.floats(-0.5 * math.pi, 0.5 * math.pi))
def test_sine_and_cosine_agree_with_the_c_library(x: float) -> None:
    """The absolute error is below 3e-16, two units in the last place of 1."""
    assert sine(x) == pytest.approx(math.sin(x), rel=0.0, abs=3e-16)
    assert cosine(x) == pytest.approx(math.cos(x), rel=0.0, abs=3e-16)
