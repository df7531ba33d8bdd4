"""Rules of torque converters and of the clutch with a lock ratio."""

import math
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vehiclesim.block import RPM_TO_W, W_TO_RPM
from vehiclesim.engine.engine import Engine
from vehiclesim.parameters import ClutchSettings, ClutchType
from vehiclesim.transmission.converter import HydrodynamicConverter, LockRatio, TorqueConverter

from ..dynamometer import HEAVY, Load, Stand, frictionless, idling, spin
from ..published_engines import SPORTS

HYDRODYNAMIC = ClutchSettings(type=ClutchType.HYDRODYNAMIC)
LOCK_UP = replace(HYDRODYNAMIC, lock_up=True, lock_rpm=1200.0, max_torque_transfer=250.0)


def _held(settings: ClutchSettings, rpm: float, turbine_rpm: float, seconds: float = 0.001) -> Stand:
    """Impeller and turbine held at their speeds by heavy flywheels."""
    engine = Engine(replace(frictionless(), inertia=1e5), settings)
    spin(engine, rpm, 1e5, running=False)
    engine.ignition_input = -1
    engine.clutch_input = 1.0
    stand = Stand(engine, Load(HEAVY, turbine_rpm))
    stand.run(seconds)
    return stand


@pytest.mark.parametrize("row", range(len(HYDRODYNAMIC.speed_ratio)))
def test_torques_are_those_of_the_tables(row: int) -> None:
    """At each row T_imp = (n/K)² and T_turb = TR·T_imp; the lock is the speed ratio."""
    rpm = 2000.0
    ratio = HYDRODYNAMIC.speed_ratio[row]
    engine = _held(HYDRODYNAMIC, rpm, rpm * ratio).engine
    impeller = (rpm / HYDRODYNAMIC.capacity_factor[row]) ** 2
    assert engine.sensor_clutch_torque == pytest.approx(impeller, rel=1e-5)
    assert engine.sensor_output_torque == pytest.approx(HYDRODYNAMIC.torque_ratio[row] * impeller, rel=1e-5)
    assert engine.sensor_clutch_lock == pytest.approx(ratio, abs=1e-5)


