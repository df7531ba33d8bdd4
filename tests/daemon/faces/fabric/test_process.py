"""Benches on the fabric: who sees them, what they say and what they take, and what becomes of one that dies."""

import json
import os
import signal
import time
from collections.abc import Iterator
from importlib import util
from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.faces.fabric import process
from hilbridge.files.settings.fabric import FabricSettings
from vehiclesim.channels import VEHICLE, VehicleData

from ....fabric import Lab, StandIn, answering, free_port, stranger, wait_for, watching
from ....program import hilbridge
from ....strange_answers import HOSTILE, OBJECTS, WORDLESS

NAMES = ("bench0", "bench1", "bench2", "bench3", "bench4")


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """Five benches; the first allows two commands."""
    lab = Lab(tmp_path_factory.mktemp("fabric"))
    try:
        for name in NAMES:
            lab.add(name, *(("set", "release") if name == "bench0" else ()))
        wait_for(lambda: all(up(bench) for bench in lab.benches.values()))
        yield lab
    finally:
        lab.close()


def up(bench: StandIn) -> bool:
    status = bench.process.status()
    return bool(status.where) and not status.trouble


def first(lab: Lab) -> StandIn:
    return next(iter(lab.benches.values()))


def kill(bench: StandIn) -> None:
    assert bench.process.pid is not None
    os.kill(bench.process.pid, signal.SIGKILL)


