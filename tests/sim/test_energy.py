"""The energy ledger: it closes, nothing is lost twice, and known losses come out as known."""

from dataclasses import replace
from math import pi

import pytest

from vehiclesim import (
    ROAD,
    BodySettings,
    DifferentialType,
    DrivelineLayout,
    InputData,
    RoadData,
    Vehicle,
    VehicleData,
    VehicleSettings,
)
from vehiclesim.energy import EnergyLedger, EnergyReport
from vehiclesim.parameters import (
    ClutchSettings,
    ClutchType,
    GearboxSettings,
    GearboxType,
    RetarderSettings,
    TrailerSettings,
)

from .road import CAN_STALL, FULL, in_first_gear, read
from .whole_cars import car

pytestmark = pytest.mark.long

STEP = 0.001

GRADE = 0.03

VEHICLES = {
    "manual": CAN_STALL,
    "sequential": VehicleSettings(gearbox=GearboxSettings(type=GearboxType.SEQUENTIAL)),
    "torque converter": VehicleSettings(
        clutch=ClutchSettings(type=ClutchType.TORQUE_CONVERTER), gearbox=GearboxSettings(type=GearboxType.AUTOMATIC)
    ),
    "hydrodynamic converter and retarder": VehicleSettings(
        clutch=ClutchSettings(type=ClutchType.HYDRODYNAMIC),
        gearbox=GearboxSettings(type=GearboxType.AUTOMATIC),
        retarder=RetarderSettings(levels=4),
    ),
    "clutch packs on all wheels": car(DrivelineLayout.CENTRE_DIFFERENTIAL, DifferentialType.CLUTCH_PACK),
    "locked differentials": car(DrivelineLayout.CENTRE_DIFFERENTIAL, DifferentialType.LOCKED),
    "torque splitter": car(DrivelineLayout.TORQUE_SPLITTER),
    "H-drive, viscous": car(DrivelineLayout.H_DRIVE, DifferentialType.VISCOUS),
    "firing pulses": replace(CAN_STALL, engine=replace(CAN_STALL.engine, firing_pulses=True)),
    "tyres that never slip": car(tyre_dynamics=False),
    "trailer": replace(CAN_STALL, trailer=TrailerSettings(mass=900.0)),
}


def drive(vehicle: Vehicle, ledger: EnergyLedger, seconds: float) -> EnergyReport:
    for _ in range(round(seconds / STEP)):
        vehicle.step(STEP)
        ledger.observe(STEP)
    return ledger.report()


@pytest.mark.parametrize("settings", VEHICLES.values(), ids=VEHICLES)
def test_the_ledger_closes(settings: VehicleSettings) -> None:
    """From the key to a stop, by way of starting off, climbing, shifting in a bend, braking and rolling out.

    Supply - losses - stored < 1e-9 of the supply, and no part gains energy. Wheels that never slip jump to another
    speed when they are steered, which the differentials see as 1e-8 of it.
    """
    vehicle = Vehicle(settings)
    ledger = EnergyLedger(vehicle)
    controls = vehicle.data.input
    controls[InputData.KEY] = 1
    controls[InputData.CLUTCH] = FULL
    drive(vehicle, ledger, 1.5)
    controls[InputData.KEY] = 0
    controls[InputData.MANUAL_GEAR] = 1
    controls[InputData.AUTOMATIC_GEAR] = 0 if settings.gearbox.type is not GearboxType.AUTOMATIC else 4
    drive(vehicle, ledger, 0.5)
    controls[InputData.THROTTLE] = FULL // 2
    controls[InputData.CLUTCH] = 8500
    drive(vehicle, ledger, 2.0)
    controls[InputData.CLUTCH] = 0
    vehicle.data.write(ROAD, RoadData.SLOPE, GRADE)
    drive(vehicle, ledger, 2.0)
    controls[InputData.MANUAL_GEAR] = 2
    controls[InputData.STEER] = -1500
    drive(vehicle, ledger, 1.5)
    controls[InputData.THROTTLE] = 0
    controls[InputData.RETARDER] = 2
    drive(vehicle, ledger, 1.0)
    controls[InputData.CLUTCH] = FULL
    controls[InputData.MANUAL_GEAR] = 0
    controls[InputData.AUTOMATIC_GEAR] = 3
    controls[InputData.BRAKE] = FULL // 4
    report = drive(vehicle, ledger, 6.0)
    assert read(vehicle, VehicleData.SPEED) == 0.0
    assert abs(report.residual) < 1e-9 * report.throughput
    assert all(loss >= -1e-7 * report.throughput for loss in report.losses.values())
    assert (report.losses["tyres"] > 1e-3 * report.throughput) == settings.tyre.tyre_dynamics
    assert report.losses["brakes"] > 0.01 * report.throughput
    assert report.losses["clutch"] > 0.01 * report.throughput
    assert (report.losses.get("retarder", 0.0) > 0.0) == (settings.retarder.levels > 0)


