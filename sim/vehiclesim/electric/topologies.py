"""The electric drive of each topology."""

from vehiclesim.chassis.brakes import Brakes
from vehiclesim.electric.electric_drive import ElectricDrive
from vehiclesim.electric.motor import Motor
from vehiclesim.electric.p0_hybrid import P0Hybrid
from vehiclesim.electric.p2_hybrid import P2Hybrid
from vehiclesim.electric.shaft_drive import BatteryElectricDrive
from vehiclesim.electric.split_hybrid import SplitHybrid
from vehiclesim.electric.two_axles import TwoAxleDrive
from vehiclesim.engine.engine import Engine
from vehiclesim.parameters import ElectricTopology, VehicleSettings


def make_drive(settings: VehicleSettings, engine: Engine, brakes: Brakes) -> ElectricDrive | None:
    """Return the electric drive of a vehicle that has one."""
    electric, wheels = settings.electric, settings.wheels
    motor = Motor(electric.motor)
    mass = settings.train_mass + 4.0 * wheels.inertia / (wheels.radius * wheels.radius)
    if electric.axle_motor is not None:
        second, ratio = Motor(electric.axle_motor), settings.driveline.secondary_ratio / settings.driveline.total_ratio
        return TwoAxleDrive(electric, motor, second, engine, brakes, mass, wheels.radius, ratio)
    if electric.topology is ElectricTopology.BATTERY_ELECTRIC:
        return BatteryElectricDrive(electric, motor, engine, brakes, mass, wheels.radius)
    if electric.topology is ElectricTopology.P0_HYBRID:
        return P0Hybrid(electric, motor, engine, brakes, mass, wheels.radius, settings.engine)
    if electric.topology is ElectricTopology.P2_HYBRID:
        return P2Hybrid(electric, motor, engine, brakes, mass, wheels.radius, settings.engine)
    if electric.has_generator:
        return SplitHybrid(electric, motor, engine, brakes, mass, wheels.radius, settings.engine)
    return None
