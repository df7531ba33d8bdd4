"""Targets as goals: a figure that is wanted, how exactly, and how it is measured on an engine."""

import math
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from hilbridge.base.common.errors import KeyPath
from hilbridge.desk.fit.stand import Stand
from hilbridge.desk.fit.targets import ConsumptionTarget, FrictionTarget, Targets
from vehiclesim.block import RPM_TO_W

_DEVIATIONS: Final = 3.0
"""Standard deviations in a tolerance."""

Measure = Callable[[Stand], float]


class Goal(NamedTuple):
    """One published figure."""

    target: KeyPath  # that it is part of
    text: str
    unit: str
    wanted: float
    share: float  # of the figure, by which it may be missed
    measure: Measure

    @property
    def tolerance(self) -> float:
        """The permitted deviation of the figure, in its unit."""
        return self.share * self.wanted

    def residual(self, stand: Stand) -> float:
        """Return the miss in standard deviations."""
        return _DEVIATIONS * (self.measure(stand) - self.wanted) / self.tolerance


def make_goals(targets: Targets) -> tuple[Goal, ...]:
    """Return all figures of the targets that an engine can be measured by."""
    return (*_peaks(targets), *_curve(targets), *_speeds(targets), *_fuel(targets), *_friction(targets))


def _peaks(targets: Targets) -> Iterator[Goal]:
    torque, power = targets.settings.torque, targets.settings.power
    place: KeyPath = ("torque",)
    yield Goal(place, "maximum torque", "Nm", torque.value, torque.tolerance, lambda stand: stand.max_torque.value)
    if targets.settings.has_plateau:
        for rpm in torque.ends:
            yield Goal(place, f"torque at {rpm:g} rpm", "Nm", torque.value, torque.tolerance, _torque(rpm))
    else:
        where = "begin of the plateau" if torque.capped else "speed of maximum torque"
        yield Goal(place, where, "rpm", torque.rpm, torque.rpm_tolerance, lambda stand: stand.max_torque.rpm)
    place, where = ("power",), "speed of maximum power"
    yield Goal(place, "maximum power", "kW", power.value, power.tolerance, lambda stand: stand.max_power.value)
    if targets.settings.has_plateau:
        for rpm in power.ends:
            yield Goal(place, f"power at {rpm:g} rpm", "kW", power.value, power.tolerance, _power(rpm))
    else:
        yield Goal(place, where, "rpm", power.rpm, power.rpm_tolerance, lambda stand: stand.max_power.rpm)


def _curve(targets: Targets) -> Iterator[Goal]:
    settings = targets.settings
    if (idle := settings.idle) is not None and idle.torque is not None:
        yield Goal(("idle",), "torque at idle", "Nm", idle.torque, idle.tolerance, _torque(idle.rpm))
    for number, point in enumerate(settings.points):
        place, at = ("points", number), f"at {point.rpm:g} rpm"
        if point.torque is not None:
            yield Goal(place, f"torque {at}", "Nm", point.torque, point.tolerance, _torque(point.rpm))
        if point.power is not None:
            yield Goal(place, f"power {at}", "kW", point.power, point.tolerance, _power(point.rpm))
    if settings.chart is not None:
        for rpm, torque in targets.chart:
            text = f"chart at {rpm:g} rpm"
            yield Goal(("chart",), text, "Nm", torque, settings.chart.tolerance, _torque(rpm))


def _speeds(targets: Targets) -> Iterator[Goal]:
    settings = targets.settings
    if (end := settings.max_rpm) is not None:
        yield Goal(("max_rpm",), "maximum speed", "rpm", end.rpm, end.tolerance, lambda stand: stand.settings.max_rpm)
    if (end := settings.limit_rpm) is not None:
        yield Goal(("limit_rpm",), "limit speed", "rpm", end.rpm, end.tolerance, lambda stand: stand.sheet.limit_rpm)
    if (stall := settings.stall) is not None:
        yield Goal(("stall",), "stall speed", "rpm", stall.rpm, stall.tolerance, lambda stand: stand.sheet.stall_rpm)


def _fuel(targets: Targets) -> Iterator[Goal]:
    settings = targets.settings
    if (best := settings.best_consumption) is not None:
        place: KeyPath = ("best_consumption",)
        text, where = "best consumption", "speed of best consumption"
        yield Goal(place, text, "g/kWh", best.value, best.tolerance, lambda stand: stand.best_consumption.value)
        if best.rpm is not None:
            yield Goal(place, where, "rpm", best.rpm, best.rpm_tolerance, lambda stand: stand.best_consumption.rpm)
    for number, point in enumerate(settings.consumption):
        place, text = ("consumption", number), f"consumption at {point.rpm:g} rpm"
        torque = _load(point, settings.displacement)
        if torque < math.inf:
            text = f"{text}, {torque:.4g} Nm"
        yield Goal(place, text, "g/kWh", point.value, point.tolerance, _consumption(point.rpm, torque))


def _load(point: ConsumptionTarget, litres: float | None) -> float:
    """Return the torque [N m] = P/w = p·V/4π of a point; infinite: full throttle."""
    if point.power is not None:
        return 1e3 * point.power / (point.rpm * RPM_TO_W)
    if point.mean_pressure is not None:
        return point.mean_pressure * 1e2 * (litres or 0.0) / (4.0 * math.pi)  # bar·l = 100 N m
    return math.inf if point.torque is None else point.torque


def _friction(targets: Targets) -> Iterator[Goal]:
    settings = targets.settings
    for number, point in enumerate(settings.friction):
        yield _engine_brake(("friction", number), point)
    for number, fall in enumerate(settings.coast_down):
        text = f"from {fall.from_rpm:g} to {fall.to_rpm:g} rpm"
        measure = _coast_down(fall.from_rpm, fall.to_rpm)
        yield Goal(("coast_down", number), text, "s", fall.time, fall.tolerance, measure)
    if (stall := settings.stall) is not None and stall.friction is not None:
        yield Goal(
            ("stall",), "friction when stalled", "Nm", stall.friction, stall.tolerance,
            lambda stand: stand.sheet.friction_torque_at_stall,
        )  # fmt: skip


def _engine_brake(place: KeyPath, target: FrictionTarget) -> Goal:
    """Friction torque [Nm], or its power w·Tf [kW], at a speed or a landmark."""

    def friction(stand: Stand) -> float:
        return stand.friction(stand.speed(target.rpm))

    def power(stand: Stand) -> float:
        return friction(stand) * stand.speed(target.rpm) * RPM_TO_W * 1e-3

    at = f"at {target.rpm}" if isinstance(target.rpm, str) else f"at {target.rpm:g} rpm"
    if target.torque is not None:
        return Goal(place, f"friction {at}", "Nm", target.torque, target.tolerance, friction)
    assert target.power is not None  # noqa: S101 - the settings have one of both
    return Goal(place, f"engine brake {at}", "kW", target.power, target.tolerance, power)


def _torque(rpm: float) -> Measure:
    return lambda stand: stand.torque(rpm)


def _power(rpm: float) -> Measure:
    return lambda stand: stand.power(rpm)


def _consumption(rpm: float, torque: float) -> Measure:
    return lambda stand: stand.consumption(rpm, torque)


def _coast_down(from_rpm: float, to_rpm: float) -> Measure:
    return lambda stand: stand.coast_down(from_rpm, to_rpm)
