"""`hilbridge ctl`: one line over a socket, and what it costs to send it."""

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from hilbridge.base.common.rows import layout_of
from hilbridge.bench.rows import BusRow
from hilbridge.boundary.observe.recording_switch import RecordingRow
from hilbridge.boundary.record.manifest import FIRST_SEGMENT, create, update
from hilbridge.commands.cli import main

HEAVY = ("asyncio", "can", "cantools", "numpy", "pydantic", "rich", "vehiclesim", "yaml")
"""They take most of a second on a small machine."""

STATUS: dict[str, Any] = {
    "bench": "desk",
    "vehicle": "compact",
    "rate_hz": 1000,
    "ticks": 12,
    "missed_ticks": 0,
    "overload": {"percent": 0, "seconds": 0.0},
    "values": {"vehicle.EngineRpm": {"value": 812.5, "unit": "1/min"}},
    "buses": {
        "powertrain": {
            "link": "slcan on socket://127.0.0.1:29536, a text that is longer than a terminal of eighty columns",
            "profile": "",
            "trouble": "",
            "hardware": False,
            "down_s": 0.0,
            "armed": True,
            "received": 3,
            "transmitted": 4,
            "lost": 0,
            "counters": {},
            "gate": {"passed": 4, "budget": 2},
            "id_conflicts": {},
        }
    },
    "layouts": {"buses": layout_of(BusRow, "bus").plain()},
    "inputs": [],
    "recording": None,
    "scenario": None,
}


@contextmanager
def daemon(path: Path, *answers: dict[str, Any]) -> Iterator[list[dict[str, Any]]]:
    """Answers one line after the other, whatever it is; the list has the lines that came."""
    lines: list[dict[str, Any]] = []
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(path))
        listener.listen()
        listener.settimeout(60.0)

        def serve() -> None:
            left = iter(answers)
            answer = next(left, None)
            while answer is not None:
                with listener.accept()[0] as connection, connection.makefile("rb") as stream:
                    for line in stream:
                        lines.append(json.loads(line))
                        connection.sendall(json.dumps(answer).encode() + b"\n")
                        if (answer := next(left, None)) is None:
                            break

        thread = threading.Thread(target=serve)
        thread.start()
        yield lines
        thread.join()


def test_a_command_imports_neither_model_nor_settings(tmp_path: Path) -> None:
    """A status, with its tables, from the first line of the program to its last."""
    program = (
        "import sys; from hilbridge.commands.cli import main; status = main(sys.argv[1:]);"
        "print(*sorted(name for name in sys.modules if '.' not in name), file=sys.stderr); sys.exit(status)"
    )
    with daemon(tmp_path / "desk.sock", STATUS):
        command = [sys.executable, "-c", program, "ctl", "--bench", str(tmp_path / "desk.sock"), "status"]
        run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert "bench desk: compact" in run.stdout
    imported = run.stderr.split()
    assert "hilbridge" in imported
    assert set(imported).isdisjoint(HEAVY)


