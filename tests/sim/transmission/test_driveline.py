"""Rules of differentials and of the torque splitter."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vehiclesim.block import Block, Connection
from vehiclesim.parameters import DifferentialSettings, DifferentialType, SplitterSettings
from vehiclesim.transmission.driveline import FORCE_LOCKED, FORCE_OPEN, Differential, TorqueSplitter

from ..driveline_rig import Rig, Wheel, on_two_wheels

OPEN = DifferentialSettings(ratio=3.7)
LOCKED = replace(OPEN, type=DifferentialType.LOCKED)
VISCOUS = replace(OPEN, type=DifferentialType.VISCOUS, preload=0.0)
CLUTCH_PACK = replace(OPEN, type=DifferentialType.CLUTCH_PACK)
TORQUE_BIAS = replace(OPEN, type=DifferentialType.TORQUE_BIAS, preload=0.0, bias_ratio=5.0)
ALL = pytest.mark.parametrize(
    "parameters", [OPEN, LOCKED, VISCOUS, CLUTCH_PACK, TORQUE_BIAS], ids=lambda s: s.type.value
)


def torques(wheel: Wheel, other: Wheel) -> tuple[float, float]:
    """What the differential gives to each of its wheels [N m]."""
    one, two = wheel.inputs[0], other.inputs[0]
    assert isinstance(one, Connection)
    assert isinstance(two, Connection)
    return one.out_td, two.out_td


def slipping(parameters: DifferentialSettings, torque: float, one: float = 30.0, two: float = 10.0) -> Rig:
    """A differential whose first wheel is the faster one, under a torque at its input, after one step."""
    rig = on_two_wheels(Differential(parameters), Wheel(1.0, one), Wheel(1.0, two))
    rig.motor.torque = torque
    rig.step()
    return rig


# -- open -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("i1", "i2", "tr1", "tr2"), [(1.0, 1.0, 0.0, 0.0), (1.0, 3.0, -20.0, 10.0), (0.2, 5.0, 40.0, 0.0)]
)
def test_an_open_differential_gives_equal_torques(i1: float, i2: float, tr1: float, tr2: float) -> None:
    """T1 = T2 = i·T_in/2, whatever the wheels do."""
    rig = on_two_wheels(Differential(OPEN), one := Wheel(i1, 5.0, tr1), two := Wheel(i2, 20.0, tr2))
    rig.motor.torque = 40.0
    rig.run(0.2)
    assert torques(one, two) == (74.0, 74.0)
    assert one.speed == pytest.approx(5.0 + (74.0 + tr1) / i1 * 0.2, rel=1e-9)
    assert two.speed == pytest.approx(20.0 + (74.0 + tr2) / i2 * 0.2, rel=1e-9)


@pytest.mark.parametrize("ratio", [1.0, 3.7])
def test_what_an_open_differential_reports(ratio: float) -> None:
    """I = 4·I1·I2/(I1+I2)/i², L = I·i·(w1+w2)/2, Tr = 2·(I2·Tr1 + I1·Tr2)/(I1+I2)/i."""
    rig = on_two_wheels(Differential(replace(OPEN, ratio=ratio)), Wheel(1.0, 5.0, -30.0), Wheel(3.0, 20.0, 10.0))
    shaft = rig.root.inputs[0]
    assert isinstance(shaft, Connection)
    assert pytest.approx(3.0 / ratio**2, rel=1e-12) == shaft.I
    assert pytest.approx(3.0 / ratio**2 * ratio * 12.5, rel=1e-12) == shaft.L
    assert pytest.approx(0.5 * (3.0 * -30.0 + 1.0 * 10.0) / ratio, rel=1e-12) == shaft.Tr
    assert rig.motor.speed == pytest.approx(ratio * 12.5, rel=1e-12)


def test_the_wheel_with_less_grip_gets_the_speed_and_the_power() -> None:
    """On ice and asphalt both get the torque of the ice; the wheel on asphalt stands, all power goes to the other."""
    rig = on_two_wheels(Differential(OPEN), ice := Wheel(1.0, grip=50.0), asphalt := Wheel(1.0, grip=1000.0))
    rig.motor.torque = 40.0
    rig.run(1.0)
    assert torques(ice, asphalt) == (74.0, 74.0)
    assert asphalt.speed == 0.0
    assert ice.speed == pytest.approx(74.0 - 50.0, rel=1e-9)
    assert rig.motor.speed == pytest.approx(3.7 * ice.speed / 2.0, rel=1e-12)
    assert rig.motor.torque * rig.motor.speed == pytest.approx(74.0 * ice.speed, rel=1e-12)


def test_a_locked_differential_uses_the_grip_of_the_other_wheel() -> None:
    """What the wheel on ice cannot put down goes to the one on asphalt, until that slides too."""
    rig = on_two_wheels(Differential(LOCKED), ice := Wheel(1.0, grip=50.0), asphalt := Wheel(1.0, grip=1000.0))
    rig.motor.torque = 400.0
    rig.run(0.1)
    begin = asphalt.speed
    rig.run(1.0)
    assert ice.speed == pytest.approx(asphalt.speed, rel=1e-9)
    assert asphalt.speed - begin == pytest.approx((3.7 * 400.0 - 1050.0) / 2.0, rel=1e-6)
    given_to_ice, given_to_asphalt = torques(ice, asphalt)
    assert given_to_ice + given_to_asphalt == pytest.approx(3.7 * 400.0, rel=1e-12)
    assert given_to_asphalt - given_to_ice == pytest.approx(950.0, rel=1e-6)


# -- locked ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("i1", "i2"), [(1.0, 1.0), (0.5, 4.0)])
def test_a_locked_differential_makes_one_mass(i1: float, i2: float) -> None:
    """w1 = w2 = (L1+L2)/(I1+I2) after the first step, then (T + Tr1 + Tr2)/(I1+I2) for both."""
    rig = on_two_wheels(Differential(LOCKED), one := Wheel(i1, 30.0, -20.0), two := Wheel(i2, 10.0, 5.0))
    rig.motor.torque = 40.0
    rig.run(0.5)
    expected = (i1 * 30.0 + i2 * 10.0 + 0.5 * (3.7 * 40.0 - 15.0)) / (i1 + i2)
    assert one.speed == pytest.approx(expected, rel=1e-9)
    assert two.speed == pytest.approx(expected, rel=1e-9)
    shaft = rig.root.inputs[0]
    assert isinstance(shaft, Connection)
    assert pytest.approx((i1 + i2) / 3.7**2, rel=1e-12) == shaft.I
    assert pytest.approx(-15.0 / 3.7, rel=1e-12) == shaft.Tr
    assert pytest.approx((i1 + i2) * expected / 3.7, rel=1e-9) == shaft.L


def test_the_loss_of_locking() -> None:
    """½·I1·I2/(I1+I2)·(w1-w2)²."""
    rig = on_two_wheels(Differential(LOCKED), Wheel(1.0, 30.0), Wheel(3.0, 10.0))
    before = rig.kinetic_energy
    rig.step()
    assert before - rig.kinetic_energy == pytest.approx(0.5 * 0.75 * 20.0**2, rel=1e-9)
    assert rig.losses[0] == pytest.approx(0.5 * 0.75 * 20.0**2, rel=1e-9)


# -- limited slip ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("torque", [-60.0, -10.0, 0.0, 10.0, 60.0])
def test_capacity_of_a_clutch_pack(torque: float) -> None:
    """preload + μ·cot(angle)·|i·T_in|: the ramp of power for positive torque, of coast for negative."""
    ramp = 45.0 if torque > 0.0 else 80.0
    expected = 50.0 + 0.4 / math.tan(math.radians(ramp)) * abs(3.7 * torque)
    assert slipping(CLUTCH_PACK, torque).root.sensor_transfer_torque == pytest.approx(expected, rel=1e-12)
    assert slipping(CLUTCH_PACK, torque, 10.0, 30.0).root.sensor_transfer_torque == pytest.approx(-expected, rel=1e-12)


@pytest.mark.parametrize("torque", [-60.0, 60.0])
def test_a_torque_bias_of_five_to_one(torque: float) -> None:
    """The slower wheel gets five times the torque of the faster one; on overrun the faster one brakes five times."""
    rig = slipping(TORQUE_BIAS, torque)
    faster, slower = torques(*rig.wheels)
    assert faster + slower == pytest.approx(3.7 * torque, rel=1e-12)
    ratio = slower / faster if torque > 0.0 else faster / slower
    assert ratio == pytest.approx(5.0, rel=1e-9)


def test_preload_of_a_torque_bias_works_without_torque() -> None:
    """preload + |T|·(n-1)/(2·(n+1))."""
    rig = slipping(replace(TORQUE_BIAS, preload=30.0), 0.0)
    assert rig.root.sensor_transfer_torque == 30.0
    rig = slipping(replace(TORQUE_BIAS, preload=30.0), 60.0)
    assert rig.root.sensor_transfer_torque == pytest.approx(30.0 + 3.7 * 60.0 * 4.0 / 12.0, rel=1e-12)


@pytest.mark.parametrize("stiffness", [0.05, 0.25, 0.9])
def test_the_torque_of_a_viscous_coupling(stiffness: float) -> None:
    """T_c = -100·ln(1-λ)·slip: from two free wheels of 1 kg m² the share λ of the slip is gone after 5 ms."""
    rig = on_two_wheels(
        Differential(replace(VISCOUS, stiffness=stiffness)), one := Wheel(1.0, 30.0), two := Wheel(1.0, 10.0)
    )
    rig.run(0.02)
    assert one.speed - two.speed == pytest.approx(20.0 * (1.0 - stiffness) ** 4.0, rel=1e-9)
    assert one.speed + two.speed == pytest.approx(40.0, rel=1e-12)


def test_a_viscous_coupling_does_not_know_what_hangs_on_it() -> None:
    """The torque is that of the slip, whatever inertia the wheels show."""
    expected = -100.0 * math.log(0.75) * 20.0
    for inertia in (0.5, 5.0, 1e6):
        rig = on_two_wheels(Differential(VISCOUS), Wheel(inertia, 30.0), Wheel(2.0 * inertia, 10.0))
        rig.step(1e-7)
        assert rig.root.sensor_transfer_torque == pytest.approx(expected, rel=1e-4)


def test_a_viscous_coupling_before_a_final_drive_turns_faster() -> None:
    """With a gear g behind the outputs c is c/g² there, and the same c at the wheels."""
    fast = on_two_wheels(Differential(VISCOUS, gear=4.0), Wheel(1e6, 40.0), Wheel(1e6, 0.0))
    slow = on_two_wheels(Differential(VISCOUS), Wheel(1e6, 10.0), Wheel(1e6, 0.0))
    fast.step()
    slow.step()
    assert 4.0 * fast.root.sensor_transfer_torque == pytest.approx(slow.root.sensor_transfer_torque, rel=1e-6)


@pytest.mark.parametrize(("stiffness", "like"), [(0.0, OPEN), (1.0, LOCKED)])
def test_the_ends_of_stiffness(stiffness: float, like: DifferentialSettings) -> None:
    """0 is an open differential, 1 a locked one."""
    viscous = slipping(replace(VISCOUS, stiffness=stiffness), 40.0)
    other = slipping(like, 40.0)
    assert [wheel.speed for wheel in viscous.wheels] == [wheel.speed for wheel in other.wheels]


@pytest.mark.parametrize(
    "parameters", [replace(VISCOUS, preload=50.0), CLUTCH_PACK, TORQUE_BIAS], ids=lambda s: s.type.value
)
def test_below_its_capacity_it_is_a_locked_differential(parameters: DifferentialSettings) -> None:
    """Wheels that turn together stay together while their torques differ by less than twice the capacity."""
    rig = on_two_wheels(Differential(parameters), one := Wheel(1.0, 10.0, -30.0), two := Wheel(1.0, 10.0, 30.0))
    rig.motor.torque = 60.0
    rig.run(1.0)
    assert rig.root.sensor_transfer_torque == pytest.approx(-30.0, rel=1e-9)
    assert one.speed == pytest.approx(two.speed, rel=1e-12)
    two.reaction = 1000.0
    rig.run(0.1)
    assert two.speed > one.speed + 1.0


@ALL
@pytest.mark.parametrize("substep", [0.0001, 0.00025, 0.005])
def test_a_differential_does_not_depend_on_the_substep(parameters: DifferentialSettings, substep: float) -> None:
    """Slipping and, later, holding: the same speeds, 5 ms included."""

    def speeds(substep: float, seconds: float) -> list[float]:
        rig = on_two_wheels(Differential(parameters), Wheel(1.0, 30.0, -50.0), Wheel(1.0, 20.0, -30.0))
        rig.motor.torque = 40.0
        rig.run(seconds, substep)
        return [wheel.speed for wheel in rig.wheels]

    for seconds in (0.05, 1.0):
        assert speeds(substep, seconds) == pytest.approx(speeds(0.001, seconds), rel=1e-6)


# -- what holds for all ---------------------------------------------------------------------------------------------

wheels = st.tuples(st.floats(0.1, 50.0), st.floats(-100.0, 100.0), st.floats(-500.0, 500.0))
kinds = st.sampled_from([OPEN, LOCKED, VISCOUS, replace(VISCOUS, preload=40.0), CLUTCH_PACK, TORQUE_BIAS])


@given(kinds, wheels, wheels, st.lists(st.floats(-300.0, 300.0), min_size=1, max_size=8))
def test_the_ledger(
    parameters: DifferentialSettings,
    one: tuple[float, float, float],
    two: tuple[float, float, float],
    motor: list[float],
) -> None:
    """The work of the motor is what the wheels gain and the coupling loses.

    Friction acts against the slip that it leaves; a viscous coupling has the mean of its step, in which slip may turn.
    """
    rig = on_two_wheels(Differential(parameters), Wheel(*one), Wheel(*two))
    rig.step()
    for torque in motor:
        rig.motor.torque = torque
        rig.work = 0.0
        rig.losses = [0.0]
        speed, energy = rig.motor.speed, rig.kinetic_energy
        rig.step()
        gained = rig.kinetic_energy - energy
        throughput = abs(rig.work) + abs(gained) + abs(rig.losses[0]) + abs(torque * speed) * 0.001 + energy
        assert rig.work - gained - rig.losses[0] == pytest.approx(0.0, abs=1e-11 * throughput)
        if parameters.type is not DifferentialType.VISCOUS:
            assert rig.root.sensor_transfer_torque * rig.root.sensor_slip >= -1e-9
        assert sum(torques(*rig.wheels)) == pytest.approx(3.7 * torque, rel=1e-9, abs=1e-9)


@given(kinds, wheels, wheels, st.floats(-300.0, 300.0))
def test_the_input_shaft_does_what_was_reported(
    parameters: DifferentialSettings, one: tuple[float, float, float], two: tuple[float, float, float], torque: float
) -> None:
    """w = (L + (T + Tr)·dt)/I is the shaft's speed after a substep in which the coupling goes on as before."""
    rig = on_two_wheels(Differential(parameters), Wheel(*one), Wheel(*two))
    rig.motor.torque = torque
    for _ in range(5):
        rig.step()
    shaft = rig.root.inputs[0]
    assert isinstance(shaft, Connection)
    held = rig.root.get_state_vars()
    expected = (shaft.L + (torque + shaft.Tr) * 0.001) / shaft.I
    rig.step()
    after = rig.root.get_state_vars()
    same = after["_holding"] == held["_holding"] and after["_friction"] == held["_friction"]
    if same or (after["_holding"] and held["_holding"]):
        assert rig.motor.speed == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("override", [FORCE_LOCKED, FORCE_OPEN])
