"""Rules of the hydrodynamic converter: its tables, overrun, lock-up, losses."""

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vehiclesim.engine.engine import Engine
from vehiclesim.parameters import ClutchSettings, ClutchType
from vehiclesim.transmission.converter import HydrodynamicConverter

from ..dynamometer import HEAVY, Load, Stand, frictionless, idling, spin
from ..published_engines import SPORTS

CONVERTER = ClutchSettings(type=ClutchType.HYDRODYNAMIC)
LOCK_UP = replace(CONVERTER, lock_up=True, lock_rpm=1200.0, max_torque_transfer=250.0)


def _held(settings: ClutchSettings, rpm: float, turbine_rpm: float) -> Stand:
    """Impeller and turbine held at their speeds by heavy flywheels."""
    engine = Engine(replace(frictionless(), inertia=1e5), settings)
    spin(engine, rpm, 1e5, running=False)
    engine.ignition_input = -1
    engine.clutch_input = 1.0
    stand = Stand(engine, Load(HEAVY, turbine_rpm))
    stand.run(0.001)
    return stand


@pytest.mark.parametrize("row", range(len(CONVERTER.speed_ratio)))
def test_torques_are_those_of_the_tables(row: int) -> None:
    """At each row T_imp = (n/K)² and T_turb = TR·T_imp; the lock is the speed ratio."""
    rpm = 2000.0
    ratio = CONVERTER.speed_ratio[row]
    engine = _held(CONVERTER, rpm, rpm * ratio).engine
    impeller = (rpm / CONVERTER.capacity_factor[row]) ** 2
    assert engine.sensor_clutch_torque == pytest.approx(impeller, rel=1e-5)
    assert engine.sensor_output_torque == pytest.approx(CONVERTER.torque_ratio[row] * impeller, rel=1e-5)
    assert engine.sensor_clutch_lock == pytest.approx(ratio, abs=1e-5)


