"""Whole fits: published engines from their data sheets, real ones from maker data."""

import math
from pathlib import Path

import pytest

from hilbridge.configuration.vehiclefile import load_vehicle
from hilbridge.fit.output import write_engine
from hilbridge.fit.result import fit
from hilbridge.fit.targets import load_targets
from vehiclesim.engine.engine import Engine

from ...sim.published_engines import ALL, DATA_SHEETS
from .sheets import published


@pytest.mark.parametrize("name", DATA_SHEETS)
def test_a_published_engine_is_found_from_its_data_sheet_alone(tmp_path: Path, name: str) -> None:
    """Torque, power and consumption within 1 %, their speeds within 2 %, and all other figures within tolerance."""
    result = fit(published(tmp_path, name))
    sheet = DATA_SHEETS[name]
    got = Engine(result.engine).specifications()
    assert result.good
    assert got.max_torque_at_peak == pytest.approx(sheet.max_torque, rel=0.01)
    assert got.max_power_in_kw == pytest.approx(sheet.max_power_in_kw, rel=0.01)
    assert got.specific_fuel_consumption == pytest.approx(sheet.specific_fuel_consumption, rel=0.01)
    assert got.peak_rpm == pytest.approx(sheet.max_torque_rpm, rel=0.02)
    assert got.max_power_rpm == pytest.approx(sheet.max_power_rpm, rel=0.02)
    assert got.limit_rpm == pytest.approx(sheet.limit_rpm, rel=0.01)
    assert got.stall_rpm == pytest.approx(sheet.stall_rpm, rel=0.02)
    assert got.friction_torque_at_limit == pytest.approx(sheet.friction_at_limit, rel=0.05)
    original = Engine(ALL[name])
    for rpm in (sheet.max_torque_rpm, 0.5 * (sheet.max_torque_rpm + sheet.max_power_rpm), sheet.max_power_rpm):
        assert Engine(result.engine).calculate_torque(rpm) == pytest.approx(original.calculate_torque(rpm), rel=0.01)


def test_the_roadster_gives_what_its_maker_says(tmp_path: Path) -> None:
    """Mazda MX-5 ND 2.0: 200 Nm at 4600 rpm, 118 kW at 6000 rpm, limiter at 6800 rpm; a vehicle file with it loads."""
    result = fit(load_targets("mx5-nd"))
    assert result.good
    write_engine(result, tmp_path / "mx5.yaml")
    got = Engine(load_vehicle(str(tmp_path / "mx5.yaml")).settings.engine).specifications()
    assert got.max_torque_at_peak == pytest.approx(200, rel=0.01)
    assert got.peak_rpm == pytest.approx(4600, rel=0.02)
    assert got.max_power_in_kw == pytest.approx(118, rel=0.01)
    assert got.max_power_rpm == pytest.approx(6000, rel=0.02)
    assert result.engine.rpm_limiter_max == 6800 < result.engine.max_rpm


def test_the_diesel_holds_its_torque_over_the_published_range(tmp_path: Path) -> None:
    """BMW B47: 400 Nm from 1750 to 2500 rpm and less outside, 140 kW at 4000 rpm; a vehicle file with it loads."""
    result = fit(load_targets("b47-320d"))
    assert result.good
    write_engine(result, tmp_path / "b47.yaml")
    engine = Engine(load_vehicle(str(tmp_path / "b47.yaml")).settings.engine)
    for rpm in (1760, 2000, 2250, 2490):
        assert engine.calculate_torque(rpm) == pytest.approx(400, rel=0.01)
    assert engine.calculate_torque(1500) < 390
    assert engine.calculate_torque(3000) < 392
    assert engine.calculate_torque(4000) * 4000 * math.pi / 30e3 == pytest.approx(140, rel=0.01)
    assert engine.specifications().max_power_rpm == pytest.approx(4000, rel=0.02)
