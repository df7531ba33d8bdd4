"""Rules of an engine that is given by tables."""

from dataclasses import replace
from typing import Any

import pytest

from vehiclesim.block import RPM_TO_W
from vehiclesim.engine.engine import Engine
from vehiclesim.engine.table_curve import TableCurve, make_curve
from vehiclesim.engine.torque_curve import ParametricCurve
from vehiclesim.parameters import EngineSettings

from ..dynamometer import held_at, idling

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
