"""Cruise control: states as owners' manuals give them, and a speed that is held."""

from dataclasses import replace

import pytest

from vehiclesim import CHASSIS, ROAD, ChassisData, InputData, RoadData, VehicleData, VehicleSettings
from vehiclesim.channels import BodyData, FaultData
from vehiclesim.equipment.cruise import (
    ACTIVE,
    CANCEL,
    FASTER,
    FAULT,
    MAIN,
    OFF,
    OVERRIDE,
    RESUME,
    SET,
    SLOWER,
    STANDBY,
)
from vehiclesim.parameters import CruiseSettings

from ..automatic_cars import car, ready

KMH = 1 / 3.6


class Car:
    """An automatic car that rolls at 80 km/h, and its buttons."""

    def __init__(self, settings: VehicleSettings | None = None) -> None:
        self.vehicle = ready(replace(settings or car(), cruise=CruiseSettings(enabled=True)))
        data = self.vehicle.data
        self.input, self.body, self.fault = data.input, data.body, data.fault
        self.input[InputData.BRAKE] = 0
        self.input[InputData.THROTTLE] = 6000
        while self.speed < 80:
            self.run(0.1)
        self.input[InputData.THROTTLE] = 0

    @property
    def speed(self) -> float:
        """In km/h."""
        return self.vehicle.data.vehicle[VehicleData.SPEED] * 0.0036

    @property
    def state(self) -> int:
        return self.body[BodyData.CRUISE_STATE]

    @property
    def target(self) -> float:
        """In km/h."""
        return self.body[BodyData.CRUISE_SPEED] * 0.0036

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.001)):
            self.vehicle.step(0.001)

    def press(self, button: int) -> None:
        for value in (button, 0):
            self.body[BodyData.CRUISE_BUTTON] = value
            self.run(0.05)

    def engaged(self) -> "Car":
        self.press(MAIN)
        self.press(SET)
        assert self.state == ACTIVE
        return self


@pytest.mark.parametrize("slope", [0.0, 0.04, -0.01])
def test_the_set_speed_is_held(slope: float) -> None:
    """On the level, up and down; within 1 km/h after half a minute, and the cluster is told the speed that was set."""
    auto = Car().engaged()
    target = auto.target
    assert target == pytest.approx(80, abs=2)
    auto.vehicle.data.write(ROAD, RoadData.SLOPE, slope)
    auto.run(30)
    for _ in range(10):
        auto.run(1)
        assert auto.speed == pytest.approx(target, abs=1.0)
    assert (auto.state, auto.target) == (ACTIVE, target)


def test_it_takes_over_without_a_jerk_and_gives_back_at_once() -> None:
    auto = Car().engaged()
    auto.run(10)
    acceleration = [auto.vehicle.data.read(CHASSIS, ChassisData.ACCELERATION)]
    for _ in range(100):
        auto.run(0.1)
        acceleration.append(auto.vehicle.data.read(CHASSIS, ChassisData.ACCELERATION))
    assert max(map(abs, acceleration)) < 0.5
    auto.press(CANCEL)
    auto.run(0.2)
    assert auto.vehicle.data.vehicle[VehicleData.THROTTLE_SIGNAL] == 0


def test_the_driver_overrides_and_it_comes_back_to_the_set_speed() -> None:
    auto = Car().engaged()
    auto.run(5)
    target = auto.target
    auto.input[InputData.THROTTLE] = 9000
    auto.run(4)
    assert auto.state == OVERRIDE
    assert auto.speed > target + 5
    auto.input[InputData.THROTTLE] = 0
    auto.run(60)
    assert (auto.state, auto.target) == (ACTIVE, target)
    assert auto.speed == pytest.approx(target, abs=1.0)


def test_the_brake_ends_it_and_resume_brings_the_speed_back() -> None:
    auto = Car().engaged()
    target = auto.target
    auto.input[InputData.BRAKE] = 3000
    auto.run(1)
    assert (auto.state, auto.target) == (STANDBY, target)
    auto.input[InputData.BRAKE] = 0
    auto.press(RESUME)
    assert auto.state == ACTIVE
    auto.run(40)
    assert auto.speed == pytest.approx(target, abs=1.0)


def test_each_press_is_a_kilometre_an_hour() -> None:
    auto = Car().engaged()
    target = auto.target
    for _ in range(5):
        auto.press(FASTER)
    assert auto.target == pytest.approx(target + 5, abs=0.02)
    for _ in range(9):
        auto.press(SLOWER)
    assert auto.target == pytest.approx(target - 4, abs=0.02)
    auto.run(40)
    assert auto.speed == pytest.approx(target - 4, abs=1.0)


def test_neutral_and_ignition_off_end_it() -> None:
    auto = Car().engaged()
    auto.input[InputData.AUTOMATIC_GEAR] = 3
    auto.run(0.5)
    assert auto.state == STANDBY
    auto.input[InputData.KEY] = -1
    auto.run(0.5)
    assert (auto.state, auto.target) == (OFF, 0.0)


def test_a_stuck_throttle_is_a_fault_until_the_ignition_is_off() -> None:
    auto = Car().engaged()
    auto.fault[FaultData.STUCK_THROTTLE] = 3000
    auto.run(0.1)
    assert auto.state == FAULT
    for button in (SET, RESUME, MAIN):
        auto.press(button)
    assert auto.state == FAULT
    auto.input[InputData.KEY] = -1
    auto.run(0.5)
    assert auto.state == OFF


def test_below_the_lowest_speed_nothing_is_set() -> None:
    auto = Car()
    auto.press(MAIN)
    auto.input[InputData.BRAKE] = 4000
    while auto.speed > 20:
        auto.run(0.1)
    auto.input[InputData.BRAKE] = 0
    auto.press(SET)
    assert (auto.state, auto.target) == (STANDBY, 0.0)
    auto.press(RESUME)
    assert auto.state == STANDBY


def test_until_main_is_pressed_commands_say_what_the_cluster_is_told() -> None:
    auto = Car()
    auto.body[BodyData.CRUISE_STATE], auto.body[BodyData.CRUISE_SPEED] = ACTIVE, 25000
    auto.run(1)
    assert (auto.state, auto.body[BodyData.CRUISE_SPEED]) == (ACTIVE, 25000)
    assert auto.vehicle.data.vehicle[VehicleData.THROTTLE_SIGNAL] == 0


def test_a_restored_state_goes_on_with_the_same_bits() -> None:
    auto, other = Car().engaged(), Car()
    auto.run(3.21)
    for channel, values in zip(other.vehicle.data.channels, auto.vehicle.data.channels, strict=True):
        channel[:] = values
    other.vehicle.set_state_vars(auto.vehicle.get_state_vars())
    auto.run(5)
    other.run(5)
    assert other.vehicle.data.channels == auto.vehicle.data.channels
