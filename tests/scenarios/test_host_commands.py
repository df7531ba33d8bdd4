"""Recordings and scenarios that `hilbridge ctl` starts and stops on a running bench."""

import json
import os
import signal
import stat
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import can
import pytest

from ..program import database, decoded, demo_bench, hilbridge, running

FAILING = """\
steps:
  - set: {input.Key: 1}
  - wait: {until: "vehicle.EngineWorking", timeout: 20}
  - name: Too much
    expect: "vehicle.EngineRpm > 50000"
"""


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    control = f"control: {{socket: {tmp_path}/ctl.sock, mode: '640'}}"
    return demo_bench(tmp_path, ("rate: 1000 ", f"{control}\nrate: 100 "))


def ctl(bench: Path, *words: object, status: int = 0) -> str:
    run = hilbridge("ctl", "--bench", bench.parent / "ctl.sock", *words)
    assert run.returncode == status, run.stdout + run.stderr
    return run.stdout + run.stderr


def commands(recording: Path) -> list[str]:
    """The commands in a recording's only segment, read by the layout that record/segments.py documents."""
    return [json.loads(payload)["command"] for kind, payload in records(recording) if kind == 9]


def records(recording: Path) -> list[tuple[int, bytes]]:
    content = (recording / "record.000000").read_bytes()
    found, offset = [], 24
    while offset < len(content):
        length, check = struct.unpack_from("<II", content, offset)
        body = content[offset + 8 : offset + 8 + length]
        assert zlib.crc32(body, offset) == check
        found.append((body[16], body[17:]))
        offset += 8 + length
    return found


@pytest.mark.nightly
def test_a_part_of_a_run(bench: Path, tmp_path: Path) -> None:
    """Frames and commands of that part; other tools can have it, a replay cannot; questions are not in it."""
    folder = tmp_path / "part"
    with running(bench) as program:
        program.wait_for("ready")
        ctl(bench, "set", "road.Slope", 0.01)
        assert ctl(bench, "record", "start", folder).split() == [str(folder)]
        assert "is under way" in ctl(bench, "record", "start", status=2)
        assert f"recording {folder}" in ctl(bench, "status").replace("\n", "")
        ctl(bench, "set", "road.Slope", 0.02)
        ctl(bench, "fault", "list")
        ctl(bench, "release")
        ctl(bench, "record", "stop")
        ctl(bench, "set", "road.Slope", 0.03)
        assert "nothing is recorded" in ctl(bench, "record", "stop", status=2)
        program.stop()
    assert commands(folder) == ["set", "release"]
    assert json.loads((folder / "manifest.json").read_text())["complete"] is True
    assert len(list(can.BLFReader(folder / "frames.blf"))) == sum(kind == 2 for kind, _ in records(folder)) > 0
    replay = hilbridge("replay", folder)
    assert replay.returncode == 2
    assert "only one from the start can be replayed" in replay.stderr


@pytest.mark.nightly
def test_the_first_part_of_a_run_is_replayed(bench: Path, tmp_path: Path) -> None:
    """A recording from the start that is stopped in mid-run; a scenario in it is there as its commands."""
    folder, file = tmp_path / "recording", tmp_path / "town.yaml"
    file.write_text("steps:\n  - set: {input.Brake: 0.5}\n  - release: [input.Brake]\n    after: 0.2\n")
    with running(bench, "--record", folder) as program:
        program.wait_for("ready")
        ctl(bench, "status")
        assert "scenario town passed: 2 of 2 steps" in ctl(bench, "scenario", "start", file, "--wait")
        ctl(bench, "record", "stop")
        ctl(bench, "set", "road.Slope", 0.03)
        program.stop()
    assert commands(folder) == ["set", "release", "give-back"]
    outcome = json.loads(hilbridge("replay", folder, "--json").stdout)
    assert (outcome["identical"], outcome["end"]) == (True, "")


def test_a_scenario_that_fails(bench: Path, tmp_path: Path) -> None:
    """Exit status 1 for who waits, with lines of the file in both reports; the bench goes on."""
    file = tmp_path / "town.yaml"
    file.write_text(FAILING)
    with running(bench) as program:
        program.wait_for("ready")
        told = ctl(bench, "scenario", "start", file, "--report", tmp_path / "report.xml", status=1)
        assert "scenario town failed: 2 of 3 steps passed" in told
        assert 'line="4"' in (tmp_path / "report.xml").read_text()
        (failure,) = json.loads(ctl(bench, "--json", "status"))["scenario"]["failures"]
        assert failure["step"] == "Too much"
        file.write_text("steps:\n  - expects: 1\n")
        assert f"{file}:2: steps[0].expects: unknown key" in ctl(bench, "scenario", "start", file, status=2)
        file.write_text("steps:\n  - expect: '1'\n  - arm: {cam: true}\n")
        assert f"{file}:3: steps[1].arm.cam: unknown bus 'cam'" in ctl(bench, "scenario", "start", file, status=2)
        file.write_text("steps:\n  - wait: {until: '0', timeout: 1000}\n")
        ctl(bench, "scenario", "start", file)
        ctl(bench, "scenario", "stop")
        assert json.loads(ctl(bench, "--json", "status"))["scenario"]["state"] == "stopped"
        program.stop()


