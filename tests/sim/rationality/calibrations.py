"""What the control unit of a shipped car is calibrated with: figures of its file, as a maker knows his engine."""

from vehiclesim import FuelKind, Vehicle
from vehiclesim.engine.throttling import displacement_of
from vehiclesim.fuel import fuel_of

from .monitor import Calibration


def calibration_of(vehicle: Vehicle) -> Calibration:
    settings = vehicle.settings
    auxiliary, engine = settings.auxiliary, settings.engine
    air = auxiliary.air_path
    return Calibration(
        petrol=air.fuel is FuelKind.PETROL,
        litres=displacement_of(air, engine),
        idle=engine.idle_rpm,
        cold_idle=max(engine.idle_rpm, settings.cold.idle_rpm),
        ratio=fuel_of(air.fuel).stoichiometric_ratio,
        volts=auxiliary.electrics.nominal_voltage / 12.0,
        starter=vehicle.electric is None,
    )
