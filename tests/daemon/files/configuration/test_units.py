"""Templates of control units, and what a bench says over them."""

from pathlib import Path
from typing import Any

import pytest

from hilbridge.base.common.errors import InvalidFileError
from hilbridge.base.resources import Kind, names
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.configuration.units import load_unit
from hilbridge.files.settings.units import UnitSettings

BENCH = """
name: units
vehicle: compact
buses: {{body: {{interface: embedded}}}}
diagnostics:
  units:
    door: {{unit: door.yaml, bus: body, {keys}}}
"""

DOOR = """
addresses: [{request: 0x74A, answer: 0x7B4}]
power: battery
iso_tp: {block_size: 8, st_min: 5}
uds:
  identifiers:
    F18C: {text: "0001"}
    "0100": {from: vehicle.EngineRpm, length: 2, scale: 0.25}
    "0101": {text: closed, stored: true}
"""


def unit(folder: Path, keys: str = "") -> UnitSettings:
    """The control unit of a bench with some keys over those of the template."""
    (folder / "door.yaml").write_text(DOOR)
    (folder / "units.yaml").write_text(BENCH.format(keys=keys))
    return load_bench(str(folder / "units.yaml")).settings.diagnostics.units["door"]


def identifiers(door: UnitSettings) -> dict[str, dict[str, Any]]:
    assert door.uds is not None
    return {name: one.model_dump(exclude_unset=True, by_alias=True) for name, one in door.uds.identifiers.items()}


def test_a_template_says_what_the_bench_does_not(tmp_path: Path) -> None:
    door = unit(tmp_path)
    assert (door.bus, door.power, door.addresses[0].request) == ("body", "battery", 0x74A)
    assert list(identifiers(door)) == ["F18C", "0100", "0101"]


def test_own_keys_win_key_by_key_and_null_leaves_one_out(tmp_path: Path) -> None:
    changed = "F18C: null, '0100': {scale: 0.5}, 'F187': {text: A}"
    door = unit(tmp_path, f"power: ignition, iso_tp: {{st_min: 10}}, uds: {{identifiers: {{{changed}}}}}")
    assert door.power == "ignition"
    assert door.iso_tp is not None
    assert (door.iso_tp.block_size, door.iso_tp.st_min) == (8, 10)
    assert identifiers(door) == {
        "0100": {"from": "vehicle.EngineRpm", "length": 2, "scale": 0.5},
        "0101": {"text": "closed", "stored": True},
        "F187": {"text": "A"},
    }


def test_another_origin_takes_the_place_of_the_templates(tmp_path: Path) -> None:
    """With the keys that only belong to it; a list replaces a list."""
    keys = "addresses: [{address: 0x4A}], uds: {identifiers: {'0100': {data: '0F A0'}, '0101': {from: vehicle.Speed}}}"
    door = unit(tmp_path, keys)
    assert [one.address for one in door.addresses] == [0x4A]
    assert identifiers(door)["0100"] == {"data": "0F A0"}
    assert identifiers(door)["0101"] == {"from": "vehicle.Speed"}


def test_what_is_wrong_is_told_with_the_file_that_says_it(tmp_path: Path) -> None:
    (tmp_path / "units.yaml").write_text(BENCH.format(keys="").replace("door.yaml", "engin"))
    with pytest.raises(InvalidFileError, match=r"units.yaml:7: diagnostics.units.door.unit: .*did you mean 'engine'"):
        load_bench(str(tmp_path / "units.yaml"))
    (tmp_path / "door.yaml").write_text(DOOR.replace("st_min: 5", "st_min: 500"))
    (tmp_path / "units.yaml").write_text(BENCH.format(keys=""))
    with pytest.raises(InvalidFileError, match=r"door.yaml:4: iso_tp.st_min: .*127"):
        load_bench(str(tmp_path / "units.yaml"))
    with pytest.raises(InvalidFileError, match=r"units.yaml:7: diagnostics.units.door.iso_tp.st_min: .*127"):
        unit(tmp_path, "iso_tp: {st_min: 128}")


@pytest.mark.parametrize("name", names(Kind.UNIT))
def test_every_shipped_template_is_valid(name: str) -> None:
    assert load_unit(name).data["addresses"]
