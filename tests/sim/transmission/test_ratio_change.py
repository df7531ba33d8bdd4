"""Dual clutches and continuous ratios: what each does with the ratio, alone and in a car."""

from dataclasses import replace
from typing import Any

import pytest

from vehiclesim import (
    RPM_TO_W,
    AxleDifferentialSettings,
    ClutchType,
    DrivelineSettings,
    GearboxSettings,
    GearboxType,
    InputData,
    RatioChange,
    ShiftingSettings,
    Vehicle,
    VehicleData,
    VehicleSettings,
)
from vehiclesim.transmission.ratio_change import Preselection, Variator
from vehiclesim.transmission.shifting import GearboxStates

from ..automatic_cars import COARSE, DISC, HYDRODYNAMIC, car, drive, gears, ready
from ..gear_stand import BOX, SHIFTING, Drivetrain
from ..road import FULL, read
from ..states import change

DUAL = replace(BOX, type=GearboxType.AUTOMATIC, ratio_change=RatioChange.DUAL_CLUTCH)
CONTINUOUS = replace(BOX, type=GearboxType.AUTOMATIC, ratio_change=RatioChange.CONTINUOUS, ratios=(2.5, 0.5))
DEMAND = replace(SHIFTING, demand_pedal=(0.0, 1.0), demand_rpm=(1500.0, 5500.0), ratio_time=2.0)

# -- dual clutch --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("engaged", "throttle", "brake", "ready"), [(2, 0.5, 0.0, 3), (2, 0.0, 0.0, 1), (2, 0.5, 0.5, 1), (3, 0.5, 0.0, 2)]
)
def test_the_pedal_tells_which_gear_is_made_ready(engaged: int, throttle: float, brake: float, ready: int) -> None:
    """The next one under the pedal, the one before without it or on the brake, and below the last gear."""
    states = GearboxStates()
    states.throttle, states.brake = throttle, brake
    idle_shaft = Preselection(DUAL, 0.2)
    for _ in range(30):
        idle_shaft.advance(engaged, states, 0.01)
    assert idle_shaft.gear == ready
    assert idle_shaft.waiting_time(ready) == 0.0
    other = 4 - ready if engaged == 2 else 1
    assert idle_shaft.waiting_time(other) == BOX.shift_time


def test_a_gear_of_the_same_shaft_takes_two_handovers() -> None:
    """From 3 to 1 by way of gear 2."""
    idle_shaft = Preselection(DUAL, 0.2)
    assert [idle_shaft.handover_time(3, target) for target in (2, 1)] == [0.2, 0.4]


def handover(throttle: float, gear: int, target: int) -> tuple[list[float], int]:
    """The ratios of a shift at the stand, step by step, and the steps before they begin to move."""
    stand = Drivetrain(DUAL, replace(SHIFTING, transition_time=0.1))
    stand.box.states.throttle = throttle
    stand.engage(gear)
    stand.run(400)
    stand.box.manual_gear = target
    ratios: list[float] = []
    while not ratios or stand.box.sensor_gear != target:
        stand.run()
        ratios.append(float(stand.box.get_state_vars()["_mesh"]["ratio"]))
    return ratios, sum(ratio == BOX.ratios[gear - 1] for ratio in ratios)


@pytest.mark.parametrize(
    ("throttle", "gear", "target", "waits", "moves"),
    [(0.5, 1, 2, 0.0, 0.1), (0.0, 2, 3, 0.2, 0.1), (0.0, 3, 2, 0.0, 0.1), (0.0, 3, 1, 0.2, 0.2)],
)
def test_a_gear_that_is_ready_comes_at_once(
    throttle: float, gear: int, target: int, waits: float, moves: float
) -> None:
    """One that is not waits for its synchroniser, while the old gear drives; the ratio never is that of neutral."""
    ratios, still = handover(throttle, gear, target)
    assert min(ratios) > 0.0
    assert still * 0.001 == pytest.approx(waits, abs=0.0021)
    assert len(ratios) * 0.001 == pytest.approx(waits + moves, abs=0.0031)


