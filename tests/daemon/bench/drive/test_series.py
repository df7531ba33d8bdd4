"""The time series of drives, and their file."""

import csv
import math
from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.drive.series import TimeSeries, check_series, write_series
from vehiclesim import CHASSIS, VEHICLE, ChassisData, DataBus, InputData, VehicleData


def sampled(target: float = math.nan) -> TimeSeries:
    """One sample: 90 km/h in third gear, half throttle."""
    data = DataBus()
    data.write(VEHICLE, VehicleData.SPEED, 25.0)
    data.write(VEHICLE, VehicleData.ENGINE_RPM, 3000.0)
    data.vehicle[VehicleData.GEARBOX_GEAR] = 3
    data.write(CHASSIS, ChassisData.ACCELERATION, 1.5)
    data.write(CHASSIS, ChassisData.STEERING_WHEEL_ANGLE, -10.0)
    data.input[InputData.THROTTLE] = 5000
    series = TimeSeries()
    series.sample(2.0, data, 40.0, 1.25, target)
    return series


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_a_file_has_a_row_for_each_sample_in_the_units_of_its_head(tmp_path: Path) -> None:
    write_series({"trip": sampled(24.0)}, tmp_path / "trip.csv")
    (row,) = rows(tmp_path / "trip.csv")
    assert row == {
        "time s": "2.00",
        "target km/h": "86.400",
        "speed km/h": "90.000",
        "distance m": "40.000",
        "acceleration m/s²": "1.500",
        "lateral acceleration m/s²": "0.000",
        "steering wheel °": "-10.000",
        "rpm": "3000.0",
        "gear": "3",
        "throttle": "0.5000",
        "brake": "0.0000",
        "clutch": "0.0000",
        "fuel g": "1.2500",
    }


def test_several_series_stand_below_each_other_with_their_names(tmp_path: Path) -> None:
    """And where there is no trace the target is empty."""
    write_series({"one": sampled(), "two": sampled()}, tmp_path / "all.csv")
    assert [(row["run"], row["target km/h"]) for row in rows(tmp_path / "all.csv")] == [("one", ""), ("two", "")]


def test_a_file_that_cannot_be_made_is_refused_before_driving(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"written as \.csv, not 'trip\.mf4'"):
        check_series(tmp_path / "trip.mf4")
    with pytest.raises(ConfigurationError, match="there is no folder"):
        check_series(tmp_path / "none" / "trip.csv")
    (tmp_path / "taken.csv").mkdir()
    with pytest.raises(ConfigurationError, match=r"taken\.csv cannot be written"):
        write_series({"trip": sampled()}, tmp_path / "taken.csv")
