"""What the page knows before the first value."""

from dataclasses import replace

import pytest

from hilbridge.faces.cockpit.page_info import facts_of, most_speed
from hilbridge.files.settings import BenchSettings
from vehiclesim.entries import STANDARD
from vehiclesim.parameters import (
    AxleDifferentialSettings,
    DrivelineSettings,
    ElectricSettings,
    ElectricTopology,
    EngineSettings,
    GearboxSettings,
    GearboxType,
    MotorSettings,
    VehicleSettings,
    WheelSettings,
)


def test_the_dial_ends_above_the_redline() -> None:
    """A whole thousand more than the limiter allows; without a limiter, than the engine does by itself."""
    engine = EngineSettings(rpm_limiter=True, rpm_limiter_max=6000.0, max_rpm=6500.0)
    bench = BenchSettings(name="test", vehicle="test")
    limited = facts_of(bench, replace(VehicleSettings(), engine=engine), {}, STANDARD)
    free = facts_of(bench, replace(VehicleSettings(), engine=replace(engine, rpm_limiter=False)), {}, STANDARD)
    assert (limited["redline_rpm"], limited["most_rpm"]) == (6000.0, 7000.0)
    assert (free["redline_rpm"], free["most_rpm"]) == (6500.0, 7000.0)


def test_the_speedometer_ends_above_the_speed_in_the_longest_gear() -> None:
    """By hand: 6000 rpm = 628.3 rad/s; through 0.84 and the final drive, on a wheel of 0.3 m."""
    vehicle = VehicleSettings()
    vehicle = replace(vehicle, wheels=replace(vehicle.wheels, radius=0.3))
    by_hand = 628.3 / (0.84 * vehicle.driveline.front.ratio) * 0.3 * 3.6
    assert by_hand <= most_speed(vehicle, 6000.0) < by_hand + 20


def test_the_speedometer_of_an_electric_vehicle_ends_above_its_motor_s_highest_speed() -> None:
    """By hand: 10000 rpm = 1047.2 rad/s, through 8.2 on a wheel of 0.3 m, are 138 km/h."""
    vehicle = replace(
        VehicleSettings(),
        wheels=WheelSettings(radius=0.3),
        gearbox=GearboxSettings(ratios=(1.0,), reverse_ratios=(-1.0,)),
        driveline=DrivelineSettings(front=AxleDifferentialSettings(ratio=8.2)),
        electric=ElectricSettings(topology=ElectricTopology.BATTERY_ELECTRIC, motor=MotorSettings(max_rpm=10_000.0)),
    )
    facts = facts_of(BenchSettings(name="test", vehicle="test"), vehicle, {}, STANDARD)
    assert (facts["electric"], facts["most_speed"]) == (True, 140.0)


@pytest.mark.parametrize(
    ("topology", "facts"),
    [
        (ElectricTopology.NONE, (False, False, False)),
        (ElectricTopology.BATTERY_ELECTRIC, (True, False, True)),
        (ElectricTopology.P0_HYBRID, (False, True, False)),
        (ElectricTopology.P2_HYBRID, (False, True, True)),
    ],
)
def test_the_page_knows_what_the_key_does(topology: ElectricTopology, facts: tuple[bool, bool, bool]) -> None:
    """A P0 hybrid starts its engine by the key; the key of a P2 hybrid makes it ready, as that of an electric one."""
    vehicle = replace(
        VehicleSettings(),
        gearbox=GearboxSettings(type=GearboxType.AUTOMATIC),
        electric=ElectricSettings(topology=topology),
    )
    known = facts_of(BenchSettings(name="test", vehicle="test"), vehicle, {}, STANDARD)
    assert (known["electric"], known["hybrid"], known["switches_on"]) == facts


@pytest.mark.parametrize(("rpm", "end"), [(100.0, 120.0), (1e6, 320.0)])
def test_a_speedometer_is_neither_useless_nor_boastful(rpm: float, end: float) -> None:
    assert most_speed(VehicleSettings(), rpm) == end
