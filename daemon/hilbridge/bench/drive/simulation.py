"""One drive: vehicle and driver from the first second of a trace to the last, without waiting for a clock."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.drive.driver import CONTROLS, PERIOD, Driver
from hilbridge.bench.drive.dynamics import InverseVehicle
from hilbridge.bench.drive.series import TimeSeries
from hilbridge.bench.drive.trace import KMH, Trace
from vehiclesim.channels import VEHICLE, VehicleData
from vehiclesim.energy import EnergyLedger, EnergyReport
from vehiclesim.solver import MAXIMUM_SUBSTEP
from vehiclesim.vehicle import Vehicle

_LONGEST_START: Final = 10.0
"""[s] until the engine must run."""

_SETTLING: Final = 2.0
"""[s] at idle before the trace begins."""

_TICKS_PER_SAMPLE: Final = 10


@dataclass(slots=True)
class DriveResult:
    """The result."""

    trace: Trace
    distance: float = 0.0  # [m]
    fuel: float = 0.0  # [g]
    electricity: float | None = None  # [J] out of a traction battery, less what came back; None: there is none
    charge: tuple[float, float] = (1.0, 1.0)  # of the 12 V battery, where the trace begins and at the end
    largest_deviation: float = 0.0  # speed minus trace, with its sign [m/s]
    largest_deviation_at: float = 0.0  # [s]
    squared_deviation: float = 0.0  # ∫e² dt [m²/s]
    time_outside: float = 0.0  # outside the tolerance [s]
    interrupted_at: float | None = None  # [s], when the user wanted the end
    energy: EnergyReport | None = None
    series: TimeSeries = field(default_factory=TimeSeries)

    @property
    def time(self) -> float:
        """How long it was driven [s]."""
        return self.trace.duration if self.interrupted_at is None else self.interrupted_at


TOLERANCE: Final = 2.0 * KMH
TIME_TOLERANCE: Final = 1.0
"""±2 km/h [m/s] around what the trace does within ±1 s: UN Regulation No. 83, Annex 4a, and UN GTR No. 15, Annex 6."""


WARM: Final = 90.0
"""[°C] of coolant and oil of a warm engine."""


def drive(
    vehicle: Vehicle,
    trace: Trace,
    *,
    ledger: bool = True,
    progress: Callable[[float], None] | None = None,
    stopped: Callable[[], bool] | None = None,
) -> DriveResult:
    """Start the engine of a new vehicle, let it idle, and drive the trace.

    The ledger closes in steps of one substep only; without it a step is as long as the driver's period. Ten times a
    second of the trace `progress` gets the time [s], and the drive ends if it was `stopped`. ConfigurationError: the
    engine does not start.
    """
    driver = Driver(vehicle.data, InverseVehicle(vehicle.settings), trace)
    start_engine(vehicle, driver)
    if trace.warm:
        warm(vehicle)
    books = EnergyLedger(vehicle) if ledger else None
    result = DriveResult(trace)
    speed, drawn, charge = 0.0, _drawn(vehicle), vehicle.auxiliaries.electrics.charge
    for tick in range(round(trace.duration / PERIOD)):
        t = tick * PERIOD
        driver.drive(t)
        operate(vehicle, driver)
        if books is None:
            vehicle.step(PERIOD)
            result.fuel += vehicle.engine.sensor_fuel_rate * PERIOD
        else:
            result.fuel += _step_by_substeps(vehicle, books)
        before, speed = speed, vehicle.data.read(VEHICLE, VehicleData.SPEED)
        result.distance += 0.5 * (before + speed) * PERIOD
        _judge(result, t + PERIOD, speed)
        if tick % _TICKS_PER_SAMPLE == 0:
            result.series.sample(t + PERIOD, vehicle.data, result.distance, result.fuel, trace.speed(t + PERIOD))
            if progress is not None:
                progress(t)
            if stopped is not None and stopped():
                result.interrupted_at = t + PERIOD
                break
    result.electricity = None if drawn is None else (_drawn(vehicle) or 0.0) - drawn
    result.charge = charge, vehicle.auxiliaries.electrics.charge
    result.energy = books.report() if books is not None else None
    return result


def _drawn(vehicle: Vehicle) -> float | None:
    """Return the energy [J] that a traction battery has given in all, less what it has taken."""
    electric = vehicle.electric
    return None if electric is None else electric.used - electric.recuperated


def operate(vehicle: Vehicle, driver: Driver) -> None:
    """Put the driver's controls on the bus."""
    for control, value in zip(CONTROLS, driver.values, strict=True):
        vehicle.data.input[control] = value


def warm(vehicle: Vehicle, temperature: float = WARM) -> None:
    """Bring coolant and oil to a temperature [°C]."""
    thermal = vehicle.auxiliaries.thermal
    thermal.coolant = thermal.oil = temperature


def start_engine(vehicle: Vehicle, driver: Driver) -> None:
    """Start the engine of a new vehicle and let it idle. ConfigurationError: it does not start."""
    settled = 0.0
    for _ in range(round((_LONGEST_START + _SETTLING) / PERIOD)):
        driver.start()
        operate(vehicle, driver)
        vehicle.step(PERIOD)
        settled = settled + PERIOD if driver.ready else 0.0
        if settled >= _SETTLING:
            return
    raise ConfigurationError(f"the engine of '{vehicle.settings.name}' does not start within {_LONGEST_START:g} s")


def _step_by_substeps(vehicle: Vehicle, books: EnergyLedger) -> float:
    """Step through a period of the driver with the ledger; return the fuel [g]."""
    fuel = 0.0
    for _ in range(round(PERIOD / MAXIMUM_SUBSTEP)):
        vehicle.step(MAXIMUM_SUBSTEP)
        books.observe(MAXIMUM_SUBSTEP)
        fuel += vehicle.engine.sensor_fuel_rate * MAXIMUM_SUBSTEP
    return fuel


def _judge(result: DriveResult, t: float, speed: float) -> None:
    """Compare speed and trace at the time `t` [s]."""
    deviation = speed - result.trace.speed(t)
    result.squared_deviation += deviation * deviation * PERIOD
    if abs(deviation) > abs(result.largest_deviation):
        result.largest_deviation, result.largest_deviation_at = deviation, t
    if abs(deviation) > TOLERANCE:
        lowest, highest = result.trace.bounds(t - TIME_TOLERANCE, t + TIME_TOLERANCE)
        if not lowest - TOLERANCE <= speed <= highest + TOLERANCE:
            result.time_outside += PERIOD
