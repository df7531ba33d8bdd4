"""A profile is laid beside a log whose every byte is known: what is equal, what differs, and how it is told."""

import json
import re
from collections.abc import Callable, Iterable
from functools import reduce
from operator import xor
from pathlib import Path

import pytest

from hilbridge.commands.cli import main
from hilbridge.desk.beside.car import read_car
from hilbridge.desk.beside.compare import Findings, compare
from hilbridge.desk.beside.words import differences, row
from hilbridge.files.configuration.profiles import load_profile
from hilbridge.frames.codec.frame import EXTENDED

PROFILE = """
title: A desk cluster
confidence: C
tested: by nobody
seen: car
sources: [none]
bus:
  bitrate: 500000
  never_send: [0x6F0-0x6FF, 0x10EC8040]
  raw:
    Engine:
      id: 0x110
      data: "00 00 00 FF 00 40 00 00"
      period: 20
      protection:
        - counter: {at: {bit: 52, width: 4}}
          checksum: {at: {bit: 56, width: 8}, algorithm: xor8}
      signals:
        EngineSpeed: {bit: 0, width: 16, scale: 0.25, from: vehicle.EngineRpm}
        Coolant: {bit: 16, width: 8, offset: -40, unit: degC, from: auxiliary.CoolantTemperature}
    Body:
      id: 0x130
      data: "00 A5"
      period: 100
      signals:
        Left: {bit: 0, width: 1, from: body.LeftTurnLamp}
    Constant: {id: 0x200, data: "01 10", period: 100}
    Silent: {id: 0x300, data: "00", period: 100}
"""

Frames = list[tuple[float, int, bytes]]
Beside = Callable[[Frames], Findings]


def engine(count: int, rpm: int = 3000, coolant: int = 90) -> bytes:
    """An engine frame by the sentences of the profile above, written by hand."""
    data = bytearray((rpm * 4).to_bytes(2, "little") + bytes([coolant + 40, 0xFF, 0, 0x40, count % 16 << 4]))
    return bytes([*data, reduce(xor, data)])


