"""All aids together: overrides, nothing where all are off, energy, saving and restoring, any manoeuvre."""

from dataclasses import fields
from itertools import chain
from math import isfinite
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vehiclesim import Engine, TyreSettings
from vehiclesim.aids import DrivingAids
from vehiclesim.parameters.aids import AidsSettings, TcsMode, TcsSettings

from ..four_wheels import AIRLESS, DRIVEN, FRICTIONLESS
from ..states import change
from .aided import ALL_AIDS, NO_AIDS, AidedCar, AidedTrolley, place, set_road

OVERRIDES = ["abs_override", "tcs_override", "esc_override", "asr_override"]


def everything_slips(settings: AidsSettings) -> AidedTrolley:
    """Slides to the left while one wheel stands and others spin: a reason for each aid but ASR, which is for 3 m/s."""
    trolley = AidedTrolley(settings, 0, 1)
    place(trolley, 15.0, 4.0, -0.5)
    trolley.wheels[2].spin = 0.0
    trolley.wheels[0].spin = 100.0
    change(trolley.engine, _momentum=100.0)
    trolley.aids.brake_input = trolley.aids.throttle_input = 0.5
    trolley.aids.steer_input = 0.8
    return trolley


def act(trolley: AidedTrolley) -> None:
    """Let the aids and the valves of the brakes act for a millisecond."""
    trolley.brakes.brake_input = trolley.aids.brake_input
    trolley.aids.step(0.001)
    trolley.brakes.valves.advance(0.001)


def acting(trolley: AidedTrolley) -> set[str]:
    """Which aids have set something."""
    engine, brakes = trolley.engine, trolley.brakes
    signs = {
        "abs_override": brakes.valves.act and brakes.held[2] < brakes.asked(2),
        "tcs_override": engine.tcs_rpms >= 0.0,
        "esc_override": max(brakes.added) > 0.0,
        "steering_aids_override": trolley.steering.steer_input != 0.8,
    }
    return {name for name, sign in signs.items() if sign}


@pytest.mark.parametrize("name", ["abs_override", "tcs_override", "esc_override"])
def test_an_override_is_stronger_than_the_settings(name: str) -> None:
    """1 switches on what the settings left off, 2 switches off what they have on, 0 leaves it to them."""
    for configuration, override, on in (
        (NO_AIDS, 0, False),
        (NO_AIDS, 1, True),
        (NO_AIDS, 2, False),
        (ALL_AIDS, 0, True),
        (ALL_AIDS, 1, True),
        (ALL_AIDS, 2, False),
    ):
        trolley = everything_slips(configuration)
        setattr(trolley.aids, name, override)
        act(trolley)
        assert (name in acting(trolley)) is on


def test_asr_is_overridden_like_the_others() -> None:
    for configuration, override, on in ((NO_AIDS, 1, True), (ALL_AIDS, 0, True), (ALL_AIDS, 2, False)):
        trolley = AidedTrolley(configuration, 0, 1, speed=3.0)
        trolley.wheels[1].spin = 60.0
        trolley.aids.throttle_input = 1.0
        trolley.aids.asr_override = override
        trolley.aids.step(0.001)
        assert trolley.aids.sensor_asr_engaged is on
        assert (trolley.brakes.added[1] > 0.0) is on


@pytest.mark.parametrize(
    ("configuration", "override", "on"),
    [(ALL_AIDS, 0, True), (ALL_AIDS, 1, True), (ALL_AIDS, 2, False), (NO_AIDS, 0, False), (NO_AIDS, 1, False)],
)
def test_steering_aids_cannot_be_forced(configuration: AidsSettings, override: int, on: bool) -> None:
    """Their override knows no 1: it is as good as 0."""
    trolley = everything_slips(configuration)
    trolley.aids.steering_aids_override = override
    trolley.aids.step(0.001)
    assert ("steering_aids_override" in acting(trolley)) is on


def test_an_override_in_the_middle_lets_go_at_once() -> None:
    """Engine and steering are what they would be without aids; valves and added torque have their lag."""
    trolley = everything_slips(ALL_AIDS)
    act(trolley)
    assert len(acting(trolley)) == 4
    for name in (*OVERRIDES, "steering_aids_override"):
        setattr(trolley.aids, name, 2)
    trolley.engine.tcs_rpms = -1.0
    act(trolley)
    assert acting(trolley) <= {"esc_override"}
    for _ in range(100):
        trolley.aids.step(0.001)
    assert acting(trolley) == set()
    assert trolley.brakes.added == [0.0] * 4
    aids = trolley.aids
    assert not any((aids.sensor_abs_engaged, aids.sensor_esc_engaged, aids.sensor_asr_engaged))