def test_a_pipe_gets_every_row_on_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long it is: `grep` finds what it looks for."""
    monkeypatch.setenv("COLUMNS", "40")
    with daemon(tmp_path / "desk.sock", STATUS):
        assert main(["ctl", "status", "--bench", str(tmp_path / "desk.sock")]) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("powertrain")]
    assert STATUS["buses"]["powertrain"]["link"] in line
    assert line.split()[-5:] == ["armed", "0", "3", "4", "2"]


@pytest.mark.parametrize(
    ("overload", "told"),
    [
        ({"percent": 40, "seconds": 2.0}, "0 missed; overloaded: 40 % of the ticks are missed"),
        ({"percent": 0, "seconds": 12.5}, "0 missed; was overloaded for 12.5 s"),
        ({"percent": 0, "seconds": 0.0}, "0 missed"),
    ],
)
def test_an_overload_is_told_while_it_lasts_and_afterwards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], overload: dict[str, Any], told: str
) -> None:
    with daemon(tmp_path / "desk.sock", STATUS | {"overload": overload}):
        assert main(["ctl", "status", "--bench", str(tmp_path / "desk.sock")]) == 0
    assert capsys.readouterr().out.splitlines()[0].endswith(told)


@pytest.mark.parametrize("words", [["{}", "set"], ["--bench", "{}", "set"], ["set", "--bench", "{}"]])
def test_the_bench_is_named_before_or_after_the_action(tmp_path: Path, words: list[str]) -> None:
    path = tmp_path / "desk.sock"
    with daemon(path, {}) as lines:
        assert main(["ctl", *(word.format(path) for word in words), "input.Throttle", "0.4"]) == 0
    assert lines == [{"command": "set", "entry": "input.Throttle", "value": 0.4, "seconds": None}]


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        (["input.Brake", "1", "--rate", "2.5"], {"entry": "input.Brake", "value": 1.0, "seconds": None, "rate": 2.5}),
        (["input.Clutch", "automatic"], {"entry": "input.Clutch", "value": "automatic", "seconds": None}),
    ],
)
def test_a_pedal_is_moved_at_a_rate_and_the_clutch_worked(
    tmp_path: Path, words: list[str], keys: dict[str, object]
) -> None:
    path = tmp_path / "desk.sock"
    with daemon(path, {}) as lines:
        assert main(["ctl", "--bench", str(path), "set", *words]) == 0
    assert lines == [{"command": "set", **keys}]


def test_an_action_below_an_action_takes_the_bench_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with daemon(tmp_path / "desk.sock", {"faults": []}) as lines:
        assert main(["ctl", "fault", "list", "--json", "--bench", str(tmp_path / "desk.sock")]) == 0
    assert lines == [{"command": "fault-list"}]
    assert json.loads(capsys.readouterr().out) == {"faults": []}


def entries(time: float, rpm: float, key: float) -> dict[str, Any]:
    vehicle, switch = {"value": rpm, "unit": "rpm"}, {"value": key, "unit": "1"}
    return {"time": time, "entries": {"vehicle": {"vehicle.EngineRpm": vehicle}, "input": {"input.Key": switch}}}


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_pipe_gets_a_line_for_each_change(tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    """With the time of the run, from the first look on; nothing where nothing has changed."""
    looks = [entries(1.0, 0.0, 0.0), entries(1.25, 0.0, 1.0), entries(1.5, 0.0, 1.0), entries(1.75, 230.5, 1.0)]
    words = ["watch", "vehicle.EngineRpm", "input.Key", "--interval", "0.001", "--count", "4"]
    with daemon(tmp_path / "desk.sock", *looks) as lines:
        assert main(["ctl", *words, "--bench", str(tmp_path / "desk.sock"), *(["--json"] * (form == "json"))]) == 0
    assert len(lines) == 4
    printed = capsys.readouterr().out.splitlines()
    if form == "json":
        assert json.loads(printed[-1]) == {"time": 1.75, "entry": "vehicle.EngineRpm", "value": 230.5, "unit": "rpm"}
        assert len(printed) == 4
    else:
        assert printed == [
            "1.000 vehicle.EngineRpm 0 rpm",
            "1.000 input.Key 0",
            "1.250 input.Key 1",
            "1.750 vehicle.EngineRpm 230.5 rpm",
        ]


def test_a_terminal_gets_a_table_that_stands_still(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each look goes back to the table's first line, so that nothing scrolls."""
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    with daemon(tmp_path / "desk.sock", entries(1.0, 0.0, 0.0), entries(1.2, 812.5, 1.0)):
        words = ["--bench", str(tmp_path / "desk.sock"), "watch", "vehicle.EngineRpm", "--interval", "0.001"]
        assert main(["ctl", *words, "--count", "2"]) == 0
    first, second = capsys.readouterr().out.split("\x1b[2F")
    assert [line.split() for line in first.replace("\x1b[K", "").splitlines()] == [
        ["time", "1.000", "s"],
        ["vehicle.EngineRpm", "0", "rpm"],
    ]
    assert "812.5" in second


