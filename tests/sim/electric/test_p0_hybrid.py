"""A P0 hybrid: help, recuperation, charging and starting by the belt, and its energy."""

import math
from dataclasses import replace

import pytest

from vehiclesim import REQUEST, AuxiliaryData, ElectricData, RequestData, Vehicle, VehicleData
from vehiclesim.electric.p0_hybrid import P0Hybrid
from vehiclesim.energy import EnergyLedger

from .hybrids import P0, read, rolling, run, with_charge


def test_full_pedal_gives_engine_and_motor() -> None:
    """10 kW more at the crankshaft than the engine alone has at that speed."""
    vehicle = run(rolling(), 1.0, throttle=10_000)
    engine = vehicle.engine
    assert read(vehicle, ElectricData.MOTOR_POWER) == pytest.approx(10.0, rel=0.05)
    added = engine.sensor_flywheel_torque - engine.calculate_torque(engine.sensor_rpm)
    assert added == pytest.approx(2.5 * read(vehicle, ElectricData.MOTOR_TORQUE), rel=0.03)


def test_a_limit_of_the_torque_holds_for_both() -> None:
    """The motor does not give what a control unit takes from the engine."""
    vehicle = rolling()
    vehicle.data.write(REQUEST, RequestData.ENGINE_TORQUE_LIMIT, 40.0)
    run(vehicle, 1.0, throttle=10_000)
    assert vehicle.engine.sensor_flywheel_torque == pytest.approx(40.0, abs=1.0)


def test_the_power_of_both_together_is_held() -> None:
    """60 kW at the crankshaft at 4500 rpm, where the engine alone has more; P = w·T."""
    limited = replace(P0, electric=replace(P0.electric, hybrid=replace(P0.electric.hybrid, max_power=60.0)))
    drive = Vehicle(limited).electric
    assert isinstance(drive, P0Hybrid)
    w = 4500.0 * math.pi / 30.0
    assert w * drive.most_torque(w) == pytest.approx(60e3, rel=1e-12)
    assert drive.most_torque(100.0) == Vehicle(P0).electric.most_torque(100.0)  # type: ignore[union-attr]


def test_released_pedals_recuperate_beside_the_engine_s_drag() -> None:
    """0.3 m/s² more than without a motor; nothing is burnt, and the battery is charged."""
    vehicle = run(rolling(), 0.3)
    drag = -vehicle.engine.calculate_torque(vehicle.engine.sensor_rpm, 0.0)
    assert vehicle.engine.sensor_fuel_rate == 0.0
    assert read(vehicle, ElectricData.TRACTION_POWER) < 0.0
    lead = vehicle.settings.driveline.total_ratio * vehicle.gearbox.sensor_ratio / vehicle.settings.wheels.radius
    mass = vehicle.settings.body.mass + 4.0 * vehicle.settings.wheels.inertia / vehicle.settings.wheels.radius**2
    assert -vehicle.engine.sensor_flywheel_torque == pytest.approx(drag + 0.3 * mass / lead, rel=0.02)


def test_the_brake_pedal_recuperates_more_and_the_wheels_brake_less() -> None:
    """The vehicle slows down as its pedal says: as much as with the motor's share for it taken by the brakes."""
    vehicle = run(rolling(), 0.3)
    before = read(vehicle, ElectricData.TRACTION_POWER)
    run(vehicle, 0.5, brake=1500)
    assert read(vehicle, ElectricData.TRACTION_POWER) < before
    assert vehicle.brakes.relieved[0] > 0.0


def test_with_the_clutch_open_the_motor_neither_helps_nor_brakes() -> None:
    """But for the little that brings the charge to the middle of its band."""
    vehicle = run(rolling(), 0.2, clutch=10_000, throttle=4000)
    assert abs(read(vehicle, ElectricData.MOTOR_TORQUE)) < 0.3


def test_a_low_charge_is_brought_up_at_idle() -> None:
    """3 kW below the lower end, which the idle control carries: the engine idles on, and burns more."""
    rates, powers = [], []
    for charge in (0.6, 0.3):
        vehicle = run(Vehicle(with_charge(P0, charge)), 1.5, key=1, clutch=10_000)
        run(vehicle, 2.0, key=0)
        assert vehicle.engine.sensor_rpm == pytest.approx(P0.engine.idle_rpm, rel=0.01)
        rates.append(vehicle.engine.sensor_fuel_rate)
        powers.append(read(vehicle, ElectricData.MOTOR_POWER))
    assert rates[1] > 1.3 * rates[0]
    assert powers == pytest.approx([0.0, -3.0], abs=0.06)


def test_the_motor_starts_the_engine_after_a_stop() -> None:
    """Faster than a starter would: within half a second of the clutch pedal; the 12 V starter gives nothing."""
    vehicle = rolling(gear=1)
    run(vehicle, 4.0, brake=6000, clutch=10_000)
    run(vehicle, 3.0, manual_gear=0, clutch=0)
    assert vehicle.data.vehicle[VehicleData.ENGINE_RPM] == 0
    assert vehicle.data.auxiliary[AuxiliaryData.AUTO_STOP] == 1
    assert read(vehicle, ElectricData.DRIVE_READY) == 1.0
    run(vehicle, 0.05, clutch=10_000)
    assert read(vehicle, ElectricData.MOTOR_TORQUE) > 30.0
    run(vehicle, 0.45)
    assert vehicle.engine.sensor_working


def test_the_ledger_closes_and_no_loss_is_negative() -> None:
    """Over help, recuperation, a stop, and the start by the motor."""
    vehicle = rolling(gear=1)
    ledger = EnergyLedger(vehicle)
    for throttle, seconds in ((10_000, 0.5), (0, 0.5)):
        run(vehicle, seconds, ledger, throttle=throttle)
    run(vehicle, 2.5, ledger, brake=6000, clutch=10_000)
    run(vehicle, 2.5, ledger, manual_gear=0, clutch=0)
    run(vehicle, 1.0, ledger, clutch=10_000)
    assert vehicle.engine.sensor_working
    report = ledger.report()
    assert abs(report.residual) < 1e-9 * sum(report.losses.values())
    assert all(loss >= -1e-6 for loss in report.losses.values())


def test_a_restored_vehicle_goes_on_to_the_bit() -> None:
    one = run(rolling(), 0.5, throttle=6000)
    other = Vehicle(P0)
    for channel, values in enumerate(one.data.channels):
        other.data.channels[channel][:] = values
    other.set_state_vars(one.get_state_vars())
    assert one.data.channels == other.data.channels
    for throttle in (10_000, 0):
        run(one, 1.0, throttle=throttle)
        run(other, 1.0, throttle=throttle)
    assert one.data.channels == other.data.channels


def test_a_retuned_engine_keeps_its_rotor() -> None:
    """The speed stays as it was, and the crankshaft has the rotor's inertia still."""
    vehicle = run(rolling(), 0.1, clutch=10_000)
    before = vehicle.engine.sensor_rpm
    vehicle.retune(P0.engine)
    assert vehicle.engine.sensor_rpm == pytest.approx(before, rel=1e-12)
    ledger = EnergyLedger(vehicle)
    run(vehicle, 0.02, ledger)
    assert abs(ledger.report().residual) < 1e-6
