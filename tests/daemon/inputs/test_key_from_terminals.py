"""The key from the states of terminals."""

import pytest

from hilbridge.inputs.key_from_terminals import KeyFromTerminals
from hilbridge.inputs.signal_conditioner import GARBAGE, OUT_OF_RANGE


@pytest.mark.parametrize(
    ("inserted", "ignition", "starter", "key"),
    [(0, 0, 0, -1), (1, 0, 0, -1), (1, 1, 0, 0), (1, 1, 1, 1), (0, 1, 1, 1), (1, 0, 1, -1), (0, 0, 1, -1)],
)
def test_the_starter_needs_the_ignition(inserted: float, ignition: float, starter: float, key: int) -> None:
    assert KeyFromTerminals(["S", "15", "50"]).to_bus((inserted, ignition, starter), 0) == key


def test_without_terminal_50_nothing_cranks() -> None:
    assert KeyFromTerminals(["15"]).to_bus((1.0,), 0) == 0


def test_a_sample_that_lacks_a_terminal_says_nothing_about_the_key() -> None:
    assert KeyFromTerminals(["15", "50"]).to_bus((1.0, None), 0) is None


def test_words_and_infinities_spoil_the_sample() -> None:
    terminals = KeyFromTerminals(["50", "15"])
    assert terminals.refuses((1.0, "on")) == GARBAGE
    assert terminals.refuses((float("inf"), 1.0)) == OUT_OF_RANGE
    assert terminals.refuses((None, 1.0)) is None