def test_the_bench_file_says_who_may(bench: Path) -> None:
    """The permissions of the socket are its `mode`, the group is the daemon's."""
    with running(bench) as program:
        program.wait_for("ready")
        state = (bench.parent / "ctl.sock").stat()
        assert (stat.S_IMODE(state.st_mode), state.st_gid) == (0o640, os.getegid())
        program.stop()


@pytest.mark.nightly
def test_a_changed_byte_in_a_recording_is_named(bench: Path, tmp_path: Path) -> None:
    """Changed and sealed again without a function of ours: tick, identifier, signal, and both values."""
    folder = tmp_path / "recording"
    run = hilbridge("run", bench, "--clock", "virtual", "--duration", 3, "--record", folder)
    assert run.returncode == 0, run.stdout + run.stderr
    message = database().get_message_by_name("EngineData1")
    path = folder / "record.000000"
    content = bytearray(path.read_bytes())
    offset = 24
    while True:
        (length,) = struct.unpack_from("<I", content, offset)
        _, t, kind = struct.unpack_from("<qqB", content, offset + 8)
        (identifier,) = struct.unpack_from("<I", content, offset + 25)
        if kind == 2 and identifier == message.frame_id and t >= 2_000_000_000:
            break
        offset += 8 + length
    data = offset + 8 + 17 + 7
    original = bytes(content[data : offset + 8 + length])
    content[data + message.get_signal_by_name("EngineRpm").start // 8] ^= 1
    changed = bytes(content[data : offset + 8 + length])
    struct.pack_into("<I", content, offset + 4, zlib.crc32(content[offset + 8 : offset + 8 + length], offset))
    path.write_bytes(content)
    replay = hilbridge("replay", folder)
    assert replay.returncode == 1
    rpm = [
        decoded(message, can.Message(arbitration_id=message.frame_id, data=one))["EngineRpm"]
        for one in (changed, original)
    ]
    for words in (
        f"tick {t // 10_000_000}, bus powertrain (EngineData1)",
        f"recorded  0x{message.frame_id:X}  {changed.hex(' ').upper()}",
        f"replayed  0x{message.frame_id:X}  {original.hex(' ').upper()}",
        f"EngineRpm: recorded {rpm[0]:g}, replayed {rpm[1]:g}",
    ):
        assert words in replay.stdout


def test_an_observer_that_stands_still_does_not_hold_up_the_end(bench: Path, tmp_path: Path) -> None:
    """It is replaced, and nothing of the recording is lost."""
    folder = tmp_path / "recording"
    with running(bench, "--record", folder) as program:
        program.wait_for("status")
        os.kill(program.child("hilbridge.boundary.observe.observer"), signal.SIGSTOP)
        program.process.send_signal(signal.SIGTERM)
        program.wait_for("stopped")
        assert program.process.wait(20) == 0
    assert json.loads((folder / "manifest.json").read_text())["complete"] is True


@pytest.mark.nightly
def test_a_recording_that_lacks_something_is_exit_status_1(bench: Path, tmp_path: Path) -> None:
    """The disk is full from some point on: reported once, with the remedy, and the run goes on to its end."""
    folder = tmp_path / "recording"
    program = (
        "import errno, os, sys; from hilbridge.boundary.record import segments\n"
        "def full(descriptor, content):\n"
        "    if os.fstat(descriptor).st_size > 20_000: raise OSError(errno.ENOSPC, 'No space left on device')\n"
        "    rest = memoryview(content)\n"
        "    while rest: rest = rest[os.write(descriptor, rest):]\n"
        "segments._write_all = full\n"
        "from hilbridge.boundary.observe import observer\n"
        "rings, *more, parent = map(int, sys.argv[1:])\n"
        "observer.main(rings, parent, *more)\n"
    )
    (tmp_path / "full.py").write_text(program)
    starter = (
        "import sys; from hilbridge.commands import cli; from hilbridge.base.process import child_process\n"
        "from hilbridge.boundary.observe import process\n"
        "sys.path.insert(0, sys.argv[1])\n"
        "spawn = child_process.spawn\n"
        "process.spawn = lambda module, *rest, **more: "
        "spawn('full' if 'observer' in module else module, *rest, **more)\n"
        "sys.exit(cli.main(sys.argv[2:]))\n"
    )
    words = ["run", str(bench), "--clock", "virtual", "--duration", "20", "--record", str(folder)]
    run = subprocess.run(
        [sys.executable, "-c", starter, str(tmp_path), *words],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
    )
    told: list[dict[str, Any]] = [json.loads(line) for line in run.stdout.splitlines()]
    assert run.returncode == 1, run.stderr
    (full,) = [one for one in told if one["event"] == "cannot write the recording"]
    assert full["reason"] == "No space left on device"
    assert "make room on the disk" in full["remedy"]
    assert told[-1]["event"] == "recording incomplete"
