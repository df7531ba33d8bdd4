"""A log is judged as a cluster judges the bus: a frame that is left out or false is named with what it shows."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.bench import Bench
from hilbridge.commands.cli import main
from hilbridge.faces.explain.log_check import Judgement, LogCheck, check_log
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.frames.codec.frame import LOGGED, Frame
from hilbridge.testing import VirtualBench

from .cluster import bench_file

Log = list[tuple[int, Frame]]
Change = Callable[[int, Frame, int], Iterable[tuple[int, Frame]]]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """The bench whose plan is wanted; it never runs."""
    return Bench(load_bench(str(bench_file(tmp_path_factory.mktemp("desk")))))


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    """Three seconds of the bench, the first half without ignition."""
    with VirtualBench(bench_file(tmp_path_factory.mktemp("log"))) as bench:
        bench.advance(0.5)
        bench.set("input.Key", 0)
        bench.advance(4)
        return [(round(heard.t * 1e9), heard.frame) for heard in bench.frames("dash")]


def judged(desk: Bench, log: Log) -> dict[str, Judgement]:
    check = LogCheck(desk.wiring.plan.selections["dash"].outgoing)
    for t, frame in log:
        check.note(t, frame)
    return check.judgements()


def changed(log: Log, can_id: int, change: Change) -> Log:
    """A log with another course of one frame; `change` gets the number of each of its frames."""
    numbers = iter(range(len(log)))
    pieces = [change(t, frame, next(numbers)) if frame.can_id == can_id else [(t, frame)] for t, frame in log]
    return sorted((each for piece in pieces for each in piece), key=lambda each: each[0])


def flipped(byte: int, bit: int) -> Change:
    """Every third frame has one wrong bit."""

    def change(t: int, frame: Frame, number: int) -> Log:
        data = bytearray(frame.data)
        data[byte] ^= 1 << bit if number % 3 == 0 else 0
        return [(t, frame._replace(data=bytes(data)))]

    return change


def test_the_bench_itself_is_right(desk: Bench, log: Log) -> None:
    """All that is expected is there, though the key was turned late."""
    found = judged(desk, log)
    assert [(name, one.expected, one.causes) for name, one in found.items()] == [
        ("Speed", True, ()),
        ("Brakes", True, ()),
        ("Quiet", True, ()),
    ]


FALSE: dict[str, Change] = {
    "missing": lambda t, frame, number: [],
    "missing in the last": lambda t, frame, number: [(t, frame)] if number < 30 else [],
    "missing in the first": lambda t, frame, number: [(t, frame)] if number >= 10 else [],
    "missing for up to": lambda t, frame, number: [] if 10 < number < 16 else [(t, frame)],
    "late": lambda t, frame, number: [(t, frame)] if number % 2 else [],
    "too often": lambda t, frame, number: [(t, frame), (t + 5 * MILLISECOND, frame)],
    "wrong: it has 2 bytes": lambda t, frame, number: [(t, frame._replace(data=frame.data[:2]))],
}


@pytest.mark.parametrize("words", FALSE)
@pytest.mark.parametrize(("name", "can_id"), [("Speed", 0x201), ("Brakes", 0x212)])
def test_a_frame_whose_times_are_false_is_named(desk: Bench, log: Log, words: str, name: str, can_id: int) -> None:
    """And no other one."""
    found = judged(desk, changed(log, can_id, FALSE[words]))
    assert any(cause.text.startswith(words) for cause in found[name].causes), found[name]
    assert [other for other, one in found.items() if one.causes] == [name]


@given(byte=st.integers(0, 6), bit=st.integers(0, 7))
def test_every_bit_of_a_protected_frame_is_guarded(desk: Bench, log: Log, byte: int, bit: int) -> None:
    """By its counter, its checksum, or since nothing may change there."""
    found = judged(desk, changed(log, 0x212, flipped(byte, bit)))
    assert [other for other, one in found.items() if one.causes] == ["Brakes"]


@pytest.mark.parametrize(("words", "number"), [("its counter stands still", 0), ("its counter jumps", 1)])
def test_a_wrong_counter_with_a_right_checksum_is_named(desk: Bench, log: Log, words: str, number: int) -> None:
    def change(t: int, frame: Frame, count: int) -> Log:
        wrong = 5 if number == 0 else count * 7 % 16
        data = bytearray(frame.data)
        data[1] = data[1] & 0xF0 | wrong
        data[6] = 0
        for byte in data[:6]:
            data[6] ^= byte
        return [(t, frame._replace(data=bytes(data)))]

    (cause, *_) = judged(desk, changed(log, 0x212, change))["Brakes"].causes
    assert words in cause.text


def test_a_lamp_that_a_frame_lights_at_the_end_of_the_log_is_lit(desk: Bench, log: Log) -> None:
    """Its content is right, whoever decided so."""

    def change(t: int, frame: Frame, count: int) -> Log:
        data = bytearray(frame.data)
        data[3] |= 1
        data[6] ^= 1
        return [(t, frame._replace(data=bytes(data)))]

    found = judged(desk, changed(log, 0x212, change))["Brakes"]
    assert (found.causes, dict(found.lit)) == ((), {"ABS": "AbsLamp (vehicle.AbsEngaged)"})


EVENTS = """name: desk
vehicle: compact
buses:
  dash:
    interface: embedded
    raw:
      Messages:
        id: 0x592
        data: "40 00 00"
        signals: {Code: {bit: 8, width: 16, constant: 0}}
        events: {code: Code, slot: 100, repeat: 1000, list: {door: {code: 15, when: body.DoorFrontLeft}}}
