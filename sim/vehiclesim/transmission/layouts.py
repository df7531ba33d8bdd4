"""Layouts of the driveline from the gearbox to the wheels: the blocks of each.

    front- or rear-wheel drive   input ── axle differential ── two wheels; the others have no shaft
    all-wheel drive              input ── centre differential ── front and rear axle differential ── two wheels each
    torque splitter              input ── splitter ── primary and secondary axle differential ── two wheels each
    H-drive                      input ── differential of the sides ── left and right shaft ── two wheels each

Every block has its own ratio, and the vehicle file sets the place of the final drive: they multiply.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Final

from vehiclesim.block import Block
from vehiclesim.parameters import (
    AxleEnd,
    DifferentialSettings,
    DifferentialType,
    DrivelineLayout,
    DrivelineSettings,
)
from vehiclesim.state import Stateful
from vehiclesim.transmission.driveline import NO_OVERRIDE, Differential, Divider, TorqueSplitter

_SHARED_SHAFT: Final = DifferentialSettings(type=DifferentialType.LOCKED)
"""Two wheels on one shaft turn together, as behind a locked differential."""


class Driveline(Stateful):
    """The dividers between gearbox and wheels; those that a layout does not have are None."""

    state_vars: ClassVar[tuple[str, ...]] = ("blocks",)

    def __init__(self, root: Divider) -> None:
        self.root: Divider = root  # its input is the output of the gearbox
        self.front: Differential | None = None
        self.rear: Differential | None = None
        self.centre: Divider | None = None  # centre differential or torque splitter
        self.sides: Differential | None = None  # between left and right of an H-drive
        self.blocks: list[Divider] = [root]
        self.lockable: bool = True

    def override_locks(self, axles: int, front: int, rear: int, driveline: int) -> None:
        """Take over the lock overrides of the Settings channel: 0 none, 1 locked, 2 open.

        `axles` (DifferentialLock) is for every differential between left and right; `front` and `rear` take precedence
        on their axle. `driveline` (DrivelineLock) is for the centre differential or torque splitter.
        """
        if not self.lockable:
            return
        if self.front is not None:
            self.front.lock_override = axles if front == NO_OVERRIDE else front
        if self.rear is not None:
            self.rear.lock_override = axles if rear == NO_OVERRIDE else rear
        if self.sides is not None:
            self.sides.lock_override = axles
        if self.centre is not None:
            self.centre.lock_override = driveline


def build_driveline(settings: DrivelineSettings, wheels: Sequence[Block], tyre_dynamics: bool = True) -> Driveline:
    """Make the blocks of a layout and join them to four wheels: front left, front right, rear left, rear right.

    Wheels of an axle that is not driven get no shaft, so nothing is transmitted to them or between them.

    Wheels without tyre dynamics turn exactly with the road: a coupling between two of them would only brake the
    vehicle. All couplings are open then, regardless of settings and overrides.
    """
    if not tyre_dynamics:
        settings = _without_couplings(settings)
    if settings.layout is DrivelineLayout.H_DRIVE:
        driveline = _h_drive(settings, _SHARED_SHAFT if tyre_dynamics else DifferentialSettings(), wheels)
    elif settings.layout is DrivelineLayout.FRONT:
        driveline = Driveline(front := _join_outputs(Differential(settings.front), wheels[0], wheels[1]))
        driveline.front = front
    elif settings.layout is DrivelineLayout.REAR:
        driveline = Driveline(rear := _join_outputs(Differential(settings.rear), wheels[2], wheels[3]))
        driveline.rear = rear
    else:
        driveline = _all_wheel_drive(settings, wheels)
    driveline.lockable = tyre_dynamics
    return driveline


def _without_couplings(settings: DrivelineSettings) -> DrivelineSettings:
    """Return the same layout and ratios without couplings."""
    return replace(
        settings,
        front=replace(settings.front, type=DifferentialType.OPEN),
        rear=replace(settings.rear, type=DifferentialType.OPEN),
        centre=replace(settings.centre, type=DifferentialType.OPEN),
        sides=replace(settings.sides, type=DifferentialType.OPEN),
        splitter=replace(settings.splitter, stiffness=0.0),
    )


def _all_wheel_drive(settings: DrivelineSettings, wheels: Sequence[Block]) -> Driveline:
    front = _join_outputs(Differential(settings.front), wheels[0], wheels[1])
    rear = _join_outputs(Differential(settings.rear), wheels[2], wheels[3])
    centre: Divider
    if settings.layout is DrivelineLayout.CENTRE_DIFFERENTIAL:
        centre = _join_outputs(Differential(settings.centre, settings.front.ratio), front, rear)
    else:
        centre = TorqueSplitter(settings.splitter, settings.front.ratio)
        front_first = settings.splitter.primary is AxleEnd.FRONT
        Block.connect(front, centre, 0 if front_first else 1)
        Block.connect(rear, centre, 1 if front_first else 0)
    driveline = Driveline(centre)
    driveline.front, driveline.rear, driveline.centre = front, rear, centre
    driveline.blocks += [front, rear]
    return driveline


def _h_drive(settings: DrivelineSettings, shaft: DifferentialSettings, wheels: Sequence[Block]) -> Driveline:
    left_shaft = _join_outputs(Differential(shaft), wheels[0], wheels[2])
    right_shaft = _join_outputs(Differential(shaft), wheels[1], wheels[3])
    sides = _join_outputs(Differential(settings.sides), left_shaft, right_shaft)
    driveline = Driveline(sides)
    driveline.sides = sides
    driveline.blocks += [left_shaft, right_shaft]
    return driveline


def _join_outputs(differential: Differential, one: Block, two: Block) -> Differential:
    """Join the outputs of a differential to two blocks, and return it."""
    Block.connect(one, differential, 0)
    Block.connect(two, differential, 1)
    return differential
