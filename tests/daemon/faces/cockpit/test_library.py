"""The scenarios that a page may start."""

from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.resources import Kind, names
from hilbridge.faces.cockpit.library import Library

SCENARIO = "purpose: a test\nsteps:\n  - set: {input.Key: 1}\n"


def test_what_was_shipped_is_available() -> None:
    assert Library(None).names() == names(Kind.SCENARIO)


def test_those_beside_the_bench_are_there_and_nothing_else(tmp_path: Path) -> None:
    """A bench file, a vehicle, and what is no text at all lie there too."""
    (tmp_path / "own.yaml").write_text(SCENARIO, encoding="utf-8")
    (tmp_path / "bench.yaml").write_text("name: bench\nvehicle: compact\n", encoding="utf-8")
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "folder.yaml").mkdir()
    assert set(Library(tmp_path).names()) - set(names(Kind.SCENARIO)) == {"own"}


def test_a_scenario_is_sent_whole(tmp_path: Path) -> None:
    """What the file holds; the one beside the bench stands over a shipped one of its name."""
    (tmp_path / "launch.yaml").write_text(SCENARIO, encoding="utf-8")
    command = Library(tmp_path).command("launch")
    steps = [{"set": {"input.Key": 1}}]
    assert command == {"command": "scenario-start", "name": "launch", "scenario": {"purpose": "a test", "steps": steps}}


def test_a_trace_beside_the_file_goes_along(tmp_path: Path) -> None:
    """The daemon opens no file."""
    (tmp_path / "trace.csv").write_text("time s, speed km/h\n0, 0\n10, 36\n", encoding="utf-8")
    (tmp_path / "trip.yaml").write_text("steps:\n  - drive: {cycle: trace.csv}\n", encoding="utf-8")
    drive = Library(tmp_path).command("trip")["scenario"]["steps"][0]["drive"]
    assert drive == {"points": [[0.0, 0.0], [10.0, 36.0]]}


@pytest.mark.parametrize("name", ["nothing", "../launch", "/etc/passwd", ""])
def test_only_what_is_listed_is_read(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigurationError, match="there is no scenario"):
        Library(tmp_path).command(name)


def test_what_is_wrong_with_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "wrong.yaml").write_text("steps:\n  - jump: 3\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"wrong\.yaml:2: steps\[0\]\.jump"):
        Library(tmp_path).command("wrong")
