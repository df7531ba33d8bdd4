"""What was recorded is replayed: `hilbridge run --record`, `hilbridge replay`, `hilbridge export`."""

import json
import os
import random
import re
import shutil
import socket
import time
from collections import Counter
from pathlib import Path
from typing import Any

import can
import pytest

from hilbridge.boundary.record.boundary_records import CAME, COMMAND, END, FRAME, SENT, SERIAL, TOOL, FrameRecord
from hilbridge.boundary.record.recording import Recording
from hilbridge.boundary.record.segments import HEADER, record
from hilbridge.client.sync_client import Client
from hilbridge.frames.codec.board_packets import packet

from ..program import database, decoded, demo_bench, hilbridge, running, slcan_client
from .killed_runs import kill_and_judge

TICKS = 2000
"""At least, of 5 ms."""


def socket_to(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=5.0)


def replayed(directory: Path, status: int = 0, **environment: str) -> dict[str, Any]:
    """What `hilbridge replay --json` says, and its exit status."""
    run = hilbridge("replay", directory, "--json", env=os.environ | environment)
    assert run.returncode == status, run.stdout + run.stderr
    outcome: dict[str, Any] = json.loads(run.stdout)
    return outcome


def rewrite(directory: Path, changed: dict[int, FrameRecord]) -> None:
    """The same recording with other frames in some places."""
    recording = Recording(directory)
    crossings = list(recording.records())
    (path,) = directory.glob("record.*")
    content = path.read_bytes()[: HEADER.size]
    for number, (t, kind, payload) in enumerate(crossings):
        content += record(len(content), number, t, kind, changed[number].encode() if number in changed else payload)
    path.write_bytes(content)


REMEMBERING = """transmit: [HILBRIDGE]
    raw:
      Cluster:
        id: 0x3E8
        data: "00 00 00 00 00 00 00 00"
        period: 20
        signals:
          Page: {bit: 0, width: 8, in_turn: [0, 1, 2], frames: 4}
          Tank: {bit: 8, width: 16, scale: 0.001, from: input.Throttle, unit: "%", slew: 7}
          Date: {bit: 24, width: 16, expression: clock.Minute * 60 + clock.Second}
          Time: {bit: 40, width: 24, scale: 0.001, from: clock.Elapsed}
      Messages:
        id: 0x592
        data: "40 00 00 FF"
        signals: {Code: {bit: 8, width: 16, constant: 0}}
        events:
          code: Code
          slot: 50
          repeat: 500
          list: {brake: {code: 24, when: input.Brake > 0.1}, throttle: {code: 25, when: input.Throttle > 0.5}}
      Units: {id: 0x291, data: "01", send: once, terminals: [15]}
    diagnostics: {request: 0x714, answer: 0x77E}
"""
"""Frames whose bytes depend on the date, and on what was sent before."""


BOARD = """boards:
  stand: {port: pty, measures: {lever: {kind: voltage, pin: 14}}}
inputs: """
STEERED = """  - source: board
    board: stand
    signals: {Steer: {field: lever, minimum: 0, maximum: 65535}}
  - source: demo-driver
"""
"""A board measures where the wheel is; AidedSteer of ChassisData follows."""


