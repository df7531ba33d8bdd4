"""The state of a vehicle that drives at a speed in a gear, with a warm engine: reached by driving, before the run.

A driver takes a second vehicle of the same settings there on a level road, without waiting for a clock. So the state is
one that the vehicle can be in: engine, clutch, gears, wheels and tyres fit each other.
"""

from typing import Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.drive.driver import CONTROLS, PERIOD, Driver
from hilbridge.bench.drive.dynamics import InverseVehicle
from hilbridge.bench.drive.simulation import operate, start_engine, warm
from hilbridge.bench.drive.trace import KMH, Trace
from hilbridge.files.settings.start import StartSettings
from vehiclesim.channels import VEHICLE, VehicleData
from vehiclesim.parameters import GearboxType
from vehiclesim.state import SavedState
from vehiclesim.vehicle import Vehicle

_ACCELERATION: Final = 1.0
"""[m/s²]"""

_SHIFT: Final = 0.5
"""Share of the highest engine speed at which the next gear is taken."""

_CALM: Final = 2.0
"""[s] for which the speed must be that of the trace."""

_CLOSE: Final = 0.1
"""[m/s]"""

_LONGEST: Final = 60.0
"""[s] for the vehicle to become calm."""

_LUGGING: Final = 0.75
"""Share of the idle speed below which no engine is driven."""


class ReachedState(NamedTuple):
    """A state, and the driver's controls in it: bus integers by their ids in the Input channel."""

    state: SavedState
    controls: dict[int, int]


def reach(vehicle: Vehicle, start: StartSettings) -> ReachedState:
    """Drive a new vehicle to a state; at 0 km/h it idles in neutral. The vehicle is of no use afterwards.

    ConfigurationError, with the key: the state cannot be reached.
    """
    inverse = InverseVehicle(vehicle.settings)
    speed = start.speed * KMH
    _check(vehicle, inverse, start)
    trace = _trace(inverse, speed, start.gear)
    driver = Driver(vehicle.data, inverse, trace)
    start_engine(vehicle, driver)
    if start.coolant is not None:
        warm(vehicle, start.coolant)
    t = calm = 0.0
    while speed > 0.0 and calm < _CALM:
        driver.drive(t)
        operate(vehicle, driver)
        vehicle.step(PERIOD)
        t += PERIOD
        reached = abs(vehicle.data.read(VEHICLE, VehicleData.SPEED) - speed) < _CLOSE and driver.pedals.clutch <= 0.0
        calm = calm + PERIOD if reached and t > trace.duration else 0.0
        if t > trace.duration + _LONGEST:
            raise _unreached(vehicle, start)
    _check_gear(vehicle, start)
    if start.coolant is not None:
        warm(vehicle, start.coolant)
    return ReachedState(vehicle.get_state_vars(), dict(zip(CONTROLS, driver.values, strict=True)))


def _check(vehicle: Vehicle, inverse: InverseVehicle, start: StartSettings) -> None:
    """Refuse a gear in which the engine would stall or burst."""
    if start.gear is None:
        return
    if start.speed == 0.0:
        raise ConfigurationError("a vehicle that stands is in neutral", ("gear",))
    if start.gear > inverse.gears:
        raise ConfigurationError(f"{vehicle.settings.name} has {inverse.gears} gears", ("gear",))
    rpm = inverse.engine_rpm(start.speed * KMH, start.gear)
    at = f"at {start.speed:g} km/h in gear {start.gear} the engine turns at {rpm:.0f} rpm"
    if rpm > inverse.highest_rpm:
        raise ConfigurationError(f"{at}, and can do {inverse.highest_rpm:.0f}", ("gear",))
    if rpm < _LUGGING * inverse.idle_rpm:
        raise ConfigurationError(f"{at}, and idles at {inverse.idle_rpm:.0f}", ("gear",))


def _unreached(vehicle: Vehicle, start: StartSettings) -> ConfigurationError:
    found = vehicle.data.read(VEHICLE, VehicleData.SPEED) / KMH
    if start.gear is not None and abs(found - start.speed) < 1.0:
        return ConfigurationError(f"at {start.speed:g} km/h the clutch does not stay closed in this gear", ("gear",))
    return ConfigurationError(f"the vehicle does not get there: it reaches {found:.0f} km/h", ("speed",))


def _check_gear(vehicle: Vehicle, start: StartSettings) -> None:
    gear = round(vehicle.data.read(VEHICLE, VehicleData.GEARBOX_GEAR))
    if start.gear is not None and gear != start.gear:
        automatic = vehicle.settings.gearbox.type is GearboxType.AUTOMATIC
        why = "the automatic drives" if automatic else "the vehicle drives"
        raise ConfigurationError(f"{why} {start.speed:g} km/h in gear {gear}, not in {start.gear}", ("gear",))


def _trace(inverse: InverseVehicle, speed: float, gear: int | None) -> Trace:
    """Return the way to the speed; with a gear, through those below it."""
    if gear is None or inverse.gearbox_type is GearboxType.AUTOMATIC:
        return Trace("start", (0.0, 2.0, 2.0 + max(speed / _ACCELERATION, 1.0)), (0.0, 0.0, speed))
    points = [(0.0, 0.0, 1), (2.0, 0.0, 1)]
    for lower in range(1, gear):
        reached = _SHIFT * inverse.highest_rpm / inverse.engine_rpm(1.0, lower)
        if points[-1][1] < reached < speed:
            points.append((points[-1][0] + (reached - points[-1][1]) / _ACCELERATION, reached, lower + 1))
    at, before, _ = points[-1]
    points.append((at + max((speed - before) / _ACCELERATION, 1.0), speed, gear))
    times, speeds, gears = zip(*points, strict=True)
    return Trace("start", times, speeds, gears)