def test_starter_and_combustion_have_their_own_lines() -> None:
    """An engine that the starter brings up and that then idles: both work against its friction only."""
    vehicle = Vehicle(CAN_STALL)
    ledger = EnergyLedger(vehicle)
    vehicle.data.input[InputData.KEY] = 1
    while vehicle.engine.sensor_starting or not vehicle.engine.sensor_working:
        vehicle.step(STEP)
        ledger.observe(STEP)
    started = ledger.report()
    vehicle.data.input[InputData.KEY] = 0
    idling = drive(vehicle, ledger, 2.0)
    assert started.supply["starter"] > 0.0
    assert idling.supply["starter"] == started.supply["starter"]
    assert idling.supply["combustion"] > started.supply["combustion"]
    assert abs(idling.residual) < 1e-9 * idling.throughput


def test_idle_burns_exactly_the_friction() -> None:
    """At 1000 rpm the default engine has 31.57 Nm of friction: 31.57·1000·2π/60 W, and nothing goes anywhere else."""
    vehicle = Vehicle(CAN_STALL)
    vehicle.data.input[InputData.KEY] = 1
    for _ in range(3000):
        vehicle.step(STEP)
    vehicle.data.input[InputData.KEY] = 0
    ledger = EnergyLedger(vehicle)
    report = drive(vehicle, ledger, 1.0)
    power = 31.5686 * 1000.0 * 2.0 * pi / 60.0
    assert report.supply["combustion"] == pytest.approx(power, rel=1e-4)
    assert report.losses["engine friction"] == pytest.approx(power, rel=1e-4)


def test_a_clutch_that_drags_a_held_car_turns_its_torque_into_heat() -> None:
    """Loss = T·w·t: 15 Nm of the disc at 1000 rpm, while the brake holds the car."""
    vehicle = in_first_gear()
    controls = vehicle.data.input
    controls[InputData.BRAKE] = FULL
    controls[InputData.CLUTCH] = FULL - 500  # 5 % of 300 Nm
    drive(vehicle, EnergyLedger(vehicle), 1.0)
    report = drive(vehicle, EnergyLedger(vehicle), 1.0)
    assert report.losses["clutch"] == pytest.approx(15.0 * 1000.0 * 2.0 * pi / 60.0, rel=1e-3)
    assert report.losses["brakes"] == 0.0


def test_rolling_down_a_slope_turns_height_into_drag_rolling_and_speed() -> None:
    """ΔE_pot = -m·g·h; in neutral nothing is supplied, so kinetic + losses = m·g·h, with the engine off.

    Rolling tyres hardly slip: the kinetic energy is that of mass and wheels at one speed.
    """
    settings = VehicleSettings(body=BodySettings(mass=1300.0))
    vehicle = Vehicle(settings)
    vehicle.data.input[InputData.KEY] = -1
    vehicle.data.write(ROAD, RoadData.SLOPE, -GRADE)
    ledger = EnergyLedger(vehicle)
    report = drive(vehicle, ledger, 5.0)
    speed = vehicle.chassis.sensor_speed
    kinetic = 0.5 * (1300.0 + 4 * 0.9 / 0.31**2) * speed * speed
    assert report.stored["kinetic"] == pytest.approx(kinetic, rel=1e-4)
    assert report.losses["drag"] > 0.0
    assert report.losses["rolling resistance"] > 0.0
    lost = sum(report.losses[name] for name in ("drag", "rolling resistance", "tyres"))
    fallen = lost + report.stored["kinetic"]
    assert -report.stored["potential"] == pytest.approx(fallen, rel=1e-9)


def test_the_gearbox_loses_its_share() -> None:
    """Pulling, the gears lose (1-η)/η of what they give to the wheels: drag, rolling, slip, gain of speed."""
    vehicle = in_first_gear()
    controls = vehicle.data.input
    controls[InputData.THROTTLE] = 3000
    for pedal in range(FULL, -1, -10):
        controls[InputData.CLUTCH] = pedal
        vehicle.step(STEP)
    drive(vehicle, EnergyLedger(vehicle), 1.0)
    before = vehicle.chassis.sensor_kinetic_energy
    losses = drive(vehicle, EnergyLedger(vehicle), 1.0).losses
    gain = vehicle.chassis.sensor_kinetic_energy - before
    given = gain + sum(losses[name] for name in ("drag", "rolling resistance", "tyres"))
    assert losses["gearbox"] == pytest.approx(0.03 / 0.97 * given, rel=1e-6)
