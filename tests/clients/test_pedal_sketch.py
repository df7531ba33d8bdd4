"""The sketch of the pedal box, compiled for this computer, drives the bench of its guide."""

import subprocess
from pathlib import Path

import pytest

from hilbridge.testing import VirtualBench

from ..pages import steps
from ..program import CHECKOUT

GUIDE = CHECKOUT / "docs/guides/pedal-box.md"
SKETCH = CHECKOUT / "docs/guides/pedal-box"
ARDUINO = Path(__file__).parent / "arduino"

OPEN, CLOSED = 1, 0
"""Levels of an input with a pull-up resistor and a switch to ground."""


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program of the board; warnings are errors."""
    program = tmp_path_factory.mktemp("board") / "board"
    command = [
        "g++",
        "-Wall",
        "-Wextra",
        "-Werror",
        f"-I{ARDUINO}",
        f"-I{SKETCH}",
        ARDUINO / "board.cpp",
        "-o",
        program,
    ]
    subprocess.run(list(map(str, command)), check=True, timeout=120)
    return program


def lines(board: Path, throttle: int, ignition: int, starter: int, milliseconds: int) -> bytes:
    """What the board has printed after so long, with brake and clutch up."""
    levels = (throttle, 0, 0, ignition, starter, milliseconds)
    return subprocess.run([board, *map(str, levels)], capture_output=True, check=True, timeout=60).stdout


def test_it_prints_a_line_every_20_ms(board: Path) -> None:
    """As the guide shows them; the key is off, on or at start."""
    assert lines(board, 512, CLOSED, OPEN, 60) == b"throttle=512 brake=0 clutch=0 key=0\r\n" * 3
    assert lines(board, 0, OPEN, OPEN, 1) == b"throttle=0 brake=0 clutch=0 key=-1\r\n"
    assert lines(board, 0, CLOSED, CLOSED, 1) == b"throttle=0 brake=0 clutch=0 key=1\r\n"


def test_it_starts_the_engine_of_the_guide_and_revs_it(board: Path, tmp_path: Path) -> None:
    """With the bench as it stands there: 510 of 60 to 960 is half of the pedal's travel."""
    guide = steps(GUIDE.read_text(encoding="utf-8"))
    text = next(content for name, content in guide if name == "pedals.yaml")
    (tmp_path / "pedals.yaml").write_text(text, encoding="utf-8")
    with VirtualBench(tmp_path / "pedals.yaml") as bench:
        for throttle, starter, seconds in ((0, CLOSED, 3.0), (510, OPEN, 3.0)):
            for line in lines(board, throttle, CLOSED, starter, int(seconds * 1000)).splitlines(keepends=True):
                bench.write_serial(line)
                bench.advance(0.02)
        assert bench.read("input.Throttle") == pytest.approx(0.5, abs=0.01)
        assert bench.read("vehicle.EngineRpm") > 2000
