"""Every parameter of a vehicle: name, unit, bounds, default, in one place.

The classes are plain frozen dataclasses whose fields carry a `Quantity`. The daemon reads the same fields to check
vehicle files (file and line of a wrong value) and to print the JSON Schema. Values out of bounds are refused here
too, so that a part built from Python is as safe as one built from a file.
"""

from vehiclesim.parameters.aids import (
    AbsSettings,
    AidsSettings,
    AsrSettings,
    EscSettings,
    SpeedLimiterSettings,
    SteeringAidsSettings,
    TcsMode,
    TcsSettings,
)
from vehiclesim.parameters.auxiliary import (
    AirPathSettings,
    AlternatorControlSettings,
    AuxiliarySettings,
    DistanceSettings,
    ElectricsSettings,
    FuelKind,
    LubricationSettings,
    TankSettings,
    ThermalSettings,
)
from vehiclesim.parameters.body import AIR_DENSITY, GRAVITY, BodySettings, ChassisSettings
from vehiclesim.parameters.clutch import ClutchSettings, ClutchType
from vehiclesim.parameters.driveline import (
    AxleDifferentialSettings,
    AxleEnd,
    DifferentialSettings,
    DifferentialType,
    DrivelineLayout,
    DrivelineSettings,
    SplitterSettings,
)
from vehiclesim.parameters.electric import (
    ElectricSettings,
    ElectricTopology,
    HybridSettings,
    MotorSettings,
    PlanetarySettings,
    TractionBatterySettings,
)
from vehiclesim.parameters.engine import EngineSettings, IdleControl, RpmLimiterMode
from vehiclesim.parameters.gearbox import (
    GearboxSettings,
    GearboxType,
    RatioChange,
    ShiftingSettings,
    ShiftLineSettings,
    ShiftStrategy,
)
from vehiclesim.parameters.operation import (
    AccessorySettings,
    ColdSettings,
    CruiseSettings,
    LaunchControlSettings,
    StopStartSettings,
)
from vehiclesim.parameters.published import PublishedSettings
from vehiclesim.parameters.quantity import Quantity, check, quantities
from vehiclesim.parameters.retarder import RetarderSettings
from vehiclesim.parameters.running_gear import (
    BrakeSettings,
    SteeringSettings,
    TyreSettings,
    WheelSettings,
)
from vehiclesim.parameters.trailer import TrailerSettings
from vehiclesim.parameters.vehicle import (
    BlockSettings,
    ComponentSettings,
    Scalar,
    ShaftSettings,
    VehicleSettings,
)

__all__ = [
    "AIR_DENSITY",
    "GRAVITY",
    "AbsSettings",
    "AccessorySettings",
    "AidsSettings",
    "AirPathSettings",
    "AlternatorControlSettings",
    "AsrSettings",
    "AuxiliarySettings",
    "AxleDifferentialSettings",
    "AxleEnd",
    "BlockSettings",
    "BodySettings",
    "BrakeSettings",
    "ChassisSettings",
    "ClutchSettings",
    "ClutchType",
    "ColdSettings",
    "ComponentSettings",
    "CruiseSettings",
    "DifferentialSettings",
    "DifferentialType",
    "DistanceSettings",
    "DrivelineLayout",
    "DrivelineSettings",
    "ElectricSettings",
    "ElectricTopology",
    "ElectricsSettings",
    "EngineSettings",
    "EscSettings",
    "FuelKind",
    "GearboxSettings",
    "GearboxType",
    "HybridSettings",
    "IdleControl",
    "LaunchControlSettings",
    "LubricationSettings",
    "MotorSettings",
    "PlanetarySettings",
    "PublishedSettings",
    "Quantity",
    "RatioChange",
    "RetarderSettings",
    "RpmLimiterMode",
    "Scalar",
    "ShaftSettings",
    "ShiftLineSettings",
    "ShiftStrategy",
    "ShiftingSettings",
    "SpeedLimiterSettings",
    "SplitterSettings",
    "SteeringAidsSettings",
    "SteeringSettings",
    "StopStartSettings",
    "TankSettings",
    "TcsMode",
    "TcsSettings",
    "ThermalSettings",
    "TractionBatterySettings",
    "TrailerSettings",
    "TyreSettings",
    "VehicleSettings",
    "WheelSettings",
    "check",
    "quantities",
]
