"""Drives of a shipped car, as a monitor of its control unit reads them: cold start, drive, after-run.

What is recorded are values of the data bus, every 10 ms: what PIDs of SAE J1979 carry, and nothing beneath.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from hilbridge.bench.drive.driver import PERIOD, Driver
from hilbridge.bench.drive.dynamics import InverseVehicle
from hilbridge.bench.drive.simulation import operate
from hilbridge.bench.drive.trace import KMH, Trace
from hilbridge.files.configuration.vehiclefile import load_vehicle
from vehiclesim import Vehicle
from vehiclesim.channels import ROAD, InputData, RoadData
from vehiclesim.entries import find

FOLDER: Final = Path(__file__).parents[3] / "config" / "vehicles"

CARS: Final = tuple(
    file.stem for file in sorted(FOLDER.glob("*.yaml")) if "combustion_engine: false" not in file.read_text("utf-8")
)

SUBSTEP: Final = 0.005
"""[s]: what a monitor sees changes no faster."""


class Reading(NamedTuple):
    """What the control unit reads in one task of 10 ms; NaN: the car has no such value."""

    key: float
    t: float
    pedal: float
    speed: float
    rpm: float
    running: float
    starting: float
    fuel: float  # [g/s]
    load: float
    auto_stop: float
    throttle: float
    command: float
    pressure: float  # [kPa]
    air: float  # [g/s]
    lambda_: float
    commanded: float
    short_trim: float
    long_trim: float
    system: float
    rear: float  # [V]
    catalyst: float
    coolant: float
    oil: float
    intake: float
    oil_pressure: float
    voltage: float
    current: float
    asked: float  # voltage that the alternator is to hold
    indicator: float  # of its regulator
    boost: float
    boost_command: float
    rail: float
    retard: float
    exhaust: float
    recirculated: float  # share of exhaust gas in the charge
    recirculation: float  # that is commanded


_PATHS: Final = (
    "input.Throttle",
    "vehicle.Speed",
    "vehicle.EngineRpm",
    "vehicle.EngineWorking",
    "vehicle.EngineStarting",
    "vehicle.EngineFuelRate",
    "vehicle.EngineLoad",
    "auxiliary.AutoStop",
    "auxiliary.ThrottlePosition",
    "auxiliary.ThrottleCommand",
    "auxiliary.IntakePressure",
    "auxiliary.AirMassFlow",
    "auxiliary.Lambda",
    "auxiliary.CommandedLambda",
    "auxiliary.ShortFuelTrim",
    "auxiliary.LongFuelTrim",
    "auxiliary.FuelSystem",
    "auxiliary.RearOxygenVoltage",
    "auxiliary.CatalystTemperature",
    "auxiliary.CoolantTemperature",
    "auxiliary.OilTemperature",
    "auxiliary.IntakeTemperature",
    "auxiliary.OilPressure",
    "auxiliary.BatteryVoltage",
    "auxiliary.BatteryCurrent",
    "auxiliary.ChargingVoltage",
    "auxiliary.ChargeIndicator",
    "auxiliary.BoostPressure",
    "auxiliary.BoostCommand",
    "auxiliary.RailPressure",
    "auxiliary.KnockRetard",
    "auxiliary.ExhaustTemperature",
    "auxiliary.ExhaustRecirculation",
    "auxiliary.RecirculationCommand",
)
_PLACES: Final = [find(path) or (-1, -1) for path in _PATHS]


def trace(top: float, acceleration: float = 1.2) -> Trace:
    """Idle, to 50 km/h, a cruise, a pull to `top` [km/h], a cruise, a long lift of the foot, a stop, idle."""
    points = [(0.0, 0.0), (12.0, 0.0)]

    def to(speed: float, rate: float) -> None:
        points.append((points[-1][0] + abs(speed - points[-1][1]) * KMH / rate, speed))

    def hold(seconds: float) -> None:
        points.append((points[-1][0] + seconds, points[-1][1]))

    to(50.0, acceleration)
    hold(15.0)
    to(top, 2.0 * acceleration)
    hold(15.0)
    to(40.0, 0.7)
    hold(8.0)
    to(0.0, 1.5)
    hold(12.0)
    return Trace("monitor", tuple(t for t, _ in points), tuple(v * KMH for _, v in points))


def record(
    car: str,
    *,
    warm: bool = False,
    ambient: float = 20.0,
    top: float = 85.0,
    repeats: int = 1,
    seed: Callable[[Vehicle], None] | None = None,
    after_run: float = 8.0,
) -> list[Reading]:
    """Return the readings of key on, start, drive and after-run; `seed` puts faults in before the key is turned."""
    vehicle = load_vehicle(car).build()
    vehicle.solver.max_substep = SUBSTEP
    vehicle.data.write(ROAD, RoadData.AMBIENT_TEMPERATURE, ambient)
    if warm:
        vehicle.auxiliaries.warm_up()
    if seed is not None:
        seed(vehicle)
    part = trace(top)
    driver = Driver(vehicle.data, InverseVehicle(vehicle.settings), part)
    readings: list[Reading] = []

    def step() -> None:
        vehicle.step(PERIOD)
        data = vehicle.data
        values = [data.read(channel, index) for channel, index in _PLACES]
        readings.append(Reading(data.input[InputData.KEY], len(readings) * PERIOD, *values))

    for _ in range(50):
        driver.start()
        operate(vehicle, driver)
        vehicle.data.input[InputData.KEY] = 0
        step()
    for _ in range(1000):
        driver.start()
        operate(vehicle, driver)
        step()
        if driver.ready:
            break
    for _ in range(repeats):
        for tick in range(round(part.duration / PERIOD)):
            driver.drive(tick * PERIOD)
            operate(vehicle, driver)
            step()
    for _ in range(round(after_run / PERIOD)):
        driver.park()
        operate(vehicle, driver)
        vehicle.data.input[InputData.KEY] = -1
        step()
    return readings
