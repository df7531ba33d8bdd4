"""The wheel: what it shows to its shaft, what brake and rolling resistance do, and that it is stable at every speed."""

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from vehiclesim import Block, Solver, TyreSettings, Wheel, WheelSettings

from ..blocks import Motor
from ..four_wheels import FRICTIONLESS, RESISTING

LOAD = 3000.0
SUBSTEPS = [0.00025, 0.001, 0.005]


class Rig:
    """A wheel on a motor, rolling over a road that moves at a speed of its own: a roller test bench."""

    def __init__(
        self,
        settings: WheelSettings = FRICTIONLESS,
        speed: float = 0.0,
        spin: float = 0.0,
        load: float = LOAD,
        max_substep: float = 0.001,
    ) -> None:
        self.motor = Motor()
        self.wheel = Wheel(settings, TyreSettings())
        self.wheel.load = load
        self.wheel.speed_x = speed
        self.shaft = Block.connect(self.wheel, self.motor)
        self.solver = Solver([self.motor, self.wheel], max_substep)
        self.wheel.spin = spin
        self.solver.update_shafts()

    def run(self, seconds: float, delta_time: float = 0.001) -> list[float]:
        """The spins [rad/s] from now on, one per step."""
        spins = [self.wheel.spin]
        for _ in range(round(seconds / delta_time)):
            self.solver.step(delta_time)
            spins.append(self.wheel.spin)
        return spins


@given(
    speed=st.floats(-60.0, 60.0),
    slip=st.floats(-0.05, 0.05),
    torque=st.floats(-150.0, 150.0),
    brake=st.floats(0.0, 200.0),
    substep=st.sampled_from(SUBSTEPS),
)
def test_the_shaft_says_what_the_wheel_will_do(
    speed: float, slip: float, torque: float, brake: float, substep: float
) -> None:
    """w = (L + (T + Tr)·dt)/I is the speed at the end of the substep, tyre and friction included, while it grips."""
    rig = Rig(RESISTING, speed, (1.0 + slip) * speed / 0.3, max_substep=substep)
    rig.wheel.brake_torque = brake
    rig.motor.torque = torque
    rig.solver.step_time.delta_time = substep
    rig.solver.update_shafts()
    shaft = rig.shaft
    assert rig.wheel.spin == pytest.approx(shaft.L / shaft.I, rel=1e-12, abs=1e-12)
    expected = (shaft.L + (torque + shaft.Tr) * substep) / shaft.I
    friction = brake + 0.01 * LOAD * 0.3
    assume(abs(shaft.L) > 2.0 * (friction + abs(torque)) * substep)  # else the friction stops it, see below
    rig.solver.step(substep)
    assert rig.wheel.spin == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_the_wheel_shows_its_own_inertia_at_speed_and_the_roads_hold_at_rest() -> None:
    """I + dF/d(w·R)·R²·dt: 8.5·F_z·(1/2.5 + 5 ms/0.3) at rest, nearly 8.5·F_z/62.5 at 60 m/s; lifted, nothing."""
    standing = Rig(max_substep=0.005).shaft
    assert pytest.approx(1.0 + 10625.0 * 0.09 * 0.005, rel=1e-3) == standing.I
    fast = Rig(speed=60.0, spin=200.0).shaft
    assert pytest.approx(1.0 + 408.0 * 0.09 * 0.001, rel=1e-3) == fast.I
    lifted = Rig(load=0.0).shaft
    assert lifted.I == 1.0


def test_a_lifted_wheel_turns_freely() -> None:
    """w = T·t/I."""
    rig = Rig(load=0.0)
    rig.motor.torque = 50.0
    assert rig.run(1.0)[-1] == pytest.approx(50.0, rel=1e-9)


@pytest.mark.parametrize("road_friction", [1.0, 0.4, 0.0])
def test_on_the_bench_the_tyre_takes_what_the_motor_gives(road_friction: float) -> None:
    """At a steady spin T = R·F_x: 8.5·s·F_z on the grippy road, the same force at more slip on a slippery one."""
    rig = Rig(speed=20.0, spin=20.0 / 0.3)
    rig.wheel.road_friction = road_friction
    rig.motor.torque = 200.0
    rig.run(1.0)
    if road_friction == 0.0:
        assert rig.wheel.force_x == 0.0
        assert rig.wheel.spin == pytest.approx(20.0 / 0.3 + 200.0, rel=1e-9)
        return
    assert rig.wheel.force_x == pytest.approx(200.0 / 0.3, rel=1e-6)
    slip = 200.0 / 0.3 / (8.5 * LOAD * road_friction)
    assert rig.wheel.sensor_slip == pytest.approx(slip, rel=1e-6)
    assert rig.wheel.sensor_slip_speed == pytest.approx(20.0 * slip, rel=1e-6)


@pytest.mark.parametrize("speed", [30.0, 1.0, -30.0])
@pytest.mark.parametrize("delta_time", SUBSTEPS)
def test_the_brake_locks_the_wheel_and_never_reverses_it(speed: float, delta_time: float) -> None:
    """More brake than the tyre can turn brings the spin to exactly zero; the tyre slides at 0.75·F_z."""
    rig = Rig(speed=speed, spin=speed / 0.3, max_substep=delta_time)
    rig.wheel.brake_torque = 1400.0
    spins = rig.run(1.0, delta_time)
    assert spins[-1] == 0.0
    assert all(0.0 <= two / speed <= one / speed for one, two in pairwise(spins))
    sign = 1.0 if speed > 0.0 else -1.0
    assert rig.wheel.force_x == pytest.approx(-sign * 0.75 * LOAD, rel=1e-6)
    assert rig.wheel.sensor_brake_power == 0.0


