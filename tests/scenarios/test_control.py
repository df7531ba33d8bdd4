"""A running bench takes commands, and tells the service manager how it is."""

import contextlib
import json
import os
import signal
import socket
from pathlib import Path
from typing import Any

import pytest

from hilbridge.boundary.record.boundary_records import COMMAND
from hilbridge.boundary.record.recording import Recording
from vehiclesim.entries import ENTRIES

from ..awkward_lines import AWKWARD, STATUS
from ..program import Program, database, decoded, demo_bench, hilbridge, running, slcan_client


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    file = demo_bench(tmp_path)
    with file.open("a", encoding="utf-8") as text:
        text.write(f"\ncontrol: {{socket: {tmp_path}/ctl.sock, mode: '600'}}\n")
    return file


def ctl(bench: Path, *words: object) -> Any:
    run = hilbridge("ctl", "--bench", bench.parent / "ctl.sock", "--json", *words)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def refusal(bench: Path, *words: object) -> str:
    run = hilbridge("ctl", "--bench", bench.parent / "ctl.sock", *words)
    assert run.returncode == 2
    return run.stderr


@pytest.mark.way_out("control socket")
def test_what_a_command_holds_is_on_the_bus_until_it_is_released(bench: Path) -> None:
    """Over every other input: the demo driver's foot is off the pedal, and on the frames it is down."""
    message = database().get_message_by_name("EngineData1")
    with running(bench) as program:
        port = program.slcan_port()
        program.wait_for("ready")
        ctl(bench, "set", "input.Throttle", 0.4)
        held = {one["control"]: one for one in ctl(bench, "status")["inputs"]}
        assert (held["Throttle"]["source"], held["Throttle"]["value"]) == ("command", 0.4)
        with slcan_client(port) as client:
            client.set_filters([{"can_id": message.frame_id, "can_mask": 0x7FF}])
            frame = client.recv(5.0)
        assert frame is not None
        assert decoded(message, frame)["ThrottleSignal"] == pytest.approx(40.0, abs=0.1)
        ctl(bench, "release")
        assert {one["source"] for one in ctl(bench, "status")["inputs"]} <= {"demo driver", "nobody", ""}
        assert "not held" in refusal(bench, "release", "input.Brake")
        assert "did you mean" in refusal(bench, "set", "input.Brakes", 0.4)
        assert "not within 0..1" in refusal(bench, "set", "input.Brake", 4)


def test_a_bus_that_is_not_armed_sends_nothing_and_says_so(bench: Path) -> None:
    """Its frames are held back, with the remedy, until it is armed; what was held back never counts as sent."""

    def frame() -> Any:
        return next(one for one in ctl(bench, "status", "--frames")["frames"] if one["message"] == "EngineData1")

    with running(bench) as program:
        program.wait_for("ready")
        ctl(bench, "arm", "--off")
        while not (record := program.wait_for("status"))["frames_held_back_s"] or record["frames_out_s"]:
            pass
        table = hilbridge("ctl", "--bench", bench.parent / "ctl.sock", "status", env=os.environ | {"COLUMNS": "200"})
        assert "not armed: hilbridge ctl arm powertrain" in table.stdout
        before, after = frame(), frame()
        assert not after["armed"]
        assert after["held_back"] > before["held_back"]
        assert after["sent"] - after["held_back"] == before["sent"] - before["held_back"]
        ctl(bench, "arm")
        while (record := program.wait_for("status"))["frames_held_back_s"] or not record["frames_out_s"]:
            pass
        held_back = frame()["held_back"]
        assert (frame()["armed"], frame()["held_back"]) == (True, held_back)


@pytest.mark.nightly
def test_what_is_written_there_disturbs_nobody(bench: Path) -> None:
    """Neither lines that are no commands, nor a hundred that say nothing, nor those that left; the process may die too.

    A replay has the commands, and none of the rest.
    """
    recording = bench.parent / "recording"
    with running(bench, "--record", recording) as program, contextlib.ExitStack() as stack:
        program.wait_for("ready")
        for line in (*AWKWARD.values(), STATUS):
            client = stack.enter_context(socket.socket(socket.AF_UNIX))
            client.connect(str(bench.parent / "ctl.sock"))
            client.sendall((line + b"\n") * 3)
        for _ in range(100):
            stack.enter_context(socket.socket(socket.AF_UNIX)).connect(str(bench.parent / "ctl.sock"))
        for _ in range(16):
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(str(bench.parent / "ctl.sock"))
                client.setblocking(False)
                client.send((STATUS + b"\n") * 2_000)
        ctl(bench, "set", "input.Throttle", 0.4)
        os.kill(program.child("hilbridge.boundary.control.server"), signal.SIGKILL)
        assert program.wait_for("control process restarted")["times"] == 1
        assert {one["control"]: one for one in ctl(bench, "status")["inputs"]}["Throttle"]["value"] == 0.4
        program.stop()
    run = hilbridge("replay", recording)
    assert run.returncode == 0, run.stdout + run.stderr
    lines = [json.loads(one.payload)["command"] for one in Recording(recording).records() if one.kind == COMMAND]
    assert set(lines) <= {"set", "stop"}


