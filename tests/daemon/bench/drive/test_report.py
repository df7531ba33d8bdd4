"""The figures of a drive."""

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.drive.report import figures, plot, print_figures
from hilbridge.bench.drive.simulation import DriveResult, drive
from hilbridge.bench.drive.trace import Trace
from vehiclesim import Vehicle
from vehiclesim.energy import EnergyReport
from vehiclesim.parameters import (
    ElectricSettings,
    ElectricTopology,
    EngineSettings,
    PublishedSettings,
    TractionBatterySettings,
    VehicleSettings,
)

from .cars import MANUAL

VEHICLE = VehicleSettings(name="a [b] c", engine=EngineSettings(fuel_density=0.75))


def driven() -> DriveResult:
    """10 km in 1000 s with 600 g, which are 0.8 l."""
    return DriveResult(
        Trace("way", (0.0, 1000.0), (10.0, 10.0)),
        distance=10_000.0,
        fuel=600.0,
        largest_deviation=-1.0,
        largest_deviation_at=12.3,
        squared_deviation=250.0,
        time_outside=4.5,
        energy=EnergyReport({"combustion": 2e6, "starter": 0.0}, {"drag": 1.5e6}, {"kinetic": 4e5, "potential": 0.0}),
    )


def test_figures_are_in_the_units_that_their_names_say() -> None:
    """0.6 kg / 0.75 kg/l = 0.8 l, on 10 km 8 l/100 km; 1 m/s = 3.6 km/h; √(250/1000) m/s = 1.8 km/h."""
    values = figures(driven(), VEHICLE)
    assert values["fuel_in_l"] == pytest.approx(0.8)
    assert values["consumption_in_l_per_100_km"] == pytest.approx(8.0)
    assert values["largest_deviation_in_kmh"] == pytest.approx(-3.6)
    assert values["rms_deviation_in_kmh"] == pytest.approx(1.8)
    assert values["energy"]["residual"] == pytest.approx(1e5)
    assert json.loads(json.dumps(values, allow_nan=False)) == values


def test_without_a_way_there_is_no_consumption() -> None:
    still = DriveResult(Trace("still", (0.0, 10.0), (0.0, 0.0)), fuel=3.0)
    values = figures(still, VEHICLE)
    assert values["consumption_in_l_per_100_km"] is None
    assert values["energy"] is None


def test_the_published_consumption_stands_beside_the_driven_one() -> None:
    """That of the same cycle; none where the vehicle file has none, and on ways of one's own."""
    vehicle = replace(VEHICLE, published=PublishedSettings(nedc=7.5))
    nedc = replace(driven(), trace=Trace("nedc", (0.0, 1000.0), (10.0, 10.0)))
    assert figures(nedc, vehicle)["published_consumption_in_l_per_100_km"] == 7.5
    output = io.StringIO()
    print_figures(nedc, vehicle, Console(file=output, width=100))
    assert "published consumption 7.50 l/100 km" in " ".join(output.getvalue().split())
    assert figures(nedc, VEHICLE)["published_consumption_in_l_per_100_km"] is None
    assert figures(driven(), vehicle)["published_consumption_in_l_per_100_km"] is None


def test_of_a_drive_that_was_interrupted_the_figures_are_those_of_its_part() -> None:
    """√(250/250) m/s = 3.6 km/h; nothing is published of a part. The sheet says so first."""
    vehicle = replace(VEHICLE, published=PublishedSettings(nedc=7.5))
    part = replace(driven(), trace=Trace("nedc", (0.0, 1000.0), (10.0, 10.0)), interrupted_at=250.0)
    values = figures(part, vehicle)
    assert (values["complete"], values["time"]) == (False, 250.0)
    assert values["rms_deviation_in_kmh"] == pytest.approx(3.6)
    assert values["published_consumption_in_l_per_100_km"] is None
    output = io.StringIO()
    print_figures(part, vehicle, Console(file=output, width=100))
    assert output.getvalue().splitlines()[1] == "interrupted: 250.0 s of 1000 s"