def measured(position: int) -> bytes:
    """The packet of the board (docs/board-protocol.md)."""
    return packet(5, position.to_bytes(4, "little"))


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten seconds in real time: an SLCAN client that asks by OBD, pedals, a scan tool, a board, and commands."""
    folder = tmp_path_factory.mktemp("replay")
    directory = folder / "recording"
    control = folder / "control.sock"
    changes = [("rate: 1000 ", f"control: {{socket: {control}}}\nrate: 200 "), ("transmit: [HILBRIDGE] ", REMEMBERING)]
    changes += [("inputs: ", BOARD), ("  - source: demo-driver\n", STEERED)]
    bench = demo_bench(folder, *changes)
    with running(bench, "--record", directory) as program:
        with (
            slcan_client(program.slcan_port()) as client,
            Path(program.pedal_port()).open("wb", buffering=0) as pedals,
            socket_to(program.scan_tool_port()) as tool,
            Path(program.wait_for("output port open")["port"].split()[-1]).open("wb", buffering=0) as board,
        ):
            for number in range(40):
                tool.sendall(b"0100\r" if number else b"ATZ\r")
                board.write(measured(1000 * number))
                pedals.write(b"throttle=%d clutch=0 key=1\n" % (20 * number))
                client.send(can.Message(arbitration_id=0x7DF, is_extended_id=False, data=b"\x02\x01\x0c\0\0\0\0\0"))
                if number == 10:
                    command = ("ctl", "--bench", control, "set", "input.Brake", "0.3", "--for", 2)
                    said = hilbridge(*command)
                    assert said.returncode == 0, said.stderr
                    with Client(control) as bench_client:
                        bench_client.command("tune-engine", values={"idle_rpm": 1300.0, "peak_rpm_torque": 230.0})
                        bench_client.command("ask", bus="powertrain", request="1902FF")
                    first = b"\x10\x0b\x59\x02\xff\x01\x71\x00"  # so that flow control has to follow
                    client.send(can.Message(arbitration_id=0x77E, is_extended_id=False, data=first))
                time.sleep(0.1)
        while program.statistics()["ticks"] < TICKS:
            program.wait_for("status")
        program.stop()
    return directory


def test_everything_that_came_in_is_recorded(recording: Path) -> None:
    """Frames of the client, lines of the pedal board and the command, beside what the bench sent itself."""
    crossings = list(Recording(recording).records())
    frames = [FrameRecord.decode(one.payload) for one in crossings if one.kind == FRAME]
    assert Counter(one.frame.can_id for one in frames if one.received) == {0x7DF: 40, 0x77E: 1}
    asked_by_tool = [one for one in frames if one.frame.can_id == 0x7DF and not one.received]
    assert asked_by_tool
    answers = [one for one in frames if one.frame.can_id == 0x7E8]
    assert len(answers) == 40 + len(asked_by_tool)
    assert [one.payload[2] for one in crossings if one.kind == TOOL][:2] == [CAME, SENT]
    pedals, board = (
        b"".join(one.payload[1:] for one in crossings if one.kind == SERIAL and one.payload[0] == port)
        for port in range(2)
    )
    assert pedals.count(b"\n") == 40
    assert board == b"".join(measured(1000 * number) for number in range(40))
    chassis = database("powertrain").get_message_by_name("ChassisData")
    sent = [can.Message(data=one.frame.data) for one in frames if one.frame.can_id == chassis.frame_id]
    steered = {decoded(chassis, message)["AidedSteer"] for message in sent}
    assert len(steered) > 10
    assert any(b"Brake" in one.payload for one in crossings if one.kind == COMMAND)
    assert any(b"idle_rpm" in one.payload for one in crossings if one.kind == COMMAND)
    question = [one.frame.data.hex() for one in frames if one.frame.can_id == 0x714]
    assert [data[:6] for data in question] == ["031902", "300000"]


def test_frames_that_remember_have_gone(recording: Path) -> None:
    """All pages of the display, both events, the units once: what the replay has to make again."""
    frames = [FrameRecord.decode(one.payload).frame for one in Recording(recording).records() if one.kind == FRAME]
    sent = {can_id: [frame.data for frame in frames if frame.can_id == can_id] for can_id in (0x3E8, 0x592, 0x291)}
    assert {data[0] for data in sent[0x3E8]} == {0, 1, 2}
    assert len({data[1:3] for data in sent[0x3E8]}) > 10
    assert {data[1] for data in sent[0x592]} == {24, 25}
    assert sent[0x291] == [b"\x01"]


@pytest.mark.parametrize("interpreted", ["0", "1"])
def test_the_replay_is_identical(recording: Path, interpreted: str) -> None:
    """To the byte; by the compiled model, where there is one, and by the interpreted one."""
    outcome = replayed(recording, HILBRIDGE_INTERPRETED=interpreted)
    assert outcome["identical"] is True
    assert (outcome["end"], outcome["difference"], outcome["changed_files"]) == ("", None, [])
    assert outcome["frames"] == Recording(recording).manifest["frames"] > 3000
    assert outcome["ticks"] > 1000


def test_the_replay_needs_nothing_but_the_recording(recording: Path, tmp_path: Path) -> None:
    """It may be carried to another machine: bench, vehicle and databases are in it."""
    shutil.copytree(recording, tmp_path / "carried")
    assert replayed(tmp_path / "carried")["identical"] is True
    check = hilbridge("check", tmp_path / "carried/bench/bench.yaml")
    assert check.returncode == 0, check.stderr


@pytest.mark.parametrize("until", [1.1234, 3.3])
def test_a_branch_with_the_rest_of_the_inputs_is_the_same_recording(
    recording: Path, tmp_path: Path, until: float
) -> None:
    """Frames, serial bytes, scan tool, early answers, missed ticks, commands: every record but the statistics."""
    run = hilbridge("replay", recording, "--until", until, "--branch", tmp_path / "branch", "--rest")
    assert run.returncode == 0, run.stdout + run.stderr
    straight, branch = (
        [each for each in Recording(one).records() if each.kind != END] for one in (recording, tmp_path / "branch")
    )
    assert branch == straight
    assert replayed(tmp_path / "branch")["identical"] is True


def test_one_changed_byte_is_found_and_named(recording: Path, tmp_path: Path) -> None:
    """Tick, bus, message, and the signals that differ, with both values."""
    directory = tmp_path / "changed"
    shutil.copytree(recording, directory)
    message = next(one for one in database().messages if any(signal.name == "EngineRpm" for signal in one.signals))
    crossings = list(Recording(directory).records())
    number, crossing = [
        (number, one)
        for number, one in enumerate(crossings)
        if one.kind == FRAME and FrameRecord.decode(one.payload).frame.can_id == message.frame_id
    ][200]
    original = FrameRecord.decode(crossing.payload)
    data = bytearray(original.frame.data)
    data[message.get_signal_by_name("EngineRpm").start // 8] ^= 0x01
    rewrite(directory, {number: original._replace(frame=original.frame._replace(data=bytes(data)))})
    outcome = replayed(directory, status=1)
    difference = outcome["difference"]
    assert outcome["identical"] is False
    assert difference["tick"] == crossing.t // 5_000_000
    assert (difference["bus"], difference["message"]) == ("powertrain", message.name)
    assert difference["recorded"] == {"id": f"0x{message.frame_id:X}", "data": data.hex()}
    assert difference["replayed"] == {"id": f"0x{message.frame_id:X}", "data": original.frame.data.hex()}
    expected = [
        decoded(message, can.Message(arbitration_id=message.frame_id, data=bytes(each)))["EngineRpm"]
        for each in (data, original.frame.data)
    ]
    assert difference["signals"]["EngineRpm"] == dict(zip(("recorded", "replayed"), expected, strict=True))
    text = hilbridge("replay", directory)
    assert text.returncode == 1
    assert f"tick {difference['tick']}, bus powertrain ({message.name})" in text.stdout


def test_another_build_is_said_first(recording: Path, tmp_path: Path) -> None:
    """It may be the reason for a difference, or show that there is none."""
    directory = tmp_path / "other"
    shutil.copytree(recording, directory)
    manifest = json.loads((directory / "manifest.json").read_text())
    manifest["software"]["hilbridge"] = "0.0.1"
    (directory / "manifest.json").write_text(json.dumps(manifest))
    run = hilbridge("replay", directory)
    assert run.returncode == 0
    first, *_, last = run.stdout.splitlines()
    assert first.startswith("another build: hilbridge was 0.0.1, is ")
    assert last.startswith("identical: ")


@pytest.mark.nightly
def test_a_recording_that_lacks_something_is_compared_as_far_as_it_goes(recording: Path, tmp_path: Path) -> None:
    """Cut off anywhere, as by a crash, it is replayed to its end, which is said; with a byte flipped, up to there."""
    moments = random.Random(3)
    for number in range(3):
        directory = tmp_path / str(number)
        shutil.copytree(recording, directory)
        size = (directory / "record.000000").stat().st_size
        os.truncate(directory / "record.000000", moments.randrange(HEADER.size, size))
        outcome = replayed(directory)
        assert outcome["identical"] is True
        assert outcome["end"]


def test_a_byte_that_was_changed_is_named_and_the_rest_is_saved(recording: Path, tmp_path: Path) -> None:
    """A replay goes up to there, an export has the frames behind it too; both say so by their status."""
    directory = tmp_path / "flipped"
    shutil.copytree(recording, directory)
    segment = directory / "record.000000"
    content = bytearray(segment.read_bytes())
    content[len(content) // 2] ^= 0x10
    segment.write_bytes(content)
    outcome = replayed(directory, status=1)
    assert outcome["difference"] is None
    place = re.fullmatch(r"record.000000 is unreadable from byte (\d+) to (\d+)", outcome["end"])
    assert place
    assert int(place[1]) <= len(content) // 2 < int(place[2])
    run = hilbridge("export", directory, tmp_path / "saved.log")
    assert run.returncode == 1
    assert f"records are missing in 1 place; the first: {place[0]}" in run.stderr
    whole = Recording(recording).manifest["frames"]
    assert len(list(can.LogReader(tmp_path / "saved.log"))) in (whole - 1, whole)


def test_a_directory_that_is_no_recording_is_refused(tmp_path: Path) -> None:
    run = hilbridge("replay", tmp_path)
    assert run.returncode == 2
    assert "is no recording" in run.stderr


def test_the_frames_for_other_tools(recording: Path, tmp_path: Path) -> None:
    """`export` writes what the extension names: the same frames as in the recording's own frames.blf."""
    own = list(can.BLFReader(recording / "frames.blf"))
    assert len(own) == Recording(recording).manifest["frames"]
    for extension in ("log", "asc"):
        path = tmp_path / f"frames.{extension}"
        run = hilbridge("export", recording, path)
        assert (run.returncode, run.stdout) == (0, f"{path}: {len(own):,} frames\n")
        messages = list(can.LogReader(path))
        assert [bytes(one.data) for one in messages] == [bytes(one.data) for one in own]
    assert hilbridge("export", recording, tmp_path / "frames.xyz").returncode == 2


@pytest.mark.nightly
def test_a_run_that_is_killed_at_any_moment_has_lost_nothing_that_it_answered(tmp_path: Path) -> None:
    """With its observer, without it, or after it; its recording replays. `make soak` kills a thousand."""
    remains = list(kill_and_judge(tmp_path, range(9)))
    assert sum(one.frames > 0 for one in remains) > 3
    assert sum(one.answered for one in remains) > 9
