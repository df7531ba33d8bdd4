"""The rule for the losses of a machine without a map."""

from dataclasses import replace
from math import pi

import pytest

from vehiclesim.electric.losses import rule_loss
from vehiclesim.electric.motor import Motor
from vehiclesim.parameters import MotorSettings

RAD = pi / 30.0
LEAF = MotorSettings(max_torque=280.0, max_power=80.0, max_rpm=10_400.0)


@pytest.mark.parametrize(
    ("rpm", "torque", "machine", "inverter"),
    [
        (1000.0, 46.3, 196.0, 406.0),
        (3000.0, 19.8, 263.0, 194.0),
        (3000.0, 46.1, 383.0, 406.0),
        (3000.0, 97.0, 800.0, 737.0),
        (5000.0, 46.0, 629.0, 406.0),
        (5000.0, 96.7, 1085.0, 737.0),
        (5000.0, 204.0, 2966.0, 1560.0),
    ],
)
def test_it_is_near_what_was_computed_of_a_leaf(rpm: float, torque: float, machine: float, inverter: float) -> None:
    """Motor-CAD's losses of the machine, and those of the inverter's data sheet at the machine's current."""
    assert rule_loss(LEAF, rpm * RAD, torque) == pytest.approx(machine + inverter, rel=0.15)


def test_twice_the_machine_loses_twice_as_much_at_twice_the_torque() -> None:
    """At the same speed: current density and mass for each newton metre are the same."""
    large = replace(LEAF, max_torque=560.0, max_power=160.0)
    assert rule_loss(large, 300.0, 140.0) == pytest.approx(2.0 * rule_loss(LEAF, 300.0, 70.0))


@pytest.mark.parametrize(("speed", "torque"), [(0.15, 0.05), (0.3, 0.4), (0.55, 0.15), (1.0, 0.05)])
def test_a_motor_without_a_map_has_it(speed: float, torque: float) -> None:
    """At the points of its table, whatever the signs; and `loss_factor` times it."""
    w, newton_metres = speed * 10_400.0 * RAD, torque * 280.0
    loss = rule_loss(LEAF, w, newton_metres)
    assert Motor(LEAF).loss(w, newton_metres) == pytest.approx(loss, rel=1e-12)
    assert Motor(LEAF).loss(-w, -newton_metres) == pytest.approx(loss, rel=1e-12)
    assert Motor(replace(LEAF, loss_factor=1.5)).loss(w, newton_metres) == pytest.approx(1.5 * loss)


def test_between_its_points_the_table_is_near_it() -> None:
    """From a fiftieth of the torque on, to 1 % of the power at the shaft."""
    motor = Motor(LEAF)
    for rpm in range(1000, 8000, 700):
        for torque in (6.0, 20.0, 28.0, 70.0, 90.0):
            w = rpm * RAD
            assert motor.loss(w, torque) == pytest.approx(rule_loss(LEAF, w, torque), abs=0.012 * torque * w + 20.0)


def test_an_idle_rotor_drags_by_its_iron_unless_it_is_told() -> None:
    """The rule's loss without torque; or the torque of bearings alone, of a machine without a field."""
    w = 0.55 * 10_400.0 * RAD
    assert Motor(LEAF).loss(w, 0.0) == pytest.approx(rule_loss(LEAF, w, 0.0))
    assert Motor(replace(LEAF, drag_torque=0.14)).loss(w, 0.0) == pytest.approx(0.14 * w)


def test_half_a_map_is_none() -> None:
    with pytest.raises(ValueError, match="map_efficiency: 0 values for 2 speeds and 0 torques"):
        MotorSettings(map_rpm=(1000.0, 5000.0))
