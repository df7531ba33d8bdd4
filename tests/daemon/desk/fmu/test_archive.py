"""What a unit is made of, and what is refused; what importers make of it: tests/fmi."""

import json
import os
import shutil
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import vehiclesim
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.desk.fmu.archive import write
from hilbridge.desk.fmu.variables import left_out, variables
from hilbridge.files.configuration.vehiclefile import load_vehicle
from vehiclesim import ENTRIES

MADE = datetime(2026, 1, 1, tzinfo=UTC)


def test_each_entry_is_a_variable_or_named_as_left_out() -> None:
    paths = [entry.path for entries in ENTRIES for entry in entries]
    assert sorted([*left_out(), *(one.entry.path for one in variables())]) == sorted(paths)


def test_a_value_that_may_be_missing_is_no_integer() -> None:
    """XML's integers have no NaN."""
    assert not [one for one in variables() if one.kind != "real" and one.start != one.start]


@pytest.mark.parametrize("version", [2, 3])
def test_the_same_vehicle_gives_the_same_bytes(version: int, tmp_path: Path) -> None:
    for name in ("one", "two"):
        write(load_vehicle("compact"), tmp_path / name, version, MADE)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    with zipfile.ZipFile(tmp_path / "one") as archive:
        root = ET.fromstring(archive.read("modelDescription.xml"))
        unit = json.loads(archive.read("resources/unit.json"))
        names = archive.namelist()
    assert root.get("guid" if version == 2 else "instantiationToken") == unit["identity"]
    assert not [name for name in names if "site-packages" in name or name.startswith(("/", ".."))]
    assert {f"resources/model/vehiclesim/{one.name}" for one in Path(vehiclesim.__file__).parent.glob("*.csv")} < {
        *names
    }


def test_code_of_the_vehicles_own_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"code of its own \(overdrive\.py:Gear\)"):
        write(load_vehicle("overdrive"), tmp_path / "car.fmu", 3)
    assert not list(tmp_path.iterdir())


def test_without_a_compiler_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    with pytest.raises(ConfigurationError, match="apt-get install gcc"):
        write(load_vehicle("compact"), tmp_path / "car.fmu", 3)
    assert not list(tmp_path.iterdir())


def test_another_machine_has_no_recipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "uname", lambda: os.uname_result(("Linux", "", "", "", "aarch64")))
    with pytest.raises(ConfigurationError, match="aarch64"):
        write(load_vehicle("compact"), tmp_path / "car.fmu", 3)
