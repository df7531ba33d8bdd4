"""The brakes: who gets how much."""

import pytest

from vehiclesim import AxleEnd, Brakes, BrakeSettings


def torques(brakes: Brakes) -> list[float]:
    """Of front left, front right, rear left and rear right wheel [N m]."""
    return brakes.torques().copy()


def test_the_pedal_is_split_between_the_axles() -> None:
    """2000 Nm and a bias of 0.7 give 1400 Nm to a front wheel and 600 Nm to a rear wheel; half a pedal gives half."""
    brakes = Brakes()
    assert torques(brakes) == [0.0] * 4
    brakes.brake_input = 1.0
    assert torques(brakes) == pytest.approx([1400.0, 1400.0, 600.0, 600.0], rel=1e-12)
    brakes.brake_input = 0.5
    assert torques(brakes) == pytest.approx([700.0, 700.0, 300.0, 300.0], rel=1e-12)


@pytest.mark.parametrize(
    ("axle", "held"),
    [(AxleEnd.REAR, [0.0, 0.0, 1500.0, 1500.0]), (AxleEnd.FRONT, [1500.0, 1500.0, 0.0, 0.0])],
)
def test_the_handbrake_holds_one_axle(axle: AxleEnd, held: list[float]) -> None:
    """With 1500 Nm at each of its wheels."""
    brakes = Brakes(BrakeSettings(handbrake_axle=axle))
    brakes.handbrake_input = 1.0
    assert torques(brakes) == held


def test_pedal_and_handbrake_add_up_and_end_at_their_travel() -> None:
    """More than all, or less than nothing, does not exist."""
    brakes = Brakes()
    brakes.brake_input, brakes.handbrake_input = 7.0, 7.0
    assert torques(brakes) == pytest.approx([1400.0, 1400.0, 2100.0, 2100.0], rel=1e-12)
    brakes.brake_input, brakes.handbrake_input = -7.0, -7.0
    assert torques(brakes) == [0.0] * 4


def test_an_aid_may_brake_a_single_wheel() -> None:
    """`added` brakes without a pedal, and never drives."""
    brakes = Brakes()
    brakes.brake_input = 0.5
    brakes.added = [0.0, 100.0, 50.0, -900.0]
    assert torques(brakes) == pytest.approx([700.0, 800.0, 350.0, 300.0], rel=1e-12)


def test_valves_hold_what_they_hold_while_they_act() -> None:
    """Then neither pedal nor aid counts, but the handbrake does: it has no valves."""
    brakes = Brakes()
    brakes.brake_input = brakes.handbrake_input = 1.0
    brakes.held = [350.0, 0.0, 1.0, 600.0]
    assert torques(brakes) == pytest.approx([1400.0, 1400.0, 2100.0, 2100.0], rel=1e-12)
    brakes.valves.act = True
    assert torques(brakes) == pytest.approx([350.0, 0.0, 1501.0, 2100.0], rel=1e-12)
