"""A battery-electric vehicle: readiness, pedals, recuperation, creeping, limits, and its energy."""

from dataclasses import replace
from typing import Final

import pytest

from vehiclesim import (
    CHASSIS,
    ELECTRIC,
    ROAD,
    AxleDifferentialSettings,
    BodySettings,
    ChassisData,
    DrivelineSettings,
    ElectricData,
    InputData,
    RoadData,
    Vehicle,
    VehicleData,
    VehicleSettings,
    WheelSettings,
)
from vehiclesim.energy import EnergyLedger
from vehiclesim.parameters import (
    ElectricSettings,
    ElectricTopology,
    GearboxSettings,
    GearboxType,
    MotorSettings,
    TractionBatterySettings,
)

pytestmark = pytest.mark.long

STEP: Final = 0.001
PARK, REVERSE, NEUTRAL, DRIVE = 1, 2, 3, 4
CAR: Final = VehicleSettings(
    gearbox=GearboxSettings(type=GearboxType.AUTOMATIC, ratios=(1.0,), reverse_ratios=(-1.0,), efficiency=1.0),
    driveline=DrivelineSettings(front=AxleDifferentialSettings(ratio=8.0)),
    wheels=WheelSettings(radius=0.32, inertia=0.9, rolling_resistance=0.0, rolling_resistance_speed=0.0),
    body=BodySettings(mass=1600.0, drag_area=0.0),
    electric=ElectricSettings(
        topology=ElectricTopology.BATTERY_ELECTRIC,
        motor=MotorSettings(max_torque=250.0, max_power=80.0, inertia=1e-6),
    ),
)


def read(vehicle: Vehicle, index: int) -> float:
    return vehicle.data.read(ELECTRIC, index)


def speed(vehicle: Vehicle) -> float:
    return vehicle.data.vehicle[VehicleData.SPEED] / 1000


def run(vehicle: Vehicle, seconds: float, **controls: int) -> Vehicle:
    for name, value in controls.items():
        vehicle.data.input[getattr(InputData, name.upper())] = value
    for _ in range(round(seconds / STEP)):
        vehicle.step(STEP)
    return vehicle


def driving(settings: VehicleSettings = CAR, at: float = 0.0) -> Vehicle:
    """A vehicle that is ready and in D; it has been accelerated to a speed [m/s]."""
    vehicle = run(Vehicle(settings), 0.3, key=1, brake=5000, automatic_gear=PARK)
    run(vehicle, 0.5, key=0, automatic_gear=DRIVE)
    run(vehicle, 0.1, brake=0)
    while speed(vehicle) < at:
        run(vehicle, 0.01, throttle=5000)
    run(vehicle, 0.0, throttle=0)
    return vehicle


def test_a_vehicle_without_a_motor_has_no_values() -> None:
    """The electric values are not available, and it is not ready."""
    vehicle = run(Vehicle(), 0.1, key=1)
    values = [read(vehicle, index) for index in range(ElectricData.ENERGY_CONSUMPTION + 1)]
    assert values[0] == 0.0
    assert all(value != value for value in values[1:])


def test_it_is_ready_after_start_until_the_key_is_off() -> None:
    """As long as it is not ready, it does not move, whatever the pedal is."""
    vehicle = run(Vehicle(CAR), 1.0, automatic_gear=DRIVE, throttle=10_000)
    assert (read(vehicle, ElectricData.DRIVE_READY), speed(vehicle)) == (0.0, 0.0)
    run(vehicle, 0.5, throttle=0, automatic_gear=PARK)
    run(vehicle, 0.2, key=1)
    assert read(run(vehicle, 0.2, key=0), ElectricData.DRIVE_READY) == 1.0
    assert read(run(vehicle, 0.2, key=-1), ElectricData.DRIVE_READY) == 0.0


def test_the_engine_that_is_not_there_does_not_turn() -> None:
    """The rev counter shows 0 while the vehicle drives; nothing is burnt, nothing has stalled."""
    vehicle = run(driving(), 5.0, throttle=6000)
    values = vehicle.data.vehicle
    assert speed(vehicle) > 5.0
    for entry in (VehicleData.ENGINE_RPM, VehicleData.ENGINE_WORKING, VehicleData.ENGINE_STALLED):
        assert values[entry] == 0
    assert values[VehicleData.ENGINE_FUEL_RATE] == 0


