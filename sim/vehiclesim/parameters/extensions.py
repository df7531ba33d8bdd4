"""What a vehicle file adds to a vehicle: parts written in Python, and shafts that lead elsewhere."""

from dataclasses import dataclass, field
from typing import Annotated, TypeAlias

from vehiclesim.parameters.quantity import Quantity, check

Scalar: TypeAlias = float | int | bool | str
"""A setting of a part that is written in Python."""


@dataclass(frozen=True, slots=True)
class BlockSettings:
    """A drivetrain block of your own: a class derived from vehiclesim.Block, made with `settings` as its arguments."""

    name: Annotated[str, "what shafts call it"] = ""
    type: Annotated[str, "FILE.py:CLASS beside the vehicle file, or MODULE:CLASS of an installed package"] = ""
    settings: Annotated[dict[str, Scalar], "arguments of the class, by name"] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ShaftSettings:
    """A shaft between two blocks; it replaces those that were at these ends.

    Blocks are engine, gearbox, retarder, driveline, front_differential, rear_differential, centre, sides, front_left,
    front_right, rear_left, rear_right as far as the vehicle has them, and those of `blocks`.
    """

    upstream: Annotated[str, "the block whose output it is, nearer to the engine"] = ""
    downstream: Annotated[str, "the block whose input it is, nearer to the wheels"] = ""
    output: Annotated[int, Quantity("", "which output", minimum=0, maximum=15)] = 0
    input: Annotated[int, Quantity("", "which input", minimum=0, maximum=15)] = 0

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class ComponentSettings:
    """A component of your own: a class derived from vehiclesim.Component, which reads and writes the bus each step."""

    type: Annotated[str, "FILE.py:CLASS beside the vehicle file, or MODULE:CLASS of an installed package"] = ""
    settings: Annotated[dict[str, Scalar], "arguments of the class, by name"] = field(default_factory=dict)
