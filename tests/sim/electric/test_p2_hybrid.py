"""A P2 hybrid: electric driving, the engine's start and K0, the share of both, charge, and its energy."""

from dataclasses import replace

import pytest

from vehiclesim import (
    AUXILIARY,
    REQUEST,
    AuxiliaryData,
    ElectricData,
    RequestData,
    ShiftingSettings,
    Vehicle,
    VehicleData,
)
from vehiclesim.energy import EnergyLedger
from vehiclesim.parameters import ClutchSettings, ClutchType, GearboxSettings, StopStartSettings

from .hybrids import NEUTRAL, P2, PARK, STEP, read, ready, run, with_charge

ONE_GEAR = replace(P2, gearbox=replace(P2.gearbox, ratios=(1.2,)), shifting=ShiftingSettings())


def test_it_is_ready_with_its_engine_at_rest() -> None:
    """The rev counter shows 0, the lamp READY is on, and the engine counts as stopped by itself, not as stalled."""
    vehicle = ready()
    values = vehicle.data.vehicle
    assert read(vehicle, ElectricData.DRIVE_READY) == 1.0
    assert values[VehicleData.ENGINE_RPM] == values[VehicleData.ENGINE_STALLED] == 0
    assert vehicle.data.auxiliary[AuxiliaryData.AUTO_STOP] == 1
    assert run(vehicle, 0.1, key=-1).data.electric[ElectricData.DRIVE_READY] == 0
    assert vehicle.data.auxiliary[AuxiliaryData.AUTO_STOP] == 0


def test_it_creeps_and_starts_off_electrically() -> None:
    """Under a light foot no fuel is burnt up to its electric power, and the gears change by the motor's speed."""
    vehicle = run(ready(), 8.0, throttle=1500)
    assert vehicle.chassis.sensor_speed > 5.0
    assert vehicle.data.vehicle[VehicleData.GEARBOX_GEAR] >= 2
    assert vehicle.data.auxiliary[AuxiliaryData.FUEL_USED] == 0
    assert vehicle.engine.sensor_rpm == 0.0


def test_full_pedal_starts_the_engine_and_both_drive() -> None:
    """K0 locks within a second, and engine and motor together give the sum of their torques at that speed."""
    vehicle = run(run(ready(), 4.0, throttle=1500), 1.5, throttle=10_000)
    engine, motor = vehicle.engine, vehicle.electric.motor  # type: ignore[union-attr]
    assert engine.sensor_working
    assert engine.sensor_clutch_lock == 1.0
    assert engine.sensor_rpm == pytest.approx(motor.sensor_rpm, rel=1e-6)
    run(vehicle, 0.5)
    together = engine.calculate_torque(engine.sensor_rpm) + motor.most_torque(motor.w)
    assert engine.sensor_flywheel_torque + motor.torque == pytest.approx(together, rel=0.03)


def test_the_start_of_the_engine_is_hardly_felt() -> None:
    """The motor makes up for what K0 takes: the acceleration stays within 0.6 m/s² of what it was."""
    vehicle = run(ready(ONE_GEAR), 1.0, throttle=4000)
    before = 0.0
    while not vehicle.engine.sensor_working:
        before = vehicle.chassis.sensor_acceleration
        run(vehicle, STEP)
    seen = []
    for _ in range(200):
        run(vehicle, STEP)
        seen.append(vehicle.chassis.sensor_acceleration)
    assert vehicle.engine.sensor_clutch_lock == 1.0
    assert max(abs(value - before) for value in seen) < 0.6


def test_a_limit_of_the_torque_holds_for_both() -> None:
    """The motor does not give what a control unit takes from the engine, nor more than that by itself."""
    vehicle = run(ready(ONE_GEAR), 3.0, throttle=5000)
    vehicle.data.write(REQUEST, RequestData.ENGINE_TORQUE_LIMIT, 40.0)
    run(vehicle, 0.5, throttle=10_000)
    motor = vehicle.electric.motor  # type: ignore[union-attr]
    assert vehicle.engine.sensor_output_torque + motor.torque == pytest.approx(40.0, abs=4.0)