def test_full_pedal_gives_the_motor_s_torque() -> None:
    """F = T·N/r: 250 Nm · 8 / 0.32 m on 1600 kg and four wheels of 0.9 kg m², below the speed of full power."""
    vehicle = run(driving(at=3.0), 1.0, throttle=10_000)
    before = speed(vehicle)
    run(vehicle, 1.0)
    assert read(vehicle, ElectricData.MOTOR_TORQUE) == pytest.approx(250.0)
    assert speed(vehicle) - before == pytest.approx(250.0 * 8.0 / 0.32 / (1600.0 + 4.0 * 0.9 / 0.32**2), rel=0.01)


def test_released_pedals_recuperate_the_set_deceleration() -> None:
    """1 m/s² as by default; the battery is charged, and the gauge shows it."""
    vehicle = run(driving(at=15.0), 1.0)
    before = speed(vehicle)
    run(vehicle, 2.0)
    assert before - speed(vehicle) == pytest.approx(2.0, rel=0.01)
    assert read(vehicle, ElectricData.TRACTION_POWER) < 0.0
    assert read(vehicle, ElectricData.POWER_SHARE) < 0.0


def test_the_brake_pedal_brakes_as_without_a_motor() -> None:
    """Recuperation takes its part from the friction brakes: the deceleration is that of the pedal and of overrun."""
    silent = replace(CAR, electric=replace(CAR.electric, braking_deceleration=0.0))
    lost = []
    for settings in (CAR, silent):
        vehicle = run(driving(settings, at=20.0), 1.0)
        before = speed(vehicle)
        run(vehicle, 2.0, brake=2500)
        lost.append(before - speed(vehicle))
    assert lost[0] == pytest.approx(lost[1], rel=0.01)


def test_the_brake_pedal_recovers_more_than_overrun() -> None:
    """From 20 m/s to rest a good part of ½·m·v² comes back."""
    vehicle = driving(at=20.0)
    before = read(vehicle, ElectricData.ENERGY_RECUPERATED)
    v = speed(vehicle)
    run(vehicle, 14.0, brake=1500)
    assert speed(vehicle) < 0.5
    share = (read(vehicle, ElectricData.ENERGY_RECUPERATED) - before) * 3.6e6 / (0.5 * 1600.0 * v * v)
    assert 0.6 < share < 0.9


def test_a_full_battery_takes_nothing() -> None:
    """The friction brakes do it all; the released pedal lets the vehicle roll."""
    full = replace(CAR, electric=replace(CAR.electric, battery=TractionBatterySettings(initial_charge=1.0)))
    vehicle = driving(full, at=15.0)
    vehicle.electric.battery.charge = 1.0  # type: ignore[union-attr]
    before = speed(vehicle)
    run(vehicle, 1.0, throttle=0)
    assert speed(vehicle) == pytest.approx(before, rel=0.03)


def test_it_creeps_on_the_flat_and_stands_with_the_brake() -> None:
    """At the set 1.7 m/s at most; both forwards and backwards."""
    vehicle = run(driving(), 8.0)
    assert 1.0 < speed(vehicle) < 1.7
    assert vehicle.data.vehicle[VehicleData.TRANSMISSION_RPM] > 0
    run(vehicle, 3.0, brake=4000)
    assert speed(vehicle) == 0.0
    run(vehicle, 1.0, automatic_gear=REVERSE)
    run(vehicle, 5.0, brake=0)
    assert 1.0 < speed(vehicle) < 1.7
    assert vehicle.data.vehicle[VehicleData.TRANSMISSION_RPM] < 0


def test_neutral_and_park_transmit_nothing() -> None:
    for position in (NEUTRAL, PARK):
        vehicle = run(driving(), 0.5, brake=10_000)
        run(vehicle, 1.0, automatic_gear=position)
        run(vehicle, 1.0, brake=0, throttle=10_000)
        assert speed(vehicle) == 0.0
        assert read(vehicle, ElectricData.MOTOR_TORQUE) == 0.0


