"""Rules of torque curves by parameters and by tables."""

from bisect import bisect_right
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vehiclesim.block import RPM_TO_W
from vehiclesim.engine.engine import Engine
from vehiclesim.engine.torque_curve import ParametricCurve, TableCurve, TorqueCurve, make_curve
from vehiclesim.parameters import EngineSettings

from ..dynamometer import held_at, idling
from ..published_engines import ALL

ENGINES = pytest.mark.parametrize("settings", ALL.values(), ids=ALL)


@pytest.mark.parametrize(("rpm", "friction"), [(1000, 31.57), (4200, 83.33), (6500, 134.40)])
def test_friction_of_the_default_engine(rpm: float, friction: float) -> None:
    """Tf = 20 + 0.1·w + (0.01·w)²."""
    assert ParametricCurve(EngineSettings()).friction(rpm * RPM_TO_W) == pytest.approx(friction, abs=0.005)


@ENGINES
def test_the_curve_passes_through_its_settings(settings: EngineSettings) -> None:
    """raw - Tf is idle_rpm_torque at idle, peak_rpm_torque at the peak and nothing at max_rpm."""
    curve = ParametricCurve(settings)

    def net(rpm: float) -> float:
        return curve.raw_torque(rpm) - curve.friction(rpm * RPM_TO_W)

    assert net(settings.idle_rpm) == pytest.approx(settings.idle_rpm_torque, rel=1e-12)
    assert net(settings.peak_rpm) == pytest.approx(settings.peak_rpm_torque, rel=1e-12)
    assert net(settings.max_rpm) == pytest.approx(0.0, abs=1e-9)


@ENGINES
def test_the_parts_of_the_curve_meet(settings: EngineSettings) -> None:
    """There is no jump at idle, at the peak, at the limit or where combustion begins."""
    curve = ParametricCurve(settings)
    for rpm in (curve.firing_rpm, settings.idle_rpm, settings.peak_rpm, curve.limit_rpm):
        assert curve.raw_torque(rpm - 1e-6) == pytest.approx(curve.raw_torque(rpm + 1e-6), rel=1e-6, abs=1e-4)


@ENGINES
def test_there_is_no_combustion_outside_its_range(settings: EngineSettings) -> None:
    """The raw torque is zero below ½·stall_bias·idle and beyond the limit speed."""
    curve = ParametricCurve(settings)
    assert curve.raw_torque(0.5 * settings.stall_bias * settings.idle_rpm - 1e-9) == 0.0
    assert curve.raw_torque(curve.limit_rpm + 1e-9) == 0.0
    assert curve.raw_torque(1e6) == 0.0


@pytest.mark.parametrize("bias", [0.0, 0.3, 1.0])
def test_curve_bias_is_the_slope_at_idle(bias: float) -> None:
    """At idle the raw torque rises with 3·bias·h per (peak - idle)."""
    settings = EngineSettings(idle_rpm_curve_bias=bias)
    curve = ParametricCurve(settings)
    rise = curve.raw_torque(settings.peak_rpm) - curve.raw_torque(settings.idle_rpm)
    slope = (curve.raw_torque(settings.idle_rpm + 0.01) - curve.raw_torque(settings.idle_rpm)) / 0.01
    assert slope == pytest.approx(3.0 * bias * rise / (settings.peak_rpm - settings.idle_rpm), abs=1e-5)


@ENGINES
def test_stall_rpm_is_where_the_engine_just_turns_itself(settings: EngineSettings) -> None:
    """At stall speed raw = Tf; a little below friction wins, a little above combustion."""
    curve = ParametricCurve(settings)
    stall = curve.stall_rpm()
    assert curve.raw_torque(stall) == pytest.approx(curve.friction(stall * RPM_TO_W), rel=1e-9)
    assert curve.raw_torque(stall - 1.0) < curve.friction((stall - 1.0) * RPM_TO_W)
    assert curve.raw_torque(stall + 1.0) > curve.friction((stall + 1.0) * RPM_TO_W)


@given(st.floats(-12000.0, 12000.0))
def test_only_the_amount_of_the_speed_counts(rpm: float) -> None:
    """Both curves are even."""
    curve = ParametricCurve(EngineSettings())
    assert curve.raw_torque(rpm) == curve.raw_torque(-rpm)
    assert curve.friction(rpm) == curve.friction(-rpm)


@pytest.mark.parametrize(
    "settings",
    [EngineSettings(max_rpm=4000.0), EngineSettings(max_rpm=20000.0), EngineSettings(max_rpm=900.0)],
    ids=["max below peak", "friction above the raw peak", "max below idle"],
)
def test_a_curve_without_limit_speed_ends_at_max_rpm(settings: EngineSettings) -> None:
    """Where no limit speed exists the curve is malformed, ends at max_rpm and can still be evaluated."""
    curve = ParametricCurve(settings)
    assert curve.malformed
    assert curve.limit_rpm == settings.max_rpm
    assert curve.raw_torque(settings.max_rpm) == 0.0
    assert all(curve.raw_torque(rpm) >= 0.0 for rpm in range(0, 25000, 50))