def test_a_car_with_two_clutches_never_loses_its_drive() -> None:
    """Up through the gears with the foot down, whatever `blended` says: it accelerates in every step."""
    parameters = car(DISC, shifting=ShiftingSettings(blended=False, transition_time=0.1))
    vehicle = ready(replace(parameters, gearbox=replace(parameters.gearbox, ratio_change=RatioChange.DUAL_CLUTCH)))
    drive(vehicle, 2.0, throttle=0.9)
    speed, used = vehicle.chassis.sensor_speed, set()
    vehicle.data.input[InputData.THROTTLE] = round(0.9 * FULL)
    for _ in range(900):
        vehicle.step(COARSE)
        assert vehicle.chassis.sensor_speed > speed
        speed = vehicle.chassis.sensor_speed
        used.add(read(vehicle, VehicleData.GEARBOX_GEAR))
    assert used >= {1, 2, 3}


# -- continuous ---------------------------------------------------------------------------------------------------


def settled(rpm: float, pedal: float) -> float:
    """The ratio that a variator comes to, with the output shaft at a speed [1/min]."""
    variator = Variator(CONTINUOUS, DEMAND)
    for _ in range(1000):
        variator.advance(pedal, rpm * RPM_TO_W, 0.01)
        variator.end_step(0.01)
    return variator.ratio


@pytest.mark.parametrize(
    ("rpm", "pedal", "ratio"),
    [(0.0, 0.0, 2.5), (-300.0, 0.5, 2.5), (1000.0, 0.0, 1.5), (2000.0, 0.25, 1.25), (4000.0, 0.0, 0.5)],
)
def test_a_variator_gives_the_engine_the_speed_that_the_pedal_demands(rpm: float, pedal: float, ratio: float) -> None:
    """N = n(pedal)/n_out, between 2.5 and 0.5; n from 1500 to 5500 over the pedal."""
    assert settled(rpm, pedal) == pytest.approx(ratio, abs=2e-6)


def test_a_variator_needs_its_time() -> None:
    """From 2.0 down to 0.5 at the rate of 2.0 in 2 s: 1.5 s, and what it lags behind at the end."""
    variator = Variator(CONTINUOUS, DEMAND)
    time = 0.0
    while variator.ratio > 0.52:
        variator.advance(0.0, 6000.0 * RPM_TO_W, 0.01)
        assert abs(variator.rate) <= 1.0
        variator.end_step(0.01)
        time += 0.01
    assert 2.0 < time < 2.6


def continuous_car(clutch: ClutchType) -> VehicleSettings:
    """The default car with ratios of 2.6 to 0.4 behind a final drive of 5.5."""
    parameters = car(clutch)
    box = replace(parameters.gearbox, ratio_change=RatioChange.CONTINUOUS, ratios=(2.6, 0.4))
    axle = AxleDifferentialSettings(ratio=5.5)
    shifting = replace(parameters.shifting, demand_pedal=(0.0, 1.0), demand_rpm=(1500.0, 5000.0))
    return replace(parameters, gearbox=box, shifting=shifting, driveline=DrivelineSettings(front=axle))


@pytest.mark.parametrize("clutch", [DISC, HYDRODYNAMIC])
@pytest.mark.parametrize("pedal", [0.5, 1.0])
def test_a_continuous_car_accelerates_at_one_engine_speed(clutch: ClutchType, pedal: float) -> None:
    """That of the pedal, but for the lag, slip of the converter, and the time of the run-up; the gear shown is 1."""
    vehicle = ready(continuous_car(clutch))
    drive(vehicle, 7.0, throttle=pedal)
    demand = 1500.0 + 3500.0 * pedal
    speed = vehicle.chassis.sensor_speed
    for _ in range(8):
        assert gears(drive(vehicle, 1.0, throttle=pedal)) == [1]
        assert vehicle.engine.sensor_rpm == pytest.approx(demand, rel=0.08)
        assert vehicle.chassis.sensor_speed > speed
        speed = vehicle.chassis.sensor_speed


