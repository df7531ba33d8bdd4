"""Pins of firmware: named lines of a board of the bench file, which the virtual clock waits for."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from hilbridge.boundary.record.boundary_records import END, SERIAL
from hilbridge.boundary.record.recording import Recording
from hilbridge.commands.cli import main

from .test_firmware import HEADER, STRICT, compile_to

SOURCE: Final = Path(__file__).with_name("pins.c")

BENCH: Final = """
name: pins
rate: 1000
state: none
vehicle: compact
custom:
  Wish: {range: [0, 1]}
  Lamp: {range: [0, 1]}
buses:
  can: {interface: embedded, raw: {Ten: {id: 0x100, period: 10}}}
boards:
  wires:
    port: lockstep
    period: 1
    channels:
      key: {kind: digital, pin: 2, value: {expression: "input.Key > 0.5"}}
      pedal: {kind: analog, pin: 3, value: custom.Wish, safe: 0.25}
    measures:
      lamp: {kind: switch, pin: 4}
      throttle: {kind: voltage, pin: 5}
inputs:
  - source: board
    board: wires
    signals:
      input.Throttle: {field: throttle, scale: 0.0000152590218967}
      custom.Lamp: {field: lamp}
"""

SCENARIO: Final = """
steps:
  - set: {input.Key: 1, custom.Wish: 0.5}
  - name: The lamp shines, and the throttle is half of the pedal
    expect: "custom.Lamp == 1 and input.Throttle > 0.2499 and input.Throttle < 0.2501"
    within: 0.05
  - set: {input.Key: 0, custom.Wish: 1}
  - name: The lamp is dark, and the throttle follows
    expect: "custom.Lamp == 0 and input.Throttle > 0.4999 and input.Throttle < 0.5001"
    within: 0.005
  - after: 0.1
    set: {custom.Wish: 0.1}
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the firmware in C, C++ and Rust."""
    folder = tmp_path_factory.mktemp("pins")
    compile_to(folder / "c", "-std=c99", *STRICT, "-fsanitize=address,undefined", source=SOURCE)
    compile_to(folder / "cpp", "-x", "c++", "-std=c++11", *STRICT, compiler="g++", source=SOURCE)
    return folder


def run(folder: Path, client: str, *more: str, bench: str = BENCH) -> int:
    """Play the scenario, and record it into a new `recording` of the folder."""
    folder.mkdir(exist_ok=True)
    text = f"{bench}lockstep:\n  ecu: {{bus: can, board: wires, {client}}}\n"
    (folder / "bench.yaml").write_text(text, encoding="utf-8")
    (folder / "drive.yaml").write_text(SCENARIO, encoding="utf-8")
    words = ["run", str(folder / "bench.yaml"), "--pace", "lockstep", "--trust", "--log", "json"]
    return main([*words, "--scenario", str(folder / "drive.yaml"), "--record", str(folder / "recording"), *more])


def content(recording: Path) -> list[tuple[int, int, bytes]]:
    """Return all inputs and frames."""
    return [(one.t, one.kind, one.payload) for one in Recording(recording).records() if one.kind != END]


def whole(capfd: pytest.CaptureFixture[str]) -> str:
    """Return what was printed: the log goes where the report does not."""
    return "".join(capfd.readouterr())


def said(text: str) -> list[str]:
    records = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    return [one["says"] for one in records if one["event"] == "firmware"]


def test_firmware_reads_and_drives_the_pins_of_its_board(
    built: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """By name, in the board protocol's numbers; before the first value there is the safe one: 0.25 of 65535."""
    assert run(tmp_path / "c", f"firmware: {built / 'c'}") == 0
    assert said(whole(capfd)) == ["1 1 1, none -1, not its own 0 0", "at first 0 16384"]


