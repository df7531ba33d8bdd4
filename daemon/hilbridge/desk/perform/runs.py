"""The runs of a measurement, each as a time series: a warm vehicle on a level road without wind, driven in one way.

All begin in a moment of one acceleration from rest.
"""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from hilbridge.bench.drive.driver import PERIOD, Driver
from hilbridge.bench.drive.dynamics import InverseVehicle
from hilbridge.bench.drive.series import TimeSeries
from hilbridge.bench.drive.simulation import WARM, operate
from hilbridge.bench.drive.start_state import reach
from hilbridge.bench.drive.trace import KMH, Trace
from hilbridge.desk.perform.full_throttle import FullThrottle
from hilbridge.files.settings.start import StartSettings
from vehiclesim.channels import INPUT, InputData, SettingsData
from vehiclesim.entries import ENTRIES
from vehiclesim.solver import MAXIMUM_SUBSTEP
from vehiclesim.state import SavedState
from vehiclesim.vehicle import Vehicle

Build = Callable[[], Vehicle]
"""A function that makes a new vehicle."""

CRUISING: Final = 80.0 * KMH
"""[m/s] in the circle, as the ramp of the steering wheel of UN Regulation No. 140 has it, and before a kick-down."""

HASTE: Final = 105.0 * KMH
"""[m/s], from which a vehicle brakes or coasts, so that it does at 100 km/h what it is to do."""

_WAITING: Final = 3.0
"""[s] on the brake before a start."""

_IDLING: Final = 10.0
"""[s] at idle."""

_LONGEST: Final = 400.0
"""[s] of a run."""

_STEADY: Final = 4.0
"""[s], in which a speed that is the highest rises by less than `_RISE`."""

_RISE: Final = 0.01
"""[m/s]"""

_WAY: Final = 1000.0
"""[m] that an acceleration lasts at least."""

_COASTED: Final = 45.0 * KMH
"""[m/s], to which a vehicle coasts."""

_SETTLING: Final = 5.0
"""[s] at a constant speed, before the wheel turns or the pedal goes down."""

_STEERING: Final = 4.0
"""[°/s] of the steering wheel: slow enough for every state to be a steady one (ISO 4138)."""

_PAST: Final = 0.9
"""Share of the highest lateral acceleration, and of the speed, below which nothing more is gained in the circle."""

_TRAVEL: Final = ENTRIES[INPUT][InputData.STEER].resolution


class Moment(NamedTuple):
    """A vehicle in motion: its state and its controls."""

    state: SavedState
    controls: list[int]


class Run:
    """A vehicle, and the time series of what it does from now on; with `start`, from there.

    A step of the vehicle is a period of the driver; with `fine`, it is so short that brakes and their aids are followed
    as on a bench.
    """

    def __init__(self, vehicle: Vehicle, start: Moment | None = None, *, fine: bool = False) -> None:
        if start is not None:
            vehicle.set_state_vars(start.state)
            for control, value in enumerate(start.controls):
                vehicle.data.input[control] = value
            vehicle.step(PERIOD)
        self.vehicle: Final = vehicle
        self._ticks: Final = round(PERIOD / MAXIMUM_SUBSTEP) if fine else 1
        self.series: Final = TimeSeries()
        self.series.sample(0.0, vehicle.data, 0.0, 0.0)

    @property
    def time(self) -> float:
        return self.series.time[-1]

    @property
    def speed(self) -> float:
        return self.series.speed[-1]

    def step(self) -> None:
        """Advance by a period of the driver."""
        vehicle, series, before = self.vehicle, self.series, self.speed
        for _ in range(self._ticks):
            vehicle.step(PERIOD / self._ticks)
        fuel = series.fuel[-1] + vehicle.engine.sensor_fuel_rate * PERIOD
        series.sample(self.time + PERIOD, vehicle.data, 0.0, fuel)
        series.distance[-1] = series.distance[-2] + 0.5 * (before + self.speed) * PERIOD

    def moment(self) -> Moment:
        """Return where the vehicle is now."""
        return Moment(self.vehicle.get_state_vars(), list(self.vehicle.data.input))

    def goes_on(self) -> bool:
        """Whether the speed still rises."""
        speeds, before = self.series.speed, round(_STEADY / PERIOD)
        return self.time < _LONGEST and (len(speeds) <= before or speeds[-1] - speeds[-1 - before] > _RISE)