def test_released_pedals_cut_the_fuel_and_recuperate() -> None:
    """With the engine on or off the vehicle slows down alike: by the set 1 m/s², and what resists on the road."""
    vehicle = run(ready(ONE_GEAR), 6.0, throttle=10_000)
    lost = []
    for _ in range(2):
        run(vehicle, 0.5, throttle=0)
        before = vehicle.chassis.sensor_speed
        run(vehicle, 1.0)
        lost.append(before - vehicle.chassis.sensor_speed)
        assert vehicle.engine.sensor_fuel_rate == 0.0
        assert read(vehicle, ElectricData.POWER_SHARE) < 0.0
        vehicle.electric.on_demand._time = 10.0  # type: ignore[union-attr]
        run(vehicle, 1.0)
    assert lost[0] == pytest.approx(lost[1], abs=0.15)
    assert lost[1] > 1.0


def test_a_low_charge_is_brought_up_and_a_high_one_down() -> None:
    """At one pedal, on the move: the engine gives more than is needed below the band's middle, and less above."""
    powers = []
    for charge in (0.35, 0.79):
        vehicle = run(ready(with_charge(P2, charge)), 5.0, throttle=6000)
        run(vehicle, 3.0, throttle=4500)
        assert vehicle.engine.sensor_working
        powers.append(read(vehicle, ElectricData.TRACTION_POWER))
    assert powers[0] < -3.0
    assert powers[1] > 3.0


def test_it_starts_off_with_an_empty_battery() -> None:
    """The engine slips in through K0, as through an automatic clutch."""
    vehicle = run(ready(with_charge(P2, 0.03)), 10.0, throttle=5000)
    assert vehicle.engine.sensor_working
    assert vehicle.chassis.sensor_speed > 8.0


def test_in_neutral_and_park_the_engine_rests() -> None:
    for position in (NEUTRAL, PARK):
        vehicle = run(ready(), 0.5, brake=10_000)
        run(vehicle, 2.0, automatic_gear=position, throttle=10_000)
        assert vehicle.engine.sensor_rpm == 0.0
        assert read(vehicle, ElectricData.MOTOR_TORQUE) == 0.0


def test_without_fuel_it_drives_on_electrically() -> None:
    settings = replace(P2, auxiliary=replace(P2.auxiliary, tank=replace(P2.auxiliary.tank, initial_share=0.0)))
    vehicle = run(ready(settings), 5.0, throttle=10_000)
    assert not vehicle.engine.sensor_working
    assert vehicle.chassis.sensor_speed > 5.0


def test_the_ledger_closes_and_no_loss_is_negative() -> None:
    """Over electric driving, the engine's start, both together, and braking to rest."""
    vehicle = ready()
    ledger = EnergyLedger(vehicle)
    for throttle, brake, seconds in ((1500, 0, 1.5), (10_000, 0, 3.0), (0, 0, 1.0), (0, 5000, 3.0)):
        run(vehicle, seconds, ledger, throttle=throttle, brake=brake)
    report = ledger.report()
    assert abs(report.residual) < 1e-9 * sum(report.losses.values())
    assert all(loss >= -1e-6 for loss in report.losses.values())


def test_a_restored_vehicle_goes_on_to_the_bit() -> None:
    """From the middle of the engine's start as well."""
    one = run(ready(), 5.0, throttle=1000)
    for seconds in (0.05, 0.3, 2.0):
        run(one, seconds, throttle=9000)
        other = Vehicle(P2)
        for channel, values in enumerate(one.data.channels):
            other.data.channels[channel][:] = values
        other.set_state_vars(one.get_state_vars())
        assert one.data.channels == other.data.channels
        run(one, 0.5)
        run(other, 0.5)
        assert one.data.channels == other.data.channels


def test_a_shorter_step_changes_little() -> None:
    """Half a per cent of the way between 1 ms and 0.1 ms, over electric driving and full throttle."""
    ways = []
    for step in (1e-3, 1e-4):
        vehicle = run(ready(step=step), 0.5, step=step, throttle=3000)
        run(vehicle, 1.5, step=step, throttle=10_000)
        ways.append(vehicle.data.read(AUXILIARY, AuxiliaryData.ODOMETER))
    assert ways[0] == pytest.approx(ways[1], rel=5e-3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"gearbox": GearboxSettings()}, "automatic gearbox"),
        ({"clutch": ClutchSettings(type=ClutchType.TORQUE_CONVERTER)}, "friction-disc"),
        ({"stop_start": StopStartSettings(enabled=True)}, "leave it off"),
    ],
)
def test_parts_that_do_not_fit_are_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        replace(P2, **change)  # type: ignore[arg-type]
