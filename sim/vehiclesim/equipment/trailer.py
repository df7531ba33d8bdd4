"""A trailer in the vehicle: its wheels as blocks, its ABS, the fault of its brakes, what hitch and axles show."""

from typing import ClassVar

from mypy_extensions import mypyc_attr

from vehiclesim.aids.abs import OPEN, WheelValves
from vehiclesim.aids.driving_aids import DrivingAids
from vehiclesim.aids.slip import SlipMeter
from vehiclesim.block import Block
from vehiclesim.channels import CHASSIS, ChassisData, FaultData
from vehiclesim.chassis.brakes import Brakes, Valves
from vehiclesim.chassis.chassis import FRONT_LEFT, FRONT_RIGHT, REAR_LEFT, REAR_RIGHT, Chassis
from vehiclesim.chassis.steering import DEGREE
from vehiclesim.chassis.trailer import LEFT, RIGHT, Trailer, make_trailer_body
from vehiclesim.databus import Channel
from vehiclesim.engine.engine import Engine
from vehiclesim.equipment.equipment import Car, Equipment
from vehiclesim.loader import Inputs
from vehiclesim.parameters import AbsSettings, VehicleSettings


@mypyc_attr(allow_interpreted_subclasses=True)
class TrailerAntiLock(Valves):
    """The valves of both sides of a trailer, worked as those of the vehicle's wheels."""

    state_vars: ClassVar[tuple[str, ...]] = ("act", "_wheels")

    def __init__(self, settings: AbsSettings, trailer: Trailer, lag: float) -> None:
        super().__init__()
        self._trailer: Trailer = trailer
        self._lag: float = lag  # [s]
        self._select_low: bool = settings.select_low
        self._wheels: list[WheelValves] = [WheelValves(settings, SlipMeter(wheel)) for wheel in trailer.wheels]

    def begin(self) -> None:
        """Let the valves act from now on, unless they do already."""
        if self.act:
            return
        self.act = True
        asked = self._trailer.asked()
        for place, wheel in enumerate(self._wheels):
            self._trailer.held[place] = asked
            wheel.open(asked)

    @property
    def engaged(self) -> bool:
        """Whether they act and are not open."""
        left, right = self._wheels
        return self.act and left.phase + right.phase != OPEN

    def advance(self, delta_time: float) -> None:
        held, asked = self._trailer.held, self._trailer.asked()
        for place, wheel in enumerate(self._wheels):
            held[place] = wheel.work(held[place], asked, delta_time, self._lag)
        if self._select_low:
            held[LEFT] = held[RIGHT] = held[LEFT] if held[LEFT] < held[RIGHT] else held[RIGHT]


class TrailerEquipment(Equipment):
    """A trailer whose state and motion are those of the chassis.

    Its anti-lock system is on as its settings have it, unless the override of the vehicle's says otherwise, or it has
    failed.
    """

    _faults: Inputs
    _aids: DrivingAids
    _sensors: Channel
    _chassis: Chassis

    def __init__(self, settings: VehicleSettings) -> None:
        self.trailer: Trailer = make_trailer_body(settings)
        anti_lock = settings.trailer.abs
        self._anti_lock: TrailerAntiLock = TrailerAntiLock(anti_lock, self.trailer, settings.brakes.valve_lag)
        self._enabled: bool = anti_lock.enabled
        self._slowest: float = anti_lock.minimum_speed  # [m/s]
        self.trailer.valves = self._anti_lock

    def blocks(self) -> dict[str, Block]:
        return {"trailer_left": self.trailer.wheels[LEFT], "trailer_right": self.trailer.wheels[RIGHT]}

    def join(self, car: Car) -> None:
        self._faults = car.loader.faults
        self._aids = car.aids
        self._sensors = Channel(car.data.chassis, CHASSIS)
        self._chassis = car.aids.chassis

    def load(self) -> None:
        self.trailer.brake_loss = self._faults.read(FaultData.TRAILER_BRAKE_LOSS)

    def act(self, delta_time: float) -> None:
        speed = self._chassis.sensor_speed
        is_on = self._aids.is_on(self._enabled, self._aids.abs_override)
        if self._faults.values[FaultData.TRAILER_ABS_FAILURE] > 0:
            is_on = False
        if is_on and self.trailer.asked() > 0.0 and not -self._slowest < speed < self._slowest:
            self._anti_lock.begin()
        else:
            self._anti_lock.act = False

    def publish(self) -> None:
        trailer, sensors, wheels = self.trailer, self._sensors, self._chassis.wheels
        sensors.values[ChassisData.TRAILER_CONNECTED] = 1
        sensors.values[ChassisData.TRAILER_STOP] = 1 if trailer.sensor_at_stop else 0
        sensors.write(ChassisData.ARTICULATION, trailer.articulation / DEGREE)
        sensors.write(ChassisData.HITCH_LOAD, trailer.sensor_hitch_load)
        sensors.values[ChassisData.TRAILER_ABS_ENGAGED] = 1 if self._anti_lock.engaged else 0
        sensors.write(ChassisData.FRONT_AXLE_LOAD, wheels[FRONT_LEFT].load + wheels[FRONT_RIGHT].load)
        sensors.write(ChassisData.REAR_AXLE_LOAD, wheels[REAR_LEFT].load + wheels[REAR_RIGHT].load)
        sensors.write(ChassisData.TRAILER_AXLE_LOAD, trailer.wheels[LEFT].load + trailer.wheels[RIGHT].load)
        sensors.write(ChassisData.TRAILER_BRAKE, trailer.brake)


def make_trailer(settings: VehicleSettings, _engine: Engine, _brakes: Brakes) -> Equipment | None:
    """Return the trailer of a vehicle that has one."""
    return TrailerEquipment(settings) if settings.trailer.mass > 0.0 else None
