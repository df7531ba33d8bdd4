"""Parameters of the driveline from the gearbox to the wheels."""

from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated

from vehiclesim.parameters.quantity import Quantity, check, ratio_of, torque_of


class DifferentialType(Enum):
    """Type of the coupling between the two outputs of a differential."""

    OPEN = "open"
    LOCKED = "locked"
    VISCOUS = "viscous"
    CLUTCH_PACK = "clutch-pack"
    TORQUE_BIAS = "torque-bias"


@dataclass(frozen=True, slots=True)
class DifferentialSettings:
    """A differential; its ratio stands for any gears in front of it."""

    type: Annotated[DifferentialType, "what holds the outputs together"] = DifferentialType.OPEN
    ratio: Annotated[float, Quantity("1", "input over mean output speed", minimum=0.01, maximum=100.0)] = 1.0
    preload: Annotated[float, torque_of("viscous, clutch pack, torque bias: torque moved at rest")] = 50.0
    stiffness: Annotated[float, ratio_of("viscous: 0 = open .. 1 = locked")] = 0.25
    clutch_friction: Annotated[
        float, Quantity("1", "clutch pack: coefficient of friction times number of faces", minimum=0.0, maximum=10.0)
    ] = 0.4
    power_angle: Annotated[
        float, Quantity("deg", "clutch pack: ramp under positive torque; 90 does not press", minimum=5.0, maximum=90.0)
    ] = 45.0
    coast_angle: Annotated[
        float, Quantity("deg", "clutch pack: ramp under negative torque; 90 does not press", minimum=5.0, maximum=90.0)
    ] = 80.0
    bias_ratio: Annotated[
        float, Quantity("1", "torque bias: torque of the slower over the faster side", minimum=1.0, maximum=100.0)
    ] = 3.0

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class AxleDifferentialSettings(DifferentialSettings):
    """A differential with its final drive."""

    ratio: Annotated[float, Quantity("1", "final drive: input over mean output speed", minimum=0.01, maximum=100.0)] = (
        3.7
    )


class AxleEnd(Enum):
    """One of the two axles."""

    FRONT = "front"
    REAR = "rear"


@dataclass(frozen=True, slots=True)
class SplitterSettings:
    """A torque splitter: one axle is driven rigidly, the other through a viscous coupling."""

    primary: Annotated[AxleEnd, "the axle that is driven rigidly"] = AxleEnd.FRONT
    ratio: Annotated[float, Quantity("1", "input over primary speed", minimum=0.01, maximum=100.0)] = 1.0
    stiffness: Annotated[float, ratio_of("0 = secondary axle not driven .. 1 = rigidly")] = 0.25

    def __post_init__(self) -> None:
        check(self)


class DrivelineLayout(Enum):
    """Driven wheels, and the blocks that drive them."""

    FRONT = "front-wheel-drive"
    REAR = "rear-wheel-drive"
    CENTRE_DIFFERENTIAL = "all-wheel-drive"
    TORQUE_SPLITTER = "torque-splitter"
    H_DRIVE = "h-drive"


@dataclass(frozen=True, slots=True)
class DrivelineSettings:
    """Driveline from the gearbox to the wheels. Only the parts of the layout are used; each has its own ratio."""

    layout: Annotated[DrivelineLayout, "which wheels are driven, and through what"] = DrivelineLayout.FRONT
    front: AxleDifferentialSettings = field(default_factory=AxleDifferentialSettings)
    rear: AxleDifferentialSettings = field(default_factory=AxleDifferentialSettings)
    centre: DifferentialSettings = field(default_factory=DifferentialSettings)
    splitter: SplitterSettings = field(default_factory=SplitterSettings)
    sides: AxleDifferentialSettings = field(default_factory=AxleDifferentialSettings)

    @property
    def total_ratio(self) -> float:
        """Speed of the gearbox's output over that of the wheels, straight ahead."""
        match self.layout:
            case DrivelineLayout.FRONT:
                return self.front.ratio
            case DrivelineLayout.REAR:
                return self.rear.ratio
            case DrivelineLayout.CENTRE_DIFFERENTIAL:
                return self.centre.ratio * 0.5 * (self.front.ratio + self.rear.ratio)
            case DrivelineLayout.TORQUE_SPLITTER:
                primary = self.front if self.splitter.primary is AxleEnd.FRONT else self.rear
                return self.splitter.ratio * primary.ratio
            case DrivelineLayout.H_DRIVE:
                return self.sides.ratio

    @property
    def secondary_ratio(self) -> float:
        """Speed of the shaft of a torque splitter's secondary axle over that of its wheels."""
        return (self.rear if self.splitter.primary is AxleEnd.FRONT else self.front).ratio