def test_the_battery_limits_the_power() -> None:
    """30 kW of battery leave less at the shaft."""
    weak = replace(CAR, electric=replace(CAR.electric, battery=TractionBatterySettings(max_discharge=30.0)))
    vehicle = run(driving(weak, at=15.0), 2.0, throttle=10_000)
    assert read(vehicle, ElectricData.TRACTION_POWER) <= 30.0 * 1.01
    assert 24.0 < read(vehicle, ElectricData.MOTOR_POWER) < 29.7


def test_a_battery_that_cannot_even_feed_the_consumers_drives_nothing() -> None:
    """0.1 kW, of which control units and pumps take 0.3."""
    weak = TractionBatterySettings(max_discharge=0.1, auxiliary_power=0.3)
    vehicle = driving(replace(CAR, electric=replace(CAR.electric, battery=weak, creep_speed=0.0)))
    run(vehicle, 0.5)
    run(vehicle, 0.5, throttle=10_000)
    assert speed(vehicle) == pytest.approx(0.0, abs=0.05)


def test_the_ledger_closes() -> None:
    """Supply - losses - stored is nothing, and what the battery gave is work, loss of the drive and consumers."""
    vehicle = driving()
    ledger = EnergyLedger(vehicle)
    electric = vehicle.electric
    assert electric is not None
    used, recuperated, losses = electric.used, electric.recuperated, 0.0
    for throttle, brake, seconds in ((6000, 0, 6.0), (0, 0, 2.0), (0, 3000, 3.0)):
        vehicle.data.input[InputData.THROTTLE], vehicle.data.input[InputData.BRAKE] = throttle, brake
        for _ in range(round(seconds / STEP)):
            vehicle.step(STEP)
            ledger.observe(STEP)
            losses += (electric.motor.sensor_loss + 300.0) * STEP
    report = ledger.report()
    given = electric.used - used - (electric.recuperated - recuperated)
    assert abs(report.residual) < 1e-9 * max(abs(value) for value in report.losses.values()) + 1e-3
    assert given == pytest.approx(report.supply["electric motor"] + losses, rel=1e-6)


def test_a_restored_vehicle_goes_on_to_the_bit() -> None:
    one = run(driving(at=10.0), 1.0, throttle=3000)
    other = Vehicle(CAR)
    for channel, values in enumerate(one.data.channels):
        other.data.channels[channel][:] = values
    other.set_state_vars(one.get_state_vars())
    run(one, 2.0, brake=2000)
    run(other, 2.0, brake=2000)
    assert one.data.channels == other.data.channels


def test_traction_control_holds_the_wheels_at_the_grip_of_ice() -> None:
    """At friction 0.2 full pedal spins the wheels to the motor's end without it, and with it hardly beyond the road."""
    spins = []
    for enabled in (False, True):
        aids = replace(CAR.aids, tcs=replace(CAR.aids.tcs, enabled=enabled))
        vehicle = driving(replace(CAR, aids=aids))
        vehicle.data.write(ROAD, RoadData.FRICTION, 0.2)
        run(vehicle, 4.0, throttle=10_000)
        spins.append(vehicle.data.read(CHASSIS, ChassisData.WHEEL_SPEED_FRONT_LEFT) - speed(vehicle))
    assert spins[0] > 15.0
    assert -0.1 < spins[1] < 2.0


def test_the_lamp_of_traction_control_lights_while_it_holds_the_motor_back() -> None:
    """At full pedal on ice, and on a dry road not; nor with the pedal up, or with traction control off."""
    for friction, enabled, throttle, lit in (
        (0.2, True, 10_000, True),
        (1.0, True, 2_000, False),
        (0.2, True, 0, False),
        (0.2, False, 10_000, False),
    ):
        aids = replace(CAR.aids, tcs=replace(CAR.aids.tcs, enabled=enabled))
        vehicle = driving(replace(CAR, aids=aids))
        vehicle.data.write(ROAD, RoadData.FRICTION, friction)
        shown = set()
        for _ in range(100):
            run(vehicle, 0.01, throttle=throttle)
            shown.add(vehicle.data.vehicle[VehicleData.TCS_ENGAGED])
        assert (1 in shown) is lit
        run(vehicle, 0.5, throttle=0)
        assert vehicle.data.vehicle[VehicleData.TCS_ENGAGED] == 0
