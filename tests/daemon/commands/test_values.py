"""`hilbridge values` lists the entries of the data bus."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hilbridge.bench.value_list import values_page
from hilbridge.commands.cli import main
from vehiclesim.entries import ENTRIES

CHECKOUT = Path(__file__).parents[3]
PATHS = [entry.path for channel in ENTRIES for entry in channel]


def listed(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["values", *words, "--json"]) == 0
    return {row["path"]: row for row in json.loads(capsys.readouterr().out)}


def test_all_entries_are_listed_without_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    """In the order of the bus, one line each below the headings."""
    assert list(listed(capsys)) == PATHS
    assert main(["values"]) == 0
    heading, *lines = capsys.readouterr().out.splitlines()
    assert heading.split() == ["entry", "unit", "range", "written", "by", "meaning"]
    assert [line.split()[0] for line in lines] == PATHS


def test_a_word_selects_by_path_or_meaning_regardless_of_case(capsys: pytest.CaptureFixture[str]) -> None:
    """`gauge` stands only in a meaning, `roAD.` only in paths."""
    assert list(listed(capsys, "GAUGE")) == ["auxiliary.FuelShare", "electric.PowerShare"]
    assert list(listed(capsys, "roAD.")) == [path for path in PATHS if path.startswith("road.")]


def test_several_words_need_no_quotes(capsys: pytest.CaptureFixture[str]) -> None:
    assert listed(capsys, "turn", "signal") == listed(capsys, "turn signal") != {}


def test_a_bench_adds_the_entries_that_it_declares(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Behind all others, with what its file says of them; one that is computed has no range."""
    own = "{Oil: {unit: '%', range: [0, 100], meaning: what is left}, Half: {expression: custom.Oil / 2}}"
    bench = tmp_path / "own.yaml"
    bench.write_text(f"name: own\nvehicle: compact\ncustom: {own}\n", encoding="utf-8")
    rows = listed(capsys, "--bench", str(bench))
    assert list(rows) == [*PATHS, "custom.Oil", "custom.Half"]
    assert (rows["custom.Oil"]["unit"], rows["custom.Oil"]["range"]) == ("%", [0, 100])
    assert (rows["custom.Half"]["written_by"], rows["custom.Half"]["range"]) == ("expression", None)
    assert list(listed(capsys, "what is left", "--bench", str(bench))) == ["custom.Oil"]


def test_an_entry_has_unit_range_meaning_writer_and_codes(capsys: pytest.CaptureFixture[str]) -> None:
    """A range only where the entry can be set; the codes of key and selector as the model counts them."""
    rows = listed(capsys)
    assert rows["input.Key"]["codes"] == {"-1": "off", "0": "on", "1": "start"}
    assert rows["input.Key"]["range"] == [-1, 1]
    assert rows["road.AirPressure"]["unit"] == "kPa"
    assert rows["vehicle.EngineRpm"]["range"] is None
    writers = {path: row["written_by"] for path, row in rows.items()}
    assert writers["vehicle.EngineRpm"] == "model"
    assert writers["input.Throttle"].startswith("inputs")
    assert writers["road.Slope"].startswith("command")
    assert writers["fault.Misfire"] == "faults"
    assert writers["auxiliary.IndicatorLamp"] == "trouble codes"
    assert main(["values", "input.Key"]) == 0
    assert "Ignition key. Codes: -1 off, 0 on, 1 start." in capsys.readouterr().out


def test_a_word_without_an_entry_is_answered_with_a_near_one(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit status 2, as for any name that does not exist."""
    assert main(["values", "coolent"]) == 2
    assert "did you mean coolant?" in capsys.readouterr().err


def test_no_line_is_wrapped_in_a_pipe() -> None:
    """However narrow the terminal is that the pipe belongs to."""
    command = [sys.executable, "-m", "hilbridge", "values"]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"COLUMNS": "40"}, check=True)
    assert len(done.stdout.splitlines()) == len(PATHS) + 1


def test_the_page_is_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    """After a change of the entries: `hilbridge values --reference > config/VALUES.md`."""
    page = (CHECKOUT / "config/VALUES.md").read_text()
    assert page == values_page()
    assert [path for path in PATHS if f"| `{path}` |" not in page] == []
    assert main(["values", "--reference"]) == 0
    assert capsys.readouterr().out == page


def test_several_words_may_stand_apart(capsys: pytest.CaptureFixture[str]) -> None:
    """In path and meaning, in any order: the first thing that people look for."""
    for words in ("engine speed", "speed engine"):
        assert main(["values", "--json", words]) == 0
        assert json.loads(capsys.readouterr().out)[0]["path"] == "vehicle.EngineRpm"


@pytest.mark.parametrize("page", ["README.md", "config/README.md"])
def test_the_page_is_linked(page: str) -> None:
    """From where a maker reads first."""
    assert "VALUES.md)" in (CHECKOUT / page).read_text()