def test_a_traction_battery_has_lines_of_its_own() -> None:
    """5.4 MJ are 1.5 kWh, on 10 km 15 kWh/100 km; without a battery there are none."""
    values = figures(replace(driven(), electricity=5.4e6), VEHICLE)
    assert values["electricity_in_kwh"] == pytest.approx(1.5)
    assert values["electric_consumption_in_kwh_per_100_km"] == pytest.approx(15.0)
    assert figures(driven(), VEHICLE)["electricity_in_kwh"] is None
    output = io.StringIO()
    print_figures(replace(driven(), electricity=5.4e6), VEHICLE, Console(file=output, width=100))
    assert "from the battery 1.500 kWh 15.00 kWh/100 km" in " ".join(output.getvalue().split())


def test_what_recharges_a_battery_from_the_wall_has_the_losses_of_charging() -> None:
    """15 kWh/100 km at its terminals are 15/0.8 = 18.75 from the wall; a hybrid's battery has no plug."""
    electric = ElectricSettings(
        topology=ElectricTopology.BATTERY_ELECTRIC, battery=TractionBatterySettings(charging_efficiency=0.8)
    )
    vehicle, drive = replace(VEHICLE, electric=electric), replace(driven(), electricity=5.4e6)
    assert figures(drive, vehicle)["wall_consumption_in_kwh_per_100_km"] == pytest.approx(18.75)
    assert figures(drive, VEHICLE)["wall_consumption_in_kwh_per_100_km"] is None
    output = io.StringIO()
    print_figures(drive, vehicle, Console(file=output, width=100))
    assert "from the wall 18.75 kWh/100 km" in " ".join(output.getvalue().split())


def test_the_sheet_has_the_same_figures() -> None:
    """One line each, the name as it stands in the file, and the energy by part with its share."""
    output = io.StringIO()
    print_figures(driven(), VEHICLE, Console(file=output, width=100))
    lines = [" ".join(line.split()) for line in output.getvalue().splitlines()]
    assert lines[0] == "a [b] c, way"
    for line in (
        "distance 10.000 km",
        "fuel 600.0 g",
        "consumption 8.00 l/100 km",
        "largest deviation -3.60 km/h",
        "outside ±2 km/h and ±1 s 4.5 s",
        "combustion 2000.0 100.0",
        "drag 1500.0 75.0",
        "kinetic 400.0 20.0",
        "residual 1e+02 5",
    ):
        assert line in lines
    assert not [line for line in lines if line.startswith("starter")]


@pytest.fixture(scope="module")
def trip() -> DriveResult:
    return drive(Vehicle(MANUAL), Trace("trip", (0.0, 2.0, 6.0, 9.0), (0.0, 0.0, 4.0, 0.0)), ledger=False)


def test_an_svg_says_what_it_shows_and_is_the_same_each_time(tmp_path: Path, trip: DriveResult) -> None:
    """No date and no random identifiers in it."""
    for name in ("one.svg", "two.svg"):
        plot(trip, "manual, trip", tmp_path / name)
    text = (tmp_path / "one.svg").read_text(encoding="utf-8")
    assert text == (tmp_path / "two.svg").read_text(encoding="utf-8")
    for label in ("manual, trip", "speed, km/h", "engine, rpm", "gear", "pedals", "fuel, g", "time, s"):
        assert f"<!-- {label} -->" in text


def test_a_png_is_one(tmp_path: Path, trip: DriveResult) -> None:
    plot(trip, "title", tmp_path / "drive.PNG")
    assert (tmp_path / "drive.PNG").read_bytes().startswith(b"\x89PNG\r\n")


def test_a_file_that_cannot_be_written_is_an_error_of_the_user(tmp_path: Path, trip: DriveResult) -> None:
    (tmp_path / "taken.svg").mkdir()
    with pytest.raises(ConfigurationError, match=r"taken\.svg cannot be written"):
        plot(trip, "title", tmp_path / "taken.svg")
