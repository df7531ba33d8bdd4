"""`hilbridge service`: the screen in each of the states in which an operator looks at it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hilbridge.boundary.control import socket_paths
from hilbridge.commands import service, service_unit
from hilbridge.commands.cli import main

from ..client.daemon import daemon
from .systemd import Show, systemctl, unit

BUS: dict[str, Any] = {
    "link": "socketcan can0",
    "profile": "",
    "trouble": "",
    "down_s": 0.0,
    "hardware": True,
    "armed": True,
    "received": 0,
    "transmitted": 0,
    "lost": 0,
    "counters": {},
    "gate": {},
    "id_conflicts": {},
}


@pytest.fixture
def run_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """/run/hilbridge of this test; state and clock are its own too."""
    folder = tmp_path / "run"
    folder.mkdir(mode=0o700)
    for module in (socket_paths, service):
        monkeypatch.setattr(module, "SYSTEM", folder)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    monkeypatch.setattr(service, "is_synchronised", lambda: True)
    return folder


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    file = tmp_path / "lab.yaml"
    file.write_text("name: lab\nvehicle: compact\n", encoding="utf-8")
    return file


@pytest.fixture
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Show:
    return systemctl(tmp_path / "bin", monkeypatch)


def status(process: int, **others: Any) -> dict[str, Any]:
    """The answer of a running bench."""
    rest: dict[str, Any] = {"recording": None, "page": "http://127.0.0.1:8090/?token=x", "outputs": {}, "ports": {}}
    of_run = {"reload": {"last": None}, "service": {"process": process, "last_end": ""}, "buses": {"powertrain": BUS}}
    return {"time": 1.0, "bench": "lab", "vehicle": "compact", "rate_hz": 50} | rest | of_run | others


def screen(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, dict[str, Any]]]:
    """Exit status and rows; of several of one name the last."""
    code = main(["service", *words, "--json"])
    rows = json.loads(capsys.readouterr().out)
    assert all(row["text"] for row in rows)
    return code, {row["name"]: row for row in rows}


@pytest.fixture
def running(systemd: Show, bench: Path, run_folder: Path) -> Iterator[dict[str, Any]]:
    """A service that runs, whose bench answers what the test says."""
    systemd(unit(bench, process=4711) | {"SubState": "running", "NRestarts": "2", "UnitFileState": "enabled"})
    answer = status(4711)
    with daemon(run_folder / "lab.sock", lambda command: told(answer, command)):
        yield answer


def told(answer: dict[str, Any], command: dict[str, Any]) -> dict[str, Any]:
    """What a bench answers: of `ports` nothing, and of `reload` the counts, unless they are asked for by name."""
    asked = command.get("parts") or ()
    usual = answer if "reload" in asked else answer | {"reload": {"count": 0}}
    return {part: rows for part, rows in usual.items() if part != "ports" or part in asked}


def test_a_service_that_is_well(capsys: pytest.CaptureFixture[str], running: dict[str, Any], tmp_path: Path) -> None:
    """No row is marked, and all that the operator asks for is there."""
    (tmp_path / "state").mkdir()
    (tmp_path / "state/lab.json").write_text("{}", encoding="utf-8")
    code, rows = screen(capsys)
    assert code == 0
    assert [name for name, row in rows.items() if row["trouble"]] == []
    assert rows["unit"]["text"].startswith("hilbridge.service is active (running)")
    assert "2 restarts" in rows["unit"]["text"]
    assert rows["adapter"]["text"] == "powertrain: socketcan can0, hardware, works"
    assert rows["armed"]["text"] == "everything"
    assert rows["page"]["text"] == running["page"]
    assert 0 <= rows["state"]["facts"]["age_s"] < 60
    assert rows["clock"]["text"].endswith("synchronised")
    assert "for recordings" in rows["disk"]["text"]


def test_what_an_operator_has_to_do_is_marked(
    capsys: pytest.CaptureFixture[str], running: dict[str, Any], run_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not armed after a watchdog, an adapter that is awaited, a refused reload, a recording that fails, no clock."""
    running["buses"] = {"powertrain": BUS | {"armed": False, "trouble": "no such interface", "down_s": 12.3}}
    running["reload"] = {"last": {"request": 1, "outcome": "refused", "reason": "lab.yaml:3: rate", "took_ms": 1}}
    running["recording"] = {"folder": "/r", "since": 0.0, "bytes": 1, "complete": False, "begun": True, "error": ""}
    running["service"] |= {"troubles": {"stored state": "the state is NOT STORED: the log has the reason"}}
    (run_folder / "hilbridge.end").write_text("watchdog dumped ABRT\n", encoding="utf-8")
    monkeypatch.setattr(service, "is_synchronised", lambda: False)
    _, rows = screen(capsys)
    wanted = {
        "armed": "all frames held back: powertrain; hilbridge ctl arm powertrain",
        "adapter": "awaited for 12 s: no such interface",
        "reload": "refused: lab.yaml:3: rate",
        "recording": "NOT COMPLETE",
        "last end": "watchdog",
        "clock": "NOT SYNCHRONISED",
        "stored state": "the state is NOT STORED: the log has the reason",
    }
    for name, text in wanted.items():
        assert rows[name]["trouble"]
        assert text in rows[name]["text"]


