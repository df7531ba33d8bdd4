"""Files of values, read back by the programs that people open them with: pandas, pyarrow, asammdf, Python's csv."""

import csv
import json
import math
from pathlib import Path

import numpy as np
import pandas as pd  # type: ignore[import-untyped]
import pyarrow.parquet  # type: ignore[import-untyped]
import pytest
from asammdf import MDF

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.record.values_file import check_values, open_values
from vehiclesim.channels import NAN
from vehiclesim.entries import ENTRIES, Entry

PATHS = ("vehicle.EngineRpm", "input.Key", "vehicle.EngineLoad", "request.BrakeRatio")


def entry(path: str) -> Entry:
    return next(each for channel in ENTRIES for each in channel if each.path == path)


def write(path: Path) -> Path:
    """Three rows in two blocks: engine speed in 1/1000, the key, and two shares that are there in the last row only."""
    with open_values(path, [entry(each) for each in PATHS]) as values:
        values.write(np.array([0.0, 0.01]), np.array([[750_000, 1, -1, NAN], [751_500, 0, -1, NAN]], np.int32))
        values.write(np.array([0.02]), np.array([[752_001, -1, 250, 10_000]], np.int32))
    return path


RPM = [750.0, 751.5, 752.001]
KEYS = [1, 0, -1]


def test_csv(tmp_path: Path) -> None:
    """Units stand in the header, in the form that speed traces are read in; what is not available is empty."""
    with write(tmp_path / "run.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["time [s]", "vehicle.EngineRpm [rpm]", "input.Key", "vehicle.EngineLoad [1]",
                      "request.BrakeRatio [1]"]  # fmt: skip
    assert [row[:3] for row in rows] == [["0.0", "750.0", "1"], ["0.01", "751.5", "0"], ["0.02", "752.001", "-1"]]
    assert [row[3:] for row in rows[:2]] == [["", ""], ["", ""]]
    frame = pd.read_csv(tmp_path / "run.csv")
    assert frame["vehicle.EngineRpm [rpm]"].tolist() == RPM
    assert frame["vehicle.EngineLoad [1]"].isna().tolist() == [True, True, False]


def test_mf4(tmp_path: Path) -> None:
    """asammdf gives numbers with unit and meaning, and the states of codes as text."""
    with MDF(write(tmp_path / "run.mf4")) as file:
        speed = file.get("vehicle.EngineRpm")
        assert (speed.samples.tolist(), speed.timestamps.tolist()) == (RPM, [0.0, 0.01, 0.02])
        assert (speed.unit, speed.comment) == ("rpm", entry("vehicle.EngineRpm").meaning)
        assert file.get("input.Key").samples.tolist() == [b"start", b"on", b"off"]
        assert file.get("input.Key", raw=True).samples.tolist() == KEYS
        load = file.get("vehicle.EngineLoad").samples.tolist()
        assert [math.isnan(each) for each in load] == [True, True, False]
        assert load[2] == 250 / entry("vehicle.EngineLoad").resolution


def test_parquet(tmp_path: Path) -> None:
    """Pandas and pyarrow give numbers, integers for codes and null; the metadata have unit, meaning and codes."""
    path = write(tmp_path / "run.parquet")
    frame = pd.read_parquet(path)
    assert frame["time"].tolist() == [0.0, 0.01, 0.02]
    assert frame["vehicle.EngineRpm"].tolist() == RPM
    assert frame["input.Key"].tolist() == KEYS
    table = pyarrow.parquet.read_table(path)
    assert table["request.BrakeRatio"].to_pylist() == [None, None, 1.0]
    assert table.schema.field("vehicle.EngineRpm").metadata[b"unit"] == b"rpm"
    codes = json.loads(table.schema.field("input.Key").metadata[b"codes"])
    assert codes == {"-1": "off", "0": "on", "1": "start"}


@pytest.mark.parametrize("extension", ["csv", "mf4", "parquet"])
def test_a_file_that_fails_is_not_left(tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"run.{extension}"
    with pytest.raises(ZeroDivisionError), open_values(path, [entry("vehicle.Speed")]):
        raise ZeroDivisionError
    assert list(tmp_path.iterdir()) == []


def test_refusals_come_before_any_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown format, a file that is there already, a format whose package is missing."""
    with pytest.raises(ConfigurationError, match=r"\.mf4, \.csv, \.parquet"):
        check_values(tmp_path / "run.blf")
    (tmp_path / "run.csv").write_text("precious")
    with pytest.raises(ConfigurationError, match="is there already"):
        check_values(tmp_path / "run.csv")
    monkeypatch.setattr("hilbridge.boundary.record.values_file.find_spec", lambda _: None)
    with pytest.raises(ConfigurationError, match="-m pip install 'pyarrow"):
        check_values(tmp_path / "run.parquet")