def drive(seconds: float = 4.0) -> Frames:
    """A car that sends what the profile says, its engine from 1000 to 3000 1/min."""
    frames: Frames = []
    for number in range(int(seconds * 50)):
        frames.append((number * 0.02, 0x110, engine(number, 1000 + 2000 * number // int(seconds * 50 - 1), 80)))
    for number in range(int(seconds * 10)):
        t = number * 0.1 + 0.001
        frames += [(t, 0x130, bytes([number % 2, 0xA5])), (t, 0x200, b"\x01\x10")]
        frames += [(t, 0x6F0, b"\x00"), (t, 0x777, b"\x00"), (t, 0x10EC8040, b"\x00")]
    return sorted(frames)


def candump(path: Path, frames: Iterable[tuple[float, int, bytes]]) -> Path:
    digits = {False: 3, True: 8}
    lines = (f"({t:.6f}) can0 {can_id:0{digits[can_id > 0x7FF]}X}#{data.hex()}" for t, can_id, data in frames)
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def beside(tmp_path: Path) -> Beside:
    """Lays the profile beside frames."""
    file = tmp_path / "desk.yaml"
    file.write_text(PROFILE, encoding="utf-8")
    profile = load_profile(str(file))
    return lambda frames: compare(profile, read_car([candump(tmp_path / "car.log", frames)]))


def told(found: Findings, name: str) -> list[str]:
    return differences(next(frame for frame in found.frames if frame.name == name))


def test_a_car_that_sends_what_the_profile_says_is_equal(beside: Beside) -> None:
    """Signals with their range, protection with its count; a frame that no log has is no difference, and said."""
    found = beside(drive())
    verdicts = {frame.name: row(frame)[3] for frame in found.frames}
    assert verdicts == {
        "Engine": "equal", "Body": "equal", "Constant": "equal", "Silent": "not heard"
    }  # fmt: skip
    speed, coolant = found.frames[0].signals
    assert (speed.low, speed.high, coolant.low, coolant.high) == (1000, 3000, 80, 80)
    assert [(one.kind, one.right, one.frames) for one in found.frames[0].checks] == [
        ("counter", 199, 199), ("checksum", 200, 200)
    ]  # fmt: skip
    assert (found.strangers, found.never_sent) == ([0x777], [0x6F0, 0x10EC8040 | EXTENDED])


def changed(frames: Frames, can_id: int, change: Callable[[int, bytes], bytes]) -> Frames:
    """The frames with those of one identifier changed; each gets its number."""
    numbers = iter(range(len(frames)))
    return [(t, one, change(next(numbers), data) if one == can_id else data) for t, one, data in frames]


@pytest.mark.parametrize(
    ("frame", "change", "words"),
    [
        ("Body", lambda _, data: data[:1] + b"\xa4", ["byte 1: A4 (ours: A5)"]),
        ("Body", lambda n, data: data[:1] + bytes([0xA5 + n % 2]), ["byte 1: A5 A6 (ours: A5 in 20 of 40)"]),
        ("Body", lambda _, data: bytes([data[0] | 0x80, 0xA5]), ["byte 0 & FE: 80 (ours: 00)"]),
        ("Body", lambda _, data: data + b"\x00", ["40 frames of 3 bytes (ours: 2)"]),
        ("Engine", lambda n, _: engine(n)[:7] + b"\x00", ["checksum right in 0 of 200"]),
        ("Engine", lambda _, __: engine(3), ["counter right in 0 of 199"]),
        ("Engine", lambda n, _: engine(n * 2), ["counter right in 0 of 199"]),
    ],
)
def test_what_differs_is_told_byte_by_byte(
    beside: Beside, frame: str, change: Callable[[int, bytes], bytes], words: list[str]
) -> None:
    """Another constant, a bit that moves, a length, a checksum, a counter that stands or counts otherwise."""
    can_id = {"Body": 0x130, "Engine": 0x110}[frame]
    found = beside(changed(drive(), can_id, change))
    assert [one for one in told(found, frame) if "ours: 00 in" not in one] == words
    assert [told(found, other) for other in ("Engine", "Body", "Constant") if other != frame] == [[], []]


def test_a_log_that_loses_frames_accuses_no_counter(beside: Beside) -> None:
    """One frame of three is missing: its successors have no predecessor, and are not judged."""
    frames = [one for number, one in enumerate(drive()) if one[1] != 0x110 or number % 3]
    assert told(beside(frames), "Engine") == []


def test_another_period_is_told(beside: Beside) -> None:
    slow = [(t * 2, can_id, data) for t, can_id, data in drive()]
    assert told(beside(slow), "Engine") == ["every 40 ms (ours: 20)"]


def test_several_logs_are_one_car(tmp_path: Path) -> None:
    """A byte that stands in each log, and differs between them, moves."""
    file = tmp_path / "desk.yaml"
    file.write_text(PROFILE, encoding="utf-8")
    other = changed(drive(), 0x130, lambda _, data: data[:1] + b"\x11")
    logs = [candump(tmp_path / "one.log", drive()), candump(tmp_path / "two.log", other)]
    found = compare(load_profile(str(file)), read_car(logs))
    assert told(found, "Body") == ["byte 1: 11 A5 (ours: A5 in 40 of 80)"]
    assert told(found, "Engine") == []


def test_the_command_prints_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "desk.yaml"
    file.write_text(PROFILE, encoding="utf-8")
    log = candump(tmp_path / "car.log", drive())
    assert main(["profiles", str(file), "--against", str(log)]) == 0
    said = re.sub(" +", " ", capsys.readouterr().out)
    assert "110 Engine 200 equal counter right in 199 of 199; checksum right in 200 of 200" in said
    assert "Engine Coolant 80 auxiliary.CoolantTemperature in degC" in said
    assert "not in the profile: 777" in said
    assert "left to the receiver: 6F0 10EC8040" in said
    assert main(["profiles", str(file), "--against", str(log), "--json"]) == 0
    frames = json.loads(capsys.readouterr().out)["frames"]
    assert [one["verdict"] for one in frames] == ["equal", "equal", "equal", "not heard"]
    candump(log, changed(drive(), 0x130, lambda _, data: data[:1] + b"\xa4"))
    assert main(["profiles", str(file), "--against", str(log)]) == 0  # a state of the car, perhaps
    candump(log, changed(drive(), 0x110, lambda n, _: engine(n)[:7] + b"\x00"))
    assert main(["profiles", str(file), "--against", str(log)]) == 1
    capsys.readouterr()
    assert main(["profiles", "--against", str(log)]) == 2
    assert "--against needs the name of a profile" in capsys.readouterr().err


def test_steering_angles_of_a_recorded_wrx_agree(tmp_path: Path) -> None:
    """Two units of the car send the angle: 0x002 and 0x0D0 of afreiday/2016-wrx-can-ids, steering-wheel.log."""
    pairs = [("0170700BEC000000", "B3FE"), ("FED5700548000000", "4C01")]
    frames = [(0.1 * n, 2, bytes.fromhex(first)) for n, (first, _) in enumerate(pairs)]
    frames += [(0.1 * n, 0xD0, bytes.fromhex(second) + bytes(6)) for n, (_, second) in enumerate(pairs)]
    found = compare(load_profile("subaru-wrx-va"), read_car([candump(tmp_path / "wrx.log", sorted(frames))]))
    angles = {one.name: one for frame in found.frames for one in frame.signals if one.name in ("Angle", "Steering")}
    assert angles["Angle"].low == pytest.approx(angles["Steering"].low, abs=5)
    assert angles["Angle"].high == pytest.approx(angles["Steering"].high, abs=5)


BODY = [
    (0.02 * n, 0x152, bytes.fromhex(data))
    for n, data in enumerate(
        (
            *("E11C00000000088C", "E12C00000000088C", "E10C000000001082", "E11C000000000082", "E11C000000000880"),
            *("C10C000000000880", "810C000000000080", "A11C000000000080", "E10C000000000080"),
        )
    )
]


def test_the_parity_of_a_recorded_wrx_is_right(tmp_path: Path) -> None:
    """Frames of 0x152 with the parking brake, the brake and lamps in turn: ElDominio/CANBUSlogs, vabsubaru."""
    found = compare(load_profile("subaru-wrx-va"), read_car([candump(tmp_path / "wrx.log", BODY)]))
    brake = next(frame for frame in found.frames if frame.name == "BodyBrake")
    assert [(one.kind, one.right, one.frames) for one in brake.checks][1:] == [("checksum", len(BODY), len(BODY))]


def test_the_counter_of_a_recorded_mustang_is_right(tmp_path: Path) -> None:
    """Frames of 0x202 in a row, from the log of v-ivanyshyn/parse_can_logs."""
    recorded = ["04F9180060000000", "04F7280060000000", "04F5380060000000", "04F3480060000000", "04F1580060000000"]
    frames = [(0.02 * n, 0x202, bytes.fromhex(data)) for n, data in enumerate(recorded)]
    found = compare(load_profile("mustang-s550"), read_car([candump(tmp_path / "mustang.log", frames)]))
    speed = next(frame for frame in found.frames if frame.name == "Speed")
    assert [(one.kind, one.right, one.frames) for one in speed.checks] == [("counter", 4, 4), ("checksum", 5, 5)]
