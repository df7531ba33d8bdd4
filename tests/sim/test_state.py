"""State is declared once, by name, and saved and restored by one pair of methods."""

from typing import Any, ClassVar

import pytest

from vehiclesim import Block, Component, Extensions, Stateful, Vehicle, VehicleSettings

from .states import numbers


class Counter(Stateful):
    state_vars = ("count", "history")

    def __init__(self) -> None:
        self.count = 0
        self.history: list[int] = []
        self.limit = 10  # a setting


class Pair(Block):
    state_vars: ClassVar[tuple[str, ...]] = ("counters", "best", "worst")

    def __init__(self) -> None:
        super().__init__()
        self.counters = [Counter(), Counter()]
        self.best = Counter()
        self.worst: Counter | None = None


class Triple(Pair):
    state_vars: ClassVar[tuple[str, ...]] = (*Pair.state_vars, "third")

    def __init__(self) -> None:
        super().__init__()
        self.third = 3.5


def test_a_state_is_what_the_class_names() -> None:
    """Parts and lists of parts are saved by their own names; what is not named is not saved."""
    pair = Pair()
    pair.counters[1].count = 2**70
    plain: dict[str, Any] = {"count": 0, "history": []}
    expected = {"counters": [plain, plain | {"count": 2**70}], "best": plain, "worst": None}
    assert pair.get_state_vars() == expected
    assert Triple().get_state_vars()["third"] == 3.5


def test_a_restored_list_is_the_same_list() -> None:
    """Others may hold it; and what was saved does not change with it."""
    counter = Counter()
    held = counter.history
    held += [1, 2]
    saved = counter.get_state_vars()
    held += [3]
    assert saved["history"] == [1, 2]
    counter.set_state_vars(saved)
    assert held == [1, 2]
    assert counter.history is held


def test_a_state_of_another_structure_is_refused() -> None:
    """A missing name, and another number of parts."""
    pair = Pair()
    state = pair.get_state_vars()
    with pytest.raises(ValueError, match="zip"):
        pair.set_state_vars(state | {"counters": state["counters"][:1]})
    del state["best"]
    with pytest.raises(KeyError, match="best"):
        pair.set_state_vars(state)


class Metered(Component):
    """State of its own, and what follows from it."""

    state_vars = ("metres",)

    def __init__(self) -> None:
        self.metres = 0.0
        self.kilometres = 0.0

    def set_state_vars(self, state: dict[str, Any]) -> None:
        super().set_state_vars(state)
        self.kilometres = self.metres / 1000.0


def test_a_part_may_derive_more_from_a_restored_state() -> None:
    """A vehicle calls the method of the part's class, whether vehiclesim is compiled or not."""
    meter = Metered()
    car = Vehicle(VehicleSettings(), Extensions(components=[meter]))
    meter.metres = 2500.0
    state = car.get_state_vars()
    meter.metres = 0.0
    car.set_state_vars(state)
    assert meter.kilometres == 2.5


def test_the_state_of_a_vehicle_is_numbers_only() -> None:
    """So it can be stored: whole and decimal numbers, yes and no, and nothing else."""
    found = list(numbers(Vehicle().get_state_vars()))
    assert len(found) > 100
    assert {type(value) for value in found} == {bool, int, float}