def drive(car: AidedCar, step: int) -> None:
    """Two seconds of everything: full throttle, hard braking, a swerve."""
    car.aids.steer_input = 0.0 if step < 1200 else 0.15 if step < 1600 else -0.2
    car.advance(1.0 if step < 1000 else 0.0, brake=0.0 if step < 1200 else 0.9)


def started(settings: AidsSettings, **more: Any) -> AidedCar:
    """Twelve metres per second in second gear, on a road of mu = 0.26 with ice under one driven wheel."""
    car = AidedCar(settings, **more)
    car.roll(2, 12.0)
    set_road(car, 0.3)
    car.wheels[0].road_friction = 0.1
    return car


def states(car: AidedCar) -> tuple[object, ...]:
    """Of all parts."""
    return (
        car.engine.get_state_vars(),
        car.gearbox.get_state_vars(),
        car.chassis.get_state_vars(),
        car.aids.get_state_vars(),
        car.brakes.get_state_vars(),
        car.steering.get_state_vars(),
        *(wheel.get_state_vars() for wheel in car.wheels),
    )


def test_with_all_aids_off_not_a_bit_differs() -> None:
    """From a car that has none: chassis, wheels, engine and gearbox, step by step."""
    off, none = started(NO_AIDS), started(NO_AIDS)
    for step in range(2000):
        drive(off, step)
        none.engine.throttle_input = off.engine.throttle_input
        none.engine.clutch_input = off.engine.clutch_input
        none.brakes.brake_input = off.brakes.brake_input
        none.steering.steer_input = off.aids.steer_input
        none.solver.step(0.001)
    assert states(off)[:3] == states(none)[:3]
    assert states(off)[4:] == states(none)[4:]


def test_a_restored_car_goes_on_exactly() -> None:
    """Another one with the saved states has the same states at once and half a second later, every aid at work."""
    one = started(ALL_AIDS)
    for step in range(1500):
        drive(one, step)
    assert one.aids.sensor_abs_engaged
    other = started(ALL_AIDS)
    other.engine.set_state_vars(one.engine.get_state_vars())
    other.gearbox.set_state_vars(one.gearbox.get_state_vars())
    other.aids.set_state_vars(one.aids.get_state_vars())
    other.brakes.set_state_vars(one.brakes.get_state_vars())
    other.steering.set_state_vars(one.steering.get_state_vars())
    other.chassis.set_state_vars(one.chassis.get_state_vars())
    for wheel, saved in zip(other.wheels, one.wheels, strict=True):
        wheel.set_state_vars(saved.get_state_vars())
    other.solver.step_time.time = one.solver.time
    other.solver.update_shafts()
    assert states(other) == states(one)
    for step in range(1500, 2000):
        drive(one, step)
        drive(other, step)
    assert states(other) == states(one)


def test_a_saved_state_is_one_of_its_own() -> None:
    """What is saved does not change when the car goes on."""
    trolley = everything_slips(ALL_AIDS)
    act(trolley)
    saved = trolley.brakes.get_state_vars()
    assert saved["held"][2] < trolley.brakes.asked(2)
    trolley.aids.brake_input = 0.0
    act(trolley)
    assert trolley.brakes.get_state_vars() != saved
    trolley.brakes.set_state_vars(saved)
    assert trolley.brakes.get_state_vars() == saved