def warm_up(build: Build) -> Moment:
    """Return the vehicle at idle, in neutral, warm."""
    reached = reach(build(), StartSettings(coolant=WARM))
    vehicle = build()
    for control, value in reached.controls.items():
        vehicle.data.input[control] = value
    return Moment(reached.state, list(vehicle.data.input))


def idle(build: Build, start: Moment) -> TimeSeries:
    """Let the engine idle in neutral."""
    run = Run(build(), start)
    while run.time < _IDLING:
        run.step()
    return run.series


def accelerate(build: Build, start: Moment, passed: Iterable[float]) -> tuple[TimeSeries, dict[float, Moment]]:
    """Accelerate from rest to the highest speed, for a kilometre at least.

    Return also the moments in which it `passed` speeds [m/s].
    """
    vehicle = build()
    driver = FullThrottle(vehicle.data, InverseVehicle(vehicle.settings))
    waiting = Run(vehicle, start)
    while waiting.time < _WAITING:
        driver.wait()
        waiting.step()
    run = Run(vehicle)
    speeds, moments = sorted(passed, reverse=True), {}
    while run.goes_on() or (run.series.distance[-1] < _WAY and run.time < _LONGEST):
        driver.drive()
        run.step()
        while speeds and run.speed >= speeds[-1]:
            moments[speeds.pop()] = run.moment()
    return run.series, moments


def accelerate_in_gear(build: Build, start: Moment, gear: int) -> TimeSeries:
    """Accelerate in one gear to its highest speed; an automatic is held in it by the overrides."""
    vehicle = build()
    overrides = vehicle.data.settings
    overrides[SettingsData.MIN_GEAR_OVERRIDE] = overrides[SettingsData.MAX_GEAR_OVERRIDE] = gear
    run = Run(vehicle, start)
    driver = FullThrottle(vehicle.data, InverseVehicle(vehicle.settings), gear)
    while run.goes_on():
        driver.drive()
        run.step()
    return run.series


def kick_down(build: Build, start: Moment) -> TimeSeries:
    """Hold the speed with little throttle, and then accelerate in D; the time begins with the pedal."""
    cruising = Run(build(), start)
    vehicle = cruising.vehicle
    inverse = InverseVehicle(vehicle.settings)
    driver = Driver(vehicle.data, inverse, Trace("cruising", (0.0, _LONGEST), (CRUISING, CRUISING)))
    while cruising.time < _SETTLING:
        driver.drive(cruising.time)
        operate(vehicle, driver)
        cruising.step()
    run = Run(vehicle)
    foot = FullThrottle(vehicle.data, inverse, run.series.gear[-1])
    while run.goes_on():
        foot.drive()
        run.step()
    return run.series


def brake(build: Build, start: Moment) -> TimeSeries:
    """Brake to rest."""
    run = Run(build(), start, fine=True)
    driver = FullThrottle(run.vehicle.data, InverseVehicle(run.vehicle.settings), run.series.gear[-1])
    while run.speed > 0.0 and run.time < _LONGEST:
        driver.brake()
        run.step()
    return run.series


def coast(build: Build, start: Moment) -> TimeSeries:
    """Coast in neutral."""
    vehicle = build()
    run = Run(vehicle, start)
    driver = FullThrottle(vehicle.data, InverseVehicle(vehicle.settings), run.series.gear[-1])
    while run.speed > _COASTED and run.time < _LONGEST:
        driver.roll()
        run.step()
    return run.series


def circle(build: Build, start: Moment) -> TimeSeries:
    """Hold the speed and turn the steering wheel slowly further, until the vehicle turns no harder (ISO 4138)."""
    run = Run(build(), start)
    vehicle = run.vehicle
    trace = Trace("circle", (0.0, _LONGEST), (CRUISING, CRUISING))
    driver = Driver(vehicle.data, InverseVehicle(vehicle.settings), trace)
    half_range = 0.5 * vehicle.settings.steering.wheel_range
    position = highest = 0.0
    while position < 1.0:
        driver.drive(run.time)
        operate(vehicle, driver)
        position = max(0.0, run.time - _SETTLING) * _STEERING / half_range
        vehicle.data.input[InputData.STEER] = round(position * _TRAVEL)
        run.step()
        now = abs(run.series.lateral_acceleration[-1])
        highest = max(highest, now)
        if position > 0.0 and (run.speed < _PAST * CRUISING or now < _PAST * highest - 0.2):
            break
    return run.series