def test_a_well_formed_curve_is_not_malformed() -> None:
    """The default engine has a limit speed beyond max_rpm."""
    curve = ParametricCurve(EngineSettings())
    assert not curve.malformed
    assert curve.limit_rpm > 6500.0


@pytest.mark.parametrize("torque", [1.0, 30.0])
def test_raw_torque_is_never_negative(torque: float) -> None:
    """A curve that falls steeply from idle to peak overshoots; it stops at zero."""
    settings = EngineSettings(peak_rpm_torque=torque, idle_rpm_torque=3000.0, idle_rpm_curve_bias=1.0)
    curve = ParametricCurve(replace(settings, peak_rpm_curve_bias=1.0))
    assert min(curve.raw_torque(rpm) for rpm in range(1000, 7000, 10)) >= 0.0


class Tables(TorqueCurve):
    """Full-throttle and resistive torque over speed: raw = T_max - T_res, Tf = -T_res."""

    def __init__(self, rpm: list[float], torque: list[float], resistive: list[float]) -> None:
        super().__init__(idle_rpm=rpm[1], peak_rpm=rpm[2], max_rpm=rpm[-1])
        self.rows = rpm, torque, resistive

    def _at(self, rpm: float, column: list[float]) -> float:
        speeds = self.rows[0]
        k = min(max(bisect_right(speeds, rpm) - 1, 0), len(speeds) - 2)
        share = (rpm - speeds[k]) / (speeds[k + 1] - speeds[k])
        return column[k] + share * (column[k + 1] - column[k])

    def friction(self, w: float) -> float:
        return max(0.0, -self._at(w / RPM_TO_W, self.rows[2]))

    def raw_torque(self, rpm: float) -> float:
        return max(0.0, self._at(rpm, self.rows[1]) - self._at(rpm, self.rows[2]))


def test_an_engine_takes_any_curve() -> None:
    """An engine built from tables has the torque of the tables, idles and has a data sheet."""
    curve = Tables([0.0, 800.0, 3000.0, 6000.0], [-20.0, 100.0, 200.0, 0.0], [-20.0, -22.0, -40.0, -80.0])
    engine = Engine(EngineSettings(idle_rpm=800.0), curve=curve)
    assert engine.calculate_torque(3000.0) == pytest.approx(200.0)
    assert engine.calculate_torque(3000.0, 0.0) == pytest.approx(-40.0)
    assert engine.calculate_torque(3000.0, 0.5) == pytest.approx(80.0)
    sheet = engine.specifications()
    assert sheet.max_torque_at_peak == pytest.approx(200.0)
    assert sheet.peak_rpm == 3000.0
    assert sheet.friction_torque_at_idle == pytest.approx(22.0)
    assert not sheet.malformed_raw_power


def test_raw_torque_that_rises_after_the_peak_is_malformed() -> None:
    """The flag tells of a raw torque that has a second hump between its peak and max_rpm."""
    speeds = [0.0, 800.0, 3000.0, 4000.0, 5000.0, 6000.0]
    curve = Tables(speeds, [0.0, 100.0, 200.0, 150.0, 160.0, 0.0], [-20.0] * 6)
    sheet = Engine(EngineSettings(idle_rpm=800.0), curve=curve).specifications()
    assert sheet.malformed_raw_power
    assert not sheet.malformed_torque


DIESEL = EngineSettings(
    idle_rpm=800.0,
    max_rpm=5000.0,
    can_stall=True,
    table_rpm=(0.0, 800.0, 1750.0, 2500.0, 4000.0, 4500.0),
    table_torque=(-15.0, 150.0, 400.0, 400.0, 334.0, 250.0),
    table_resistive_torque=(-20.0, -22.0, -30.0, -38.0, -60.0, -70.0),
)
BETWEEN = [(1750.0, 400.0, -30.0), (2000.0, 400.0, -30.0 - 8.0 / 3.0), (3250.0, 367.0, -49.0)]


@pytest.mark.parametrize(("rpm", "full", "none"), BETWEEN)
@pytest.mark.parametrize("throttle", [0.0, 0.3, 1.0])
def test_torque_lies_between_the_tables(rpm: float, full: float, none: float, throttle: float) -> None:
    """T = T_res + throttle·(T_max - T_res), straight from row to row."""
    assert Engine(DIESEL).calculate_torque(rpm, throttle) == pytest.approx(none + throttle * (full - none), rel=1e-12)


def test_the_running_engine_gives_the_torque_of_the_table() -> None:
    """What holds for the data sheet holds for the simulated engine."""
    stand = held_at(3250.0, replace(DIESEL, can_stall=False))
    stand.engine.throttle_input = 1.0
    stand.run(0.1)
    assert stand.engine.sensor_output_torque == pytest.approx(367.0, rel=1e-6)


