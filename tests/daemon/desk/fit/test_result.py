"""Whole fits: published engines from their data sheets, real ones from maker data."""

import math
from pathlib import Path

import pytest

from hilbridge.base.common.errors import InvalidFileError
from hilbridge.desk.fit.output import write_engine
from hilbridge.desk.fit.result import fit
from hilbridge.desk.fit.targets import load_targets
from hilbridge.files.configuration.vehiclefile import load_vehicle
from vehiclesim.engine.engine import Engine

from ....sim.published_engines import ALL, DATA_SHEETS
from .sheets import ROADSTER, TOO_POWERFUL, load, published


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


def test_full_and_part_load_give_friction_and_an_efficiency_over_speed(tmp_path: Path) -> None:
    """Friction 30 Nm, efficiency 0.4, a fifth of it lost at a full charge: b = 209.3·(T + 30)/T/(1 - 0.2·(T + 30)/230).

    300.9, 306.8 and 390.0 g/kWh at 200, 100 and 40 Nm and 2000 rpm. At 5000 rpm the efficiency is another one.
    """
    text = """\
name: x
displacement: 2.5
torque: {value: 200, rpm: [2000, 4000]}
power: {value: 92, rpm: 5000}
consumption:
  - {rpm: 2000, value: 300.9, tolerance: 0.001}
  - {rpm: 2000, torque: 100, value: 306.8, tolerance: 0.001}
  - {rpm: 2000, torque: 40, value: 390.0, tolerance: 0.001}
  - {rpm: 5000, value: 330, tolerance: 0.001}
"""
    result = fit(load(tmp_path, text))
    assert result.good
    assert -Engine(result.engine).calculate_torque(2000, 0.0) == pytest.approx(30.0, rel=0.02)
    assert result.engine.efficiency_rpm == (2000, 5000)
    assert result.engine.indicated_efficiency[0] == pytest.approx(0.4, rel=0.005)
    assert result.engine.efficiency_loss == pytest.approx(0.2, rel=0.03)
    assert Engine(result.engine).calculate_specific_fuel_consumption(5000) == pytest.approx(330, rel=1e-3)
    write_engine(result, tmp_path / "engine.yaml")
    written = Engine(load_vehicle(str(tmp_path / "engine.yaml")).settings.engine)
    assert written.specifications() == Engine(result.engine).specifications()


def test_more_power_than_the_torque_allows(tmp_path: Path) -> None:
    """P = w·T: 200 kW at 4000 rpm are 477 Nm, and the highest torque is 400 Nm. Either of both has to go."""
    result = fit(load(tmp_path, TOO_POWERFUL))
    assert not result.good
    assert result.contradiction is not None
    assert set(result.contradiction.to_blame) == {("torque",), ("power",)}
    assert result.sound


def test_one_point_against_all_others(tmp_path: Path) -> None:
    """A point 25 % below the curve through the others is the one to blame."""
    points = "points: [{rpm: 3000, torque: 190}, {rpm: 4000, torque: 198}, {rpm: 4000, torque: 150}]\n"
    result = fit(load(tmp_path, ROADSTER + points))
    assert result.contradiction is not None
    assert result.contradiction.to_blame == (("points", 2),)
    assert ("points", 2) in {outcome.goal.target for outcome in result.contradiction.missed}


def test_friction_that_eats_the_power_never_gives_a_malformed_curve(tmp_path: Path) -> None:
    """400 Nm of engine brake for an engine of 200 Nm: the target is missed, or met by a curve that is sound."""
    assert fit(load(tmp_path, ROADSTER + "friction: [{rpm: 7000, torque: 400}]\n")).sound


def test_an_engine_that_can_only_be_malformed_is_refused(tmp_path: Path) -> None:
    """The maximum speed is fixed below the peak speed."""
    result = fit(load(tmp_path, ROADSTER + "fixed: {peak_rpm: 7000.0, max_rpm: 6500.0}\n"))
    assert not result.sound
    assert not result.good


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fixed: {peak_rpm: 500.0}", "5: fixed.peak_rpm: 500.0 is not above idle_rpm 800.0"),
        ("bounds: {max_rpm: [100.0, 200.0]}", "5: bounds.max_rpm: 200 is not above 6120"),
    ],
)
def test_targets_without_any_engine_are_a_mistake_in_the_file(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InvalidFileError, match=r"targets\.yaml:") as caught:
        fit(load(tmp_path, f"{ROADSTER}{text}\n"))
    assert str(caught.value).startswith(f"{tmp_path / 'targets.yaml'}:{message}")
