"""The vehicles that are shipped, config/vehicles/*.yaml."""

import re
from pathlib import Path
from typing import Final

import pytest

from hilbridge.files.configuration.vehiclefile import load_vehicle
from vehiclesim import ROAD, Engine, FuelKind, GearboxType, GearMode, InputData, RoadData, Vehicle, VehicleData
from vehiclesim.energy import EnergyLedger
from vehiclesim.solver import MAXIMUM_SUBSTEP

from .road import FULL, read, run

pytestmark = pytest.mark.long

FOLDER: Final = Path(__file__).parents[2] / "config" / "vehicles"
NAMES: Final = ("compact", "mx5-nd", "320d-g20", "awd-estate", "truck", "semitrailer")
SHIPPED: Final = pytest.mark.parametrize("file", [FOLDER / f"{name}.yaml" for name in NAMES], ids=NAMES)
VALUE: Final = re.compile(r"\s+\w+: *[^\s#]")


@pytest.mark.parametrize("name", [*NAMES, "leaf-ze1", "ioniq-hybrid", "prius-zvw50", "swift-sport-hybrid"])
def test_each_value_says_where_it_comes_from(name: str) -> None:
    """A comment behind every value, and the abbreviations in capitals are explained at the top."""
    lines = (FOLDER / f"{name}.yaml").read_text(encoding="utf-8").splitlines()
    head = [line for line in lines if line.startswith("#")]
    for line in filter(VALUE.match, lines):
        source = line.partition("#")[2].strip()
        assert source, line
        if abbreviation := re.match(r"([A-Z]{2,5})\b[:;,]?", source):
            known = re.compile(rf"\b{abbreviation[1]}: ")
            assert abbreviation[1] in {"BMW", "ETRTO", "EN", "UN"} or any(map(known.search, head)), line


@SHIPPED
def test_the_fuel_is_that_of_the_air_path(file: Path) -> None:
    """Petrol is lighter than 0.8 kg/l, diesel heavier; full load needs no more fuel than there is air for.

    The mixture of petrol is about stoichiometric, 1 : 14.7, down to lambda 0.88 at full load; that of diesel is leaner
    by up to two and a half.
    """
    settings = load_vehicle(str(file)).settings
    diesel = settings.auxiliary.air_path.fuel is FuelKind.DIESEL
    assert (settings.engine.fuel_density > 0.8) is diesel
    boost = 1.0 + settings.auxiliary.air_path.max_boost / 101.3
    air = 0.5 * settings.auxiliary.air_path.displacement * 1.2 * boost  # [g] a revolution
    leanest = 0.4 if diesel else 0.9
    fuel = Engine(settings.engine).calculate_fuel_per_rev()
    assert leanest * air / 14.7 < fuel < 1.0 / 0.88 * air / 14.7


class BookedDrive:
    """A vehicle with its energy ledger."""

    def __init__(self, vehicle: Vehicle) -> None:
        self.vehicle = vehicle
        self.books = EnergyLedger(vehicle)

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / MAXIMUM_SUBSTEP)):
            self.vehicle.step(MAXIMUM_SUBSTEP)
            self.books.observe(MAXIMUM_SUBSTEP)

    def pull_away(self) -> None:
        """Half throttle in first gear or D, clutch let in over two seconds."""
        controls = self.vehicle.data.input
        controls[InputData.AUTOMATIC_GEAR] = GearMode.DRIVE
        controls[InputData.MANUAL_GEAR] = 1
        self.run(1.0)
        controls[InputData.BRAKE] = 0
        controls[InputData.THROTTLE] = FULL // 2
        for pedal in range(FULL, -1, -50):
            controls[InputData.CLUTCH] = pedal
            self.run(0.01)


@SHIPPED
def test_it_starts_drives_and_stops(file: Path) -> None:
    """With all that it has: the engine survives, and what was supplied is accounted for to 1e-9."""
    vehicle = Vehicle(load_vehicle(str(file)).settings)
    drive = BookedDrive(vehicle)
    controls = vehicle.data.input
    controls[InputData.BRAKE] = controls[InputData.CLUTCH] = FULL
    controls[InputData.AUTOMATIC_GEAR] = GearMode.PARK
    controls[InputData.KEY] = 1
    drive.run(2.0)
    controls[InputData.KEY] = 0
    drive.pull_away()
    drive.run(4.0)
    assert vehicle.chassis.sensor_speed > 3.0
    controls[InputData.THROTTLE] = 0
    controls[InputData.BRAKE] = controls[InputData.CLUTCH] = FULL
    drive.run(5.0)
    assert vehicle.chassis.sensor_speed == 0.0
    assert read(vehicle, VehicleData.ENGINE_WORKING) == 1
    report = drive.books.report()
    assert abs(report.residual) < 1e-9 * report.throughput
    assert min(report.losses.values()) > -1e-12 * report.throughput, report.losses


