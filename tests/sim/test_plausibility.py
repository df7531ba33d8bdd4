"""Figures that no engine has are told; the engines that were built have none."""

from dataclasses import replace

import pytest

from hilbridge.base.resources import Kind, names
from hilbridge.files.configuration.vehiclefile import load_vehicle
from vehiclesim import AirPathSettings, Engine, EngineSettings, FuelKind, implausible

TWO_LITRES = AirPathSettings(displacement=2.0)


def found(settings: EngineSettings, air: AirPathSettings = TWO_LITRES) -> dict[str, str]:
    return {each.parameter: each.reason for each in implausible(settings, Engine(settings).specifications(), air)}


@pytest.mark.parametrize("vehicle", names(Kind.VEHICLE))
def test_the_shipped_vehicles_may_exist(vehicle: str) -> None:
    settings = load_vehicle(vehicle).settings
    assert found(settings.engine, settings.auxiliary.air_path) == {}


def test_a_best_consumption_below_every_engine_is_told() -> None:
    """The default engine needs 479 g/kWh; no petrol engine needs 141 (59 %) or 180, a truck's diesel does need 180."""
    for wanted, fuel, told in (
        (141, "petrol", True),
        (180, "petrol", True),
        (180, "diesel", False),
        (165, "diesel", True),
    ):
        settings = EngineSettings(max_fuel_per_rev=0.16 * wanted / 479.3)
        air = AirPathSettings(fuel=FuelKind(fuel), displacement=3.0, max_boost=100.0)
        assert ("max_fuel_per_rev" in found(settings, air)) is told


@pytest.mark.parametrize(
    ("fuel", "boost", "torque", "litres", "exists"),
    [
        ("petrol", 0, 540, 4.497, True),  # Ferrari 458 Speciale
        ("petrol", 0, 540, 4.0, False),
        ("petrol", 200, 600, 1.988, True),  # Koenigsegg Gemera
        ("petrol", 200, 600, 1.8, False),
        ("diesel", 0, 125, 1.896, True),  # Volkswagen 1.9 SDI
        ("diesel", 0, 160, 1.896, False),
        ("diesel", 250, 760, 2.993, True),  # BMW B57 with four turbochargers
        ("diesel", 250, 760, 2.5, False),
    ],
)
def test_the_mean_pressure_is_limited_by_kind(
    fuel: str, boost: float, torque: float, litres: float, *, exists: bool
) -> None:
    """4π·T/V: 540 Nm of 4.5 l are 15.1 bar, the most without a charger; a charger makes the other cases possible."""
    peak = torque + 50
    settings = EngineSettings(torque_cap=True, torque_cap_limit=torque, idle_rpm_torque=torque, peak_rpm_torque=peak)
    air = AirPathSettings(fuel=FuelKind(fuel), displacement=litres, max_boost=boost)
    assert ("peak_rpm_torque" not in found(settings, air)) is exists


def test_friction_far_beyond_motored_engines_is_told() -> None:
    """262 Nm of 2 l are 16.5 bar at the limiter; real engines have some 4."""
    heavy = EngineSettings(rpm_limiter=True, rpm_limiter_max=6000.0, friction_torque=160.0, peak_rpm_torque=400.0)
    assert "16.5 bar" in found(heavy)["friction_torque"]
    assert "friction_torque" not in found(replace(heavy, friction_torque=10.0))


def test_friction_is_judged_where_the_engine_runs() -> None:
    """A curve with little bias ends far beyond max_rpm, where no torque is left: nobody reaches that speed."""
    drawn_out = EngineSettings(max_rpm=6500.0, friction_torque=20.0, rotational_friction=0.02, viscous_friction=2e-5)
    sheet = Engine(drawn_out).specifications()
    assert sheet.limit_rpm > 6500.0
    far = sheet._replace(limit_rpm=19_171.0)
    assert implausible(drawn_out, far, TWO_LITRES) == implausible(drawn_out, sheet, TWO_LITRES) == []
    heavy = replace(drawn_out, rotational_friction=0.4)
    (found,) = (each for each in implausible(heavy, far, TWO_LITRES) if "friction" in each.parameter)
    assert "at 6500 rpm" in found.reason


def test_a_table_is_blamed_by_its_own_names() -> None:
    table = EngineSettings(
        max_rpm=6000.0,
        table_rpm=(1000.0, 5000.0),
        table_torque=(500.0, 400.0),
        table_resistive_torque=(-20.0, -300.0),
    )
    assert {"table_torque", "table_resistive_torque"} <= found(table).keys()


def test_without_a_displacement_only_the_consumption_is_judged() -> None:
    heavy = EngineSettings(friction_torque=200.0, peak_rpm_torque=900.0, max_fuel_per_rev=0.1)
    assert found(heavy, AirPathSettings()).keys() == {"max_fuel_per_rev"}
