"""Entries of the Request channel that commands of J1939 set."""

from hilbridge.bench.inputs.internal import RequestSource
from vehiclesim.channels import RequestData

LIMIT, RPM = RequestData.ENGINE_TORQUE_LIMIT, RequestData.ENGINE_RPM


def test_values_come_in_the_entrys_unit_and_are_held_inside_its_range() -> None:
    """Each entry has its place by its id."""
    source = RequestSource()
    source.set(LIMIT, 123.4564, 5)
    source.set(RPM, 1e12, 6)
    assert [binding.control.index for binding in source.bindings] == list(range(len(source.bindings)))
    assert (source.values[LIMIT], source.fresh[LIMIT], source.heard) == (123456, True, 6)
    assert source.values[RPM] == source.bindings[RPM].control.to_bus(source.bindings[RPM].control.highest)
    assert source.fresh.count(True) == 2


def test_a_release_is_at_once_and_the_next_value_counts_at_once() -> None:
    """The end of a request by its sender is no loss; NaN says the same."""
    source = RequestSource()
    source.set(LIMIT, 100.0, 0)
    source.release(LIMIT)
    assert (source.fresh[LIMIT], source.news, source.is_silent(LIMIT, 1)) == (False, True, False)
    source.set(LIMIT, 90.0, 1)
    assert source.fresh[LIMIT]
    source.set(LIMIT, float("nan"), 2)
    assert not source.fresh[LIMIT]


def test_what_is_set_stays_set() -> None:
    """Commands end by their own time-outs."""
    source = RequestSource()
    source.set(LIMIT, 100.0, 0)
    source.expire(10**18)
    assert source.fresh[LIMIT]
