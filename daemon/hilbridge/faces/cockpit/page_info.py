"""Facts of bench and vehicle that the page needs before the first value: ranges of dials, gears, names."""

import math
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from hilbridge.faces.cockpit.wire import entry_facts
from hilbridge.files.configuration.benchfile import BenchFile
from hilbridge.files.settings import BenchSettings
from vehiclesim.entries import Entries
from vehiclesim.parameters import ElectricTopology, VehicleSettings

_RPM_STEP: Final = 1000.0
_SPEED_STEP: Final = 20.0
"""[km/h]"""
_SPEEDS: Final = (120.0, 320.0)
"""[km/h] Least and greatest end of the speedometer."""


class Files(NamedTuple):
    """Paths that the cockpit process reads by itself, as text for JSON. The page never sees them."""

    folder: str | None
    """Folder of the bench file, where scenarios are looked for."""
    vehicle: str | None
    """The vehicle file."""
    bench: str | None = None
    """The bench file, whose calibrations a page may change."""


NO_FILES: Final = Files(None, None)


def files_of(file: BenchFile) -> Files:
    """Return the absolute paths of a bench's files."""
    bench = file.path.resolve()
    return Files(str(bench.parent), str(file.vehicle.path.resolve()), str(bench))


def facts_of(
    bench: BenchSettings, vehicle: VehicleSettings, codes: Mapping[str, Mapping[str, str]], entries: Entries
) -> dict[str, Any]:
    """Return the facts for JSON: names, ends of the dials, gears, retarder, tank, `codes` by control unit.

    `bitrates` [bit/s] by bus: None where it is unknown. `custom`: the entries that the bench declares. `switches_on`:
    the key at start makes the vehicle ready, and starts no engine.
    """
    engine, gearbox = vehicle.engine, vehicle.gearbox
    redline = engine.rpm_limiter_max if engine.rpm_limiter else engine.max_rpm
    topology = vehicle.electric.topology
    electric = topology is ElectricTopology.BATTERY_ELECTRIC
    geared = electric or vehicle.electric.has_generator
    belt = topology is ElectricTopology.P0_HYBRID
    motor = vehicle.electric.motor
    return {
        "bench": bench.name,
        "vehicle": vehicle.name,
        "rate": bench.rate,
        "idle_rpm": engine.idle_rpm,
        "redline_rpm": redline,
        "most_rpm": _RPM_STEP * math.ceil((redline + 1) / _RPM_STEP),
        "most_speed": most_speed(vehicle, motor.max_rpm / motor.ratio if geared else redline),
        "electric": electric,
        "hybrid": topology is not ElectricTopology.NONE and not electric,
        "switches_on": topology is not ElectricTopology.NONE and not belt,
        "gearbox": gearbox.type.value,
        "gears": len(gearbox.gears),
        "reverse_gears": len(gearbox.reverse_ratios),
        "retarder_levels": vehicle.retarder.levels,
        "tank": vehicle.auxiliary.tank.capacity,
        "codes": codes,
        "wheel_range": vehicle.steering.wheel_range,
        "custom": [*map(entry_facts, entries.custom)],
        "bitrates": {name: bus.bitrate for name, bus in bench.buses.items()},
    }


def most_speed(vehicle: VehicleSettings, rpm: float) -> float:
    """Return the end of the speedometer [km/h], above the speed at `rpm` in the longest gear.

    v = rpm · 2π/60 · radius / (gear · final drive)          in m/s
    """
    speed = (
        3.6 * rpm * math.tau / 60 * vehicle.wheels.radius / (vehicle.gearbox.ratios[-1] * vehicle.driveline.total_ratio)
    )
    least, most = _SPEEDS
    return min(max(_SPEED_STEP * math.ceil(speed / _SPEED_STEP), least), most)
