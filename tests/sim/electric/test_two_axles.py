"""Electric all-wheel drive: a motor on each axle, their shares, the energy, and what does not fit."""

from dataclasses import replace

import pytest

from vehiclesim import (
    ROAD,
    AxleDifferentialSettings,
    DrivelineLayout,
    DrivelineSettings,
    ElectricData,
    RoadData,
    Vehicle,
)
from vehiclesim.electric.two_axles import TwoAxleDrive
from vehiclesim.energy import EnergyLedger
from vehiclesim.parameters import (
    BrakeSettings,
    ElectricSettings,
    ElectricTopology,
    GearboxSettings,
    GearboxType,
    MotorSettings,
    SplitterSettings,
    TractionBatterySettings,
    VehicleSettings,
)

from .hybrids import read, ready, run

FRONT = MotorSettings(max_torque=100.0, max_power=60.0, inertia=0.03)
REAR = MotorSettings(max_torque=150.0, max_power=120.0, inertia=0.05)
CAR = VehicleSettings(
    gearbox=GearboxSettings(type=GearboxType.AUTOMATIC, ratios=(1.0,), reverse_ratios=(-1.0,), efficiency=1.0),
    driveline=DrivelineSettings(
        layout=DrivelineLayout.TORQUE_SPLITTER,
        front=AxleDifferentialSettings(ratio=8.0),
        rear=AxleDifferentialSettings(ratio=10.0),
        splitter=SplitterSettings(stiffness=0.0),
    ),
    brakes=BrakeSettings(max_torque=2500.0, front_bias=0.7),
    electric=ElectricSettings(
        topology=ElectricTopology.BATTERY_ELECTRIC,
        motor=FRONT,
        axle_motor=REAR,
        battery=TractionBatterySettings(max_discharge=300.0, max_charge=150.0),
    ),
)


def drive_of(vehicle: Vehicle) -> TwoAxleDrive:
    assert isinstance(vehicle.electric, TwoAxleDrive)
    return vehicle.electric


def test_at_full_pedal_each_motor_gives_what_it_can() -> None:
    """On a road that holds it: 100 Nm·8 in front and 150 Nm·10 behind, and both shafts turn as their wheels do."""
    vehicle = run(ready(CAR), 1.0, throttle=10_000)
    drive = drive_of(vehicle)
    assert drive.motor.torque == pytest.approx(100.0, rel=1e-6)
    assert drive.second.torque == pytest.approx(150.0, rel=1e-6)
    front, rear = vehicle.wheels[0].spin, vehicle.wheels[2].spin
    assert drive.motor.w == pytest.approx(8.0 * front, rel=1e-3)
    assert drive.second.w == pytest.approx(10.0 * rear, rel=1e-3)
    assert read(vehicle, ElectricData.SECOND_MOTOR_TORQUE) == pytest.approx(150.0, abs=0.01)


def test_an_axle_whose_motor_idles_without_field_drives_only_when_it_is_needed() -> None:
    """At light load the other drives or brakes alone, and loses less than both would."""
    unexcited = replace(CAR.electric, axle_motor=replace(REAR, drag_torque=0.075))
    vehicle = run(ready(replace(CAR, electric=unexcited)), 3.0, throttle=5000)
    run(vehicle, 1.0, throttle=1200)
    drive = drive_of(vehicle)
    assert drive.second.torque == 0.0
    assert abs(drive.motor.torque) > 2.0
    alone = drive.motor.loss(drive.motor.w, drive.motor.torque) + drive.second.loss(drive.second.w, 0.0)
    half = drive.motor.torque / 2.0
    assert alone < drive.motor.loss(drive.motor.w, half) + drive.second.loss(drive.second.w, half * 0.8)


def test_with_magnets_both_axles_share_as_they_can() -> None:
    """Iron is lost anyway, and copper least where the current density is the same: 100·8 to 150·10."""
    vehicle = run(ready(CAR), 2.0, throttle=7000)
    drive = drive_of(vehicle)
    assert drive.second.torque / drive.motor.torque == pytest.approx(1.5, rel=1e-6)


