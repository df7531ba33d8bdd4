"""Rules of stop and start: when the engine stops, and when it starts again."""

from dataclasses import replace

import pytest

from vehiclesim import (
    AUXILIARY,
    AuxiliaryData,
    BodyData,
    BrakeSettings,
    ClutchSettings,
    ClutchType,
    EngineSettings,
    GearboxSettings,
    GearboxType,
    InputData,
    StopStartSettings,
    Vehicle,
    VehicleData,
    VehicleSettings,
)
from vehiclesim.energy import EnergyLedger

pytestmark = pytest.mark.long

FULL = 10_000
ENGINE = EngineSettings(can_stall=True, starter_motor_bias=1.0)
MANUAL = VehicleSettings(engine=ENGINE, stop_start=StopStartSettings(enabled=True))
AUTOMATIC = replace(
    MANUAL,
    gearbox=GearboxSettings(type=GearboxType.AUTOMATIC),
    clutch=ClutchSettings(type=ClutchType.HYDRODYNAMIC),
    brakes=BrakeSettings(max_torque=3000.0),
)
DRIVE, NEUTRAL = 4, 3


class Driver:
    """A vehicle with its pedals, and what its cluster is told."""

    def __init__(self, settings: VehicleSettings, *, warm: bool = True) -> None:
        self.vehicle = Vehicle(settings)
        self.controls = self.vehicle.data.input
        if warm:
            self.vehicle.auxiliaries.warm_up()
        self.put(KEY=1, AUTOMATIC_GEAR=NEUTRAL, CLUTCH=FULL, BRAKE=FULL)
        self.run(1.5)
        self.put(KEY=0)

    def put(self, **controls: int) -> None:
        for name, value in controls.items():
            self.controls[getattr(InputData, name)] = value

    def run(self, seconds: float, step: float = 0.01) -> None:
        for _ in range(round(seconds / step)):
            self.vehicle.step(step)

    def drive(self, seconds: float = 4.0) -> None:
        """Off in first gear or D, to more than 3 m/s."""
        self.put(AUTOMATIC_GEAR=DRIVE, MANUAL_GEAR=1, BRAKE=0, THROTTLE=4000)
        for pedal in range(10, -1, -1):
            self.put(CLUTCH=pedal * 1000)
            self.run(seconds / 11.0)
        assert self.vehicle.chassis.sensor_speed > 3.0

    def stop(self) -> None:
        """To a standstill with the clutch down, and then neutral with the clutch released; an automatic stays in D."""
        self.put(CLUTCH=FULL, THROTTLE=0, BRAKE=FULL // 2)
        while self.vehicle.chassis.sensor_speed > 0.02:
            self.run(0.05)
        self.put(MANUAL_GEAR=0, CLUTCH=0)

    @property
    def working(self) -> bool:
        return self.vehicle.data.vehicle[VehicleData.ENGINE_WORKING] != 0

    @property
    def auto_stop(self) -> bool:
        return self.vehicle.data.read(AUXILIARY, AuxiliaryData.AUTO_STOP) != 0


@pytest.mark.parametrize("settings", [MANUAL, AUTOMATIC], ids=["manual", "automatic"])
def test_the_engine_stops_where_the_driver_waits_and_starts_when_he_goes_on(settings: VehicleSettings) -> None:
    """Stopped: no fuel, not stalled, AutoStop on the bus, the key stays on. The clutch, or the brake let go, starts."""
    car = Driver(settings)
    car.drive()
    car.stop()
    assert car.working
    car.run(6.0)
    vehicle = car.vehicle
    assert (car.working, car.auto_stop) == (False, True)
    assert vehicle.data.vehicle[VehicleData.ENGINE_STALLED] == 0
    assert (vehicle.engine.sensor_rpm, vehicle.engine.sensor_fuel_rate) == (0.0, 0.0)
    car.put(**({"CLUTCH": FULL} if settings is MANUAL else {"BRAKE": 0}))
    car.run(0.05)
    assert vehicle.data.vehicle[VehicleData.ENGINE_STARTING] == 1
    car.run(1.5)
    assert (car.working, car.auto_stop) == (True, False)
    car.drive()


def waiting(settings: VehicleSettings, *, warm: bool = True, charge: float = 0.9) -> Driver:
    car = Driver(settings, warm=warm)
    car.vehicle.auxiliaries.electrics.charge = charge
    car.drive()
    car.stop()
    car.run(4.0)
    return car


def test_a_cold_engine_goes_on_running() -> None:
    assert waiting(MANUAL, warm=False).working


def test_with_a_drained_battery_the_engine_goes_on_running() -> None:
    assert waiting(MANUAL, charge=0.5).working


def test_a_vehicle_without_it_goes_on_running() -> None:
    assert waiting(replace(MANUAL, stop_start=StopStartSettings())).working


def test_a_driver_with_his_foot_on_the_clutch_does_not_wait() -> None:
    car = Driver(MANUAL)
    car.drive()
    car.put(CLUTCH=FULL, THROTTLE=0, BRAKE=FULL)
    car.run(8.0)
    assert car.working


def test_it_stops_once_for_each_drive() -> None:
    """After a start at the lights the engine does not stop again before the vehicle has moved."""
    car = waiting(MANUAL)
    assert car.auto_stop
    car.put(CLUTCH=FULL)
    car.run(1.5)
    car.put(CLUTCH=0)
    car.run(5.0)
    assert car.working


def test_the_button_starts_the_engine_and_keeps_it_running() -> None:
    car = waiting(AUTOMATIC)
    assert car.auto_stop
    car.vehicle.data.body[BodyData.STOP_START_OFF] = 1
    car.run(1.5)
    assert car.working
    car.put(BRAKE=0)
    car.drive()
    car.stop()
    car.run(4.0)
    assert car.working


def test_it_starts_by_itself_after_a_while() -> None:
    """So that air conditioning and battery get their own; the foot is still on the brake, and it stays running."""
    car = waiting(replace(AUTOMATIC, stop_start=StopStartSettings(enabled=True, longest=5.0)))
    assert car.auto_stop
    car.run(4.0)
    assert (car.working, car.auto_stop) == (True, False)
    car.run(5.0)
    assert car.working


def test_the_key_switches_a_stopped_engine_off() -> None:
    car = waiting(MANUAL)
    car.put(KEY=-1)
    car.run(0.1)
    assert (car.working, car.auto_stop) == (False, False)


def test_a_start_that_fails_ends_as_a_stalled_engine() -> None:
    """With an empty tank the starter gives up after five seconds, and the cluster is told."""
    car = waiting(MANUAL)
    car.vehicle.auxiliaries.tank.left = 0
    car.put(CLUTCH=FULL)
    car.run(7.0)
    assert (car.working, car.auto_stop) == (False, False)
    assert car.vehicle.data.vehicle[VehicleData.ENGINE_STALLED] == 1


def test_a_vehicle_is_restored_within_a_stop() -> None:
    """To the bit, and with AutoStop on the bus at once."""
    car, other = waiting(MANUAL), Vehicle(MANUAL)
    other.data.input[:] = car.controls
    other.set_state_vars(car.vehicle.get_state_vars())
    assert other.data.read(AUXILIARY, AuxiliaryData.AUTO_STOP) == 1
    car.put(CLUTCH=FULL)
    other.data.input[:] = car.controls
    for _ in range(400):
        car.vehicle.step(0.01)
        other.step(0.01)
    assert other.get_state_vars() == car.vehicle.get_state_vars()
    assert car.working


def test_the_energy_of_a_stop_is_the_starters_and_the_combustions() -> None:
    """The ledger closes over a stop and a start."""
    car = waiting(MANUAL)
    ledger = EnergyLedger(car.vehicle)
    car.put(CLUTCH=FULL)
    for _ in range(2000):
        car.vehicle.step(0.001)
        ledger.observe(0.001)
    report = ledger.report()
    assert report.supply["starter"] > 0.0
    assert abs(report.residual) < 1e-9 * report.throughput
