"""What a control unit has answered is on the disk, whatever happens to the program afterwards."""

import json
import os
import signal
from pathlib import Path
from time import monotonic

import can
import pytest

from hilbridge.boundary.record.boundary_records import WRITTEN
from hilbridge.boundary.record.recording import Recording
from hilbridge.boundary.record.state_start import load_state
from hilbridge.runs.run.replay import replay

from ..program import CHECKOUT, PATIENCE, hilbridge, running, slcan_client

PORTS = (("slcan: 29538", "slcan: 0"), ("[35001, pty]", "[0]"), ("rate: 1000", "rate: 200"))


def ask(bus: can.BusABC, request: str) -> str:
    """The answer of the engine's control unit to a request in one frame, when it has no more to wait for."""
    data = bytes.fromhex(request)
    frame = bytes((len(data), *data)).ljust(8, b"\xcc")
    bus.send(can.Message(arbitration_id=0x7E0, data=frame, is_extended_id=False))
    deadline = monotonic() + PATIENCE
    while monotonic() < deadline:
        heard = bus.recv(1.0)
        if heard is not None and heard.arbitration_id == 0x7E8:
            answer = heard.data[1 : 1 + heard.data[0]]
            if answer[0] != 0x7F or answer[2] != 0x78:
                return answer.hex(" ").upper()
    raise AssertionError(f"no answer to {request}")


def desk(folder: Path, state: Path) -> Path:
    """The diagnostics bench with free ports, which keeps its state in a file."""
    text = (CHECKOUT / "config/benches/diagnostics.yaml").read_text(encoding="utf-8")
    for old, new in PORTS:
        assert old in text
        text = text.replace(old, new)
    bench = folder / "bench.yaml"
    bench.write_text(f"{text}\nstate: {state}\ncontrol: {{enabled: false}}\n", encoding="utf-8")
    return bench


def written(state: Path) -> str:
    """The date of programming in the stored state as it is on the disk now."""
    kept: dict[str, str] = load_state(state, pytest.fail)["identifiers"]["engine"]
    return kept.get("F199", "")


def test_what_was_answered_is_on_the_disk_when_the_answer_comes(tmp_path: Path) -> None:
    """A disk that fails is told with 72, and counted; killed, the run has lost nothing; a replay answers the same."""
    state, recording = tmp_path / "kept" / "state.json", tmp_path / "recording"
    bench = desk(tmp_path, state)
    aside = tmp_path / "aside"
    with running(bench, "--record", recording, "--log", "json") as program:
        port = program.slcan_port()
        program.wait_for("ready")
        with slcan_client(port) as bus:
            assert ask(bus, "10 03")[:5] == "50 03"
            for number in range(20):
                assert ask(bus, f"2E F1 99 20 26 11 {number:02X}") == "6E F1 99"
                assert written(state) == f"202611{number:02x}"
            assert ask(bus, "14 FF FF FF") == "54"
            assert ask(bus, "04") == "44"

            state.parent.rename(aside)
            state.parent.write_text("in the way")
            assert ask(bus, "2E F1 99 20 26 11 FF") == "7F 2E 72"
            assert ask(bus, "04") == "7F 04 22"
            assert program.wait_for("cannot write the stored state")["reason"] == "File exists"
            assert written(aside / state.name) == "20261113"
            state.parent.unlink()
            aside.rename(state.parent)
            assert ask(bus, "2E F1 99 20 26 11 AA") == "6E F1 99"
            assert program.statistics()["diagnostics"]["engine"]["not_written"] == 2

        observer = program.child("hilbridge.boundary.observe.observer")
        program.process.kill()
        os.kill(observer, signal.SIGKILL)
    assert written(state) == "202611aa"
    played = Recording(recording)
    outcomes = [payload[4] for _, kind, payload in played.records() if kind == WRITTEN]
    assert outcomes.count(0) == 2
    assert outcomes.count(1) == 23
    outcome = replay(played)
    assert outcome.identical, outcome
    assert json.loads((recording / "manifest.json").read_text(encoding="utf-8"))["stored"] is True


def test_a_state_that_another_run_keeps_or_a_newer_program_has_written_is_left_alone(tmp_path: Path) -> None:
    """The run does not begin: status 1, as the other run ends some time, and the file may be moved away."""
    state = tmp_path / "state.json"
    bench = desk(tmp_path, state)
    with running(bench, "--log", "json") as program:
        program.wait_for("ready")
        refused = hilbridge("run", bench, "--no-web", "--duration", 1)
        assert refused.returncode == 1
        assert f"another run, process {program.process.pid}, keeps its state in {state}" in refused.stderr
        program.stop()
    newer = json.loads(state.read_text(encoding="utf-8")) | {"format": 99}
    state.write_text(json.dumps(newer), encoding="utf-8")
    refused = hilbridge("run", bench, "--no-web", "--duration", 1)
    assert refused.returncode == 1
    assert "is of format 99, and this program reads formats up to 2" in refused.stderr
    assert json.loads(state.read_text(encoding="utf-8")) == newer
