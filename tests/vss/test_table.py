"""The table of VSS, judged by vss-tools with the facts of the published tree.

For an environment of its own, with vss-tools in it: `make test-vss`.
"""

from random import Random
from typing import Any

import pytest
from pydantic import ValidationError

from hilbridge.faces.vss.signals import Signal, Withheld, signals_of
from hilbridge.files.configuration.vss import load_vss
from vehiclesim.databus import DataBus

from .facts import loaded


@pytest.fixture(scope="module", name="tree")
def _tree(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], dict[str, Any]]:
    return loaded(tmp_path_factory.mktemp("tree"))


SIGNALS = signals_of(load_vss())


def test_the_table_is_of_the_release_that_the_facts_are_of(tree: Any) -> None:
    facts, leaves = tree
    settings = load_vss().settings
    assert (settings.release, settings.leaves) == (facts["release"], facts["leaves"])
    assert [one.path for one in SIGNALS] == [*facts["signals"]]
    assert {*settings.signals} == {*leaves}


@pytest.mark.parametrize("signal", SIGNALS, ids=lambda one: one.path)
def test_datatype_unit_and_bounds_are_those_of_the_tree(tree: Any, signal: Signal) -> None:
    one, settings = tree[1][signal.path], signal.settings
    assert (settings.type, settings.unit or None) == (one.datatype, one.unit)
    assert (settings.min, settings.max) == (one.min, one.max)


@pytest.mark.parametrize("signal", SIGNALS, ids=lambda one: one.path)
def test_every_text_is_allowed_and_the_judge_refuses_what_is_not(tree: Any, signal: Signal) -> None:
    """vss-tools checks a default as it checks no other value: its datatype, its bounds, its enumeration."""
    one = tree[1][signal.path]
    for text in signal.settings.states.values():
        judged(one, text)
    if one.allowed:
        with pytest.raises(ValidationError, match="not in 'allowed'"):
            judged(one, "no such text")
    if one.max is not None:
        with pytest.raises(ValidationError, match="greater than 'max'"):
            judged(one, one.max + 1)


@pytest.mark.parametrize("seed", range(20))
def test_what_is_read_from_any_data_bus_is_a_value_of_its_signal(tree: Any, seed: int) -> None:
    """Integers of all sizes, also such as no vehicle has: what does not fit is withheld, and nothing else is said."""
    random, data = Random(seed), DataBus()
    for channel in data.channels:
        channel[:] = [random.randint(-1, 1) * random.getrandbits(random.randint(1, 40)) for _ in channel]
    said = {signal.path: signal.read(data) for signal in SIGNALS}
    for path, value in said.items():
        if not isinstance(value, Withheld):
            judged(tree[1][path], value)
    assert any(isinstance(value, Withheld) for value in said.values())


def judged(one: Any, value: Any) -> None:
    """Raises where a value is none of a signal."""
    type(one)(**{**one.model_dump(), "default": value})