@ALL
def test_a_lock_override_beats_the_type(parameters: DifferentialSettings, override: int) -> None:
    """1 is a locked differential, 2 an open one; 0 gives back what it was."""
    like = LOCKED if override == FORCE_LOCKED else OPEN

    def run(rig: Rig, override: int) -> list[float]:
        rig.root.lock_override = override
        rig.motor.torque = 40.0
        rig.run(0.1)
        return [wheel.speed for wheel in rig.wheels]

    def rig(parameters: DifferentialSettings) -> Rig:
        return on_two_wheels(Differential(parameters), Wheel(1.0, 30.0), Wheel(1.0, 10.0, -80.0))

    overridden = rig(parameters)
    assert run(overridden, override) == run(rig(like), 0)
    released = on_two_wheels(
        Differential(parameters), *(Wheel(w.inertia, w.speed, w.reaction) for w in overridden.wheels)
    )
    assert run(overridden, 0) == pytest.approx(run(released, 0), rel=1e-9)


@ALL
def test_a_restored_differential_goes_on_exactly(parameters: DifferentialSettings) -> None:
    """Slipping or holding, the saved state and the wheels are the whole state."""
    first = slipping(parameters, 40.0)
    for _ in range(6):
        state = first.root.get_state_vars()
        second = on_two_wheels(Differential(parameters), *(Wheel(w.inertia, w.speed) for w in first.wheels))
        second.root.set_state_vars(state)
        second.solver.update_shafts()
        second.motor.torque = first.motor.torque
        assert second.root.get_state_vars() == state
        first.run(0.05)
        second.run(0.05)
        assert [w.speed for w in second.wheels] == [w.speed for w in first.wheels]
        assert second.root.get_state_vars() == first.root.get_state_vars()


