"""Power-split and series hybrid: electric driving, the engine on its line, charge, limits, and energy."""

from dataclasses import replace

import pytest

from vehiclesim import AUXILIARY, ROAD, AuxiliaryData, ElectricData, RoadData, Vehicle, VehicleData, VehicleSettings
from vehiclesim.block import RPM_TO_W
from vehiclesim.electric.split_hybrid import SplitHybrid
from vehiclesim.energy import EnergyLedger
from vehiclesim.parameters import ClutchSettings, ClutchType, GearboxSettings, MotorSettings, StopStartSettings

from .hybrids import DRIVE, NEUTRAL, PARK, SERIES, SPLIT, SUBSTEP, read, ready, run, with_charge

REVERSE = 2
KINDS = pytest.mark.parametrize("settings", [SPLIT, SERIES], ids=["power-split", "series"])


def drive_of(vehicle: Vehicle) -> SplitHybrid:
    assert isinstance(vehicle.electric, SplitHybrid)
    return vehicle.electric


@KINDS
def test_under_a_light_foot_it_drives_without_fuel(settings: VehicleSettings) -> None:
    """READY at 0 rpm, and up to its electric power the engine's crankshaft stands still, held by its friction."""
    vehicle = ready(settings)
    assert read(vehicle, ElectricData.DRIVE_READY) == 1.0
    assert vehicle.data.vehicle[VehicleData.ENGINE_STALLED] == 0
    run(vehicle, 5.0, throttle=1200)
    assert vehicle.chassis.sensor_speed > 1.0
    assert vehicle.engine.sensor_rpm == 0.0
    assert vehicle.data.read(AUXILIARY, AuxiliaryData.FUEL_USED) == 0.0


def test_the_sun_turns_backward_while_the_engine_rests() -> None:
    """w_sun = -78/30·w_ring, and the bus shows it as the second machine."""
    vehicle = run(ready(SPLIT), 5.0, throttle=1200)
    ring = vehicle.electric.motor.sensor_rpm / 3.0  # type: ignore[union-attr]
    assert read(vehicle, ElectricData.SECOND_MOTOR_RPM) == pytest.approx(-2.6 * ring, abs=0.01)
    assert read(vehicle, ElectricData.SECOND_MOTOR_TORQUE) == 0.0


@KINDS
def test_the_generator_cranks_the_engine_within_half_a_second(settings: VehicleSettings) -> None:
    """At full pedal, without the starter of 12 V; engine and battery then give what the sheet allows at most."""
    vehicle = run(ready(settings), 2.0, throttle=1200)
    run(vehicle, 0.6, throttle=10_000)
    assert vehicle.engine.sensor_working
    highest = 0.0
    for _ in range(100):
        run(vehicle, 0.05)
        motor, engine = drive_of(vehicle).motor, vehicle.engine
        share = 78.0 / 108.0 if settings is SPLIT else 0.0
        torque = motor.torque * motor.ratio + share * engine.sensor_output_torque
        highest = max(highest, torque * motor.w / motor.ratio * 1e-3)
    assert 40.0 < highest < 90.0 * 1.01


@KINDS
def test_a_steady_engine_turns_on_its_best_line(settings: VehicleSettings) -> None:
    """Speed and power of the running engine fit the line within 5 %, or the speed is that of idle with a margin."""
    vehicle = run(ready(with_charge(settings, 0.5)), 8.0, throttle=5000)
    drive, engine = drive_of(vehicle), vehicle.engine
    assert engine.sensor_working
    w, power = engine.sensor_rpm * RPM_TO_W, engine.sensor_power * 1e3
    least = 1.05 * settings.engine.idle_rpm * RPM_TO_W
    assert w == pytest.approx(max(drive._line.speed(power), least), rel=0.05)


@KINDS
def test_a_low_charge_is_brought_up_at_standstill_too(settings: VehicleSettings) -> None:
    """In D, with the foot on the brake, below the band: the engine runs, the battery charges, and the car stands."""
    vehicle = run(ready(with_charge(settings, 0.35)), 0.1, brake=8000)
    run(vehicle, 4.0)
    assert vehicle.engine.sensor_working
    assert read(vehicle, ElectricData.TRACTION_POWER) < -3.0
    assert abs(vehicle.chassis.sensor_speed) < 1e-3