@pytest.mark.parametrize(("ratio", "share"), [(0.97, 0.5), (0.999, 1.0 / 60.0), (1.0, 0.0)])
def test_the_capacity_falls_to_zero_at_equal_speeds(ratio: float, share: float) -> None:
    """Behind the last row in a straight line: no slip, no torque."""
    engine = _held(HYDRODYNAMIC, 2000.0, 2000.0 * ratio).engine
    assert engine.sensor_clutch_torque == pytest.approx(share * (2000.0 / 210.0) ** 2, rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("ratio", [0.0, 0.5, 0.9, 0.97])
def test_on_overrun_the_turbine_drives(ratio: float) -> None:
    """With changed roles and without multiplication: the impeller gets what the turbine gives."""
    driving = _held(HYDRODYNAMIC, 2000.0, 2000.0 * ratio).engine.sensor_clutch_torque
    engine = _held(HYDRODYNAMIC, 2000.0 * ratio, 2000.0).engine
    assert engine.sensor_clutch_torque == pytest.approx(-driving, rel=1e-5)
    assert engine.sensor_output_torque == engine.sensor_clutch_torque


def test_a_turbine_that_turns_backward_counts_as_standing() -> None:
    """A car that rolls back in D gets the stall torque."""
    stalled = _held(HYDRODYNAMIC, 2000.0, 0.0).engine
    backward = _held(HYDRODYNAMIC, 2000.0, -500.0).engine
    assert backward.sensor_output_torque == pytest.approx(stalled.sensor_output_torque, rel=1e-5)
    assert backward.sensor_clutch_lock == 0.0


def test_stall_speed() -> None:
    """At full throttle on the brake the engine settles where its torque is (n/K(0))²."""
    stand = idling(SPORTS, Load(HEAVY), HYDRODYNAMIC)
    stand.engine.clutch_input = 1.0
    stand.engine.throttle_input = 1.0
    stand.run(4.0)
    rpm = stand.engine.sensor_rpm
    assert stand.engine.calculate_torque(rpm) == pytest.approx((rpm / HYDRODYNAMIC.capacity_factor[0]) ** 2, rel=1e-6)
    assert stand.engine.sensor_output_torque == pytest.approx(2.23 * stand.engine.sensor_clutch_torque, rel=1e-6)


def test_the_lock_is_unknown_at_rest() -> None:
    """Nothing over nothing is no ratio."""
    assert math.isnan(_held(HYDRODYNAMIC, 0.0, 0.0).engine.sensor_clutch_lock)


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
    """It adds max_torque_transfer to what the fluid carries, at most, once its pressure is there."""
    fluid = _held(replace(LOCK_UP, lock_up=False), 4000.0, 2000.0, 0.6).engine.sensor_clutch_torque
    engine = _held(LOCK_UP, 4000.0, 2000.0, 0.6).engine
    assert engine.sensor_clutch_torque == pytest.approx(fluid + 250.0, rel=1e-4)
    assert engine.sensor_clutch_lock == pytest.approx(0.5, rel=1e-4)


@pytest.mark.parametrize("substep", [0.0001, 0.001, 0.005])
def test_the_lock_up_clutch_leads_the_slip_along_a_cubic(substep: float) -> None:
    """With capacity to spare: slip(t)/slip(0) = (1-x)²·(1+2x), x = t/0.5 s, and it is closed then, at any substep."""
    without_fluid = (10_000.0,) * len(LOCK_UP.speed_ratio)
    settings = replace(LOCK_UP, max_torque_transfer=1e5, capacity_factor=without_fluid)
    engine = Engine(replace(frictionless(), inertia=0.2), settings)
    spin(engine, 1900.0, 0.2, running=False)
    engine.ignition_input = -1
    engine.clutch_input = 1.0
    stand = Stand(engine, load := Load(HEAVY, 1500.0))
    stand.solver.max_substep = substep
    for number, _ in enumerate(stand.steps(0.5, 0.05), start=1):
        x = number / 10.0
        left = (engine.sensor_rpm - load.rpm) / 400.0
        assert left == pytest.approx((1.0 - x) ** 2 * (1.0 + 2.0 * x), abs=2e-3)
    assert engine.sensor_clutch_lock == 1.0
    assert engine.sensor_rpm == pytest.approx(load.rpm, rel=1e-9)


def test_the_slip_of_a_lock_up_becomes_heat() -> None:
    """Work in - work out = the integral of the disc's torque times its slip and of the fluid's loss: never negative.

    What a flywheel with nothing else on it loses from w1 to w2 of a heavy turbine that turns with w2 is ½·I·(w1-w2)².
    """
    without_gain = replace(LOCK_UP, torque_ratio=(1.0,) * len(LOCK_UP.speed_ratio))
    engine = Engine(replace(frictionless(), inertia=0.2), without_gain)
    spin(engine, 1900.0, 0.2, running=False)
    engine.ignition_input = -1
    engine.clutch_input = 1.0
    stand = Stand(engine, load := Load(HEAVY, 1500.0))
    heat, before = 0.0, engine.sensor_rpm
    for _ in stand.steps(0.6, 0.001):
        mean = 0.5 * (before + engine.sensor_rpm) * RPM_TO_W
        before = engine.sensor_rpm
        lost = (engine.sensor_clutch_torque * mean - engine.sensor_output_torque * load.rpm * RPM_TO_W) * 0.001
        assert lost >= -1e-9
        heat += lost
    assert heat == pytest.approx(0.5 * 0.2 * (400.0 * RPM_TO_W) ** 2, rel=1e-3)


def test_no_step_of_the_torque_where_a_lock_up_begins_and_ends() -> None:
    """431 Nm from one millisecond to the next before; here less than 3 Nm, while it closes and when it opens again."""
    stand = idling(SPORTS, load := Load(1.0, 1000.0), replace(LOCK_UP, lock_up_time=0.5))
    stand.engine.clutch_input = 1.0
    stand.engine.throttle_input = 0.6
    torques, locks = [], []
    for _ in stand.steps(2.0):
        load.reaction = -0.4 * load.speed
        torques.append(stand.engine.sensor_output_torque)
        locks.append(stand.engine.sensor_clutch_lock)
    assert locks[-1] == 1.0 > locks[600]
    assert max(abs(b - a) for a, b in pairwise(torques[600:])) < 3.0


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
    clutch = HydrodynamicConverter(HYDRODYNAMIC)
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
    clutch = HydrodynamicConverter(HYDRODYNAMIC)
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
        replace(HYDRODYNAMIC, **changes)


LOCK_RATIO = ClutchSettings(type=ClutchType.LOCK_RATIO)
CONVERTER = ClutchSettings(type=ClutchType.TORQUE_CONVERTER, lock_rpm=2000.0, lock_ratio_bias=0.1)
LIMITED = replace(CONVERTER, type=ClutchType.TORQUE_CONVERTER_LIMITED)


def _coasting(settings: ClutchSettings, rpm: float, load: Load, substep: float = 0.001, inertia: float = 0.5) -> Stand:
    """A switched-off engine without friction that turns, with its clutch closed on a load."""
    engine = Engine(replace(frictionless(), inertia=inertia), settings)
    spin(engine, rpm, inertia, running=False)
    engine.ignition_input = -1
    engine.clutch_input = 1.0
    return Stand(engine, load, substep=substep)


@pytest.mark.parametrize("seconds", [0.025, 0.05, 0.2])
@pytest.mark.parametrize("ratio", [0.05, 0.3, 0.9])
def test_a_lock_ratio_acts_at_a_fixed_rate(ratio: float, seconds: float) -> None:
    """On a held driveline a flywheel of 0.35 kg m² loses the share λ of its slip in every twentieth of a second.

    So the slip falls as (1-λ)^(20·t).
    """
    stand = _coasting(LOCK_RATIO, 3000.0, load := Load(HEAVY), inertia=0.35)
    stand.engine.clutch_input = ratio
    stand.run(seconds)
    assert stand.engine.sensor_rpm - load.rpm == pytest.approx(3000.0 * math.pow(1.0 - ratio, 20.0 * seconds), rel=1e-6)
    assert stand.engine.sensor_clutch_lock == ratio


def test_the_torque_is_that_of_a_viscous_coupling() -> None:
    """T = -20·J·ln(1-λ)·slip, J being 0.35 kg m² for 300 Nm, whatever inertia the driveline has."""
    expected = -20.0 * 0.35 * math.log(1.0 - 0.3) * 3000.0 * RPM_TO_W
    for inertia in (0.5, 20.0, HEAVY):
        stand = _coasting(LOCK_RATIO, 3000.0, Load(inertia), 1e-6)
        stand.engine.clutch_input = 0.3
        stand.run(1e-6, 1e-6)
        assert stand.engine.sensor_output_torque == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("substep", [0.0001, 0.00025, 0.005, 0.05])
@pytest.mark.parametrize("ratio", [0.05, 0.6, 0.999, 1.0])
def test_a_lock_ratio_does_not_depend_on_the_substep(ratio: float, substep: float) -> None:
    """Slip, speeds and so the impulse of the torque are the same however the time is cut, under load too."""

    def speeds(substep: float) -> tuple[float, float]:
        stand = _coasting(LOCK_RATIO, 3000.0, load := Load(1.5, 500.0, -40.0), substep)
        stand.engine.clutch_input = ratio
        stand.run(0.2, 0.05)
        return stand.engine.sensor_rpm, load.rpm

    assert speeds(substep) == pytest.approx(speeds(0.001), rel=1e-9)


@pytest.mark.parametrize("settings", [LOCK_RATIO, replace(CONVERTER, lock_rpm=500.0)], ids=["ratio", "converter"])
def test_locked_it_keeps_the_momentum_and_carries_the_load(settings: ClutchSettings) -> None:
    """Both sides end at the common speed, and accelerate together by (T_e + Tr)/(I_e + I)."""
    stand = _coasting(settings, 3000.0, load := Load(1.5, 1000.0, -40.0))
    stand.run(0.2)
    together = (0.5 * 3000.0 + 1.5 * 1000.0) / 2.0 - 0.2 * 40.0 / 2.0 * W_TO_RPM
    assert stand.engine.sensor_rpm == pytest.approx(together, rel=1e-6)
    assert load.rpm == pytest.approx(together, rel=1e-6)
    assert stand.engine.sensor_output_torque == pytest.approx(40.0 * 0.5 / 2.0, rel=1e-6)
    assert stand.engine.sensor_clutch_lock == 1.0


@pytest.mark.parametrize("settings", [CONVERTER, LIMITED], ids=["unlimited", "limited"])
def test_a_converter_at_idle_has_the_published_lock_ratio(settings: ClutchSettings) -> None:
    """4.765 % at 800 of 2000 rpm with bias 0.1; a converter for 300 N m then creeps with 28 N m."""
    stand = idling(SPORTS, Load(HEAVY), settings)
    stand.engine.clutch_input = 1.0
    stand.run(3.0)
    assert stand.engine.sensor_rpm == pytest.approx(800.0, abs=0.1)
    assert stand.engine.sensor_clutch_lock == pytest.approx(0.04765, abs=5e-6)
    assert stand.engine.sensor_output_torque == pytest.approx(28.0, rel=0.03)


@pytest.mark.parametrize("inertia", [0.15, 0.5, 1.5])
def test_the_creep_does_not_depend_on_the_flywheel(inertia: float) -> None:
    """28 N m with a flywheel of any inertia; twice as much from a converter for twice the torque."""
    for size in (300.0, 600.0):
        stand = idling(replace(SPORTS, inertia=inertia), Load(HEAVY), replace(CONVERTER, max_torque_transfer=size))
        stand.engine.clutch_input = 1.0
        stand.run(3.0)
        assert stand.engine.sensor_rpm == pytest.approx(800.0, abs=0.1)
        assert stand.engine.sensor_output_torque == pytest.approx(28.0 * size / 300.0, rel=0.03)


@pytest.mark.parametrize(
    ("rpm", "ratio"), [(0.0, 0.0), (1000.0, 0.1), (1500.0, 0.75 ** (math.log(0.1) / math.log(0.5)))]
)
def test_the_lock_ratio_of_a_converter_follows_the_engine(rpm: float, ratio: float) -> None:
    """λ = bias(n/lock_rpm, lock_ratio_bias)."""
    converter = TorqueConverter(CONVERTER)
    converter.engagement = 1.0
    assert converter.ratio(rpm * RPM_TO_W) == pytest.approx(ratio, rel=1e-12)


def test_a_converter_locks_and_opens_once() -> None:
    """Locked from lock_rpm on, until the engine turns more than a twentieth slower."""
    converter = TorqueConverter(CONVERTER)
    converter.engagement = 1.0
    locked = []
    for rpm in (1950.0, 2000.0, 1950.0, 1901.0, 1899.0, 1950.0):
        converter.start_step(rpm * RPM_TO_W)
        locked.append(converter.locked)
    assert locked == [False, True, True, True, False, False]


def test_a_converter_does_not_hunt_around_its_lock_speed() -> None:
    """A load that the engine can just pull at lock_rpm: the converter locks once, and the torque stays smooth then."""
    stand = idling(SPORTS, load := Load(1.0, 1500.0), CONVERTER)
    stand.engine.clutch_input = 1.0
    stand.engine.throttle_input = 0.6
    locks = []
    for _ in stand.steps(7.0):
        load.reaction = -0.35 * load.speed
        locks.append(stand.engine.sensor_clutch_lock)
    assert sum(before < 1.0 <= after for before, after in pairwise(locks)) == 1
    assert locks[-1] == 1.0
    assert stand.engine.sensor_rpm == pytest.approx(load.rpm, rel=1e-9)
    assert load.rpm == pytest.approx(2000.0, abs=60.0)


def test_a_limited_converter_slips_at_its_limit() -> None:
    """max_torque_transfer, in both directions, locked or not."""
    settings = replace(LIMITED, max_torque_transfer=50.0)
    for rpm, load_rpm in ((3000.0, 0.0), (1900.0, 0.0), (0.0, 3000.0), (2500.0, 6000.0)):
        stand = _coasting(settings, rpm, Load(HEAVY, load_rpm))
        stand.run(0.002)
        assert abs(stand.engine.sensor_output_torque) <= 50.0
    stand = _coasting(settings, 3000.0, Load(HEAVY))
    stand.run(0.002)
    assert stand.engine.sensor_output_torque == 50.0


def test_an_open_converter_carries_nothing() -> None:
    """With the pedal down both sides go their own way."""
    for settings in (LOCK_RATIO, CONVERTER, LIMITED):
        stand = _coasting(settings, 3000.0, load := Load(1.5))
        stand.engine.clutch_input = 0.0
        stand.run(0.5)
        assert stand.engine.sensor_rpm == pytest.approx(3000.0, rel=1e-12)
        assert load.rpm == 0.0
        assert stand.engine.sensor_clutch_lock == 0.0


speeds = st.floats(-500.0, 500.0)
accelerations = st.floats(-1000.0, 1000.0)
inverses = st.floats(0.0, 100.0)


@given(speeds, speeds, inverses, inverses, st.floats(0.0, 1.0), st.floats(1e-5, 0.1))
def test_without_other_torques_slip_only_shrinks(
    speed: float, other: float, inverse: float, other_inverse: float, ratio: float, substep: float
) -> None:
    """It neither grows nor changes its sign, so what the clutch loses, T times the mean slip, is never negative."""
    clutch = LockRatio(LOCK_RATIO)
    clutch.engagement = ratio
    clutch.substep, clutch.speed, clutch.inverse_inertia = substep, other, other_inverse
    clutch.start_step(speed)
    clutch.start_substep(speed)
    torque = clutch.torque(speed, 0.0, inverse)
    before = speed - other
    after = before - torque * (inverse + other_inverse) * substep
    assert abs(after) <= abs(before)
    assert after * before >= -1e-9
    assert torque * (before + after) >= -1e-9


@given(speeds, accelerations, speeds, accelerations)
def test_two_sides_that_cannot_move_still_feel_the_coupling(
    speed: float, own: float, other: float, theirs: float
) -> None:
    """With both inertias infinite the torque is c times the mean slip of the substep."""
    clutch = LockRatio(LOCK_RATIO)
    clutch.engagement = 0.3
    clutch.speed, clutch.acceleration = other, theirs
    clutch.start_step(speed)
    clutch.start_substep(speed)
    mean_slip = speed - other + 0.0005 * (own - theirs)
    expected = -20.0 * 0.35 * math.log(0.7) * mean_slip
    assert clutch.torque(speed, own, 0.0) == pytest.approx(expected, rel=1e-12, abs=1e-9)