def test_a_differential_needs_all_its_shafts() -> None:
    """One in, two out."""
    differential = Differential(OPEN)
    Block.connect(Wheel(), differential, 0)
    assert not differential.check_connections()


def _rig(primary: Wheel, secondary: Wheel, stiffness: float = 0.25, ratio: float = 2.0) -> Rig:
    return on_two_wheels(TorqueSplitter(SplitterSettings(stiffness=stiffness, ratio=ratio)), primary, secondary)


def test_the_primary_axle_is_driven_rigidly() -> None:
    """w_in = i·w1, whatever the secondary axle does."""
    rig = _rig(primary := Wheel(2.0, 10.0), Wheel(2.0, -5.0))
    rig.motor.torque = 50.0
    for _ in range(100):
        rig.step()
        assert rig.motor.speed == pytest.approx(2.0 * primary.speed, rel=1e-12)


def test_without_slip_the_primary_axle_gets_it_all() -> None:
    """The coupling moves torque only while the axles turn differently: none at first."""
    rig = _rig(Wheel(1e9, 10.0), Wheel(1e9, 10.0))
    rig.motor.torque = 50.0
    rig.step()
    assert rig.root.sensor_transfer_torque == pytest.approx(0.0, abs=3.0)


def test_the_secondary_axle_is_pulled_along() -> None:
    """Driven from rest, both end with T/(I1+I2), and the coupling carries the share of the secondary inertia."""
    rig = _rig(primary := Wheel(2.0), secondary := Wheel(3.0))
    rig.motor.torque = 50.0
    rig.run(1.0)
    assert rig.root.sensor_transfer_torque == pytest.approx(100.0 * 3.0 / 5.0, rel=1e-6)
    assert 2.0 * primary.speed + 3.0 * secondary.speed == pytest.approx(100.0, rel=1e-9)
    assert primary.speed > secondary.speed


