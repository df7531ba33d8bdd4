"""The time series of a drive: what its picture and its CSV file show."""

import csv
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.lasting_files import write_output
from hilbridge.bench.drive.trace import KMH
from vehiclesim.channels import CHASSIS, INPUT, VEHICLE, ChassisData, InputData, VehicleData
from vehiclesim.databus import DataBus
from vehiclesim.entries import ENTRIES

_TRAVEL: Final = ENTRIES[INPUT][InputData.THROTTLE].resolution

_COLUMNS: Final = (
    ("time", "s", 1.0, 2),
    ("target", "km/h", KMH, 3),
    ("speed", "km/h", KMH, 3),
    ("distance", "m", 1.0, 3),
    ("acceleration", "m/s²", 1.0, 3),
    ("lateral_acceleration", "m/s²", 1.0, 3),
    ("steering_wheel", "°", 1.0, 3),
    ("rpm", "", 1.0, 1),
    ("gear", "", 1, 0),
    ("throttle", "", 1.0, 4),
    ("brake", "", 1.0, 4),
    ("clutch", "", 1.0, 4),
    ("fuel", "g", 1.0, 4),
)
"""Lists of a series as columns of a file: name, unit, that unit in the unit of the list, and decimals."""


@dataclass(slots=True)
class TimeSeries:
    """Samples of a drive, one in each list."""

    time: list[float] = field(default_factory=list)  # [s]
    target: list[float] = field(default_factory=list)  # [m/s]; not-a-number without a trace
    speed: list[float] = field(default_factory=list)  # [m/s]
    distance: list[float] = field(default_factory=list)  # [m]
    acceleration: list[float] = field(default_factory=list)  # [m/s²]
    lateral_acceleration: list[float] = field(default_factory=list)  # [m/s²]
    steering_wheel: list[float] = field(default_factory=list)  # [°]
    rpm: list[float] = field(default_factory=list)
    gear: list[int] = field(default_factory=list)
    throttle: list[float] = field(default_factory=list)  # 0 .. 1
    brake: list[float] = field(default_factory=list)
    clutch: list[float] = field(default_factory=list)
    fuel: list[float] = field(default_factory=list)  # [g] since the start

    def sample(self, t: float, data: DataBus, distance: float, fuel: float, target: float = math.nan) -> None:
        """Append a sample of the data bus at the time `t` [s], with the way [m] and the fuel [g] so far."""
        self.time.append(t)
        self.target.append(target)
        self.speed.append(data.read(VEHICLE, VehicleData.SPEED))
        self.distance.append(distance)
        self.acceleration.append(data.read(CHASSIS, ChassisData.ACCELERATION))
        self.lateral_acceleration.append(data.read(CHASSIS, ChassisData.LATERAL_ACCELERATION))
        self.steering_wheel.append(data.read(CHASSIS, ChassisData.STEERING_WHEEL_ANGLE))
        self.rpm.append(data.read(VEHICLE, VehicleData.ENGINE_RPM))
        self.gear.append(data.vehicle[VehicleData.GEARBOX_GEAR])
        self.throttle.append(data.input[InputData.THROTTLE] / _TRAVEL)
        self.brake.append(data.input[InputData.BRAKE] / _TRAVEL)
        self.clutch.append(data.input[InputData.CLUTCH] / _TRAVEL)
        self.fuel.append(fuel)


def check_series(path: Path) -> None:
    """Raise ConfigurationError, before any work is done, for a file of time series that cannot be made."""
    if path.suffix.lower() != ".csv":
        raise ConfigurationError(f"time series are written as .csv, not '{path.name}'")
    if not path.parent.is_dir():
        raise ConfigurationError(f"there is no folder {path.parent} for the time series")


def write_series(runs: Mapping[str, TimeSeries], path: Path) -> None:
    """Write series below each other as CSV, where there are several with their names in a column `run`.

    Columns are named as those of a trace (`trace.py`), and what has no value is empty. ConfigurationError: it cannot be
    written.
    """
    named = len(runs) > 1
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = (f"{name.replace('_', ' ')} {unit}".rstrip() for name, unit, _, _ in _COLUMNS)
    writer.writerow((*(("run",) if named else ()), *names))
    for run, series in runs.items():
        first = (run,) if named else ()
        columns = [_cells(getattr(series, name), scale, digits) for name, _, scale, digits in _COLUMNS]
        writer.writerows((*first, *row) for row in zip(*columns, strict=True))
    try:
        write_output(path, text.getvalue())
    except OSError as error:
        raise ConfigurationError(f"the time series {path} cannot be written: {error.strerror}") from None


def _cells(values: list[Any], scale: float, digits: int) -> list[str]:
    return ["" if value != value else f"{value / scale:.{digits}f}" for value in values]
