"""The full load of an engine whose sheet has a plateau: a table of straight lines through its figures, no curve.

    (idle, its torque or the usual share) .. (plateau of torque) .. (points, chart) .. (plateau of power: T = P/w)

An engine management that holds torque or power makes corners, which no curve of the parameters has. Between two
figures the power does not rise above the highest; behind the last the torque goes to zero at max_rpm.
"""

import math
from collections.abc import Iterator
from typing import Final

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.desk.fit.priors import FUELS, idle_rpm
from hilbridge.desk.fit.targets import CurvePoint, Targets
from vehiclesim.block import RPM_TO_W

_SPACING: Final = 250.0
"""[1/min] between two rows at most, so that between them a constant power is met within 0.1 %."""


def full_load(targets: Targets, max_rpm: float, without: KeyPath = ()) -> tuple[CurvePoint, ...]:
    """Return the rows of the table, ascending, from all targets or all but one.

    Of two torques at one speed the one that `_figures` has last counts; the other is missed. ConfigurationError: a
    figure lies where there is no torque any more.
    """
    settings = targets.settings
    fixed: dict[float, float] = {}
    for place, point in _figures(targets):
        if point.rpm >= max_rpm:
            raise ConfigurationError(f"{point.rpm:g} rpm is not below {max_rpm:g}, where the torque ends", place)
        if place != without:
            fixed[point.rpm] = point.torque
    idle = idle_rpm(settings)
    fixed.setdefault(idle, FUELS[settings.fuel].idle_torque * settings.torque.value)
    corners = [CurvePoint(rpm, torque) for rpm, torque in sorted({**fixed, max_rpm: 0.0}.items())]
    most = math.inf if without == ("power",) else 1e3 * settings.power.value / RPM_TO_W  # [N m/min]
    rows = [corners[0]]
    for corner in corners[1:]:
        rows += _between(rows[-1], corner, most)
        rows.append(corner)
    return tuple(rows)


def _figures(targets: Targets) -> Iterator[tuple[KeyPath, CurvePoint]]:
    """Yield every torque of the sheet with the target that it is from; the more certain ones last."""
    settings = targets.settings
    if (idle := settings.idle) is not None and idle.torque is not None:
        yield ("idle",), CurvePoint(idle.rpm, idle.torque)
    for point in targets.chart:
        yield ("chart",), point
    for number, each in enumerate(settings.points):
        torque = each.torque if each.torque is not None else _torque(each.power or 0.0, each.rpm)
        yield ("points", number), CurvePoint(each.rpm, torque)
    for rpm in settings.power.ends:
        yield ("power",), CurvePoint(rpm, _torque(settings.power.value, rpm))
    for rpm in settings.torque.ends:
        yield ("torque",), CurvePoint(rpm, settings.torque.value)


def _torque(power: float, rpm: float) -> float:
    """P/w [N m] of a power [kW]."""
    return 1e3 * power / (rpm * RPM_TO_W)


def _between(one: CurvePoint, two: CurvePoint, most: float) -> Iterator[CurvePoint]:
    """Yield rows on the straight line between two corners, where it would pass the highest power on T = P/w."""
    slope = (two.torque - one.torque) / (two.rpm - one.rpm)
    rpm = (one.rpm // _SPACING + 1.0) * _SPACING
    while rpm < two.rpm:
        yield CurvePoint(rpm, min(one.torque + slope * (rpm - one.rpm), most / rpm))
        rpm += _SPACING
