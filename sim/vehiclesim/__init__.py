"""A vehicle as a tree of drivetrain blocks: no I/O, no clock, no thread. Start reading at `vehiclesim.vehicle`."""

from vehiclesim.axle import Axle, AxleState
from vehiclesim.block import RPM_TO_W, W_TO_RPM, Block, Connection, Derivative, State, StepTime
from vehiclesim.body import Body
from vehiclesim.databus import (
    ENTRIES,
    INPUT,
    NAN,
    SETTINGS,
    UNAVAILABLE_LOAD,
    VEHICLE,
    DataBus,
    Entry,
    InputData,
    SettingsData,
    VehicleData,
    find,
    to_raw,
)
from vehiclesim.engine import Engine, EngineState
from vehiclesim.gearbox import Gearbox, GearboxState
from vehiclesim.parameters import (
    AxleSettings,
    BodySettings,
    ClutchSettings,
    EngineSettings,
    GearboxSettings,
    IdleControl,
    Quantity,
    RpmLimiterMode,
    VehicleSettings,
    quantities,
)
from vehiclesim.solver import MAXIMUM_SUBSTEP, Solver
from vehiclesim.specifications import EngineSpecifications
from vehiclesim.vehicle import Vehicle, VehicleState

__all__ = [
    "ENTRIES",
    "INPUT",
    "MAXIMUM_SUBSTEP",
    "NAN",
    "RPM_TO_W",
    "SETTINGS",
    "UNAVAILABLE_LOAD",
    "VEHICLE",
    "W_TO_RPM",
    "Axle",
    "AxleSettings",
    "AxleState",
    "Block",
    "Body",
    "BodySettings",
    "ClutchSettings",
    "Connection",
    "DataBus",
    "Derivative",
    "Engine",
    "EngineSettings",
    "EngineSpecifications",
    "EngineState",
    "Entry",
    "Gearbox",
    "GearboxSettings",
    "GearboxState",
    "IdleControl",
    "InputData",
    "Quantity",
    "RpmLimiterMode",
    "SettingsData",
    "Solver",
    "State",
    "StepTime",
    "Vehicle",
    "VehicleData",
    "VehicleSettings",
    "VehicleState",
    "find",
    "quantities",
    "to_raw",
]