def test_the_end_of_the_run_ends_a_watch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As `tail -f` would not: what follows in a script begins then. A bench that never was is an error."""
    words = ["watch", "input.Key", "--interval", "0.001", "--bench", str(tmp_path / "desk.sock")]
    with daemon(tmp_path / "desk.sock", entries(1.0, 0.0, 0.0)):
        assert main(["ctl", *words]) == 0
    (tmp_path / "desk.sock").unlink()
    assert main(["ctl", *words]) == 2
    assert "no daemon can be reached" in capsys.readouterr().err


def test_recordings_are_listed_from_the_folder_that_the_daemon_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One that is being written and one that was broken off are told apart; what is no recording is passed over."""
    known: dict[str, dict[str, Any]] = {
        "whole": {"duration": 12.5, "frames": 100, "complete": True},
        "cut": {"complete": False},
        "now": {},
    }
    for name, facts in known.items():
        create(tmp_path / name, {"bench": "desk", "vehicle": "compact", "buses": ["can"]})
        (tmp_path / name / FIRST_SEGMENT).write_bytes(bytes(2_000_000))
        update(tmp_path / name, facts)
    (tmp_path / "holidays").mkdir()
    row = RecordingRow(str(tmp_path / "now"), since=0.0, bytes=0, complete=True, begun=True, error="")
    answer = {"recordings": str(tmp_path), "recording": row._asdict()}
    with daemon(tmp_path / "desk.sock", answer) as lines:
        assert main(["ctl", "record", "list", "--bench", str(tmp_path / "desk.sock")]) == 0
    assert lines == [{"command": "status", "parts": ["recordings", "recording"]}]
    assert [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()[-3:]] == [
        "cut desk compact 2.0 broken off: `hilbridge export` has what is whole",
        "now desk compact 2.0 under way",
        "whole desk compact 12.5 100 2.0 complete",
    ]


@pytest.mark.parametrize(
    ("words", "command"),
    [
        (["fail", "engine", "P0301"], {"command": "trouble-set", "ecu": "engine", "code": "P0301", "result": "failed"}),
        (
            ["fail", "--hold", "engine", "P0301"],
            {"command": "trouble-set", "ecu": "engine", "code": "P0301", "result": "held"},
        ),
        (["set", "engine", "P0301"], {"command": "trouble-set", "ecu": "engine", "code": "P0301", "result": "stored"}),
        (["pass", "engine", "P0301"], {"command": "trouble-set", "ecu": "engine", "code": "P0301", "result": "passed"}),
        (["clear"], {"command": "trouble-clear", "ecu": None}),
        (["clear", "engine"], {"command": "trouble-clear", "ecu": "engine"}),
    ],
)
def test_trouble_codes_fail_pass_and_are_cleared(tmp_path: Path, words: list[str], command: dict[str, Any]) -> None:
    path = tmp_path / "desk.sock"
    with daemon(path, {}) as lines:
        assert main(["ctl", "--bench", str(path), "trouble", *words]) == 0
    assert lines == [command]


def test_trouble_codes_are_listed_by_control_unit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stored = {"code": "P0301", "text": "Misfire of cylinder 1", "states": ["failing", "pending"], "status": 0x27}
    units = {"engine": {"indicator": False, "stored": [stored | {"held": True, "frozen": True, "occurrences": 1}]}}
    with daemon(tmp_path / "desk.sock", {"troubles": units}) as lines:
        assert main(["ctl", "--bench", str(tmp_path / "desk.sock"), "trouble", "list"]) == 0
    assert lines == [{"command": "status", "parts": ["troubles"]}]
    assert "engine  P0301  failing, pending, held  27" in capsys.readouterr().out
