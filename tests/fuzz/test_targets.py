"""What is fuzzed stands its seeds and some random input; `make fuzz` looks for more, by coverage."""

import importlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .targets import NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_target_stands_its_seeds(name: str) -> None:
    target = importlib.import_module(f".targets.{name}", __package__)
    assert target.SEEDS
    for seed in target.SEEDS:
        target.one_input(seed)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=20, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_target_stands_random_input(name: str, data: st.DataObject) -> None:
    """Bytes of any kind, and seeds with a piece of them replaced."""
    target = importlib.import_module(f".targets.{name}", __package__)
    seed = data.draw(st.sampled_from(target.SEEDS))
    start, piece = data.draw(st.integers(0, len(seed))), data.draw(st.binary(max_size=50))
    target.one_input(piece)
    target.one_input(seed[:start] + piece + seed[start + data.draw(st.integers(0, 20)) :])
