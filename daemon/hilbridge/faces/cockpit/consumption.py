"""The specific fuel consumption of an engine over speed and torque: the colours of its map."""

import math
from typing import Any, Final

from vehiclesim.engine.engine import Engine
from vehiclesim.parameters import AirPathSettings, EngineSettings

_SPEEDS: Final = 24
_LOADS: Final = 12


def consumption_map(settings: EngineSettings, air: AirPathSettings) -> dict[str, Any]:
    """Return `rpm`, the highest torque [N m] at each, and g/kWh at the middle of equal parts of each of these torques.

    For JSON: a row for each speed, from the lowest torque up; None where no fuel turns into work.
    """
    engine = Engine(settings, air=air)
    step = (settings.max_rpm - settings.idle_rpm) / _SPEEDS
    speeds = [settings.idle_rpm + (i + 0.5) * step for i in range(_SPEEDS)]
    most = [max(engine.calculate_torque(rpm), 0.0) for rpm in speeds]
    rows = [
        [_consumption(engine, rpm, (j + 0.5) / _LOADS * torque) for j in range(_LOADS)]
        for rpm, torque in zip(speeds, most, strict=True)
    ]
    return {"rpm": speeds, "torque": most, "rows": rows}


def _consumption(engine: Engine, rpm: float, torque: float) -> float | None:
    value = engine.calculate_specific_fuel_consumption(rpm, torque) if torque > 0.0 else math.nan
    return round(value, 1) if math.isfinite(value) else None
