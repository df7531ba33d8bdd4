"""The rows as a table, and the file of it as pyarrow reads it."""

import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pytest
from pyarrow.parquet import read_table  # type: ignore[import-untyped]

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.runs.campaign import columns
from hilbridge.runs.campaign.columns import check_parquet, parquet
from hilbridge.runs.campaign.play import line, play

from .campaigns import runs


def read(rows: list[dict[str, Any]]) -> pa.Table:
    return read_table(io.BytesIO(parquet(rows)))


def nested(row: dict[str, Any]) -> dict[str, Any]:
    """A row of the table in the form of a row of JSON Lines; keys with dots are of the second level."""
    made: dict[str, Any] = {"figures": {}, "limits": {}, "set": {}}
    for name, value in row.items():
        first, _, rest = name.partition(".")
        if first == "limits":
            path, _, end = rest.rpartition(".")
            if value is not None:
                made["limits"].setdefault(path, {})[end] = value
        elif rest:
            made[first][rest] = value
        else:
            made[first] = value
    return made


def test_the_table_holds_what_the_lines_hold(tmp_path: Path) -> None:
    """Of runs that failed and that passed."""
    files, made = runs(tmp_path)
    lines = [line(play(files, run)) for run in made[:3]]
    table = read([json.loads(each) for each in lines])
    assert [nested(row) for row in table.to_pylist()] == [json.loads(each) for each in lines]
    assert table.schema.field("limits.vehicle.EngineRpm.highest").type == pa.float64()


def test_a_column_has_one_type() -> None:
    """Whole numbers, numbers, truth values, text; several kinds are text, and figures are numbers though all are 0."""
    rows: list[dict[str, Any]] = [
        {"run": "a", "set": {"n": 1, "x": 1, "on": True, "mode": "eco", "gear": 3}, "figures": {"f": 0}, "seed": 1},
        {
            "run": "b",
            "set": {"n": 2, "x": 1.5, "on": False, "mode": "eco", "gear": "D"},
            "vehicle": None,
            "seed": 2**70,
        },
    ]
    table = read(rows)
    assert {field.name: str(field.type) for field in table.schema} == {
        "run": "string",
        "set.n": "int64",
        "set.x": "double",
        "set.on": "bool",
        "set.mode": "string",
        "set.gear": "string",
        "figures.f": "double",
        "seed": "string",
        "vehicle": "string",
    }
    assert table["figures.f"].to_pylist() == [0.0, None]
    assert table["set.gear"].to_pylist() == ["3", "D"]
    assert table["seed"].to_pylist() == ["1", str(2**70)]


def test_without_its_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "find_spec", lambda _: None)
    with pytest.raises(ConfigurationError, match=r"\.parquet needs the package pyarrow: .*pip install 'pyarrow"):
        check_parquet()
