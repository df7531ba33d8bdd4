"""The best line of an engine: for each power the speed at which it needs the least fuel."""

from typing import Final

from vehiclesim.block import RPM_TO_W
from vehiclesim.engine.engine import Engine
from vehiclesim.parameters import EngineSettings
from vehiclesim.tables import Table

_POWERS: Final = 24
"""Points of the line."""

_SPEEDS: Final = 60
"""Speeds that are tried for each of them."""


class BestLine:
    """w(P) with the least fuel of all w·T = P that the engine has, from idle speed on; never falling with P.

    By the steady fuel of the warm engine. `most` is the highest power [W] in its range of speed, up to the limiter.
    """

    def __init__(self, engine: Engine, settings: EngineSettings) -> None:
        limit = settings.rpm_limiter_max if settings.rpm_limiter else settings.max_rpm
        limit = limit if limit < settings.max_rpm else settings.max_rpm
        idle = settings.idle_rpm
        speeds = [idle + (limit - idle) * k / _SPEEDS for k in range(_SPEEDS)]
        full = [engine.calculate_torque(rpm) * rpm * RPM_TO_W for rpm in speeds]
        self.most: float = max(full)
        powers, line = [0.0], [idle * RPM_TO_W]
        for point in range(1, _POWERS + 1):
            power = self.most * point / _POWERS
            best, least = 0.0, float("inf")
            for rpm, there in zip(speeds, full, strict=True):
                w = rpm * RPM_TO_W
                if there < power * (1.0 - 1e-9) or w < line[-1]:
                    continue
                burnt = engine.calculate_specific_fuel_consumption(rpm, power / w)
                if burnt < least:
                    best, least = w, burnt
            if best > 0.0:
                powers.append(power)
                line.append(best)
        self._line: Table = Table(powers, line)

    def speed(self, power: float) -> float:
        """Return the speed [rad/s] for a power [W]; below 0 that of idle."""
        return self._line.at(power)
