"""The measurement of a vehicle: all runs, and all figures beside the published ones."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, NamedTuple

from hilbridge.bench.drive.dynamics import InverseVehicle
from hilbridge.bench.drive.report import figures, plugs_in
from hilbridge.bench.drive.series import TimeSeries
from hilbridge.bench.drive.simulation import drive
from hilbridge.bench.drive.trace import KMH, MPH, Trace
from hilbridge.desk.perform.reading import (
    after_roll_out,
    consumption_at_rest,
    highest_lateral_acceleration,
    stopping_distance,
    time_between,
    time_to_distance,
    time_to_speed,
    understeer_gradient,
)
from hilbridge.desk.perform.runs import (
    CRUISING,
    HASTE,
    Build,
    Moment,
    accelerate,
    accelerate_in_gear,
    brake,
    circle,
    coast,
    idle,
    kick_down,
    warm_up,
)
from vehiclesim.parameters import GearboxType, VehicleSettings

_FROM_REST: Final = (
    ("to_100", 100.0 * KMH),
    ("to_60_mph", 60.0 * MPH),
    ("to_160", 160.0 * KMH),
    ("to_200", 200.0 * KMH),
)
"""Figures of the acceleration, and the speed [m/s] of each."""

_WAYS: Final = (("metres_400", 400.0), ("quarter_mile", 402.336), ("kilometre", 1000.0))
"""And of ways [m]."""

BATTERY: Final = "_battery"
WALL: Final = "_wall"
"""Ends of the names of figures in kWh/100 km; before it stands that of the cycle."""

_ELASTIC: Final = 70.0 * KMH
"""[m/s] at which a run in gear begins at most."""

_LOW: Final = 0.6
"""Share of a gear's highest speed at which a run in it begins at most."""

_PULLING: Final = 1.3
"""Multiple of the idle speed from which on an engine is driven in a run in gear."""


class Figure(NamedTuple):
    """One figure. `name` is that of its field in `published` of a vehicle file."""

    name: str
    measured: float | None  # None: the vehicle does not get there
    published: float | None  # None: nothing is published
    gear: int | None = None

    @property
    def deviation(self) -> float | None:
        """Measured over published, less 1."""
        if self.measured is None or self.published is None:
            return None
        return self.measured / self.published - 1.0


@dataclass(slots=True)
class Measurement:
    """The figures of a vehicle."""

    figures: list[Figure] = field(default_factory=list)
    runs: dict[str, TimeSeries] = field(default_factory=dict)  # by name: acceleration, gear 1, ..., nedc, ...
    cycles: dict[str, dict[str, Any]] = field(default_factory=dict)  # by name: the figures of `hilbridge drive`
    complete: bool = False


