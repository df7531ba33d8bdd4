"""A condition over what a bench has answered: the values that it had, to the last digit."""

import math

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.client.condition import Condition
from hilbridge.client.talks import EntryValue

KILOMETRES = {"auxiliary.Odometer": EntryValue(3_000_000.0, "km")}


def test_an_odometer_beyond_what_32_bits_hold_is_compared() -> None:
    assert Condition("auxiliary.Odometer > 2999999", KILOMETRES).check(KILOMETRES)
    assert not Condition("auxiliary.Odometer > 3000001", KILOMETRES).check(KILOMETRES)


@pytest.mark.parametrize("value", [0.29, 0.57, 0.58])
def test_a_value_is_that_which_was_read(value: float) -> None:
    """In binary 0.29 times a resolution lies a little below its integer."""
    answered = {"input.Throttle": EntryValue(value, "1")}
    assert Condition(f"input.Throttle == {value}", answered).check(answered)


def test_it_does_not_hold_while_a_value_is_not_available() -> None:
    for value in (None, math.nan):
        answered = {"vehicle.EngineRpm": EntryValue(value, "1/min")}
        assert not Condition("vehicle.EngineRpm < 1", answered).check(answered)


def test_an_unknown_entry_is_named() -> None:
    with pytest.raises(ConfigurationError, match=r"engine\.Rpm"):
        Condition("engine.Rpm > 1", {})