@pytest.mark.parametrize("friction", [0.1, 0.5, 1.0])
def test_no_aid_adds_energy(friction: float) -> None:
    """Without engine, air and rolling resistance, whatever the aids do: the kinetic energy only falls.

    What tyres hold in their deflection counts: they give back what they took before, and not more.
    """
    trolley = AidedTrolley(ALL_AIDS, 0, 1, speed=30.0, wheel=FRICTIONLESS, body=AIRLESS)
    set_road(trolley, friction)
    trolley.wheels[1].road_friction = 0.05
    highest = trolley.chassis.sensor_kinetic_energy
    taken = 0.0
    for step in range(5000):
        trolley.aids.throttle_input = 1.0
        trolley.advance(steer=(-0.2, 0.2, -1.0, 0.0, 0.3)[step // 1000], brake=(0.0, 0.5, 0.1, 1.0, 0.0)[step // 1000])
        taken += 0.001 * trolley.chassis.sensor_tyre_power
        taken += 0.001 * sum(wheel.sensor_brake_power for wheel in trolley.wheels)
        assert taken >= 0.0
        assert all(wheel.sensor_brake_power >= 0.0 for wheel in trolley.wheels)
        assert trolley.chassis.sensor_kinetic_energy + taken <= highest * (1.0 + 1e-9)


def test_tyres_that_never_slip_need_no_aids() -> None:
    """On pure rolling nothing acts, forced or not, however sharp the turn."""
    trolley = AidedTrolley(ALL_AIDS, 0, 1, speed=25.0, tyre=TyreSettings(tyre_dynamics=False))
    for name in OVERRIDES:
        setattr(trolley.aids, name, 1)
    trolley.aids.throttle_input = 1.0
    for _ in range(200):
        trolley.advance(steer=-0.8, brake=1.0)
        assert (trolley.brakes.valves.act, trolley.brakes.added) == (False, [0.0] * 4)
        assert trolley.engine.tcs_rpms == -1.0
        assert trolley.steering.steer_input == -0.8


def test_the_engine_says_whether_traction_control_holds_it() -> None:
    """A car on ice at full throttle; on a dry road it does not."""
    for friction, engaged in ((0.2, True), (1.0, False)):
        car = started(ALL_AIDS)
        set_road(car, friction)
        for _ in range(1000):
            car.advance(1.0)
        assert car.engine.sensor_tcs_engaged is engaged


def test_a_vehicle_without_driven_wheels() -> None:
    """A trailer: nothing is held, nothing fails."""
    trolley = AidedTrolley(ALL_AIDS, speed=10.0)
    trolley.aids.throttle_input = 1.0
    trolley.advance(brake=0.5)
    assert trolley.engine.tcs_rpms == -1.0
    assert not trolley.aids.sensor_asr_engaged


@settings(max_examples=25)
@given(
    layout=st.sampled_from(list(DRIVEN)),
    tcs_mode=st.sampled_from(list(TcsMode)),
    delta_time=st.sampled_from([0.001, 0.01, 0.1]),
    speed=st.floats(-20.0, 50.0),
    manoeuvres=st.lists(
        st.tuples(
            st.floats(0.0, 1.0),
            st.floats(0.0, 1.0),
            st.floats(0.0, 1.0),
            st.floats(-1.0, 1.0),
            st.sampled_from([0.0, 0.05, 0.5, 1.0]),
            st.tuples(*[st.integers(0, 2)] * 5),
        ),
        min_size=1,
        max_size=5,
    ),
)
def test_no_manoeuvre_breaks_it(
    layout: str,
    tcs_mode: TcsMode,
    delta_time: float,
    speed: float,
    manoeuvres: list[tuple[float, float, float, float, float, tuple[int, ...]]],
) -> None:
    """Any pedals, steering, grip and overrides: every number stays finite, and what aids set is in its bounds."""
    configuration = AidsSettings(
        ALL_AIDS.abs,
        TcsSettings(enabled=True, mode=tcs_mode),
        ALL_AIDS.esc,
        ALL_AIDS.asr,
        ALL_AIDS.steering,
    )
    car = AidedCar(configuration, layout)
    car.roll(2, speed)
    for throttle, brake, clutch, steer, grip, overrides in manoeuvres:
        for name, override in zip((*OVERRIDES, "steering_aids_override"), overrides, strict=True):
            setattr(car.aids, name, override)
        for wheel, factor in zip(car.wheels, (1.0, 0.3, 1.0, 0.3), strict=True):
            wheel.road_friction = grip * factor
        car.aids.steer_input = steer
        for _ in range(max(5, round(0.3 / delta_time))):
            car.advance(throttle, clutch, brake, delta_time)
            assert all(0.0 <= torque <= 4900.0 for torque in car.brakes.torques())
            assert all(0.0 <= torque <= 2000.0 for torque in car.brakes.added)
            assert -1.0 <= car.steering.steer_input <= 1.0
            assert car.engine.sensor_rpm >= 0.0
    chassis = car.chassis
    assert isfinite(chassis.sensor_speed + chassis.sensor_lateral_speed + chassis.sensor_yaw_rate)
    assert all(isfinite(number) for number in chain(car.spins, car.loads, car.brakes.added))


def test_an_override_exists_for_every_set_of_parameters() -> None:
    """And none is set in the beginning. A speed limiter, which the law asks for in trucks, cannot be switched off."""
    aids = DrivingAids(NO_AIDS, AidedTrolley(NO_AIDS).chassis, Engine(), ())
    for entry in fields(AidsSettings):
        if entry.name == "speed_limiter":
            continue
        name = "steering_aids" if entry.name == "steering" else entry.name
        assert getattr(aids, f"{name}_override") == 0
