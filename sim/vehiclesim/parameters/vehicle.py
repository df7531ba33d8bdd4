"""The parameters of a whole vehicle."""

from dataclasses import dataclass, field
from typing import Annotated

from vehiclesim.parameters.body import BodySettings
from vehiclesim.parameters.clutch import ClutchSettings
from vehiclesim.parameters.engine import EngineSettings
from vehiclesim.parameters.gearbox import GearboxSettings, RetarderSettings, ShiftingSettings
from vehiclesim.parameters.quantity import Quantity, check, torque_of


@dataclass(frozen=True, slots=True)
class AxleSettings:
    """The driven axle with its final drive, and the brakes and wheels of the whole vehicle, rolling without slip."""

    final_drive: Annotated[float, Quantity("1", "ratio of the final drive", minimum=0.01, maximum=100.0)] = 3.7
    wheel_radius: Annotated[float, Quantity("m", "rolling radius", minimum=0.01, maximum=10.0)] = 0.31
    wheel_inertia: Annotated[float, Quantity("kg m²", "one wheel", minimum=0.0, maximum=1e4)] = 0.9
    wheel_count: Annotated[int, Quantity("", "wheels that turn with the vehicle", minimum=1.0, maximum=100.0)] = 4
    max_brake_torque: Annotated[float, torque_of("all brakes together, pedal fully down")] = 4000.0
    handbrake_torque: Annotated[float, torque_of("handbrake fully applied")] = 3000.0

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class VehicleSettings:
    """One vehicle: the parameter sets of its parts."""

    name: Annotated[str, "what the vehicle is called"] = "default vehicle"
    engine: EngineSettings = field(default_factory=EngineSettings)
    clutch: ClutchSettings = field(default_factory=ClutchSettings)
    gearbox: GearboxSettings = field(default_factory=GearboxSettings)
    shifting: ShiftingSettings = field(default_factory=ShiftingSettings)
    retarder: RetarderSettings = field(default_factory=RetarderSettings)
    axle: AxleSettings = field(default_factory=AxleSettings)
    body: BodySettings = field(default_factory=BodySettings)
