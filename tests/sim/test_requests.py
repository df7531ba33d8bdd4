"""What control units, road and faults do to a vehicle, over the Request, Road and Fault channels of its bus."""

from math import atan, sin

import pytest

from vehiclesim import (
    CHASSIS,
    FAULT,
    NAN,
    REQUEST,
    ROAD,
    ChassisData,
    EngineSettings,
    FaultData,
    InputData,
    RequestData,
    RetarderSettings,
    RoadData,
    Vehicle,
    VehicleData,
    VehicleSettings,
)

from .road import CAN_STALL, FULL, driving, idling, read, run


def revving(throttle: int = FULL) -> Vehicle:
    """In neutral, at full throttle."""
    vehicle = idling()
    vehicle.data.input[InputData.THROTTLE] = throttle
    return vehicle


# -- requests -----------------------------------------------------------------------------------------------------


def test_a_bus_without_requests_asks_for_nothing() -> None:
    """All entries of the Request channel rest at NAN, and a vehicle drives as if they were not there."""
    vehicle = Vehicle()
    assert set(vehicle.data.request) == {NAN}
    vehicle.step(0.001)
    assert vehicle.engine.allowed_fuel_ratio == 1.0
    assert vehicle.engine.torque_limit == float("inf")


def test_a_torque_request_replaces_the_pedal() -> None:
    """60 Nm at the flywheel, whatever the foot does."""
    vehicle = driving(throttle=0, seconds=1.0)
    for pedal in (0, FULL):
        vehicle.data.input[InputData.THROTTLE] = pedal
        vehicle.data.write(REQUEST, RequestData.ENGINE_TORQUE, 60.0)
        vehicle.step(0.001)
        assert read(vehicle, VehicleData.ENGINE_TORQUE) == pytest.approx(60.0, abs=0.01)


def test_a_torque_limit_ends_the_pedal_but_not_the_idle_control() -> None:
    """Full throttle gives 40 Nm; a limit of none lets the engine fall to idle, and there it goes on."""
    vehicle = driving(throttle=FULL, seconds=0.5)
    vehicle.data.write(REQUEST, RequestData.ENGINE_TORQUE_LIMIT, 40.0)
    vehicle.step(0.001)
    assert read(vehicle, VehicleData.ENGINE_TORQUE) == pytest.approx(40.0, abs=0.01)
    vehicle = revving()
    vehicle.data.write(REQUEST, RequestData.ENGINE_TORQUE_LIMIT, -1000.0)
    run(vehicle, 3.0)
    assert read(vehicle, VehicleData.ENGINE_RPM) == pytest.approx(1000.0, abs=1.0)
    assert read(vehicle, VehicleData.ENGINE_WORKING) == 1


def test_a_speed_request_is_reached_and_held() -> None:
    """2500 rpm in neutral without a foot on the pedal; back to idle afterwards."""
    vehicle = idling()
    vehicle.data.write(REQUEST, RequestData.ENGINE_RPM, 2500.0)
    run(vehicle, 2.0)
    assert read(vehicle, VehicleData.ENGINE_RPM) == pytest.approx(2500.0, abs=5.0)
    vehicle.data.request[RequestData.ENGINE_RPM] = NAN
    run(vehicle, 3.0)
    assert read(vehicle, VehicleData.ENGINE_RPM) == pytest.approx(1000.0, abs=1.0)


@pytest.mark.parametrize(("limit", "held"), [(3000.0, 3000.0), (400.0, 1000.0)])
def test_a_speed_limit_holds_the_engine_back_to_idle_at_most(limit: float, held: float) -> None:
    """Full throttle in neutral; the limiter shows."""
    vehicle = revving()
    vehicle.data.write(REQUEST, RequestData.ENGINE_RPM_LIMIT, limit)
    run(vehicle, 2.0)
    assert read(vehicle, VehicleData.ENGINE_RPM) == pytest.approx(held, abs=5.0)
    assert read(vehicle, VehicleData.ENGINE_LIMITER) == 1


def test_without_allowed_fuel_the_engine_stalls() -> None:
    vehicle = idling()
    vehicle.data.write(REQUEST, RequestData.ALLOWED_FUEL_RATIO, 0.0)
    run(vehicle, 1.0)
    assert read(vehicle, VehicleData.ENGINE_STALLED) == 1
    assert read(vehicle, VehicleData.ENGINE_FUEL_RATE) == 0.0


def test_the_brake_follows_whoever_asks_for_more() -> None:
    """Pedal or control unit: BrakePressure is the greater of both, and so is the deceleration."""
    for pedal, request, pressure in ((0.0, 0.2, 0.2), (0.3, 0.2, 0.3), (0.3, 2.0, 1.0)):
        vehicle = driving(seconds=1.0)
        vehicle.data.input[InputData.CLUTCH] = FULL
        vehicle.data.input[InputData.BRAKE] = round(pedal * FULL)
        vehicle.data.write(REQUEST, RequestData.BRAKE_RATIO, request)
        run(vehicle, 0.4)
        assert vehicle.data.read(CHASSIS, ChassisData.BRAKE_PRESSURE) == pressure
        if pressure < 0.5:
            braking = -vehicle.data.read(CHASSIS, ChassisData.ACCELERATION)
            assert braking == pytest.approx(4000.0 * pressure / 0.31 / (1300.0 + 4 * 0.9 / 0.31**2) + 0.05, rel=0.02)


