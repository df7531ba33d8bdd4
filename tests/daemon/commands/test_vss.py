"""`hilbridge vss` lists the paths of VSS; what it publishes is tried by tests/vss, with kuksa-client."""

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from hilbridge.commands.cli import main
from vehiclesim.entries import STANDARD


def test_the_list_has_every_path_and_counts_what_has_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vss", "--list"]) == 0
    heading, *rows, blank, paths, entries = capsys.readouterr().out.splitlines()
    assert heading.split() == ["path", "type", "unit", "conversion", "note", "value"]
    assert rows[0].split() == ["Vehicle.Speed", "float", "km/h", "·", "3.6", "vehicle.Speed"]
    assert not blank
    assert paths == f"{len(rows)} of the 1267 signals of VSS 6.0 have a value; {1267 - len(rows)} have none"
    number, _, names = entries.partition(" entries of the data bus have no path: ")
    assert int(number) == len(names.split(", "))
    assert {*names.split(", ")} < {entry.path for entry in STANDARD.all()}


def test_json_says_the_states_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vss", "--list", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    (key,) = (one for one in facts["signals"] if one["path"] == "Vehicle.LowVoltageSystemState")
    assert key["states"] == {"off": "OFF", "on": "ON", "start": "START"}
    assert (facts["release"], facts["leaves"]) == ("6.0", 1267)
    assert "fault.Misfire" in facts["entries_without_path"]


def test_a_table_of_ones_own_takes_the_place_of_the_shipped_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text('release: "5.1"\nleaves: 2\nsignals: {A.B: {type: boolean, value: input.Key}}\n', encoding="utf-8")
    assert main(["vss", "--list", "--table", str(file)]) == 0
    assert "1 of the 2 signals of VSS 5.1 have a value; 1 have none" in capsys.readouterr().out


@pytest.mark.skipif(find_spec("kuksa_client") is not None, reason="kuksa-client is here")
def test_without_kuksa_client_the_line_for_pip_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vss"]) != 0
    assert "pip install 'hilbridge[vss]'" in capsys.readouterr().err


def test_the_values_stay_on_this_machine_unless_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vss", "--broker", "192.0.2.1:55555"]) != 0
    assert "`--remote`" in capsys.readouterr().err
