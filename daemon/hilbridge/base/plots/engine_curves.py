"""The curves of an engine over speed as numbers: what its graph shows, and `hilbridge engine --json` prints."""

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from vehiclesim.block import RPM_TO_W
from vehiclesim.engine.engine import Engine
from vehiclesim.engine.management import PedalMap
from vehiclesim.engine.torque_curve import make_curve
from vehiclesim.parameters import EngineSettings


class EngineCurves(NamedTuple):
    """Full-throttle curves at the speeds `rpm` [1/min]."""

    rpm: list[float]
    torque: list[float]  # [Nm]
    power_in_kw: list[float]
    friction_torque: list[float]  # [Nm]
    specific_fuel_consumption: list[float]  # [g/kWh], not-a-number without power
    uncapped_torque: list[float]  # [Nm], as without torque cap
    raw_torque: list[float]  # [Nm], of the combustion alone, without cap


def engine_curves(settings: EngineSettings, step: int) -> EngineCurves:
    """Return the curves at whole multiples of `step` between idle and maximum speed, and at these two."""
    engine = Engine(settings)
    uncapped = Engine(replace(settings, torque_cap=False))
    idle, top = settings.idle_rpm, settings.max_rpm
    inner = range(math.floor(idle / step) + 1, math.ceil(top / step))
    speeds = [idle, *(float(count * step) for count in inner), top]
    friction = [-engine.calculate_torque(rpm, 0.0) for rpm in speeds]
    free = [uncapped.calculate_torque(rpm) for rpm in speeds]
    return EngineCurves(
        rpm=speeds,
        torque=[engine.calculate_torque(rpm) for rpm in speeds],
        power_in_kw=[engine.calculate_power_in_kw(rpm) for rpm in speeds],
        friction_torque=friction,
        specific_fuel_consumption=[engine.calculate_specific_fuel_consumption(rpm) for rpm in speeds],
        uncapped_torque=free,
        raw_torque=[net + lost for net, lost in zip(free, friction, strict=True)],
    )


def throttle_map(settings: EngineSettings, pedal: float, speeds: Iterable[float]) -> list[float]:
    """Return the share 0..1 of the combustion torque that a pedal position 0..1 asks for, at speeds [1/min]."""
    pedal_map = PedalMap(settings, make_curve(settings))
    return [pedal_map.share(pedal, rpm * RPM_TO_W) for rpm in speeds]


def marked_points(settings: EngineSettings) -> list[tuple[float, float]]:
    """Return the points [1/min, Nm] that the settings put on the curve: a table's, or idle, peak and maximum speed."""
    if settings.table_rpm:
        return list(zip(settings.table_rpm, settings.table_torque, strict=True))
    return [
        (settings.idle_rpm, settings.idle_rpm_torque),
        (settings.peak_rpm, settings.peak_rpm_torque),
        (settings.max_rpm, 0.0),
    ]