@SHIPPED
@pytest.mark.parametrize("temperature", [20.0, -20.0])
def test_it_runs_by_itself_from_the_step_on_in_which_it_says_so(file: Path, temperature: float) -> None:
    """With the key let go in that very step, and no foot on the clutch: three seconds later it idles, as cold as it is.

    At -20 °C too, within five seconds of cranking.
    """
    vehicle = Vehicle(load_vehicle(str(file)).settings)
    vehicle.data.write(ROAD, RoadData.AMBIENT_TEMPERATURE, temperature)
    controls = vehicle.data.input
    controls[InputData.AUTOMATIC_GEAR] = GearMode.PARK
    controls[InputData.KEY] = 1
    for _ in range(5000):
        vehicle.step(0.001)
        if read(vehicle, VehicleData.ENGINE_WORKING):
            break
    controls[InputData.KEY] = 0
    run(vehicle, 3.0)
    idle = vehicle.settings.engine.idle_rpm + vehicle.engine.idle_rise
    assert read(vehicle, VehicleData.ENGINE_WORKING) == 1
    assert read(vehicle, VehicleData.ENGINE_RPM) == pytest.approx(idle, rel=0.01)


@SHIPPED
def test_its_oil_lamp_goes_out_half_a_second_to_two_after_the_key_and_later_in_the_cold(file: Path) -> None:
    """50 kPa; at -20 °C an engine cranks slower, and its pump needs more turns to fill filter and galleries."""
    times = []
    for temperature in (20.0, -20.0):
        vehicle = Vehicle(load_vehicle(str(file)).settings)
        vehicle.data.write(ROAD, RoadData.AMBIENT_TEMPERATURE, temperature)
        controls = vehicle.data.input
        controls[InputData.BRAKE] = controls[InputData.CLUTCH] = FULL
        controls[InputData.AUTOMATIC_GEAR] = GearMode.PARK
        controls[InputData.KEY] = 1
        seconds = 0.0
        while vehicle.auxiliaries.lubrication.pressure < 50.0:
            vehicle.step(0.01)
            seconds += 0.01
            assert seconds < 3.0
            if read(vehicle, VehicleData.ENGINE_WORKING):
                controls[InputData.KEY] = 0
        times.append(seconds)
    assert 0.5 < times[0] < times[1] < 2.0


def idling(file: Path) -> Vehicle:
    """Warm, on the brake, out of gear, with the clutch pedal down."""
    vehicle = Vehicle(load_vehicle(str(file)).settings)
    vehicle.auxiliaries.warm_up()
    controls = vehicle.data.input
    controls[InputData.BRAKE] = controls[InputData.CLUTCH] = FULL
    controls[InputData.AUTOMATIC_GEAR] = GearMode.PARK
    controls[InputData.KEY] = 1
    run(vehicle, 2.0)
    controls[InputData.KEY] = 0
    return vehicle


@SHIPPED
def test_its_idle_does_not_surge(file: Path) -> None:
    """After a stab at the throttle it comes down to idle without falling 5 % below, and stays within 1/min."""
    vehicle = idling(file)
    idle = vehicle.settings.engine.idle_rpm
    vehicle.data.input[InputData.THROTTLE] = FULL
    run(vehicle, 0.5)
    vehicle.data.input[InputData.THROTTLE] = 0
    speeds = []
    for _ in range(8000):
        vehicle.step(0.001)
        speeds.append(vehicle.engine.sensor_rpm)
    assert max(speeds) > 1.3 * idle
    assert min(speeds) > 0.95 * idle
    assert max(speeds[-1000:]) - min(speeds[-1000:]) < 1.0
    assert speeds[-1] == pytest.approx(idle, rel=0.01)


@SHIPPED
def test_nothing_moves_on_the_brake(file: Path) -> None:
    """On a slope of 20 %, in gear or D with the engine idling: once it has settled, every speed is exactly zero."""
    vehicle = idling(file)
    vehicle.data.write(ROAD, RoadData.SLOPE, 0.2)
    vehicle.data.input[InputData.MANUAL_GEAR] = 1
    vehicle.data.input[InputData.AUTOMATIC_GEAR] = GearMode.DRIVE
    vehicle.data.input[InputData.CLUTCH] = FULL if vehicle.settings.gearbox.type is GearboxType.MANUAL else 0
    run(vehicle, 3.0)
    for _ in range(2000):
        vehicle.step(0.001)
        assert vehicle.chassis.sensor_speed == 0.0
        assert vehicle.chassis.sensor_lateral_speed == 0.0
        assert all(wheel.spin == 0.0 for wheel in vehicle.wheels)


@pytest.mark.parametrize("name", ["320d-g20", "truck"])
@pytest.mark.parametrize("grade", [0.0, 0.04])
@pytest.mark.parametrize("throttle", [0.3, 0.7, 1.0])
def test_its_automatic_does_not_hunt(name: str, grade: float, throttle: float) -> None:
    """At a constant pedal from rest, no gear is left for a shorter one."""
    vehicle = idling(FOLDER / f"{name}.yaml")
    vehicle.solver.max_substep = 0.005
    vehicle.data.write(ROAD, RoadData.SLOPE, grade)
    controls = vehicle.data.input
    controls[InputData.CLUTCH] = 0
    controls[InputData.AUTOMATIC_GEAR] = GearMode.DRIVE
    run(vehicle, 1.0)
    controls[InputData.BRAKE] = 0
    controls[InputData.THROTTLE] = round(FULL * throttle)
    gears = [0]
    for _ in range(4000):
        vehicle.step(0.01)
        gear = int(read(vehicle, VehicleData.GEARBOX_GEAR))
        if gear not in {0, gears[-1]}:
            gears.append(gear)
        assert read(vehicle, VehicleData.ENGINE_STALLED) == 0
    assert gears[-1] > 2
    assert gears == sorted(gears)
