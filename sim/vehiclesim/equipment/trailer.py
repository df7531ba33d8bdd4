"""A trailer on the bus: its wheels as blocks, the fault of its brakes, what hitch and axles show."""

from mypy_extensions import mypyc_attr

from vehiclesim.block import Block
from vehiclesim.channels import CHASSIS, ChassisData, FaultData
from vehiclesim.chassis.brakes import Brakes
from vehiclesim.chassis.steering import DEGREE
from vehiclesim.chassis.trailer import LEFT, RIGHT, Trailer, make_trailer_body
from vehiclesim.chassis.wheel import Wheel
from vehiclesim.databus import Channel
from vehiclesim.engine.engine import Engine
from vehiclesim.equipment.equipment import Car, Equipment
from vehiclesim.loader import Inputs
from vehiclesim.parameters import VehicleSettings


@mypyc_attr(allow_interpreted_subclasses=True)
class TrailerEquipment(Equipment):
    """A trailer whose state and motion are those of the chassis."""

    _faults: Inputs
    _sensors: Channel
    _rear: list[Wheel]

    def __init__(self, trailer: Trailer) -> None:
        self.trailer: Trailer = trailer

    def blocks(self) -> dict[str, Block]:
        return {"trailer_left": self.trailer.wheels[LEFT], "trailer_right": self.trailer.wheels[RIGHT]}

    def join(self, car: Car) -> None:
        self._faults = car.loader.faults
        self._sensors = Channel(car.data.chassis, CHASSIS)
        self._rear = car.aids.chassis.wheels[2:]

    def load(self) -> None:
        self.trailer.brake_loss = self._faults.read(FaultData.TRAILER_BRAKE_LOSS)

    def publish(self) -> None:
        trailer, sensors = self.trailer, self._sensors
        sensors.values[ChassisData.TRAILER_CONNECTED] = 1
        sensors.values[ChassisData.TRAILER_STOP] = 1 if trailer.sensor_at_stop else 0
        sensors.write(ChassisData.ARTICULATION, trailer.articulation / DEGREE)
        sensors.write(ChassisData.HITCH_LOAD, trailer.sensor_hitch_load)
        sensors.write(ChassisData.REAR_AXLE_LOAD, self._rear[0].load + self._rear[1].load)
        sensors.write(ChassisData.TRAILER_AXLE_LOAD, trailer.wheels[LEFT].load + trailer.wheels[RIGHT].load)
        sensors.write(ChassisData.TRAILER_BRAKE, trailer.brake)


def make_trailer(settings: VehicleSettings, _engine: Engine, _brakes: Brakes) -> Equipment | None:
    """Return the trailer of a vehicle that has one."""
    return TrailerEquipment(make_trailer_body(settings)) if settings.trailer.mass > 0.0 else None