@KINDS
def test_released_pedals_stop_the_engine_and_recuperate(settings: VehicleSettings) -> None:
    """Faster than 0.8 of `electric_speed` it turns without fuel; then it stops."""
    vehicle = run(ready(settings), 6.0, throttle=10_000)
    run(vehicle, 2.0, throttle=0)
    assert vehicle.engine.sensor_fuel_rate == 0.0
    assert vehicle.engine.sensor_rpm > 1000.0
    while vehicle.chassis.sensor_speed > 0.8 * 20.0:
        run(vehicle, 0.5)
    run(vehicle, 2.0)
    assert vehicle.engine.sensor_rpm == 0.0
    assert vehicle.engine.sensor_fuel_rate == 0.0
    assert read(vehicle, ElectricData.POWER_SHARE) < 0.0


@KINDS
@pytest.mark.parametrize("position", [PARK, REVERSE])
def test_a_low_charge_is_brought_up_in_p_and_r_too(settings: VehicleSettings, position: int) -> None:
    """Toyota's manual: the battery is charged in every position but N. The pawl, or the brake, holds the car."""
    vehicle = run(Vehicle(with_charge(settings, 0.35)), 0.5, key=1, brake=10_000, automatic_gear=position)
    run(vehicle, 4.0, key=0)
    assert vehicle.engine.sensor_working
    assert read(vehicle, ElectricData.TRACTION_POWER) < -3.0
    if position == PARK:
        run(vehicle, 2.0, brake=0, throttle=5000)
    assert vehicle.engine.sensor_working
    assert vehicle.chassis.sensor_speed == 0.0
    assert read(vehicle, ElectricData.MOTOR_RPM) == 0.0


@KINDS
def test_in_p_a_slope_does_not_move_the_ring(settings: VehicleSettings) -> None:
    """The pawl takes what the engine gives the ring, 0.72 of its torque, and the weight of the car."""
    vehicle = Vehicle(with_charge(settings, 0.35))
    vehicle.data.write(ROAD, RoadData.SLOPE, 0.1)
    run(vehicle, 0.5, key=1, brake=10_000, automatic_gear=PARK)
    run(vehicle, 4.0, key=0, brake=0)
    assert vehicle.engine.sensor_working
    assert abs(vehicle.chassis.sensor_speed) < 1e-3
    assert read(vehicle, ElectricData.MOTOR_RPM) == 0.0


@KINDS
def test_in_n_both_machines_are_off(settings: VehicleSettings) -> None:
    """Toyota's manual: in N the battery is not charged. A resting engine is not started, a running one idles on."""
    vehicle = run(ready(with_charge(settings, 0.45)), 0.5, brake=10_000)
    drive = drive_of(vehicle)
    run(vehicle, 1.0, automatic_gear=NEUTRAL)
    drive.battery.charge = 0.35
    run(vehicle, 6.0, brake=0, throttle=5000)
    assert vehicle.engine.sensor_rpm == 0.0
    run(vehicle, 4.0, brake=10_000, throttle=0, automatic_gear=DRIVE)
    assert vehicle.engine.sensor_working
    run(vehicle, 6.0, automatic_gear=NEUTRAL)
    assert vehicle.engine.sensor_rpm == pytest.approx(settings.engine.idle_rpm, rel=0.01)
    assert drive.motor.torque == drive.generator.torque == 0.0
    assert read(vehicle, ElectricData.TRACTION_POWER) > 0.0


