"""Tables of VSS: what a signal may say, and where a file says something else."""

from pathlib import Path

import pytest

from hilbridge.base.common.errors import InvalidFileError
from hilbridge.files.configuration.vss import load_vss

HEAD = 'release: "6.0"\nleaves: 9\nsignals:\n'


@pytest.mark.parametrize(
    ("signal", "reason"),
    [
        ("{type: float}", "Vehicle.A"),
        ("{type: int24, value: input.Key}", "Vehicle.A.type"),
        ("{type: float, value: input.Key, states: {on: ON}}", "a float has no states"),
        ("{type: string, value: input.Key}", "a string needs 'states'"),
        ("{type: boolean, unit: m, value: input.Key}", "a boolean has neither unit nor bounds"),
        ("{type: string, max: 3, value: input.Key, states: {on: ON}}", "a string has neither unit nor bounds"),
        ("{type: uint8, min: 3, max: 2, value: input.Key}", "is below 'min', 3"),
        ("{type: uint8, min: .nan, value: input.Key}", "Vehicle.A.min"),
        ("{type: uint8, value: ''}", "Vehicle.A.value"),
        ("{type: uint8, value: input.Key, entry: input.Key}", "Vehicle.A.entry"),
    ],
)
def test_a_signal_that_cannot_be_is_refused_with_its_line(tmp_path: Path, signal: str, reason: str) -> None:
    file = tmp_path / "table.yaml"
    file.write_text(f"{HEAD}  Vehicle.A: {signal}\n", encoding="utf-8")
    with pytest.raises(InvalidFileError) as error:
        load_vss(str(file))
    assert f"{file}:4: " in str(error.value)
    assert reason in str(error.value).replace("'Vehicle.A'", "Vehicle.A")


@pytest.mark.parametrize(
    "path", ["Speed", "Vehicle.", "Vehicle..Speed", "Vehicle.Sp eed", "Vehicle.*", f"A.{'b' * 1000}"]
)
def test_what_is_no_path_of_vss_is_refused(tmp_path: Path, path: str) -> None:
    file = tmp_path / "table.yaml"
    file.write_text(f"{HEAD}  {path!r}: {{type: boolean, value: input.Key}}\n", encoding="utf-8")
    with pytest.raises(InvalidFileError):
        load_vss(str(file))


def test_the_shipped_table_is_found_by_its_name() -> None:
    settings = load_vss().settings
    assert settings.release == "6.0"
    assert settings.signals["Vehicle.Speed"].unit == "km/h"