@pytest.mark.parametrize("substep", [0.00025, 0.005])
@pytest.mark.parametrize("stiffness", [0.05, 0.25, 0.95, 1.0])
def test_a_splitter_does_not_depend_on_the_substep(stiffness: float, substep: float) -> None:
    """Nor do the speeds that it leaves, 5 ms included."""

    def speeds(substep: float) -> list[float]:
        rig = _rig(Wheel(2.0, 30.0, -20.0), Wheel(3.0, 5.0, -60.0), stiffness)
        rig.motor.torque = 50.0
        rig.run(0.1, substep)
        return [wheel.speed for wheel in rig.wheels]

    assert speeds(substep) == pytest.approx(speeds(0.001), rel=1e-9)


@pytest.mark.parametrize(("override", "share"), [(FORCE_LOCKED, 0.6), (FORCE_OPEN, 0.0)])
def test_a_lock_override(override: int, share: float) -> None:
    """1 drives both axles rigidly, 2 only the primary one."""
    rig = _rig(Wheel(2.0, 10.0), Wheel(3.0, 10.0))
    rig.root.lock_override = override
    rig.motor.torque = 50.0
    rig.step()
    assert rig.root.sensor_transfer_torque == pytest.approx(100.0 * share, rel=1e-9)


@given(wheels, wheels, st.floats(-300.0, 300.0), st.floats(0.0, 1.0))
def test_the_ledger_and_the_report(
    one: tuple[float, float, float], two: tuple[float, float, float], torque: float, stiffness: float
) -> None:
    """The work is what the axles gain and the coupling loses; w = (L + (T + Tr)·dt)/I is what the shaft does."""
    rig = _rig(Wheel(*one), Wheel(*two), stiffness)
    rig.motor.torque = torque
    rig.step()
    for _ in range(5):
        rig.work = 0.0
        rig.losses = [0.0]
        energy = rig.kinetic_energy
        shaft = rig.root.inputs[0]
        assert isinstance(shaft, Connection)
        expected = (shaft.L + (torque + shaft.Tr) * 0.001) / shaft.I
        rig.step()
        gained = rig.kinetic_energy - energy
        residual = rig.work - gained - rig.losses[0]
        assert residual == pytest.approx(0.0, abs=1e-11 * (energy + abs(rig.work) + abs(rig.losses[0]) + 1.0))
        assert rig.motor.speed == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(st.floats(-100.0, 100.0), st.floats(-100.0, 100.0), st.floats(0.0, 1.0))
def test_the_coupling_only_loses(one: float, two: float, stiffness: float) -> None:
    """Left alone, slip shrinks and keeps its sign, so T_c times the mean slip is never negative."""
    rig = _rig(Wheel(2.0, one), Wheel(3.0, two), stiffness)
    rig.step()
    assert rig.losses[0] >= -1e-12
    assert abs(rig.root.sensor_slip) <= abs(one - two) + 1e-12
    assert rig.root.sensor_slip * (one - two) >= -1e-9