@KINDS
@pytest.mark.parametrize("charge", [0.35, 0.6])
def test_the_motor_turns_backward_in_r(settings: VehicleSettings, charge: float) -> None:
    """It drives alone, against what an engine that charges gives the ring: w_sun = (w_carrier - (1-a)·w_ring)/a."""
    vehicle = run(ready(with_charge(settings, charge)), 0.5, brake=10_000)
    run(vehicle, 4.0, automatic_gear=REVERSE)
    run(vehicle, 3.0, brake=0, throttle=2500)
    drive, engine = drive_of(vehicle), vehicle.engine
    assert vehicle.chassis.sensor_speed < -2.0
    assert engine.sensor_working == (charge < 0.4)
    ring, torque = drive.motor.sensor_rpm / 3.0, drive.motor.torque * 3.0
    assert ring < -200.0
    share = 30.0 / 108.0 if settings is SPLIT else 1.0
    assert drive.generator.sensor_rpm == pytest.approx((engine.sensor_rpm - (1.0 - share) * ring) / share, abs=1.0)
    assert torque < -(1.0 - share) * engine.sensor_output_torque
    run(vehicle, 3.0, brake=6000, throttle=0)
    assert vehicle.chassis.sensor_speed == pytest.approx(0.0, abs=1e-6)


@KINDS
def test_a_cold_engine_runs_until_it_is_warm(settings: VehicleSettings) -> None:
    """With `warm_up`, in P at rest too, burning what idle needs; then it rests, as one without the key does at once."""
    electric = settings.electric
    cold = replace(settings, electric=replace(electric, hybrid=replace(electric.hybrid, warm_up=40.0)))
    for car, runs in ((cold, True), (settings, False)):
        vehicle = run(Vehicle(car), 0.5, key=1, brake=10_000, automatic_gear=PARK)
        run(vehicle, 5.0, key=0)
        assert vehicle.engine.sensor_working is runs
        assert (vehicle.engine.sensor_fuel_rate > 0.0) is runs
    vehicle = run(Vehicle(cold), 4.0, key=1, brake=10_000, automatic_gear=PARK)
    vehicle.auxiliaries.thermal.coolant = 41.0
    run(vehicle, 2.0, key=0)
    assert vehicle.engine.sensor_rpm == 0.0


def test_no_machine_turns_faster_than_it_may() -> None:
    """The generator's highest speed bounds the engine's at low speed, and makes it turn at high speed."""
    slow = replace(SPLIT.electric.generator, max_rpm=5000.0)
    vehicle = ready(replace(SPLIT, electric=replace(SPLIT.electric, generator=slow)))
    for _ in range(120):
        run(vehicle, 0.1, throttle=10_000)
        assert abs(drive_of(vehicle).generator.sensor_rpm) < 5000.0 * 1.05
    assert vehicle.chassis.sensor_speed > 15.0


@KINDS
def test_the_ledger_closes_and_no_loss_is_negative(settings: VehicleSettings) -> None:
    """Over electric driving, cranking, both together, and braking to rest."""
    vehicle = ready(settings)
    ledger = EnergyLedger(vehicle)
    for throttle, brake, seconds in ((1500, 0, 1.0), (10_000, 0, 2.5), (0, 0, 1.5), (0, 5000, 3.0)):
        run(vehicle, seconds, ledger, throttle=throttle, brake=brake)
    report = ledger.report()
    lost = sum(report.losses.values())
    assert abs(report.residual) < 1e-9 * lost
    assert all(loss >= -1e-6 * lost for loss in report.losses.values()), report.losses
    assert report.supply["generator"] < 0.0 < report.supply["combustion"]


@KINDS
def test_the_ledger_closes_in_every_position(settings: VehicleSettings) -> None:
    """Over cranking and charging in P, in R against the engine, and in N: what the pawl holds does no work."""
    vehicle = run(Vehicle(with_charge(settings, 0.35)), 0.3, step=SUBSTEP, key=1, brake=10_000, automatic_gear=PARK)
    ledger = EnergyLedger(vehicle)
    run(vehicle, 2.0, ledger, key=0)
    for position, throttle, brake, seconds in (
        (REVERSE, 0, 10_000, 0.5),
        (REVERSE, 4000, 0, 1.5),
        (NEUTRAL, 0, 0, 0.5),
        (REVERSE, 0, 5000, 1.5),
        (PARK, 0, 0, 0.5),
    ):
        run(vehicle, seconds, ledger, automatic_gear=position, throttle=throttle, brake=brake)
    report = ledger.report()
    lost = sum(report.losses.values())
    assert abs(report.residual) < 1e-9 * lost
    assert all(loss >= -1e-6 * lost for loss in report.losses.values()), report.losses