@pytest.mark.parametrize("clutch", [DISC, HYDRODYNAMIC])
def test_a_continuous_car_cruises_slowly_and_stops_short(clutch: ClutchType) -> None:
    """At 100 km/h the longest ratio; at rest again the shortest, with the engine running."""
    vehicle = ready(continuous_car(clutch))
    drive(vehicle, 18.0, throttle=1.0)
    drive(vehicle, 4.0, throttle=0.2)
    present = vehicle.engine.sensor_rpm / vehicle.gearbox.sensor_output_rpm
    assert 0.39 < present < 0.8
    drive(vehicle, 15.0, brake=1.0)
    assert vehicle.chassis.sensor_speed == 0.0
    assert vehicle.gearbox.get_state_vars()["_variator"]["ratio"] == pytest.approx(2.6, abs=2e-6)


def test_a_gear_engaged_on_the_move_fits_the_speed() -> None:
    """From neutral at speed: the variator has followed, and the engine is not overspeeded."""
    vehicle = ready(continuous_car(HYDRODYNAMIC))
    drive(vehicle, 12.0, throttle=1.0)
    for mode in (3, 4):
        vehicle.data.input[InputData.AUTOMATIC_GEAR] = mode
        drive(vehicle, 2.0)
    assert 800.0 < vehicle.engine.sensor_rpm < 2500.0
    assert read(vehicle, VehicleData.GEARBOX_GEAR) == 1


@pytest.mark.parametrize("ratio_change", [RatioChange.DUAL_CLUTCH, RatioChange.CONTINUOUS])
def test_a_restored_gearbox_goes_on_exactly(ratio_change: RatioChange) -> None:
    """Saved amid a change of the ratio, and put into a new car."""
    parameters = continuous_car(DISC)
    if ratio_change is RatioChange.DUAL_CLUTCH:
        parameters = replace(car(DISC), gearbox=replace(car(DISC).gearbox, ratio_change=ratio_change))
    one = ready(parameters)
    drive(one, 3.35, throttle=0.8)
    other = Vehicle(parameters)
    other.solver.max_substep = one.solver.max_substep
    other.data.input[:] = one.data.input
    change(other, **one.get_state_vars())
    for vehicle in (one, other):
        drive(vehicle, 2.0, throttle=1.0)
    assert one.get_state_vars() == other.get_state_vars()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"type": GearboxType.MANUAL}, "ratio_change: continuous is for the type automatic"),
        ({"ratios": (3.0, 2.0, 1.0)}, "ratios: a continuous gearbox has the shortest and the longest, not 3"),
        ({"ratio_change": RatioChange.DUAL_CLUTCH, "type": GearboxType.SEQUENTIAL}, "ratio_change: dual-clutch is for"),
    ],
)
def test_gearboxes_that_cannot_be_are_refused(changes: dict[str, Any], message: str) -> None:
    """The message starts with the parameter."""
    with pytest.raises(ValueError, match=message):
        replace(CONTINUOUS, **changes)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"demand_pedal": ()}, "demand_pedal: at least one position"),
        ({"demand_rpm": (1000.0,)}, "demand_rpm: 1 values for 2 of demand_pedal"),
    ],
)
def test_a_demand_needs_points(changes: dict[str, Any], message: str) -> None:
    """As many speeds as positions."""
    with pytest.raises(ValueError, match=message):
        replace(DEMAND, **changes)


def test_the_gears_of_a_continuous_gearbox_are_one() -> None:
    """It begins with the shortest ratio."""
    assert CONTINUOUS.gears == (2.5,)
    assert GearboxSettings().gears == GearboxSettings().ratios