def test_the_bench_s_own_word_of_its_clock_and_recording_is_enough(
    capsys: pytest.CaptureFixture[str], running: dict[str, Any]
) -> None:
    """The clock may look right to this user; a recording beyond its bounds is complete so far."""
    running["recording"] = {"folder": "/r", "since": 0.0, "bytes": 1, "complete": True, "begun": True, "error": ""}
    words = {"clock": "the clock of the machine is NOT SYNCHRONISED", "recording": "the recording is BEYOND ITS BOUNDS"}
    running["service"] |= {"troubles": words | {"control socket": "the control socket is NOT OPEN: No such file"}}
    assert main(["service"]) == 0
    marked = [line for line in capsys.readouterr().out.splitlines() if line.startswith("!")]
    assert [line.split()[1] for line in marked] == ["recording", "control", "clock"]
    assert "BEYOND ITS BOUNDS" in marked[0]
    assert "NOT SYNCHRONISED" in marked[2]


def test_a_service_that_has_not_started_says_why(
    capsys: pytest.CaptureFixture[str], systemd: Show, bench: Path, run_folder: Path
) -> None:
    """By its status line, which systemd keeps; the exit status is that of `systemctl status`."""
    why = {"StatusText": f"not started: {bench}:3: rate: is wrong", "Result": "exit-code", "SubState": "failed"}
    systemd(unit(bench) | why | {"ActiveState": "failed"}, unit("x.yaml", "hilbridge@left.service"))
    code, rows = screen(capsys)
    assert code == service.NOT_RUNNING
    assert rows["failure"]["text"].startswith(f"not started: {bench}:3: rate: is wrong")
    assert "sudo systemctl start hilbridge.service" in rows["unit"]["text"]
    assert rows["also"]["text"] == "hilbridge@left.service is inactive"


def test_another_instance_is_named_by_its_name(
    capsys: pytest.CaptureFixture[str], systemd: Show, bench: Path, run_folder: Path
) -> None:
    systemd(unit("other.yaml"), unit(bench, "hilbridge@left.service"))
    assert "hilbridge@left.service is inactive" in screen(capsys, "left")[1]["unit"]["text"]
    assert screen(capsys, "right")[1]["unit"]["text"] == "systemctl does not answer"


def test_without_systemd_the_one_bench_that_runs_is_shown(
    capsys: pytest.CaptureFixture[str], run_folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """And it says that there is no systemd."""
    monkeypatch.setattr("hilbridge.commands.service_unit.BOOTED", tmp_path / "none")
    code, rows = screen(capsys)
    assert (code, rows["unit"]["text"]) == (service.NOT_RUNNING, "this machine is not run by systemd")
    assert "no bench is running" in rows["bench"]["text"]
    with daemon(run_folder / "lab.sock", lambda _command: status(1)):
        code, rows = screen(capsys)
    assert (code, rows["bench"]["text"]) == (0, "lab, compact")


def test_without_permission_the_group_is_named(
    capsys: pytest.CaptureFixture[str], running: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whom the kernel refuses: the socket as another user finds it."""

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("socket.socket.connect", refuse)
    code, rows = screen(capsys)
    assert code == 0  # systemd says that it runs
    assert rows["bench"]["trouble"]
    assert "usermod -aG" in rows["bench"]["text"] or "alone" in rows["bench"]["text"]


def test_a_strange_answer_is_a_row(capsys: pytest.CaptureFixture[str], running: dict[str, Any]) -> None:
    """Of a bench of another version."""
    running["buses"] = "none"
    _, rows = screen(capsys)
    assert "without 'buses'" in rows["bench"]["text"]
    assert rows["bench"]["trouble"]
    running["buses"] = {"powertrain": BUS | {"armed": "perhaps"}}
    assert "powertrain" in screen(capsys)[1]["unreadable"]["text"]


def test_people_get_a_mark_before_what_is_wrong(capsys: pytest.CaptureFixture[str], running: dict[str, Any]) -> None:
    running["buses"] = {"powertrain": BUS | {"armed": False}}
    assert main(["service"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1] for line in lines if line.startswith("!")] == ["armed"]


def test_a_wrong_file_that_is_watched_is_said_with_the_page(
    capsys: pytest.CaptureFixture[str], systemd: Show, bench: Path, run_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its address has a token, so it is in a file that only the group may read; a stop of the watch is said too."""
    monkeypatch.setattr(service_unit, "SYSTEM", run_folder)
    failed = unit(bench) | {"ActiveState": "failed", "Result": "exit-code", "ExecMainStatus": "2"}
    why = failed | {"StatusText": "not started: lab.yaml:3: rate: needs a whole number"}
    watch = unit("", "hilbridge-mend@hilbridge.service", process=7) | {"ActiveState": "active"}
    (run_folder / "hilbridge.service.page").write_text("http://127.0.0.1:8090/?token=x\n")
    systemd(why, watch)
    code, rows = screen(capsys)
    assert code == 3
    assert "lab.yaml:3: rate" in rows["failure"]["text"]
    assert "hilbridge.service starts by itself" in rows["mending"]["text"]
    assert rows["page"]["text"] == "http://127.0.0.1:8090/?token=x"
    assert "also" not in rows
    systemd(why, watch | {"ActiveState": "inactive", "MainPID": "0"})
    _, rows = screen(capsys)
    assert "nothing waits for the file: sudo systemctl start hilbridge.service" in rows["mending"]["text"]
    assert rows["mending"]["trouble"]
    assert "page" not in rows
