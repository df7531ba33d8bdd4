"""A scenario that is sent to a daemon needs no file beside it."""

from pathlib import Path

import pytest

from hilbridge.common.errors import InvalidFileError
from hilbridge.configuration.scenariofile import load_scenario
from hilbridge.scenario.resolve import resolved


def scenario(folder: Path, text: str) -> Path:
    file = folder / "what.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_trace_becomes_its_points(tmp_path: Path) -> None:
    """In the unit of `points`, km/h, whatever the file has; the rest stays as it is written."""
    (tmp_path / "trace.csv").write_text("time s, speed m/s\n0, 0\n10, 10\n20, 5\n")
    file = scenario(tmp_path, "steps:\n  - drive: {cycle: trace.csv, tolerance: 3}\n  - {expect: '1'}\n")
    assert resolved(load_scenario(str(file))) == {
        "steps": [
            {"drive": {"points": [[0.0, 0.0], [10.0, 36.0], [20.0, 18.0]], "tolerance": 3}},
            {"expect": "1"},
        ]
    }


def test_a_cycle_for_which_nothing_is_read_stays_a_name(tmp_path: Path) -> None:
    file = scenario(tmp_path, "steps:\n  - drive: {cycle: nedc}\n")
    assert resolved(load_scenario(str(file))) == {"steps": [{"drive": {"cycle": "nedc"}}]}


@pytest.mark.parametrize(
    ("trace", "words"),
    [("", "no cycle and no file 'trace.csv'"), ("time s, speed km/h, gear\n0, 0, 1\n9, 9, 1\n", "prescribes gears")],
)
def test_what_cannot_be_sent_is_told_with_its_line(tmp_path: Path, trace: str, words: str) -> None:
    if trace:
        (tmp_path / "trace.csv").write_text(trace)
    file = scenario(tmp_path, "steps:\n  - {expect: '1'}\n  - drive: {cycle: trace.csv}\n")
    with pytest.raises(InvalidFileError, match=words) as raised:
        resolved(load_scenario(str(file)))
    assert str(raised.value).startswith(f"{file}:3: steps[1].drive.cycle: ")
