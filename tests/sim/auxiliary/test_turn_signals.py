"""Which side indicates, and when its lamps are lit: 1.5 flashes a second, the first at once."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vehiclesim.auxiliary.turn_signals import TurnSignals

HALF_FLASH = Fraction(1, 3)
"""[s]"""


def indicating(lever: int = 0, *, hazard: bool = False, ignition: bool = True) -> TurnSignals:
    signals = TurnSignals()
    signals.lever, signals.hazard, signals.ignition = lever, hazard, ignition
    signals.step(0.001)
    return signals


def sides(signals: TurnSignals) -> str:
    return "L" * signals.sensor_left + "R" * signals.sensor_right


@pytest.mark.parametrize(
    ("lever", "hazard", "ignition", "expected"),
    [
        (0, False, True, ""),
        (1, False, True, "L"),
        (2, False, True, "R"),
        (1, False, False, ""),
        (0, True, False, "LR"),
        (2, True, True, "LR"),
        (-1, False, True, ""),
        (3, False, True, ""),
    ],
)
def test_the_lever_needs_the_ignition_and_the_hazard_lights_win(
    lever: int, hazard: bool, ignition: bool, expected: str
) -> None:
    signals = indicating(lever, hazard=hazard, ignition=ignition)
    assert (sides(signals), signals.sensor_lit) == (expected, expected != "")


@pytest.mark.parametrize("milliseconds", [1, 2, 5, 10, 20])
def test_lamps_are_lit_in_every_other_third_of_a_second(milliseconds: int) -> None:
    """Lit at t iff floor(3·t) is even: for an hour, without a tick of drift."""
    signals = indicating(1)
    for number in range(1, 3_600_000 // 20):
        signals.step(milliseconds / 1000)
        elapsed = Fraction(number * milliseconds, 1000)
        assert signals.sensor_lit == (elapsed // HALF_FLASH % 2 == 0)


@given(steps=st.lists(st.integers(1, 100), min_size=1, max_size=50))
def test_the_phase_does_not_depend_on_the_length_of_steps(steps: list[int]) -> None:
    signals = indicating(2)
    for step in steps:
        signals.step(step / 1000)
    assert signals.sensor_lit == (Fraction(sum(steps), 1000) // HALF_FLASH % 2 == 0)


@pytest.mark.parametrize("other", [{"lever": 2}, {"hazard": True}])
def test_other_sides_begin_with_a_whole_flash(other: dict[str, int]) -> None:
    signals = indicating(1)
    signals.step(0.4)
    assert not signals.sensor_lit
    for name, value in other.items():
        setattr(signals, name, value)
    signals.step(0.001)
    assert signals.sensor_lit
    signals.step(0.333)
    assert signals.sensor_lit
    signals.step(0.001)
    assert not signals.sensor_lit


def test_a_lever_moved_under_the_hazard_lights_does_not_disturb_them() -> None:
    signals = indicating(hazard=True)
    signals.step(0.4)
    signals.lever = 1
    signals.step(0.001)
    assert (sides(signals), signals.sensor_lit) == ("LR", False)


def test_a_restored_state_goes_on_in_the_same_phase() -> None:
    signals, other = indicating(1), TurnSignals()
    signals.step(0.3)
    other.set_state_vars(signals.get_state_vars())
    other.lever, other.ignition = signals.lever, signals.ignition
    for _ in range(1000):
        signals.step(0.001)
        other.step(0.001)
        assert (sides(other), other.sensor_lit) == (sides(signals), signals.sensor_lit)