def test_the_retarder_follows_whoever_asks_for_more() -> None:
    """Level 1 of 4 is a quarter of the torque; a request for half of it doubles that."""
    vehicle = Vehicle(VehicleSettings(retarder=RetarderSettings(levels=4)))
    vehicle.data.write(ROAD, RoadData.SLOPE, -0.1)
    run(vehicle, 8.0, 0.01)
    torques = []
    for level, request in ((1, 0.0), (1, 0.5), (2, 0.1)):
        vehicle.data.input[InputData.RETARDER] = level
        vehicle.data.write(REQUEST, RequestData.RETARDER_RATIO, request)
        vehicle.step(0.001)
        torques.append(read(vehicle, VehicleData.RETARDER_TORQUE))
    assert torques[0] > 50.0
    assert torques[1:] == pytest.approx([2.0 * torques[0]] * 2, rel=0.05)


# -- road ---------------------------------------------------------------------------------------------------------


def test_friction_scales_every_tyre() -> None:
    """A locked stop on a road with a quarter of the friction: 0.75·0.25·g."""
    vehicle = driving(throttle=FULL, seconds=1.0)
    vehicle.data.input[InputData.CLUTCH] = vehicle.data.input[InputData.BRAKE] = FULL
    vehicle.data.write(ROAD, RoadData.FRICTION, 0.25)
    run(vehicle, 1.0)
    assert all(wheel.spin == 0.0 for wheel in vehicle.wheels)
    assert vehicle.data.read(CHASSIS, ChassisData.ACCELERATION) == pytest.approx(-0.75 * 0.25 * 9.80665, rel=0.02)


def test_a_slope_pulls_with_its_sine() -> None:
    """In neutral and without brakes, less rolling resistance of 0.4 % of the load."""
    vehicle = Vehicle(VehicleSettings(engine=EngineSettings(can_stall=True)))
    vehicle.data.write(ROAD, RoadData.SLOPE, -0.08)
    run(vehicle, 1.0)
    force = 1300.0 * 9.80665 * (sin(atan(0.08)) - 0.004)
    speed = force / (1300.0 + 4 * 0.9 / 0.31**2)
    assert read(vehicle, VehicleData.SPEED) == pytest.approx(speed, rel=0.01)


def test_wind_from_behind_pushes() -> None:
    """½·ρ·cd·A·u² at 25 m/s is 249 N, against 51 N of rolling resistance."""
    vehicle = Vehicle(CAN_STALL)
    vehicle.data.write(ROAD, RoadData.HEAD_WIND, -25.0)
    run(vehicle, 1.0)
    pull = 0.5 * 1.225 * 0.65 * 25.0**2 - 0.004 * 1300.0 * 9.80665
    assert read(vehicle, VehicleData.SPEED) == pytest.approx(pull / (1300.0 + 4 * 0.9 / 0.31**2), rel=0.02)


# -- faults -------------------------------------------------------------------------------------------------------


def test_misfire_loses_torque_and_no_fuel() -> None:
    """A quarter of the combustions: T + T_friction falls by a quarter, the fuel rate stays."""
    sound, faulty = driving(throttle=FULL, seconds=0.5), driving(throttle=FULL, seconds=0.5)
    faulty.data.write(FAULT, FaultData.MISFIRE, 0.25)
    sound.step(0.001)
    faulty.step(0.001)
    friction = sound.engine.sensor_friction_torque
    whole = sound.engine.sensor_flywheel_torque + friction
    assert faulty.engine.sensor_flywheel_torque + friction == pytest.approx(0.75 * whole, rel=1e-9)
    assert faulty.engine.sensor_fuel_rate == pytest.approx(sound.engine.sensor_fuel_rate, rel=1e-9)


def test_a_lean_mixture_loses_torque_and_fuel() -> None:
    """A tenth of both."""
    sound, faulty = driving(throttle=FULL, seconds=0.5), driving(throttle=FULL, seconds=0.5)
    faulty.data.write(FAULT, FaultData.LEAN_MIXTURE, 0.1)
    sound.step(0.001)
    faulty.step(0.001)
    friction = sound.engine.sensor_friction_torque
    whole = sound.engine.sensor_flywheel_torque + friction
    assert faulty.engine.sensor_flywheel_torque + friction == pytest.approx(0.9 * whole, rel=1e-9)
    assert faulty.engine.sensor_fuel_rate == pytest.approx(0.9 * sound.engine.sensor_fuel_rate, rel=1e-9)


@pytest.mark.parametrize("fault", [FaultData.MISFIRE, FaultData.LEAN_MIXTURE])
def test_an_engine_that_burns_nothing_stalls(fault: int) -> None:
    vehicle = idling()
    vehicle.data.write(FAULT, fault, 1.0)
    run(vehicle, 1.0)
    assert read(vehicle, VehicleData.ENGINE_STALLED) == 1


def test_a_stuck_throttle_does_not_follow_the_pedal() -> None:
    """ThrottleSignal shows where it stands; at 0 it is stuck too."""
    vehicle = idling()
    for pedal, stuck, signal in ((0, 0.4, 4000), (FULL, 0.0, 0), (2500, float("nan"), 2500)):
        vehicle.data.input[InputData.THROTTLE] = pedal
        vehicle.data.write(FAULT, FaultData.STUCK_THROTTLE, stuck)
        vehicle.step(0.001)
        assert vehicle.data.vehicle[VehicleData.THROTTLE_SIGNAL] == signal
