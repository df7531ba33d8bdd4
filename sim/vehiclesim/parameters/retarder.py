"""Parameters of the retarder."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from vehiclesim.parameters.quantity import Quantity, check, torque_of


@dataclass(frozen=True, slots=True)
class RetarderSettings:
    """A continuous brake at the output of the gearbox, in levels."""

    equipment: ClassVar[str] = "vehiclesim.equipment.retarder:make_retarder"

    levels: Annotated[
        int, Quantity("", "positions of the stick without off; 0: no retarder", minimum=0, maximum=100)
    ] = 0
    max_torque: Annotated[float, torque_of("highest level, from max_rpm on")] = 3500.0
    min_rpm: Annotated[float, Quantity("rpm", "no torque below", minimum=0.0, maximum=100_000.0)] = 100.0
    max_rpm: Annotated[float, Quantity("rpm", "full torque of each level from here", minimum=1.0, maximum=1e5)] = 2500.0
    bias: Annotated[
        float, Quantity("1", "share of the torque half-way between both speeds", minimum=0.0001, maximum=0.9999)
    ] = 0.3

    def __post_init__(self) -> None:
        check(self)
        if self.max_rpm <= self.min_rpm:
            raise ValueError(f"max_rpm: {self.max_rpm} is not above min_rpm {self.min_rpm}")