def test_it_accelerates_as_both_forces_and_all_inertias_ask() -> None:
    """a = F/m_t with m_t = m + [4·I_w + J_f·i_f² + J_r·i_r²]/R², less what resists."""
    vehicle = ready(CAR)
    run(vehicle, 2.0, throttle=2500)
    drive, wheels = drive_of(vehicle), CAR.wheels
    force = (drive.motor.torque * 8.0 + drive.second.torque * 10.0) / wheels.radius
    speed = vehicle.chassis.sensor_speed
    resisting = vehicle.body.drag_force(speed) + 4.0 * vehicle.wheels[0].rolling_force(
        speed, vehicle.body.normal_force() / 4.0
    )
    turning = 4.0 * wheels.inertia + (0.03 + CAR.gearbox.inertia) * 64.0 + 0.05 * 100.0
    mass = CAR.body.mass + turning / wheels.radius**2
    assert vehicle.chassis.sensor_acceleration == pytest.approx((force - resisting) / mass, rel=0.01)


def test_the_battery_bounds_both_together() -> None:
    weak = replace(CAR.electric, battery=TractionBatterySettings(max_discharge=50.0))
    vehicle = ready(replace(CAR, electric=weak))
    for _ in range(60):
        run(vehicle, 0.1, throttle=10_000)
        assert drive_of(vehicle).battery.power < 50e3 * 1.02
    assert drive_of(vehicle).battery.power > 45e3


def test_recuperation_takes_from_each_brake_its_part() -> None:
    """Of the pedal's torque at each wheel the same share, so that no brake is asked for less than nothing."""
    vehicle = run(ready(CAR), 4.0, throttle=10_000)
    run(vehicle, 0.2, throttle=0, brake=2000)
    brakes = vehicle.brakes
    assert brakes.relieved[0] > 0.0
    assert brakes.relieved[0] / brakes.relieved[2] == pytest.approx(0.7 / 0.3)
    assert min(brakes.asked(wheel) for wheel in range(4)) >= -1e-9


def test_the_ledger_closes_and_no_loss_is_negative() -> None:
    vehicle = ready(CAR)
    ledger = EnergyLedger(vehicle)
    for throttle, brake, seconds in ((3000, 0, 1.0), (10_000, 0, 2.0), (0, 0, 1.0), (0, 4000, 3.0)):
        run(vehicle, seconds, ledger, throttle=throttle, brake=brake)
    report = ledger.report()
    lost = sum(report.losses.values())
    assert abs(report.residual) < 1e-9 * lost
    assert all(loss >= -1e-6 * lost for loss in report.losses.values()), report.losses
    assert report.supply["second motor"] > 0.0


@pytest.mark.parametrize("friction", [0.1, 0.2, 0.3, 0.5, 0.8])
def test_no_energy_is_made_where_tyres_break_away(friction: float) -> None:
    """Wheels that spin and lock: gears and differentials lose nothing here, and give nothing either, to 1e-6."""
    vehicle = ready(CAR)
    vehicle.data.write(ROAD, RoadData.FRICTION, friction)
    ledger = EnergyLedger(vehicle)
    for throttle, brake, seconds in ((10_000, 0, 1.0), (0, 0, 0.5), (10_000, 0, 0.7), (0, 3000, 0.5), (6000, 0, 1.0)):
        run(vehicle, seconds, ledger, throttle=throttle, brake=brake)
    report = ledger.report()
    lost = sum(report.losses.values())
    assert abs(report.residual) < 1e-9 * lost
    assert min(report.losses["gearbox"], report.losses["differentials"]) >= -1e-6 * lost


def test_a_restored_vehicle_goes_on_to_the_bit() -> None:
    one = run(ready(CAR), 1.5, throttle=9000)
    other = Vehicle(CAR)
    for channel, values in enumerate(one.data.channels):
        other.data.channels[channel][:] = values
    other.set_state_vars(one.get_state_vars())
    assert other.data.channels == one.data.channels
    run(one, 1.0, throttle=2000)
    run(other, 1.0, throttle=2000)
    assert other.get_state_vars() == one.get_state_vars()


def test_another_layout_or_drive_is_refused() -> None:
    with pytest.raises(ValueError, match="torque-splitter"):
        replace(CAR, driveline=DrivelineSettings())
    with pytest.raises(ValueError, match="only a battery-electric"):
        replace(CAR.electric, topology=ElectricTopology.P2_HYBRID)