@pytest.mark.parametrize(("ratio", "share"), [(0.97, 0.5), (0.999, 1.0 / 60.0), (1.0, 0.0)])
def test_the_capacity_falls_to_zero_at_equal_speeds(ratio: float, share: float) -> None:
    """Behind the last row in a straight line: no slip, no torque."""
    engine = _held(CONVERTER, 2000.0, 2000.0 * ratio).engine
    assert engine.sensor_clutch_torque == pytest.approx(share * (2000.0 / 210.0) ** 2, rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("ratio", [0.0, 0.5, 0.9, 0.97])
def test_on_overrun_the_turbine_drives(ratio: float) -> None:
    """With changed roles and without multiplication: the impeller gets what the turbine gives."""
    driving = _held(CONVERTER, 2000.0, 2000.0 * ratio).engine.sensor_clutch_torque
    engine = _held(CONVERTER, 2000.0 * ratio, 2000.0).engine
    assert engine.sensor_clutch_torque == pytest.approx(-driving, rel=1e-5)
    assert engine.sensor_output_torque == engine.sensor_clutch_torque


def test_a_turbine_that_turns_backward_counts_as_standing() -> None:
    """A car that rolls back in D gets the stall torque."""
    stalled = _held(CONVERTER, 2000.0, 0.0).engine
    backward = _held(CONVERTER, 2000.0, -500.0).engine
    assert backward.sensor_output_torque == pytest.approx(stalled.sensor_output_torque, rel=1e-5)
    assert backward.sensor_clutch_lock == 0.0


def test_stall_speed() -> None:
    """At full throttle on the brake the engine settles where its torque is (n/K(0))²."""
    stand = idling(SPORTS, Load(HEAVY), CONVERTER)
    stand.engine.clutch_input = 1.0
    stand.engine.throttle_input = 1.0
    stand.run(4.0)
    rpm = stand.engine.sensor_rpm
    assert stand.engine.calculate_torque(rpm) == pytest.approx((rpm / CONVERTER.capacity_factor[0]) ** 2, rel=1e-6)
    assert stand.engine.sensor_output_torque == pytest.approx(2.23 * stand.engine.sensor_clutch_torque, rel=1e-6)


def test_the_lock_is_unknown_at_rest() -> None:
    """Nothing over nothing is no ratio."""
    assert math.isnan(_held(CONVERTER, 0.0, 0.0).engine.sensor_clutch_lock)


def test_lock_up() -> None:
    """From a turbine speed of lock_rpm on the disc takes the slip away and carries the load; below 0.95 it opens."""
    stand = idling(SPORTS, load := Load(1.0, 1250.0), LOCK_UP)
    stand.engine.clutch_input = 1.0
    stand.engine.throttle_input = 0.6
    for _ in stand.steps(2.0):
        load.reaction = -0.4 * load.speed
    assert stand.engine.sensor_clutch_lock == 1.0
    assert stand.engine.sensor_rpm == pytest.approx(load.rpm, rel=1e-12)
    load.reaction = -100.0
    stand.run(2.0)
    assert load.rpm < 0.95 * 1200.0
    assert stand.engine.sensor_clutch_lock < 1.0
    assert stand.engine.sensor_rpm > load.rpm


def test_the_lock_up_clutch_has_a_limit() -> None:
    """It adds max_torque_transfer to what the fluid carries, at most."""
    fluid = _held(replace(LOCK_UP, lock_up=False), 4000.0, 2000.0).engine.sensor_clutch_torque
    engine = _held(LOCK_UP, 4000.0, 2000.0).engine
    assert engine.sensor_clutch_torque == pytest.approx(fluid + 250.0, rel=1e-4)
    assert engine.sensor_clutch_lock == pytest.approx(0.5, rel=1e-4)


@pytest.mark.parametrize("substep", [0.00025, 0.005])
def test_a_launch_does_not_depend_on_the_substep(substep: float) -> None:
    """Stall, multiplication, coupling and lock-up: speeds within 0.5 % at every moment, 5 ms included."""

    def launch(substep: float) -> list[float]:
        stand = idling(SPORTS, load := Load(1.0, torque=-20.0), LOCK_UP)
        stand.solver.max_substep = substep
        stand.engine.clutch_input = 1.0
        stand.engine.throttle_input = 0.8
        return [value for _ in stand.steps(3.0, 0.05) for value in (stand.engine.sensor_rpm, load.rpm)]

    assert launch(substep) == pytest.approx(launch(0.001), rel=5e-3)


@given(st.floats(0.0, 800.0), st.floats(-100.0, 800.0), st.floats(0.0, 1.0))
def test_power_is_never_won(speed: float, turbine: float, engagement: float) -> None:
    """What goes in at one side is not less than what comes out at the other."""
    clutch = HydrodynamicConverter(CONVERTER)
    clutch.engagement, clutch.speed, clutch.inverse_inertia = engagement, turbine, 0.0
    clutch.start_substep(speed)
    torque = clutch.torque(speed, 0.0, 0.0)
    loss = torque * speed - clutch.output_torque(torque) * turbine
    assert loss >= -1e-9 * abs(torque * speed)


@given(st.floats(0.0, 800.0), st.floats(0.0, 800.0), st.floats(0.1, 10.0), st.floats(0.1, 1e4), st.floats(1e-4, 0.02))
def test_the_fluid_does_not_reverse_the_slip(
    speed: float, turbine: float, inverse: float, turbine_inverse: float, substep: float
) -> None:
    """However light the driveline and however long the substep: the torque is not stiff."""
    clutch = HydrodynamicConverter(CONVERTER)
    clutch.engagement, clutch.speed, clutch.inverse_inertia, clutch.substep = 1.0, turbine, turbine_inverse, substep
    clutch.start_substep(speed)
    torque = clutch.torque(speed, 0.0, inverse)
    after = speed - turbine - (torque * inverse + clutch.output_torque(torque) * turbine_inverse) * substep
    assert after * (speed - turbine) >= -1e-6
    assert abs(after) <= abs(speed - turbine) * (1.0 + 1e-12)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"speed_ratio": ()}, "speed_ratio: the first one is 0"),
        ({"speed_ratio": (0.1, 0.5), "capacity_factor": (1.0, 1.0), "torque_ratio": (1.0, 1.0)}, "the first one is 0"),
        ({"capacity_factor": (100.0,)}, "capacity_factor: 1 values for 9 of speed_ratio"),
        ({"torque_ratio": (2.0, 1.0)}, "torque_ratio: 2 values for 9 of speed_ratio"),
        ({"speed_ratio": (0.0, 0.0), "capacity_factor": (100.0, 120.0), "torque_ratio": (2.0, 1.0)}, "0.0 after 0.0"),
        (
            {"speed_ratio": (0.0, 0.8), "capacity_factor": (100.0, 120.0), "torque_ratio": (2.0, 1.3)},
            "ratio 0.8 more power",
        ),
        ({"speed_ratio": (0.0, 0.8), "capacity_factor": (100.0, 120.0), "torque_ratio": (2.0, 1.25)}, "0.9 more power"),
        ({"speed_ratio": (0.0,), "capacity_factor": (100.0,), "torque_ratio": (3.0,)}, "0.75 more power"),
    ],
)
def test_tables_that_do_not_make_a_converter_are_refused(changes: dict[str, Any], message: str) -> None:
    """The message starts with the parameter; more power out than in is refused between the rows too."""
    with pytest.raises(ValueError, match=message):
        replace(CONVERTER, **changes)