def test_twins_drive_the_same(built: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The recordings are equal: C, C++, Python, and Rust where there is a compiler."""
    clients = {"c": f"firmware: {built / 'c'}", "cpp": f"firmware: {built / 'cpp'}"}
    clients["python"] = f"program: {SOURCE.with_suffix('.py')}"
    if shutil.which("rustc") is not None:
        for source in (SOURCE.with_suffix(".rs"), HEADER / "hilbridge_lockstep.rs"):
            shutil.copy(source, built)
        words = ["rustc", "-D", "warnings", "--edition", "2021", "-o", "rust", "pins.rs"]
        subprocess.run(words, cwd=built, check=True)
        clients["rust"] = f"firmware: {built / 'rust'}"
    for name, client in clients.items():
        assert run(tmp_path / name, client) == 0, name
    contents = [content(tmp_path / name / "recording") for name in clients]
    assert all(one == contents[0] for one in contents)
    printed = whole(capfd)
    assert "the bench does not measure pin 'key'" in printed
    if "rust" in clients:
        assert said(printed)[-2:] == ["false false", "at first Some(0) Some(16384)"]


def test_a_replay_needs_no_pins_and_a_branch_has_them_again(built: Path, tmp_path: Path) -> None:
    """What was driven is in the recording; a branch with the rest of the inputs is the straight run."""
    assert run(tmp_path / "run", f"firmware: {built / 'c'}") == 0
    recording, branch = tmp_path / "run/recording", tmp_path / "branch"
    assert main(["replay", str(recording)]) == 0
    words = ["replay", str(recording), "--until", "0.03", "--branch", str(branch), "--rest", "--trust"]
    assert main(words) == 0
    assert content(branch) == content(recording)
    assert SERIAL in {kind for _, kind, _ in content(branch)}


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("beyond", "drives pin lamp to 2, which is beyond a switch, in tick 0 at 0 s"),
        ("unknown", "drives pin 'key', which its board wires does not measure"),
    ],
)
def test_a_pin_that_is_not_there_fails_the_run(
    mode: str, words: str, built: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path / "run", f"firmware: {built / 'c'}, arguments: [{mode}]") == 1
    assert words in whole(capfd)


def test_a_client_that_is_silent_for_too_many_ticks_hangs_in_the_same_tick(
    built: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A time-out in ticks, on any machine: it sends in tick 49 for the last time, and drives nothing any more."""
    told = []
    for name in ("first", "second"):
        client = f"firmware: {built / 'c'}, arguments: [silent], silence: 20"
        assert run(tmp_path / name, client) == 1
        lines = whole(capfd).splitlines()
        told += [json.loads(line)["reason"] for line in lines if "the run was given up" in line]
    assert told == ["lockstep client ecu has been silent for 20 ticks, in tick 69 at 0.069 s"] * 2


@pytest.mark.parametrize(
    ("old", "new", "client", "words"),
    [
        ("", "", "bus: can, board: none, firmware: ecu", "lockstep.ecu.board: there is no board 'none'"),
        ("", "", "bus: can, firmware: ecu", "boards.wires.port: no client of 'lockstep' has this board"),
        (
            "port: lockstep",
            "port: pty",
            "bus: can, board: wires, firmware: ecu",
            "lockstep.ecu.board: the port of board",
        ),
        ("", "", "bus: can, board: wires, python: 'a.py:A'", "lockstep.ecu.board: a class in Python has no pins"),
        (
            '{kind: digital, pin: 2, value: {expression: "input.Key > 0.5"}}',
            "{kind: wheel, pin: 2}",
            "bus: can, board: wires, firmware: ecu",
            "boards.wires.channels.key.kind: a lockstep client has no edges",
        ),
        ("", "", "bus: can, board: wires, firmware: ecu, silence: 0", "lockstep.ecu.silence"),
        ("lamp", 64 * "l", "bus: can, board: wires, firmware: ecu", "a pin's name has 63 characters at most"),
        (
            "",
            "",
            "bus: can, board: wires, firmware: ecu}\n  two: {bus: can, board: wires, firmware: ecu",
            "lockstep.two.board: the same board as lockstep.ecu",
        ),
    ],
)
def test_boards_that_mean_nothing_are_refused(
    old: str, new: str, client: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = f"{BENCH.replace(old, new) if old else BENCH}lockstep:\n  ecu: {{{client}}}\n"
    (tmp_path / "bench.yaml").write_text(text, encoding="utf-8")
    assert main(["check", str(tmp_path / "bench.yaml")]) == 2
    assert words in capsys.readouterr().err