def measure(
    build: Build,
    settings: VehicleSettings,
    cycles: Sequence[Trace] = (),
    *,
    progress: Callable[[float], None] | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> Measurement:
    """Measure new vehicles that `build` makes, and drive the cycles.

    After each run `progress` gets the share that is done, and once it is `stopped` what has been measured by then is
    returned. ConfigurationError: the engine does not start, or nothing brakes the vehicle.
    """
    meter = _Meter(build, settings, stopped)
    tasks = list(meter.tasks(cycles))
    for number, task in enumerate(tasks, start=1):
        task()
        if stopped():
            return meter.result
        if progress is not None:
            progress(number / len(tasks))
    meter.result.complete = True
    return meter.result


class _Meter:
    """The runs of one measurement; all but the first begin where that one has passed."""

    def __init__(self, build: Build, settings: VehicleSettings, stopped: Callable[[], bool]) -> None:
        self.result: Final = Measurement()
        self._build: Final = build
        self._settings: Final = settings
        self._stopped: Final = stopped
        self._inverse: Final = InverseVehicle(settings)
        self._moments: dict[float, Moment] = {}

    def tasks(self, cycles: Sequence[Trace]) -> Iterator[Callable[[], None]]:
        """Yield what is to be done, in its order."""
        yield self._accelerate
        if self._settings.gearbox.type is GearboxType.AUTOMATIC:
            yield self._kick_down
        yield from (partial(self._accelerate_in, gear) for gear in range(1, self._inverse.gears + 1))
        yield from (self._brake, self._circle, self._coast)
        yield from (partial(self._drive, cycle) for cycle in cycles)

    def _accelerate(self) -> None:
        start = warm_up(self._build)
        speeds = {CRUISING, HASTE, *(self._first_speed(gear) for gear in range(1, self._inverse.gears + 1))}
        series, self._moments = accelerate(self._build, start, speeds)
        self.result.runs["acceleration"] = series
        roll_out = self._settings.published.roll_out
        for name, speed in _FROM_REST:
            self._add(name, after_roll_out(series, time_to_speed(series, speed), roll_out))
        for name, way in _WAYS:
            self._add(name, after_roll_out(series, time_to_distance(series, way + roll_out), roll_out))
        self._add("top_speed", max(series.speed) / KMH)
        if plugs_in(self._settings):
            return
        resting = self.result.runs["idle"] = idle(self._build, start)
        self._add("idle_consumption", consumption_at_rest(resting, self._settings.engine.fuel_density))

    def _kick_down(self) -> None:
        if (start := self._moments.get(CRUISING)) is not None:
            series = self.result.runs["kick-down"] = kick_down(self._build, start)
            self._add("from_80_to_120", time_to_speed(series, 120.0 * KMH))

    def _accelerate_in(self, gear: int) -> None:
        start = self._moments.get(self._first_speed(gear))
        if start is None:
            return
        series = accelerate_in_gear(self._build, start, gear)
        if series.gear[-1] != gear:
            return
        self.result.runs[f"gear {gear}"] = series
        self._add("top_speed_in_gear", max(series.speed) / KMH, gear)
        self._add("from_80_to_120_in_gear", time_between(series, 80.0 * KMH, 120.0 * KMH), gear)

    def _brake(self) -> None:
        if (start := self._moments.get(HASTE)) is not None:
            series = self.result.runs["braking"] = brake(self._build, start)
            self._add("braking_from_100", stopping_distance(series, 100.0 * KMH))
            self._add("braking_from_60_mph", stopping_distance(series, 60.0 * MPH))

    def _circle(self) -> None:
        if (start := self._moments.get(CRUISING)) is None:
            return
        series = self.result.runs["circle"] = circle(self._build, start)
        steering = self._settings.steering
        ratio = steering.wheel_range / (2.0 * steering.max_angle) if steering.max_angle > 0.0 else 1.0
        self._add("lateral_acceleration", highest_lateral_acceleration(series))
        self._add("understeer", understeer_gradient(series, self._settings.chassis.wheelbase, ratio))

    def _coast(self) -> None:
        if (start := self._moments.get(HASTE)) is not None:
            series = self.result.runs["coasting"] = coast(self._build, start)
            self._add("coast_down", time_between(series, 100.0 * KMH, 50.0 * KMH))

    def _drive(self, cycle: Trace) -> None:
        driven = drive(self._build(), cycle, ledger=False, stopped=self._stopped)
        if driven.interrupted_at is None:
            values = self.result.cycles[cycle.name] = figures(driven, self._settings)
            self.result.runs[cycle.name] = driven.series
            if not plugs_in(self._settings):
                self._add(cycle.name, values["consumption_in_l_per_100_km"])
            self._add(f"{cycle.name}{BATTERY}", values["electric_consumption_in_kwh_per_100_km"])
            self._add(f"{cycle.name}{WALL}", values["wall_consumption_in_kwh_per_100_km"])

    def _first_speed(self, gear: int) -> float:
        """Return the speed [m/s] at which a run in gear begins."""
        rpm = self._inverse.engine_rpm(1.0, gear)
        return max(min(_ELASTIC, _LOW * self._inverse.limit_rpm / rpm), _PULLING * self._inverse.idle_rpm / rpm)

    def _add(self, name: str, measured: float | None, gear: int | None = None) -> None:
        """Note a figure, unless the vehicle does not get there and nothing else is published."""
        published = getattr(self._settings.published, name, None)
        if isinstance(published, tuple):
            published = published[gear - 1] if gear is not None and gear <= len(published) else None
        if measured is not None or published:
            self.result.figures.append(Figure(name, measured, published or None, gear))
