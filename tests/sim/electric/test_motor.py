"""The electric motor: torque limits, efficiency, and the torque that it adds to a shaft."""

from math import pi

import pytest

from vehiclesim import Solver
from vehiclesim.block import Block
from vehiclesim.electric.motor import Motor, MotorShaft
from vehiclesim.parameters import MotorSettings

from ..blocks import Flywheel
from ..blocks import Motor as Drive

RAD = pi / 30.0
SETTINGS = MotorSettings(
    max_torque=200.0,
    max_power=60.0,
    max_rpm=10_000.0,
    drag_torque=0.4,
    map_rpm=(1000.0, 5000.0),
    map_torque=(50.0, 200.0),
    map_efficiency=(0.8, 0.7, 0.9, 0.95),
)


@pytest.mark.parametrize(
    ("rpm", "torque"),
    [(0.0, 200.0), (2000.0, 200.0), (-2000.0, 200.0), (6000.0, 60e3 / (6000.0 * RAD)), (10_200.0, 0.0)],
)
def test_torque_is_limited_by_torque_power_and_speed(rpm: float, torque: float) -> None:
    """In both directions of rotation."""
    assert Motor(SETTINGS).most_torque(rpm * RAD) == pytest.approx(torque, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(("rpm", "torque", "efficiency"), [(1000.0, 50.0, 0.8), (5000.0, 200.0, 0.95)])
def test_the_loss_at_a_point_of_the_map_is_that_of_its_efficiency(rpm: float, torque: float, efficiency: float) -> None:
    """Shaft power over battery power is the efficiency of the map."""
    w = rpm * RAD
    loss = Motor(SETTINGS).loss(w, torque)
    assert torque * w / (torque * w + loss) == pytest.approx(efficiency, rel=1e-12)
    assert Motor(SETTINGS).loss(-w, torque) == Motor(SETTINGS).loss(w, -torque) == loss


def test_an_idle_rotor_loses_its_drag() -> None:
    assert Motor(SETTINGS).loss(5000.0 * RAD, 0.0) == pytest.approx(0.4 * 5000.0 * RAD)


def test_a_map_needs_a_value_for_every_point() -> None:
    with pytest.raises(ValueError, match="map_efficiency: 3 values for 2 speeds and 2 torques"):
        MotorSettings(map_rpm=(1000.0, 5000.0), map_torque=(50.0, 200.0), map_efficiency=(0.8, 0.7, 0.9))


def test_the_torque_adds_to_that_of_the_shaft() -> None:
    """Ten newton metres of an engine and 3·2 of a motor with ratio 2 turn 4 kg m² up by 4 rad/s in a second."""
    motor, drive, wheel = Motor(MotorSettings(ratio=2.0)), Drive(10.0), Flywheel(4.0)
    shaft = MotorShaft(motor)
    Block.connect(shaft, drive)
    Block.connect(wheel, shaft)
    solver = Solver([drive, shaft, wheel])
    motor.torque = 3.0
    for _ in range(1000):
        solver.step(0.001)
        motor.end_step(shaft.rotor_w())
    assert wheel.speed == pytest.approx(4.0, rel=1e-9)
    assert motor.w == pytest.approx(8.0, rel=1e-9)
    assert motor.sensor_power == pytest.approx(3.0 * (8.0 - 0.5 * 0.008), rel=1e-6)
