"""Controls that code inside the daemon sets."""

from hilbridge.inputs.controls import Control, find_control
from hilbridge.inputs.internal import InternalSource

MILLISECOND = 1_000_000


def control(name: str) -> Control:
    found = find_control(name)
    assert found is not None
    return found


LIMIT = control("request.EngineTorqueLimit")
THROTTLE = control("Throttle")


def test_values_come_in_the_entrys_unit_and_are_held_inside_its_range() -> None:
    source = InternalSource("TSC1", [LIMIT, THROTTLE], timeout=100.0)
    source.set(LIMIT, 123.4564, 5)
    source.set(THROTTLE, 1.7, 5)
    assert (source.values, source.fresh, source.heard) == ([123456, 10000], [True, True], 5)


def test_what_is_not_kept_up_times_out_and_must_be_back_for_the_recovery_time() -> None:
    source = InternalSource("TSC1", [LIMIT], timeout=100.0, recovery=50.0)
    source.set(LIMIT, 100.0, 0)
    source.expire(101 * MILLISECOND)
    assert source.fresh == [False]
    source.set(LIMIT, 100.0, 200 * MILLISECOND)
    assert source.fresh == [False]
    source.set(LIMIT, 100.0, 250 * MILLISECOND)
    assert source.fresh == [True]


def test_a_release_is_at_once_and_the_next_value_counts_at_once() -> None:
    """The end of a request by its sender is no loss; NaN says the same."""
    source = InternalSource("TSC1", [LIMIT], timeout=100.0, recovery=50.0)
    source.set(LIMIT, 100.0, 0)
    source.release(LIMIT)
    assert (source.fresh, source.news, source.is_silent(0, 1)) == ([False], True, False)
    source.set(LIMIT, 90.0, 1)
    assert source.fresh == [True]
    source.set(LIMIT, float("nan"), 2)
    assert source.fresh == [False]


def test_without_a_time_out_what_is_set_stays_set() -> None:
    source = InternalSource("scenario", [LIMIT], timeout=None)
    source.set(LIMIT, 100.0, 0)
    source.expire(10**18)
    assert source.fresh == [True]
