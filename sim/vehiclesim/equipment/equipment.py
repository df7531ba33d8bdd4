"""Equipment: a part that not every vehicle has, such as a retarder, made from its section of the vehicle file.

The settings class of the section, a field of VehicleSettings, names in `equipment` the function that makes it, as
`type` names the class of a user's block. It joins as such a block does, by a name and by shafts that replace others.
What it takes from the bus and from other parts, and what it shows, is in its own file.
"""

from collections.abc import Callable
from dataclasses import fields
from importlib import import_module
from typing import NamedTuple, TypeAlias

from vehiclesim.aids.driving_aids import DrivingAids
from vehiclesim.auxiliary.auxiliaries import Auxiliaries
from vehiclesim.block import Block
from vehiclesim.chassis.brakes import Brakes
from vehiclesim.databus import DataBus
from vehiclesim.engine.engine import Engine
from vehiclesim.loader import Loader
from vehiclesim.parameters import ShaftSettings, VehicleSettings
from vehiclesim.state import Stateful
from vehiclesim.transmission.gearbox import Gearbox


class Car(NamedTuple):
    """The parts that every vehicle has; chassis, brakes and engine are those of the aids."""

    data: DataBus
    loader: Loader
    gearbox: Gearbox
    aids: DrivingAids
    auxiliaries: Auxiliaries


class Equipment(Stateful):
    """The base of all equipment: its blocks, and the stages of a step that it overrides.

    | stage | is called |
    |---|---|
    | load | after the channels of the bus are loaded |
    | feed | before an automatic clutch works and the driving aids act |
    | act | after these, before the integration |
    | end_step | after the integration, before the auxiliaries |
    | publish | after the sensors of the other parts are on the bus |
    | restore | after a saved state was restored: writes what other parts got from it |
    """

    def blocks(self) -> dict[str, Block]:
        """Return its blocks in the drivetrain, by the names that shafts call them."""
        return {}

    def shafts(self) -> tuple[ShaftSettings, ...]:
        """Return the shafts that join its blocks, in place of those at the same ends."""
        return ()

    def join(self, car: Car) -> None:
        """Take what it needs of the vehicle; called once, before the first step."""

    def load(self) -> None:
        """Take its inputs from the channels of the loader."""

    def feed(self, delta_time: float) -> None:
        """Exchange sensors and commands with other parts."""

    def act(self, delta_time: float) -> None:
        """Set its torques for the coming step, when the driving aids have set theirs."""

    def end_step(self, delta_time: float) -> None:
        """Take in what the step has brought."""

    def publish(self) -> None:
        """Write its sensors to the bus."""

    def restore(self) -> None:
        """Set the inputs of other parts that follow from its state."""


Make: TypeAlias = Callable[[VehicleSettings, Engine, Brakes], Equipment | None]
"""Makes the equipment of a vehicle; None: the vehicle has none."""


class _Seat:
    """A place in the order of a stage: the compiled step finds its part without a look at the class, as in a list."""

    def __init__(self, part: Equipment, following: "_Seat | None") -> None:
        self.part: Equipment = part
        self.following: _Seat | None = following


class Stages:
    """The calls of a vehicle's equipment, by stage; a stage without any costs a step next to nothing."""

    def __init__(self, equipment: list[Equipment]) -> None:
        self._load: _Seat | None = _seats(equipment, "load")
        self._feed: _Seat | None = _seats(equipment, "feed")
        self._act: _Seat | None = _seats(equipment, "act")
        self._end_step: _Seat | None = _seats(equipment, "end_step")
        self._publish: _Seat | None = _seats(equipment, "publish")
        self._restore: _Seat | None = _seats(equipment, "restore")

    def load(self) -> None:
        seat = self._load
        while seat is not None:
            seat.part.load()
            seat = seat.following

    def feed(self, delta_time: float) -> None:
        seat = self._feed
        while seat is not None:
            seat.part.feed(delta_time)
            seat = seat.following

    def act(self, delta_time: float) -> None:
        seat = self._act
        while seat is not None:
            seat.part.act(delta_time)
            seat = seat.following

    def end_step(self, delta_time: float) -> None:
        seat = self._end_step
        while seat is not None:
            seat.part.end_step(delta_time)
            seat = seat.following

    def publish(self) -> None:
        seat = self._publish
        while seat is not None:
            seat.part.publish()
            seat = seat.following

    def restore(self) -> None:
        seat = self._restore
        while seat is not None:
            seat.part.restore()
            seat = seat.following


def make_equipment(settings: VehicleSettings, engine: Engine, brakes: Brakes) -> list[Equipment]:
    """Return the equipment of a vehicle, in the order of its settings."""
    made: list[Equipment] = []
    for field in fields(settings):
        where: str = getattr(type(getattr(settings, field.name)), "equipment", "")
        if where:
            module, _, name = where.partition(":")
            make: Make = getattr(import_module(module), name)
            one = make(settings, engine, brakes)
            if one is not None:
                made.append(one)
    return made


def _seats(equipment: list[Equipment], stage: str) -> _Seat | None:
    """Return the first seat of a stage."""
    seat: _Seat | None = None
    for part in reversed(taking_part(equipment, stage)):
        seat = _Seat(part, seat)
    return seat


def taking_part(equipment: list[Equipment], stage: str) -> list[Equipment]:
    """Return those that override a stage, in their order."""
    return [one for one in equipment if getattr(type(one), stage) is not getattr(Equipment, stage)]
