"""A first-order low-pass against its solution."""

import math

from hypothesis import given
from hypothesis import strategies as st

from hilbridge.inputs.smoothing import LowPass

MILLISECOND = 1_000_000


@given(st.integers(1, 5000), st.lists(st.integers(1, 500), max_size=30), st.floats(-1e3, 1e3), st.floats(-1e3, 1e3))
def test_a_step_is_answered_by_the_exponential_whenever_readings_come(
    time_constant: int, gaps: list[int], before: float, after: float
) -> None:
    """y(t) = after + (before - after)·e^(-t/τ), at every reading, however they are spread."""
    low_pass = LowPass(time_constant * MILLISECOND)
    assert low_pass.filter(before, 0) == before
    t = 0
    for gap in gaps:
        t += gap
        expected = after + (before - after) * math.exp(-t / time_constant)
        assert math.isclose(low_pass.filter(after, t * MILLISECOND), expected, rel_tol=1e-9, abs_tol=1e-9)


def test_of_several_readings_in_a_tick_the_last_one_counts() -> None:
    one, several = LowPass(10), LowPass(10)
    one.filter(5.0, 0)
    several.filter(9.0, 0)
    assert several.filter(5.0, 0) == 5.0
    several.filter(-70.0, 4)
    assert several.filter(7.0, 4) == one.filter(7.0, 4)
    assert several.filter(7.0, 9) == one.filter(7.0, 9)


def test_after_a_reset_the_next_reading_passes() -> None:
    low_pass = LowPass(1000)
    low_pass.filter(0.0, 0)
    low_pass.filter(1.0, 1)
    low_pass.reset()
    assert low_pass.filter(1.0, 2) == 1.0