@KINDS
def test_the_battery_has_what_the_machines_took(settings: VehicleSettings) -> None:
    """Power of both shafts, their losses and the auxiliaries are the battery's, step by step."""
    vehicle = run(ready(settings), 3.0, throttle=9000)
    drive = drive_of(vehicle)
    for _ in range(50):
        run(vehicle, 0.02)
        machines = (drive.motor, drive.generator)
        wanted = sum(machine.sensor_power + machine.sensor_loss for machine in machines) + 300.0
        assert drive.battery.power == pytest.approx(wanted, rel=1e-9)


@KINDS
def test_it_comes_to_rest_and_stays_there(settings: VehicleSettings) -> None:
    vehicle = run(ready(settings), 4.0, throttle=10_000)
    run(vehicle, 10.0, throttle=0, brake=5000)
    run(vehicle, 1.0)
    assert vehicle.chassis.sensor_speed == pytest.approx(0.0, abs=1e-9)
    assert vehicle.engine.sensor_rpm == 0.0


@KINDS
def test_a_restored_vehicle_goes_on_to_the_bit(settings: VehicleSettings) -> None:
    """From the middle of cranking, of the run-up, and of the engine's stop."""
    one = run(ready(settings), 3.0, throttle=1000)
    for seconds, throttle in ((0.1, 9000), (0.3, 9000), (2.0, 9000), (3.2, 0)):
        run(one, seconds, throttle=throttle)
        other = Vehicle(settings)
        for channel, values in enumerate(one.data.channels):
            other.data.channels[channel][:] = values
        other.set_state_vars(one.get_state_vars())
        assert other.data.channels == one.data.channels
        run(one, 0.5)
        run(other, 0.5)
        assert other.get_state_vars() == one.get_state_vars()


@KINDS
@pytest.mark.parametrize("position", [PARK, NEUTRAL, REVERSE])
def test_one_that_is_restored_in_another_position_goes_on_to_the_bit(settings: VehicleSettings, position: int) -> None:
    """With the engine running; in R on the way back."""
    one = run(Vehicle(with_charge(settings, 0.35)), 0.5, key=1, brake=10_000, automatic_gear=PARK)
    run(one, 2.0, key=0)
    run(one, 1.0, automatic_gear=position, brake=0, throttle=3000)
    other = Vehicle(settings)
    for channel, values in enumerate(one.data.channels):
        other.data.channels[channel][:] = values
    other.set_state_vars(one.get_state_vars())
    assert other.data.channels == one.data.channels
    run(one, 0.5)
    run(other, 0.5)
    assert other.get_state_vars() == one.get_state_vars()


@KINDS
def test_parts_that_do_not_fit_are_refused(settings: VehicleSettings) -> None:
    """As of a P2 hybrid; and the generator's rotor ends a shaft."""
    with pytest.raises(ValueError, match="needs an automatic gearbox"):
        replace(settings, gearbox=GearboxSettings())
    with pytest.raises(ValueError, match="friction-disc"):
        replace(settings, clutch=ClutchSettings(type=ClutchType.HYDRODYNAMIC))
    with pytest.raises(ValueError, match="leave it off"):
        replace(settings, stop_start=StopStartSettings(enabled=True))
    with pytest.raises(ValueError, match="inertia above 0"):
        replace(settings.electric, generator=MotorSettings(inertia=0.0))


@KINDS
def test_the_lamp_of_traction_control_lights_while_it_holds_the_motor_back(settings: VehicleSettings) -> None:
    """At half a pedal on ice; not on a dry road, and no longer when the foot is off."""
    aids = replace(settings.aids, tcs=replace(settings.aids.tcs, enabled=True))
    for friction, lit in ((0.1, True), (1.0, False)):
        vehicle = ready(replace(settings, aids=aids))
        vehicle.data.write(ROAD, RoadData.FRICTION, friction)
        shown = set()
        for _ in range(60):
            run(vehicle, 0.05, throttle=5000)
            shown.add(vehicle.data.vehicle[VehicleData.TCS_ENGAGED])
        assert (1 in shown) is lit
        run(vehicle, 0.1, throttle=0)
        assert vehicle.data.vehicle[VehicleData.TCS_ENGAGED] == 0
