"""The life cycle of a trouble code, by driving cycles."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.bench.diagnostics.dtc.codes import TroubleCode
from hilbridge.bench.diagnostics.dtc.trouble import FreezeFrame, Trouble


def trouble(trips: int = 2, *, emission: bool = True, group: str = "components") -> Trouble:
    return Trouble(TroubleCode("P0171", "lean", trips=trips, emission=emission, group=group))


def cycle(one: Trouble, *, failed: bool | None, general: bool = False) -> None:
    """A driving cycle in which the test fails, passes, or (None) does not run."""
    if failed is not None:
        one.fail() if failed else one.succeed()
    one.end_cycle(driven=True, general=general)


def states(one: Trouble) -> tuple[bool, bool, bool, bool]:
    return one.pending, one.confirmed, one.indicator, one.permanent


def test_two_driving_cycles_confirm_a_two_trip_code() -> None:
    one = trouble()
    cycle(one, failed=True)
    assert states(one) == (True, False, False, False)
    cycle(one, failed=True)
    assert states(one) == (True, True, True, True)


def test_one_is_enough_for_a_one_trip_code_at_once() -> None:
    one = trouble(trips=1)
    one.fail()
    assert states(one) == (True, True, True, True)


def test_a_cycle_that_does_not_test_changes_nothing() -> None:
    """Failures with untested cycles between them are consecutive; one with a pass between them are not."""
    one, other = trouble(), trouble()
    for failed in (True, None, None, True):
        cycle(one, failed=failed)
    for passing in (True, False, True):
        cycle(other, failed=passing)
    assert one.confirmed
    assert not other.confirmed


def test_within_one_cycle_many_failures_are_one() -> None:
    one = trouble()
    for _ in range(10):
        one.fail()
        one.succeed()
    assert not one.confirmed
    assert one.occurrences == 10


def test_three_good_cycles_put_the_indicator_out_and_40_warm_ups_erase_the_code() -> None:
    one = trouble()
    one.frame = FreezeFrame({}, 1)
    for failed in (True, True, False, False):
        cycle(one, failed=failed)
    assert states(one) == (False, True, True, True)
    cycle(one, failed=False)
    assert states(one) == (False, True, False, False)
    for _ in range(39):
        one.warm_up()
    assert one.confirmed
    assert one.frame is not None
    one.warm_up()
    assert not one.confirmed
    assert one.frame is None


def test_a_failure_between_begins_healing_and_aging_anew() -> None:
    one = trouble()
    for failed in (True, True, False, False, True, False, False):
        cycle(one, failed=failed)
    assert one.indicator
    cycle(one, failed=False)
    assert not one.indicator
    for _ in range(39):
        one.warm_up()
    one.fail()
    one.end_cycle(driven=True)
    one.warm_up()
    assert one.confirmed


def test_warm_ups_do_not_count_while_the_indicator_is_on() -> None:
    one = trouble(trips=1)
    one.fail()
    for _ in range(100):
        one.warm_up()
    assert one.confirmed


def test_a_cleared_code_stays_permanent_until_a_good_cycle() -> None:
    one = trouble(trips=1, group="catalyst")
    one.fail()
    one.clear()
    assert states(one) == (False, False, False, True)
    cycle(one, failed=None, general=True)
    assert one.permanent
    cycle(one, failed=False)
    assert not one.permanent


@pytest.mark.parametrize("group", ["misfire", "fuel-system", "components"])
def test_a_continuous_monitor_needs_a_general_cycle(group: str) -> None:
    """As makers' manuals tell it: 10 min, 5 of them above 40 km/h, 30 s idle, and the test passes all the time."""
    one = trouble(trips=1, group=group)
    one.fail()
    one.clear()
    cycle(one, failed=False)
    one.fail()
    cycle(one, failed=False, general=True)  # passed at the end, but has failed
    one.clear()
    cycle(one, failed=None, general=True)
    assert one.permanent
    cycle(one, failed=False, general=True)
    assert not one.permanent


def test_a_code_that_heals_by_itself_needs_no_general_cycle() -> None:
    one = trouble(trips=1)
    one.fail()
    one.end_cycle(driven=True)
    for _ in range(2):
        cycle(one, failed=False)
    assert one.permanent
    cycle(one, failed=False)
    assert states(one) == (False, True, False, False)


def test_a_key_on_without_the_engine_is_no_driving_cycle() -> None:
    one = trouble()
    cycle(one, failed=True)
    one.succeed()
    one.end_cycle(driven=False)
    assert one.pending


def test_codes_that_are_not_emission_related_have_no_indicator() -> None:
    one = trouble(trips=1, emission=False)
    one.fail()
    assert states(one) == (True, True, False, False)


@pytest.mark.parametrize(
    ("steps", "status"),
    [
        ([], 0x50),  # nothing tested, since clear nor in this cycle
        ([Trouble.succeed], 0x00),
        ([Trouble.fail], 0x27),  # failed, in this cycle, pending, since clear
        ([Trouble.fail, Trouble.succeed], 0x26),
        ([Trouble.fail, lambda one: one.end_cycle(driven=True)], 0x65),
        ([Trouble.fail, lambda one: one.end_cycle(driven=True), Trouble.fail], 0xAF),
        ([Trouble.fail, Trouble.clear], 0x50),
    ],
)
def test_the_status_byte_of_iso_14229(steps: list[Callable[[Trouble], object]], status: int) -> None:
    """By hand from annex D.2."""
    one = trouble()
    for step in steps:
        step(one)
    assert f"{one.status:02X}" == f"{status:02X}"


@given(st.lists(st.sampled_from([True, False, None]), max_size=60), st.integers(1, 2))
def test_whatever_happens_the_states_belong_together(history: list[bool | None], trips: int) -> None:
    """An indicator has a confirmed code and is permanent; what fails is pending."""
    one = trouble(trips)
    for failed in history:
        cycle(one, failed=failed)
        one.warm_up()
        assert not one.indicator or (one.confirmed and one.permanent)
        assert not one.failing or one.pending or failed is None
