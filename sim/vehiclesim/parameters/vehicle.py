"""Parameters of a whole vehicle."""

from dataclasses import dataclass, field
from typing import Annotated

from vehiclesim.parameters.aids import AidsSettings
from vehiclesim.parameters.auxiliary import AuxiliarySettings
from vehiclesim.parameters.body import BodySettings, ChassisSettings
from vehiclesim.parameters.clutch import ClutchSettings
from vehiclesim.parameters.driveline import DrivelineSettings
from vehiclesim.parameters.engine import EngineSettings
from vehiclesim.parameters.extensions import BlockSettings, ComponentSettings, ShaftSettings
from vehiclesim.parameters.gearbox import GearboxSettings, RetarderSettings, ShiftingSettings
from vehiclesim.parameters.published import PublishedSettings
from vehiclesim.parameters.running_gear import BrakeSettings, SteeringSettings, TyreSettings, WheelSettings


@dataclass(frozen=True, slots=True)
class VehicleSettings:
    """One vehicle on four wheels: the parameter sets of its parts."""

    name: Annotated[str, "what the vehicle is called"] = "default vehicle"
    engine: EngineSettings = field(default_factory=EngineSettings)
    clutch: ClutchSettings = field(default_factory=ClutchSettings)
    gearbox: GearboxSettings = field(default_factory=GearboxSettings)
    shifting: ShiftingSettings = field(default_factory=ShiftingSettings)
    retarder: RetarderSettings = field(default_factory=RetarderSettings)
    driveline: DrivelineSettings = field(default_factory=DrivelineSettings)
    wheels: WheelSettings = field(default_factory=WheelSettings)
    tyre: TyreSettings = field(default_factory=TyreSettings)
    brakes: BrakeSettings = field(default_factory=BrakeSettings)
    steering: SteeringSettings = field(default_factory=SteeringSettings)
    chassis: ChassisSettings = field(default_factory=ChassisSettings)
    body: BodySettings = field(default_factory=BodySettings)
    aids: AidsSettings = field(default_factory=AidsSettings)
    auxiliary: AuxiliarySettings = field(default_factory=AuxiliarySettings)
    published: PublishedSettings = field(default_factory=PublishedSettings)
    blocks: Annotated[tuple[BlockSettings, ...], "drivetrain blocks of your own"] = ()
    shafts: Annotated[tuple[ShaftSettings, ...], "shafts that lead elsewhere than usual"] = ()
    components: Annotated[tuple[ComponentSettings, ...], "components of your own, in the order of their calls"] = ()