def test_behind_the_table_the_torque_goes_to_zero_at_max_rpm() -> None:
    """In a straight line from the last row, with its resistive torque, and on until there is no combustion."""
    curve = TableCurve(DIESEL)
    engine = Engine(DIESEL)
    assert engine.calculate_torque(4750.0) == pytest.approx(125.0, rel=1e-12)
    assert engine.calculate_torque(5000.0) == pytest.approx(0.0, abs=1e-9)
    assert curve.friction(7000.0 * RPM_TO_W) == 70.0
    assert curve.limit_rpm == pytest.approx(5000.0 + 70.0 / 0.5, rel=1e-12)
    assert curve.raw_torque(curve.limit_rpm) == 0.0


def test_a_table_may_reach_max_rpm() -> None:
    """It is left as it is then."""
    settings = replace(
        DIESEL, table_rpm=(*DIESEL.table_rpm[:-1], 5000.0), table_torque=(*DIESEL.table_torque[:-1], 0.0)
    )
    assert Engine(settings).calculate_torque(4500.0) == pytest.approx(167.0, rel=1e-12)
    assert Engine(settings).calculate_torque(5000.0) == pytest.approx(0.0, abs=1e-9)


def test_below_idle_combustion_fades_as_in_every_engine() -> None:
    """raw = raw_idle·((n-r0)/(idle-r0))^k, whatever the table says there."""
    curve = TableCurve(DIESEL)
    exponent = 1.60 - 0.66 * 0.5 + 1.86 * 0.25
    assert curve.firing_rpm == 0.5 * 0.5 * 800.0
    assert curve.raw_torque(500.0) == pytest.approx(172.0 * (300.0 / 600.0) ** exponent, rel=1e-12)
    assert curve.raw_torque(200.0) == 0.0
    assert curve.raw_torque(-500.0) == curve.raw_torque(500.0)


def test_the_data_sheet_of_a_table() -> None:
    """Peak, power and friction are found as for any curve."""
    sheet = Engine(DIESEL).specifications()
    assert sheet.peak_rpm == 1750.0
    assert sheet.max_torque_at_peak == pytest.approx(400.0)
    assert sheet.max_power_rpm == 4000.0
    assert sheet.max_power_in_kw == pytest.approx(334.0 * 4000.0 * RPM_TO_W / 1000.0)
    assert sheet.friction_torque_at_idle == pytest.approx(22.0)
    assert not sheet.malformed_torque
    assert not sheet.malformed_raw_power


def test_it_idles() -> None:
    """The idle control knows the table only through the curve."""
    stand = idling(DIESEL)
    stand.run(2.0)
    assert stand.engine.sensor_rpm == pytest.approx(800.0, abs=0.5)


def test_the_settings_choose_the_curve() -> None:
    """Tables where there are any, else parameters."""
    assert isinstance(make_curve(DIESEL), TableCurve)
    assert isinstance(make_curve(EngineSettings()), ParametricCurve)


def test_a_curve_that_does_not_fall_at_the_end_is_malformed() -> None:
    """Friction that grows faster than the torque falls leaves combustion at max_rpm; it ends there."""
    settings = replace(
        DIESEL,
        max_rpm=4500.0,
        table_torque=(*DIESEL.table_torque[:-1], 0.0),
        table_resistive_torque=(*DIESEL.table_resistive_torque[:-1], -500.0),
    )
    curve = TableCurve(settings)
    assert curve.malformed
    assert curve.limit_rpm == 4500.0
    assert curve.raw_torque(4500.0) == 0.0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"table_rpm": DIESEL.table_rpm[:-1]}, "table_torque: 6 values for 5 of table_rpm"),
        ({"table_resistive_torque": ()}, "table_resistive_torque: 0 values for 6 of table_rpm"),
        ({"table_rpm": (0.0, 800.0, 800.0, 2500.0, 4000.0, 4500.0)}, "table_rpm: 800.0 after 800.0"),
        (
            {"table_resistive_torque": (-20.0, 1.0, -30.0, -38.0, -60.0, -70.0)},
            "table_resistive_torque: 1.0 is greater",
        ),
        (
            {"table_torque": (-20.0, 150.0, -40.0, 400.0, 334.0, 250.0)},
            "table_torque: -40.0 at 1750.0 rpm is less than",
        ),
        ({"table_torque": (-20.0, -1.0, 400.0, 400.0, 334.0, 250.0)}, "table_torque: no torque at idle_rpm 800.0"),
        ({"idle_rpm": 4500.0}, "table_rpm: the table does not reach over idle_rpm 4500.0"),
        ({"max_rpm": 4400.0}, "max_rpm: 4400.0 is less than the last of table_rpm, 4500.0"),
        ({"max_rpm": 4500.0}, "table_torque: 250.0 at max_rpm, where the torque is 0"),
        ({"table_torque": (-20.0, 150.0, 400.0, 400.0, 334.0, 0.0)}, "max_rpm: the torque ends at 4500.0 rpm already"),
        ({"table_rpm": (), "table_torque": (), "table_resistive_torque": (-1.0,)}, "1 values for 0 of table_rpm"),
    ],
)
def test_tables_that_do_not_make_an_engine_are_refused(changes: dict[str, Any], message: str) -> None:
    """The message starts with the parameter and says what is wrong."""
    with pytest.raises(ValueError, match=message):
        replace(DIESEL, **changes)
