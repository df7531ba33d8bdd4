"""A packaged bench is recorded, learned from its frames alone, and run again: the same frames come, protected alike."""

from collections.abc import Iterator
from pathlib import Path

import can
import pytest

from hilbridge.bench.bench import Bench
from hilbridge.commands.cli import main
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.frames.codec.codec import compile_message
from hilbridge.frames.codec.database import load_database
from hilbridge.frames.codec.frame import EXTENDED
from hilbridge.frames.plan.report import FrameReport
from hilbridge.frames.protection import Checker, build_checker
from hilbridge.testing import VirtualBench

SECONDS = 10.0

PROTECTED = {"demo": False, "cluster": True, "truck": False, "pedal-box": True}
"""The packaged benches, and whether frames of theirs have a counter or a checksum."""


def key(frame: FrameReport) -> int:
    return frame.identifier | (EXTENDED if frame.extended else 0)


def plan(bench: str) -> dict[int, FrameReport]:
    (report,) = Bench(load_bench(bench)).wiring.plan.describe()
    return {key(frame): frame for frame in report.frames}


def frames(log: Path) -> dict[int, list[bytes]]:
    found: dict[int, list[bytes]] = {}
    for message in can.LogReader(log):
        can_id = message.arbitration_id | (EXTENDED if message.is_extended_id else 0)
        found.setdefault(can_id, []).append(bytes(message.data))
    return found


def record(bench_file: str, log: Path, seconds: float) -> None:
    with VirtualBench(bench_file, demo_driver=bench_file != "pedal-box") as bench:
        if bench_file == "pedal-box":
            bench.set("input.Key", 0)
        bench.advance(seconds)
        bench.record(log)


def receivers(name: str) -> Iterator[tuple[int, Checker]]:
    """Checkers of the protected frames of a packaged bench, from its own file and database."""
    file = load_bench(name)
    for bus, settings in file.settings.buses.items():
        (path,) = file.databases[bus]
        database = load_database(path)
        for message_name, own in settings.messages.items():
            message = database.message(message_name)
            can_id = message.frame_id | (EXTENDED if message.is_extended_frame else 0)
            checker = build_checker(own.protection, compile_message(message), can_id, message.length, ())
            if checker is not None:
                yield can_id, checker
        logged = settings.rest_bus.protection if settings.rest_bus is not None else []
        raw = [(one.id, len(one.content), one.protection) for one in settings.raw.values()]
        for can_id, length, protection in (*raw, *((one.id, 8, one.protection) for one in logged)):
            checker = build_checker(protection, None, can_id, length, ())
            if checker is not None:
                yield can_id, checker


@pytest.fixture(scope="module", params=PROTECTED)
def learned(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """The folder with the log of a bench, `seen.log`, and the bench that was learned from it, `again.yaml`."""
    folder = tmp_path_factory.mktemp(request.param)
    record(request.param, folder / "seen.log", SECONDS)
    assert main(["learn", str(folder / "seen.log"), "-o", str(folder / "again.yaml")]) == 0
    return request.param, folder


def test_the_same_frames_go_at_the_same_times(learned: tuple[str, Path]) -> None:
    """Identifiers, lengths and periods, without the database."""
    name, folder = learned
    again = plan(str(folder / "again.yaml"))
    for can_id, frame in plan(name).items():
        if frame.send == "cyclic":
            assert (again[can_id].period, again[can_id].length) == (frame.period, frame.length), frame.message
    assert set(again) <= set(frames(folder / "seen.log"))
    assert main(["check", str(folder / "again.yaml")]) == 0


def test_receivers_of_the_original_take_the_frames_of_the_learned_bench(learned: tuple[str, Path]) -> None:
    """Counters and checksums are those that the packaged bench has, which the learned file does not know."""
    name, folder = learned
    record(str(folder / "again.yaml"), folder / "again.log", 2.0)
    sent = frames(folder / "again.log")
    checkers = dict(receivers(name))
    assert bool(checkers) == PROTECTED[name]
    for can_id, checker in checkers.items():
        assert [reason for data in sent[can_id] if (reason := checker.check(data))] == [], f"0x{can_id:X}"