def test_stop_ends_the_run_in_good_order(bench: Path) -> None:
    """As SIGTERM does; the socket is gone then."""
    with running(bench) as program:
        program.wait_for("ready")
        ctl(bench, "stop")
        program.wait_for("stopped")
        assert program.process.wait(20) == 0
    assert not (bench.parent / "ctl.sock").exists()
    assert "no daemon can be reached" in refusal(bench, "status")


@pytest.mark.nightly
def test_a_second_bench_of_the_same_socket_runs_without_one(bench: Path) -> None:
    """It is reported, with the remedy; the first one keeps its socket."""
    with running(bench) as first:
        first.wait_for("ready")
        other = bench.with_name("other.yaml")
        other.write_text(bench.read_text(encoding="utf-8").replace("name: demo", "name: other"), encoding="utf-8")
        with running(other) as second:
            assert "a running bench has it" in second.wait_for("control socket not open")["reason"]
            second.wait_for("ready")
        assert ctl(bench, "status")["bench"] == "demo"


@pytest.mark.way_out("service manager")
def test_the_service_manager_hears_of_start_life_and_end(bench: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """READY after the first tick, WATCHDOG while ticks are done, STOPPING at the end."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.settimeout(20.0)
        manager.bind(str(bench.parent / "notify"))
        monkeypatch.setenv("NOTIFY_SOCKET", str(bench.parent / "notify"))
        with running(bench) as program:
            assert manager.recv(1000).startswith(b"READY=1\nSTATUS=demo: 1000 Hz")
            assert manager.recv(1000) == b"WATCHDOG=1"
            program.stop(signal.SIGTERM)
        heard = b""
        while heard != b"STOPPING=1":
            heard = manager.recv(1000)


def test_a_frozen_tick_does_not_feed_the_watchdog(bench: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the process is stopped nothing is said; the service manager would end it."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.settimeout(20.0)
        manager.bind(str(bench.parent / "notify"))
        monkeypatch.setenv("NOTIFY_SOCKET", str(bench.parent / "notify"))
        with running(bench) as program:
            manager.recv(1000)
            silence(program, manager)


def silence(program: Program, manager: socket.socket) -> None:
    """Nothing more comes once what was under way has been read."""
    os.kill(program.process.pid, signal.SIGSTOP)
    try:
        manager.settimeout(0.5)
        with contextlib.suppress(TimeoutError):
            while True:
                manager.recv(1000)
        with pytest.raises(TimeoutError):
            manager.recv(1000)
    finally:
        os.kill(program.process.pid, signal.SIGCONT)


def test_the_only_bus_is_armed_without_its_name(bench: Path) -> None:
    with running(bench) as program:
        program.wait_for("ready")
        for words, armed in ((("arm", "--off"), False), (("arm",), True)):
            assert ctl(bench, *words) == {}
            assert ctl(bench, "status")["buses"]["powertrain"]["armed"] is armed


def test_every_entry_of_the_data_bus_can_be_read(bench: Path) -> None:
    """By its path, with its unit; a value that is not available is null; what does not exist gets a near name."""
    paths = [entry.path for entries in ENTRIES for entry in entries]
    with running(bench) as program:
        program.wait_for("ready")
        values = ctl(bench, "get", *paths)
        assert list(values) == paths
        assert values["road.AirPressure"] == {"value": 101.325, "unit": "kPa"}
        assert values["request.EngineTorque"] == {"value": None, "unit": "Nm"}
        socket = bench.parent / "ctl.sock"
        text = hilbridge("ctl", "--bench", socket, "get", "road.AirPressure", "road.Friction", "request.EngineTorque")
        assert text.stdout == "road.AirPressure 101.325 kPa\nroad.Friction 1\nrequest.EngineTorque not available Nm\n"
        assert "did you mean vehicle.EngineRpm?" in refusal(bench, "get", "vehicle.EngineRPMs")