@pytest.mark.parametrize("delta_time", SUBSTEPS)
def test_a_released_wheel_spins_up_again(delta_time: float) -> None:
    """Back to the road's speed, without overshooting it by more than a hundredth."""
    rig = Rig(speed=20.0, max_substep=delta_time)
    rig.wheel.brake_torque = 1400.0
    rig.run(0.5, delta_time)
    rig.wheel.brake_torque = 0.0
    spins = rig.run(1.0, delta_time)
    assert spins[-1] == pytest.approx(20.0 / 0.3, rel=1e-6)
    assert max(spins) < 1.01 * 20.0 / 0.3


@pytest.mark.parametrize(("torque", "moves"), [(99.0, False), (-99.0, False), (101.0, True), (-101.0, True)])
def test_a_braked_wheel_stands_until_more_than_the_brake_pulls(torque: float, moves: bool) -> None:
    """Exactly at rest with a brake of 100 Nm; without load there is nothing else to hold it."""
    rig = Rig(load=0.0)
    rig.wheel.brake_torque = 100.0
    rig.motor.torque = torque
    spins = rig.run(0.5)
    assert (set(spins) != {0.0}) is moves
    if moves:
        assert spins[-1] == pytest.approx((101.0 - 100.0) * 0.5 * (1.0 if torque > 0.0 else -1.0), rel=1e-9)


@pytest.mark.parametrize("speed", [10.0, 30.0, -30.0])
def test_rolling_resistance_drags_the_wheel(speed: float) -> None:
    """A free wheel pulls back with (c0 + c1·|v|)·F_z."""
    settings = WheelSettings(radius=0.3, inertia=1.0, rolling_resistance=0.01, rolling_resistance_speed=1e-4)
    rig = Rig(settings, speed, speed / 0.3)
    rig.run(2.0)
    force = (0.01 + 1e-4 * abs(speed)) * LOAD
    assert rig.wheel.force_x == pytest.approx(-force if speed > 0.0 else force, rel=1e-6)
    assert rig.wheel.sensor_rolling_power == pytest.approx(force * 0.3 * abs(rig.wheel.spin), rel=1e-6)


def test_the_brake_takes_the_rest_of_the_power() -> None:
    """T_brake·w, steadily braked below the peak."""
    rig = Rig(RESISTING, speed=20.0, spin=20.0 / 0.3)
    rig.wheel.brake_torque = 300.0
    rig.run(2.0)
    assert rig.wheel.sensor_brake_power == pytest.approx(300.0 * rig.wheel.spin, rel=1e-6)
    assert rig.wheel.sensor_rolling_power == pytest.approx(9.0 * rig.wheel.spin, rel=1e-6)


@given(
    speed=st.floats(-60.0, 60.0),
    spin=st.floats(-200.0, 200.0),
    torque=st.floats(-3000.0, 3000.0),
    brake=st.floats(0.0, 2000.0),
    load=st.floats(0.0, 20000.0),
    substep=st.sampled_from(SUBSTEPS),
)
def test_brake_and_rolling_resistance_only_take_energy(
    speed: float, spin: float, torque: float, brake: float, load: float, substep: float
) -> None:
    """Neither loss is negative, whatever the wheel does."""
    rig = Rig(RESISTING, speed, spin, load, substep)
    rig.wheel.brake_torque = brake
    rig.motor.torque = torque
    rig.run(substep, substep)
    assert rig.wheel.sensor_brake_power >= 0.0
    assert rig.wheel.sensor_rolling_power >= 0.0


@given(
    speed=st.floats(-80.0, 80.0),
    torque=st.floats(-3000.0, 3000.0),
    load=st.floats(500.0, 50000.0),
    substep=st.sampled_from(SUBSTEPS),
)
def test_a_steady_torque_leads_to_a_steady_wheel(speed: float, torque: float, load: float, substep: float) -> None:
    """At every speed, load and substep; where the tyre cannot take the torque the wheel spins up in its direction."""
    rig = Rig(FRICTIONLESS, speed, speed / 0.3, load, substep)
    rig.motor.torque = torque
    rig.run(2.0, 0.005)
    changes = [two - one for one, two in pairwise(rig.run(0.05, 0.005))]
    if abs(torque) < 0.7 * load * 0.3:
        assert max(map(abs, changes)) < 1e-3 * (1.0 + abs(speed))
        assert rig.wheel.force_x == pytest.approx(torque / 0.3, rel=0.02, abs=1.0)
    elif abs(torque) > 0.9 * load * 0.3:
        assert all(change * torque > 0.0 for change in changes)


@pytest.mark.parametrize("speed", [10.0, -10.0])
def test_the_brake_brings_the_spin_to_zero_and_not_beyond(speed: float) -> None:
    """The spin falls to exactly zero and keeps its sign on the way."""
    rig = Rig(RESISTING, speed, speed / 0.3)
    rig.wheel.brake_torque = 1400.0
    spins = rig.run(1.0)
    assert spins[-1] == 0.0
    assert all(one * speed >= 0.0 for one in spins)


def test_a_restored_wheel_goes_on_exactly() -> None:
    """Another wheel with the saved state has the same spins and forces, bit by bit."""
    one, other = Rig(RESISTING, 20.0, 60.0), Rig(RESISTING, 20.0)
    one.motor.torque = other.motor.torque = 100.0
    one.run(0.05)
    other.wheel.set_state_vars(one.wheel.get_state_vars())
    other.solver.update_shafts()
    assert other.wheel.get_state_vars() == one.wheel.get_state_vars()
    assert other.run(0.5) == one.run(0.5)
    assert other.wheel.get_state_vars() == one.wheel.get_state_vars()