@pytest.mark.parametrize(
    ("load", "why"),
    [
        (28.0, "28 programs wait for 2 processors: fewer benches here, or lower rates"),
        (0.4, "its process hangs, though 0 programs wait for 2 processors"),
    ],
)
def test_a_bench_that_does_not_come_says_why(
    load: float, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After ten seconds, once, in its log and its status; when it comes after all, that is told too."""
    monkeypatch.setattr(os, "getloadavg", lambda: (load, load, load))
    monkeypatch.setattr(os, "sched_getaffinity", lambda _process: {0, 1})
    bench = StandIn(tmp_path, free_port(), "late")
    try:
        assert bench.process.pid is not None
        os.kill(bench.process.pid, signal.SIGSTOP)
        for _ in range(300):
            bench.poll()
        trouble = f"not there after 10 s: {why}"
        assert [line.fields for line in bench.told()] == [{"where": "", "trouble": trouble}]
        assert bench.process.status().trouble == trouble
        os.kill(bench.process.pid, signal.SIGCONT)
        for _ in range(6000):
            bench.poll()
            if up(bench):
                break
            time.sleep(0.01)
        assert up(bench)
    finally:
        bench.close()


def test_every_bench_is_listed_without_any_set_up(lab: Lab) -> None:
    done = hilbridge("lab", "--port", lab.port, "list", "--json")
    assert [one["bench"] for one in json.loads(done.stdout)] == [*NAMES]
    assert done.returncode == 0
    for bench in lab.benches.values():
        assert bench.commands == [], "the list is made without the tick"


def test_one_that_is_killed_is_missed_and_comes_back(lab: Lab) -> None:
    """All others stay, also while the one that dies was where all of them met."""
    with watching(lab.port) as watch:
        watch.wait_for(*(f"{name}  up" for name in NAMES))
        for name, bench in zip(NAMES, lab.benches.values(), strict=True):
            kill(bench)
            watch.wait_for(f"{name}  gone")
    wait_for(lambda: all(up(bench) for bench in lab.benches.values()))
    lines = [record.event for record in first(lab).told()]
    assert "fabric process restarted" in lines


def test_a_command_passes_if_the_bench_file_allows_it(lab: Lab) -> None:
    done = hilbridge("lab", "--port", lab.port, "ctl", "bench0", "set", "input.Throttle", "0.4")
    assert (done.returncode, done.stderr) == (0, "")
    assert first(lab).commands[-1] == {"command": "set", "entry": "input.Throttle", "value": 0.4, "seconds": None}


def test_no_other_command_does(lab: Lab) -> None:
    before = list(first(lab).commands)
    [[_, answer]] = stranger(lab.port, "get", "hilbridge/bench0/command", '{"command": "arm"}')
    assert "'fabric: {allow: [arm]}'" in answer["error"]
    assert first(lab).commands == before


def test_a_bench_that_is_not_there_is_named(lab: Lab) -> None:
    done = hilbridge("lab", "--port", lab.port, "ctl", "bench9", "status")
    assert done.returncode == 2
    assert "no bench named 'bench9' is up: did you mean bench" in done.stderr


def test_a_pattern_commands_no_bench(lab: Lab) -> None:
    """A bench is commanded by its name alone; questions may be asked of all."""
    line = json.dumps({"command": "set", "entry": "input.Throttle", "value": 1})
    before = list(first(lab).commands)
    for key in ("hilbridge/*/command", "hilbridge/**", "**"):
        assert all("command" not in answered for answered, _ in stranger(lab.port, "get", key, line))
    assert first(lab).commands == before
    assert len(stranger(lab.port, "get", "hilbridge/*/summary")) == len(NAMES)


def test_values_are_asked_for_and_heard(lab: Lab) -> None:
    data = first(lab).data.channels[VEHICLE]
    data[VehicleData.ENGINE_RPM] = 0
    key = "hilbridge/bench0/entries/vehicle.EngineRpm"
    [[asked, content]] = stranger(lab.port, "get", key)
    assert (asked, content["value"], content["unit"]) == (key, 0.0, "rpm")
    [[heard, content]] = stranger(lab.port, "hear", "hilbridge/bench0/entries/vehicle.EngineRpm", 1)
    assert (heard, content["value"]) == (key, 0.0)


def test_nobody_hears_the_token_of_the_page(lab: Lab) -> None:
    [[_, status]] = stranger(lab.port, "hear", "hilbridge/bench0/status", 1)
    assert status == {"time": 1.5}
    [[_, answer]] = stranger(lab.port, "get", "hilbridge/bench0/command", '{"command": "status", "parts": ["page"]}')
    assert answer == {"time": 1.5}


def test_two_of_one_name_are_told_and_not_commanded(lab: Lab) -> None:
    twin = lab.add("bench4")
    wait_for(lambda: twin.process.status().trouble == "another bench has this name")
    done = hilbridge("lab", "--port", lab.port, "ctl", "bench4", "status")
    assert "2 benches on the fabric are named 'bench4'" in done.stderr


def test_without_zenoh_the_reason_names_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "find_spec", lambda name: None if name == "zenoh" else util.find_spec(name))
    with pytest.raises(ConfigurationError, match=r"Zenoh, which is not installed: .* -m pip install"):
        process.check_fabric(FabricSettings())


def test_a_configuration_that_is_not_there_is_named_before_the_start(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"there is no file .*lab\.json5") as caught:
        process.check_fabric(FabricSettings(config=str(tmp_path / "lab.json5")))
    assert caught.value.place == ("fabric", "config")


def test_where_nobody_is_up_that_is_said(tmp_path: Path) -> None:
    lab = Lab(tmp_path)
    lab.close()
    done = hilbridge("lab", "--port", lab.port)
    assert done.returncode == 2
    assert "no bench is up" in done.stderr
    assert "hilbridge run BENCH --fabric" in done.stderr


STRANGE = (WORDLESS["not json"], OBJECTS["a name that is null"], json.dumps({"bench": HOSTILE}).encode())


@pytest.mark.parametrize("content", STRANGE)
def test_a_stranger_among_the_benches_costs_his_own_line(lab: Lab, content: bytes) -> None:
    """He answers for a bench that is not there; the others are listed, and his text does nothing."""
    with answering(lab.port, "hilbridge/stranger/summary", content):
        wait_for(lambda: "stranger" in hilbridge("lab", "--port", lab.port).stdout)
        done = hilbridge("lab", "--port", lab.port)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert {line.split()[0] for line in lines[1:]} == {*NAMES, "stranger"}
    assert "unreadable: " in lines[-1]
    assert not set(done.stdout) & set("\x1b\x9b\x07\u202e")


def test_a_stranger_who_answers_commands_is_told_from_a_bench(lab: Lab) -> None:
    """Whoever is asked, nobody is believed who answers as no bench does."""
    key = "hilbridge/bench1/command"
    with answering(lab.port, key, b"[" * 5000):
        done = hilbridge("lab", "--port", lab.port, "ctl", "bench1", "--json", "status")
    assert "Traceback" not in done.stderr
    assert done.returncode == 0 or "does not answer as a bench does" in done.stderr
