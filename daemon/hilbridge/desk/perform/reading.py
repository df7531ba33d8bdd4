"""The reading of figures off the time series of a run."""

from typing import Final

from hilbridge.bench.drive.series import TimeSeries
from vehiclesim.parameters import GRAVITY

DEGREE: Final = 57.29577951308232
"""[°] of a radian."""

_SMOOTHED: Final = 1.0
"""[s] over which a lateral acceleration must last."""

_LINEAR: Final = (0.1, 0.4)
"""[g] between which the understeer gradient is a straight line (ISO 4138: up to 4 m/s²)."""


def time_to_speed(series: TimeSeries, speed: float) -> float | None:
    """Return when a speed [m/s] is passed for the first time, rising or falling [s]."""
    return _at(series.time, series.speed, speed)


def time_to_distance(series: TimeSeries, distance: float) -> float | None:
    """Return when a way [m] is done [s]."""
    return _at(series.time, series.distance, distance)


def after_roll_out(series: TimeSeries, time: float | None, way: float) -> float | None:
    """Return a time [s] on a clock that starts after a way [m]."""
    start = time_to_distance(series, way) if way > 0.0 else 0.0
    return None if time is None or start is None else time - start


def time_between(series: TimeSeries, first: float, last: float) -> float | None:
    """Return how long it takes from one speed [m/s] to another [s]; None: it is not there before, or never comes."""
    begin, end = time_to_speed(series, first), time_to_speed(series, last)
    return None if begin is None or end is None or begin <= 0.0 else end - begin


def stopping_distance(series: TimeSeries, speed: float) -> float | None:
    """Return the way [m] from a speed [m/s] to rest."""
    begin = _at(series.distance, series.speed, speed)
    return None if begin is None or series.speed[-1] > 0.0 else series.distance[-1] - begin


def consumption_at_rest(series: TimeSeries, density: float) -> float:
    """Return fuel over time [l/h], of a fuel of a density [kg/l]."""
    return series.fuel[-1] / series.time[-1] * 3.6 / density


def highest_lateral_acceleration(series: TimeSeries) -> float:
    """Return the highest mean over a second [g]."""
    count = round(_SMOOTHED / (series.time[1] - series.time[0]))
    sums = [0.0]
    for value in series.lateral_acceleration:
        sums.append(sums[-1] + abs(value))
    return max(b - a for a, b in zip(sums, sums[count:], strict=False)) / count / GRAVITY


def understeer_gradient(series: TimeSeries, wheelbase: float, ratio: float) -> float | None:
    """Return K = d(δ - L·a/v²)/da [°/g] by least squares; a the lateral acceleration, δ the angle of the front wheels.

    `ratio`: angle of the steering wheel over δ. A positive K is understeer.
    """
    low, high = (bound * GRAVITY for bound in _LINEAR)
    points = [
        (abs(a) / GRAVITY, abs(wheel) / ratio - wheelbase * abs(a) / (v * v) * DEGREE)
        for a, wheel, v in zip(series.lateral_acceleration, series.steering_wheel, series.speed, strict=True)
        if low <= abs(a) <= high
    ]
    if len(points) < 2:
        return None
    mean_a = sum(a for a, _ in points) / len(points)
    mean_d = sum(d for _, d in points) / len(points)
    spread = sum((a - mean_a) ** 2 for a, _ in points)
    return sum((a - mean_a) * (d - mean_d) for a, d in points) / spread


def _at(values: list[float], marks: list[float], mark: float) -> float | None:
    """Return the value where the marks first pass a mark, on the straight line between two samples."""
    for i in range(1, len(marks)):
        before, after = marks[i - 1], marks[i]
        if before < mark <= after or before > mark >= after:
            return values[i - 1] + (values[i] - values[i - 1]) * (mark - before) / (after - before)
    return None
