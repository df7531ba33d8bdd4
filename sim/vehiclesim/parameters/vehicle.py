"""Parameters of a whole vehicle: those of its parts, extensions written in Python, published figures."""

from dataclasses import dataclass, field
from typing import Annotated, Final, TypeAlias

from vehiclesim.parameters.aids import AidsSettings
from vehiclesim.parameters.auxiliary import AuxiliarySettings
from vehiclesim.parameters.body import BodySettings, ChassisSettings
from vehiclesim.parameters.clutch import ClutchSettings, ClutchType
from vehiclesim.parameters.driveline import DrivelineLayout, DrivelineSettings
from vehiclesim.parameters.electric import ElectricSettings, ElectricTopology
from vehiclesim.parameters.engine import EngineSettings
from vehiclesim.parameters.gearbox import GearboxSettings, GearboxType, ShiftingSettings
from vehiclesim.parameters.operation import (
    AccessorySettings,
    ColdSettings,
    CruiseSettings,
    LaunchControlSettings,
    StopStartSettings,
)
from vehiclesim.parameters.published import PublishedSettings
from vehiclesim.parameters.quantity import Quantity, check
from vehiclesim.parameters.retarder import RetarderSettings
from vehiclesim.parameters.running_gear import BrakeSettings, SteeringSettings, TyreSettings, WheelSettings
from vehiclesim.parameters.trailer import TrailerSettings

LIGHTEST_RIM: Final = 1e-5
"""Least inertia of a wheel over its radius squared and over the mass of the vehicle; cars have 7e-3."""

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

    Blocks are engine, split, generator, motor, axle_motor, gearbox, retarder, driveline, front_differential,
    rear_differential, centre, sides, front_left, front_right, rear_left, rear_right as far as the vehicle has them, and
    those of `blocks`.
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
    rear_tyre: Annotated[
        TyreSettings | None, "tyre of the rear axle, if it is another; complete, or with the keys of `tyre` by `<<`"
    ] = None
    brakes: BrakeSettings = field(default_factory=BrakeSettings)
    steering: SteeringSettings = field(default_factory=SteeringSettings)
    chassis: ChassisSettings = field(default_factory=ChassisSettings)
    body: BodySettings = field(default_factory=BodySettings)
    aids: AidsSettings = field(default_factory=AidsSettings)
    auxiliary: AuxiliarySettings = field(default_factory=AuxiliarySettings)
    accessories: AccessorySettings = field(default_factory=AccessorySettings)
    cold: ColdSettings = field(default_factory=ColdSettings)
    stop_start: StopStartSettings = field(default_factory=StopStartSettings)
    launch_control: LaunchControlSettings = field(default_factory=LaunchControlSettings)
    cruise: CruiseSettings = field(default_factory=CruiseSettings)
    electric: ElectricSettings = field(default_factory=ElectricSettings)
    trailer: TrailerSettings = field(default_factory=TrailerSettings)
    published: PublishedSettings = field(default_factory=PublishedSettings)
    blocks: Annotated[tuple[BlockSettings, ...], "drivetrain blocks of your own"] = ()
    shafts: Annotated[tuple[ShaftSettings, ...], "shafts that lead elsewhere than usual"] = ()
    components: Annotated[tuple[ComponentSettings, ...], "components of your own, in the order of their calls"] = ()

    def __post_init__(self) -> None:
        if self.rear_tyre is not None and self.rear_tyre.tyre_dynamics != self.tyre.tyre_dynamics:
            raise ValueError("rear_tyre: tyre_dynamics must be that of tyre; either all tyres slip or none")
        _check_rims("wheels", self.wheels, self.train_mass)
        if self.trailer.mass > 0.0:
            _check_rims("trailer.wheels", self.trailer.wheels, self.train_mass)
            own = self.trailer.tyre or self.tyre
            if not self.tyre.tyre_dynamics or not own.tyre_dynamics:
                raise ValueError("trailer: tyre_dynamics must be true, of all tyres; a trailer needs tyres that slip")

        if self.launch_control.enabled and self.gearbox.type is GearboxType.MANUAL:
            raise ValueError("launch_control: a manual gearbox has none; its clutch must work by itself")
        if self.launch_control.enabled and self.launch_control.rpm <= self.engine.idle_rpm:
            raise ValueError(f"launch_control: rpm {self.launch_control.rpm:g} is not above the idle speed")

        if self.auxiliary.electrics.alternator_control.enabled and self.electric.topology is not ElectricTopology.NONE:
            raise ValueError("auxiliary.electrics.alternator_control: a DC converter is in the place of an alternator")

        if self.electric.topology is ElectricTopology.P2_HYBRID or self.electric.has_generator:
            self._check_hybrid(self.electric.topology.value)

        splitter = self.driveline.layout is DrivelineLayout.TORQUE_SPLITTER and self.driveline.splitter.stiffness == 0.0
        if self.electric.axle_motor is not None and not splitter:
            raise ValueError("electric: axle_motor needs driveline.layout torque-splitter with splitter.stiffness 0")

    @property
    def train_mass(self) -> float:
        """Mass of vehicle and trailer [kg]."""
        return self.body.mass + self.trailer.mass

    def _check_hybrid(self, kind: str) -> None:
        """Raise ValueError for parts that do not fit around the motor of a hybrid that starts its engine on demand."""
        if self.gearbox.type is not GearboxType.AUTOMATIC:
            raise ValueError(f"electric: a {kind} needs an automatic gearbox; its clutch works by itself")
        if self.clutch.type not in {ClutchType.FRICTION_DISC, ClutchType.LOCK_RATIO}:
            raise ValueError(f"electric: the clutch of a {kind} is a friction-disc, not a converter")
        if self.stop_start.enabled:
            raise ValueError(f"stop_start: a {kind} stops and starts its engine by itself; leave it off")

    @property
    def input_shaft_inertia(self) -> float:
        """Inertia [kg m²] of the gearbox's input shaft, with the rotor of an electric motor on it."""
        belt = self.electric.topology is ElectricTopology.P0_HYBRID
        return self.gearbox.inertia if belt else self.gearbox.inertia + self.electric.rotor_inertia

    @property
    def crankshaft_inertia(self) -> float:
        """Inertia [kg m²] of the engine, with the rotor of a motor on its belt."""
        belt = self.electric.topology is ElectricTopology.P0_HYBRID
        return self.engine.inertia + self.electric.rotor_inertia if belt else self.engine.inertia


def _check_rims(name: str, wheels: WheelSettings, mass: float) -> None:
    """Raise ValueError for wheels too light under a mass [kg]."""
    least = LIGHTEST_RIM * mass * wheels.radius * wheels.radius
    if wheels.inertia < least:
        raise ValueError(
            f"{name}: an inertia of {wheels.inertia} kg m² is too little under {mass:g} kg, where a "
            f"step of 1 ms cannot follow the wheel; it needs {least:.2g} or more"
        )
