"""Terminals by key and engine, as DIN 72552 numbers them."""

import pytest

from hilbridge.frames.plan.terminals import BITS, Terminals, terminal_bits
from vehiclesim.channels import NAN, InputData, VehicleData
from vehiclesim.databus import DataBus


@pytest.mark.parametrize(
    ("key", "working", "on"),
    [
        (-1, 0, {30}),
        (0, 0, {30, "R", 15}),
        (1, 0, {30, "R", 15, 50}),
        (0, 1, {30, "R", 15, "run"}),
        (1, 1, {30, "R", 15, 50, "run"}),
        (-1, 1, {30}),
        (NAN, 1, {30}),
        (0, NAN, {30, "R", 15}),
    ],
)
def test_the_key_and_the_engine_decide(key: int, working: int, on: set[int | str]) -> None:
    """Off, ignition, starter; an engine that still turns with the key off does not count as running."""
    data = DataBus()
    data.input[InputData.KEY] = key
    data.vehicle[VehicleData.ENGINE_WORKING] = working
    terminals = Terminals(data)
    assert terminals.on == 0
    assert terminals.changed()
    assert terminals.on == terminal_bits(terminal for terminal in BITS if terminal in on)


def test_a_change_is_told_once() -> None:
    """Of the terminals, not of the values behind them."""
    data = DataBus()
    data.input[InputData.KEY] = -1
    terminals = Terminals(data)
    assert [terminals.changed(), terminals.changed()] == [True, False]
    data.vehicle[VehicleData.ENGINE_WORKING] = 1
    assert not terminals.changed()
    data.input[InputData.KEY] = 0
    assert [terminals.changed(), terminals.changed()] == [True, False]


def test_sets_of_terminals_are_told_apart() -> None:
    """Each terminal has a bit of its own."""
    assert terminal_bits([15, "run"]) == BITS[15] | BITS["run"]
    assert len({*BITS.values()}) == len(BITS) == 5
