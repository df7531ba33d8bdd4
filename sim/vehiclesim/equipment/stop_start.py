"""Stop and start in a vehicle: its button, the sensors that it looks at, and its command to the engine."""

from typing import ClassVar

from vehiclesim.auxiliary.auxiliaries import Auxiliaries
from vehiclesim.channels import BodyData
from vehiclesim.chassis.brakes import Brakes
from vehiclesim.chassis.chassis import Chassis
from vehiclesim.engine.engine import Engine
from vehiclesim.engine.stop_start import StopStart
from vehiclesim.equipment.equipment import Car, Equipment
from vehiclesim.loader import Inputs
from vehiclesim.parameters import GearboxType, StopStartSettings, VehicleSettings
from vehiclesim.transmission.gearbox import Gearbox


class StopStartEquipment(Equipment):
    """Passes pedals and sensors to stop and start, and its command to the engine."""

    state_vars: ClassVar[tuple[str, ...]] = ("system",)

    _levers: Inputs
    _engine: Engine
    _gearbox: Gearbox
    _chassis: Chassis
    _auxiliaries: Auxiliaries

    def __init__(self, settings: StopStartSettings, *, manual: bool) -> None:
        self.system: StopStart = StopStart(settings, manual=manual)

    def join(self, car: Car) -> None:
        self._levers, self._engine, self._gearbox = car.loader.levers, car.aids.engine, car.gearbox
        self._chassis, self._auxiliaries = car.aids.chassis, car.auxiliaries

    def load(self) -> None:
        self.system.allowed = self._levers.values[BodyData.STOP_START_OFF] == 0

    def feed(self, delta_time: float) -> None:
        system, engine, chassis, gearbox = self.system, self._engine, self._chassis, self._gearbox
        system.key = engine.ignition_input
        system.running = engine.sensor_working
        system.speed = chassis.sensor_speed
        system.throttle = engine.throttle_input
        system.brake = chassis.brakes.brake_input
        system.clutch = 1.0 - engine.clutch_input
        system.gear = gearbox.manual_gear if not gearbox.automated else gearbox.sensor_gear
        system.coolant = self._auxiliaries.thermal.coolant
        system.charge = self._auxiliaries.electrics.charge
        system.step(delta_time)
        self.restore()

    def restore(self) -> None:
        self._engine.stop_start = self.system.command


def make_stop_start(settings: VehicleSettings, _engine: Engine, _brakes: Brakes) -> Equipment | None:
    """Return the stop and start of a vehicle that has it."""
    manual = settings.gearbox.type is GearboxType.MANUAL
    return StopStartEquipment(settings.stop_start, manual=manual) if settings.stop_start.enabled else None
