"""The data sheets of the published engines, and what a malformed curve is."""

import math

import pytest

from vehiclesim.engine.engine import Engine
from vehiclesim.parameters import EngineSettings

from ..published_engines import ALL, DATA_SHEETS, DataSheet

PUBLISHED = pytest.mark.parametrize(
    ("settings", "sheet"), [(ALL[name], sheet) for name, sheet in DATA_SHEETS.items()], ids=DATA_SHEETS
)


@PUBLISHED
def test_friction(settings: EngineSettings, sheet: DataSheet) -> None:
    """Friction at idle and at stall agree to the printed digit, at the limit speed within 0.2 %."""
    got = Engine(settings).specifications()
    assert round(got.friction_torque_at_idle, 1) == sheet.friction_at_idle
    assert round(got.friction_torque_at_stall, 1) == sheet.friction_at_stall
    assert got.friction_torque_at_limit == pytest.approx(sheet.friction_at_limit, rel=2e-3)


@PUBLISHED
def test_torque_and_power(settings: EngineSettings, sheet: DataSheet) -> None:
    """Highest torque and power agree within 0.1 % and 15 rpm."""
    got = Engine(settings).specifications()
    assert got.max_torque_at_peak == pytest.approx(sheet.max_torque, rel=1e-3)
    assert got.peak_rpm == pytest.approx(sheet.max_torque_rpm, abs=15)
    assert got.max_power_in_kw == pytest.approx(sheet.max_power_in_kw, rel=1e-3)
    assert got.max_power_rpm == pytest.approx(sheet.max_power_rpm, abs=15)


@PUBLISHED
def test_speeds(settings: EngineSettings, sheet: DataSheet) -> None:
    """The stall speed agrees within 1 rpm, the limit speed within 0.1 %."""
    got = Engine(settings).specifications()
    assert got.stall_rpm == pytest.approx(sheet.stall_rpm, abs=1)
    assert got.limit_rpm == pytest.approx(sheet.limit_rpm, rel=1e-3)


@PUBLISHED
def test_consumption(settings: EngineSettings, sheet: DataSheet) -> None:
    """The best specific consumption agrees within 0.1 % and 15 rpm."""
    got = Engine(settings).specifications()
    assert got.specific_fuel_consumption == pytest.approx(sheet.specific_fuel_consumption, rel=1e-3)
    assert got.specific_fuel_consumption_rpm == pytest.approx(sheet.specific_fuel_consumption_rpm, abs=15)


@PUBLISHED
def test_published_engines_are_well_formed(settings: EngineSettings, sheet: DataSheet) -> None:
    """No published engine raises a flag."""
    got = Engine(settings).specifications()
    assert not got.malformed_torque
    assert not got.malformed_raw_power
    assert got.max_power_in_hp == pytest.approx(sheet.max_power_in_kw * 1.341022, rel=1e-3)


def test_default_engine() -> None:
    """191.27 Nm at 3854 rpm, 87.18 kW at 4850 rpm, limit 7089 rpm, 479 g/kWh."""
    got = Engine().specifications()
    assert got.max_torque_at_peak == pytest.approx(191.27, abs=0.005)
    assert got.peak_rpm == 3854
    assert got.max_power_in_kw == pytest.approx(87.18, abs=0.005)
    assert got.max_power_rpm == 4850
    assert got.limit_rpm == pytest.approx(7089, abs=0.5)
    assert got.specific_fuel_consumption == pytest.approx(479, abs=0.5)
    assert got.idle_rpm == 1000
    assert got.max_torque_at_idle == pytest.approx(135)
    assert got.friction_torque_at_idle == pytest.approx(31.57, abs=0.005)


def test_with_a_torque_cap_the_peak_is_where_it_begins() -> None:
    """peak_rpm is the first speed at which the cap acts, and the torque there is exactly the cap."""
    capped = Engine(EngineSettings(torque_cap=True, torque_cap_limit=170.0))
    got = capped.specifications()
    free = Engine()
    assert got.max_torque_at_peak == 170.0
    assert free.calculate_torque(got.peak_rpm) >= 170.0 > free.calculate_torque(got.peak_rpm - 1.0)


@pytest.mark.parametrize("delta", [0.5, 1.0, 7.0])
def test_delta_rpm_is_the_resolution(delta: float) -> None:
    """The peaks move by no more than the step of the scan."""
    coarse, fine = Engine().specifications(delta), Engine().specifications(0.25)
    assert coarse.peak_rpm == pytest.approx(fine.peak_rpm, abs=delta)
    assert coarse.max_power_rpm == pytest.approx(fine.max_power_rpm, abs=delta)
    assert coarse.limit_rpm == fine.limit_rpm


def test_a_torque_below_zero_before_max_rpm_is_malformed() -> None:
    """The flag says that the engine brakes itself somewhere between idle and max_rpm at full throttle."""
    dip = EngineSettings(
        idle_rpm_torque=10.0, peak_rpm_torque=20.0, peak_rpm=6000.0, max_rpm=6100.0, rotational_friction=0.5
    )
    got = Engine(dip).specifications()
    assert got.malformed_torque
    assert not got.malformed_raw_power


def test_raw_torque_may_be_flat_behind_its_peak() -> None:
    """raw_peak·(1 - t³) is as high as the peak, to the last digit, a hundredth of a revolution behind it."""
    assert not Engine(EngineSettings(peak_rpm=4200.99)).specifications(1.0).malformed_raw_power


@pytest.mark.parametrize("max_rpm", [20000.0, 4000.0, 900.0])
def test_an_engine_without_limit_speed_is_malformed(max_rpm: float) -> None:
    """More friction at max_rpm than raw torque at the peak, or a max_rpm below the peak: both flags."""
    got = Engine(EngineSettings(max_rpm=max_rpm)).specifications()
    assert got.malformed_torque
    assert got.malformed_raw_power
    assert got.limit_rpm == max_rpm


def test_an_engine_without_work_has_no_specific_consumption() -> None:
    """Where no speed gives power, fuel per work is not a number."""
    got = Engine(EngineSettings(max_rpm=900.0)).specifications()
    assert math.isnan(got.specific_fuel_consumption)
