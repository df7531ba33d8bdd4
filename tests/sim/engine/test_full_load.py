"""Rules of full-load torque, power, consumption, and of the data sheet."""

import math

import pytest

from vehiclesim.block import RPM_TO_W
from vehiclesim.engine.engine import Engine
from vehiclesim.parameters import EngineSettings

from ..dynamometer import held_at
from ..published_engines import ALL, DATA_SHEETS, DataSheet

RPMS = [1000.0, 2500.0, 3854.0, 6000.0]


@pytest.mark.parametrize("rpm", RPMS)
def test_throttle_scales_the_combustion_torque(rpm: float) -> None:
    """T = throttle·raw - Tf: linear between overrun and full load."""
    engine = Engine()
    friction = 20.0 + 0.1 * rpm * RPM_TO_W + (0.01 * rpm * RPM_TO_W) ** 2
    full = engine.calculate_torque(rpm)
    assert engine.calculate_torque(rpm, 0.0) == pytest.approx(-friction, rel=1e-12)
    assert engine.calculate_torque(rpm, 0.25) == pytest.approx(0.25 * (full + friction) - friction, rel=1e-12)


def test_torque_at_the_ends() -> None:
    """Zero at max_rpm, friction only beyond the limit speed."""
    engine = Engine()
    assert engine.calculate_torque(6500.0) == pytest.approx(0.0, abs=1e-9)
    beyond = engine.specifications().limit_rpm + 100.0
    assert engine.calculate_torque(beyond) == engine.calculate_torque(beyond, 0.0) < 0.0


@pytest.mark.parametrize("rpm", RPMS)
def test_power_is_torque_times_speed(rpm: float) -> None:
    """P = w·T."""
    engine = Engine()
    assert engine.calculate_power_in_kw(rpm) == pytest.approx(engine.calculate_torque(rpm) * rpm / 9549.297, rel=1e-7)


@pytest.mark.parametrize("rpm", RPMS)
def test_a_torque_cap_bounds_the_net_torque(rpm: float) -> None:
    """T = min(T, cap); half throttle is half of the capped combustion torque."""
    free, capped = Engine(), Engine(EngineSettings(torque_cap=True, torque_cap_limit=150.0))
    assert capped.calculate_torque(rpm) == min(free.calculate_torque(rpm), 150.0)
    friction = -free.calculate_torque(rpm, 0.0)
    half = 0.5 * (capped.calculate_torque(rpm) + friction) - friction
    assert capped.calculate_torque(rpm, 0.5) == pytest.approx(half, rel=1e-12)


def test_a_torque_cap_saves_fuel() -> None:
    """Where the cap acts fuel falls with the combustion torque, elsewhere nothing changes."""
    free, capped = Engine(), Engine(EngineSettings(torque_cap=True, torque_cap_limit=150.0))
    rpm, friction = 3854.0, -free.calculate_torque(3854.0, 0.0)

    def rate(engine: Engine) -> float:
        return engine.calculate_specific_fuel_consumption(rpm) * engine.calculate_power_in_kw(rpm) / 3600.0

    assert rate(free) == pytest.approx(0.16 * rpm / 60.0, rel=1e-12)
    assert rate(capped) / rate(free) == pytest.approx((150.0 + friction) / (191.27 + friction), rel=1e-4)
    assert rate(capped) < rate(free)


@pytest.mark.parametrize("rpm", [0.0, 6500.5, 9000.0])
def test_no_work_no_specific_consumption(rpm: float) -> None:
    """Fuel per work is not a number where there is no work."""
    assert math.isnan(Engine().calculate_specific_fuel_consumption(rpm))


@pytest.mark.parametrize("settings", ALL.values(), ids=ALL)
def test_the_running_engine_has_the_calculated_torque_and_consumption(settings: EngineSettings) -> None:
    """Held at its best speed at full throttle, an engine gives the torque and burns the fuel of its data sheet."""
    sheet = Engine(settings).specifications()
    stand = held_at(sheet.specific_fuel_consumption_rpm, settings)
    stand.engine.throttle_input = 1.0
    stand.run(0.05)
    engine = stand.engine
    assert engine.sensor_load == 1.0
    assert engine.sensor_flywheel_torque == pytest.approx(
        engine.calculate_torque(sheet.specific_fuel_consumption_rpm), rel=1e-6
    )
    consumption = engine.sensor_fuel_rate / engine.sensor_power * 3600.0
    assert consumption == pytest.approx(sheet.specific_fuel_consumption, rel=1e-6)


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
