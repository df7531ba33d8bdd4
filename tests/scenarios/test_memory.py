"""What a car does not forget: a bench goes on where it was, and a recording knows where it began."""

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from ..program import demo_bench, hilbridge, running


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    file = demo_bench(tmp_path)
    with file.open("a", encoding="utf-8") as text:
        text.write(f"\ncontrol: {{socket: {tmp_path}/ctl.sock}}\nstate: {tmp_path}/state.json\n")
    return file


def stored(bench: Path) -> Any:
    return json.loads((bench.parent / "state.json").read_text())["state"]


def ctl(bench: Path, *words: object) -> Any:
    run = hilbridge("ctl", "--bench", bench.parent / "ctl.sock", "--json", *words)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def stuck_throttle(bench: Path) -> None:
    """A throttle that does not follow the pedal, with the engine running, sets a trouble code."""
    ctl(bench, "set", "input.Throttle", 0.6)
    ctl(bench, "set", "fault.StuckThrottle", 0.0)


@pytest.mark.way_out("stored state")
def test_trouble_codes_and_counters_outlive_the_run(bench: Path) -> None:
    """Stored when the code appears, and at the end: the next run knows both."""
    with running(bench) as program:
        program.wait_for("ready")
        program.wait_for("status", gear="1")
        stuck_throttle(bench)
        for _ in range(20):
            program.wait_for("status")
            if (bench.parent / "state.json").exists() and stored(bench)["trouble_codes"]["engine"].get("troubles"):
                break
        program.stop()
    first = stored(bench)
    assert first["trouble_codes"]["engine"]["troubles"]
    assert first["vehicle"]["engine_revolutions"] > 10
    with running(bench) as program:
        program.wait_for("status")
        program.stop()
    second = stored(bench)
    assert second["trouble_codes"]["engine"]["troubles"].keys() == first["trouble_codes"]["engine"]["troubles"].keys()
    assert second["vehicle"]["engine_revolutions"] >= first["vehicle"]["engine_revolutions"]


@pytest.mark.nightly
def test_a_code_that_was_stored_survives_a_kill(bench: Path) -> None:
    """At any moment after: the file is whole."""
    with running(bench) as program:
        program.wait_for("ready")
        program.wait_for("status", gear="1")
        stuck_throttle(bench)
        for _ in range(20):
            program.wait_for("status")
            if (bench.parent / "state.json").exists() and stored(bench)["trouble_codes"]["engine"].get("troubles"):
                break
        os.kill(program.process.pid, signal.SIGKILL)
        program.process.wait(20)
    assert stored(bench)["trouble_codes"]["engine"]["troubles"]


def test_a_damaged_state_is_told_and_set_aside(bench: Path) -> None:
    """The run begins as a new car."""
    (bench.parent / "state.json").write_text('{"crc32": 1, "state": {}}')
    with running(bench) as program:
        assert "damaged" in program.wait_for("stored state")["reason"]
        program.wait_for("status")
        program.stop()
    assert (bench.parent / "state.json.damaged").exists()


@pytest.mark.nightly
def test_a_replay_begins_with_the_state_that_the_run_began_with(bench: Path) -> None:
    """The second run has an odometer that is not 0; its frames are repeated to the byte."""
    for directory in ("one", "two"):
        run = hilbridge("run", bench, "--duration", 3, "--record", bench.parent / directory)
        assert run.returncode == 0, run.stderr
    assert stored(bench)["vehicle"]["engine_revolutions"] > 0
    replay = hilbridge("replay", bench.parent / "two")
    assert replay.returncode == 0, replay.stdout + replay.stderr