"""


@pytest.mark.parametrize(("line", "causes"), [("", 0), ("        period: 200\n", 1)], ids=["on events", "in cycles"])
def test_a_frame_of_events_is_missed_only_where_it_has_a_cycle(line: str, causes: int, tmp_path: Path) -> None:
    """Without one it rests while no event is on."""
    file = tmp_path / "desk.yaml"
    file.write_text(EVENTS.replace("        signals:", f"{line}        signals:"), encoding="utf-8")
    judgement = judged(Bench(load_bench(str(file))), [(5_000_000_000, Frame(0x100, b""))])["Messages"]
    assert (judgement.expected, len(judgement.causes)) == (True, causes)


def test_without_ignition_its_frames_are_not_expected(desk: Bench, log: Log) -> None:
    """What goes at terminal 30 is."""
    found = judged(desk, [each for each in log if each[1].can_id == 0x420])
    assert {name: (one.expected, one.causes) for name, one in found.items()} == {
        "Speed": (False, ()),
        "Brakes": (False, ()),
        "Quiet": (True, ()),
    }


@given(st.lists(st.tuples(st.integers(0, 10**10), st.sampled_from([0x201, 0x212, 0x7FF]), st.binary(max_size=64))))
def test_no_log_does_harm(desk: Bench, frames: list[tuple[int, int, bytes]]) -> None:
    """Whatever it holds."""
    check = LogCheck(desk.wiring.plan.selections["dash"].outgoing)
    ordered = sorted(frames)
    log = b"".join(LOGGED.pack(t, can_id, 0, len(data)) + data for t, can_id, data in ordered)
    check_log(log, check)
    assert set(check.judgements()) == {"Speed", "Brakes", "Quiet"}
    assert sum(check.others.values()) == sum(can_id == 0x7FF for _, can_id, _ in frames)


def test_the_command_judges_the_log_of_another_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The frame is named with its lamps; a log that cannot be read has its line."""
    file = bench_file(tmp_path)
    with VirtualBench(file) as bench:
        bench.set("input.Key", 0)
        bench.advance(2)
        bench.fault("frame dash.Brakes drop", seconds=1)
        bench.advance(1.5)
        bench.record(tmp_path / "wrong.asc")
    assert explained(file, "--log", f"{tmp_path}/wrong.asc") == 1
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "missing" in line]
    assert line.startswith("  lamps ABS, ESP, brake: Brakes (0x212): missing for up to 1")
    (tmp_path / "torn.log").write_text("(0.0) can0 201#00\nnonsense\n")
    assert explained(file, "--log", f"{tmp_path}/torn.log") == 2
    assert "torn.log:2" in capsys.readouterr().err


def explained(*words: Any) -> int:
    return main(["explain", *map(str, words)])
