"""The packaged demo bench on the virtual clock, seen through its recording."""

from itertools import pairwise
from pathlib import Path

import can
import pytest

from ..program import database, decoded, demo_bench, record

SECONDS = 100.0


@pytest.fixture(scope="module")
def frames(tmp_path_factory: pytest.TempPathFactory) -> list[can.Message]:
    """A run that is longer than a loop of the demo driver."""
    folder = tmp_path_factory.mktemp("demo")
    return record(demo_bench(folder), folder / "recording", SECONDS)


def series(frames: list[can.Message], name: str) -> list[tuple[float, float]]:
    """Time and value of a signal, as cantools decodes it."""
    message = next(one for one in database().messages if any(signal.name == name for signal in one.signals))
    return [
        (frame.timestamp, decoded(message, frame)[name]) for frame in frames if frame.arbitration_id == message.frame_id
    ]


def test_every_frame_goes_out_at_its_period(frames: list[can.Message]) -> None:
    """Time stamps of an identifier are exactly the database's cycle time apart, on the virtual clock.

    A message without a cycle time (WarningLamps, which a bench has to map) is not sent.
    """
    for message in database().messages:
        if message.senders != ["HILBRIDGE"]:
            continue
        times = [round(frame.timestamp * 1e6) for frame in frames if frame.arbitration_id == message.frame_id]
        if not message.cycle_time:
            assert times == []
            continue
        assert len(times) == SECONDS * 1000 / message.cycle_time
        steps = {later - earlier for earlier, later in pairwise(times)}
        assert steps == {message.cycle_time * 1000}


def test_the_engine_is_started_and_idles(frames: list[can.Message]) -> None:
    """Off at first; cranked; then idle speed, 1000 rpm within 5 %, before the car moves."""
    rpm, speed = series(frames, "EngineRpm"), series(frames, "Speed")
    assert rpm[0][1] == 0
    moving = next(t for t, value in speed if value > 0.5)
    before = [value for t, value in rpm if moving - 4.0 < t < moving - 2.0]
    assert before
    assert all(950 <= value <= 1050 for value in before)
    assert any(value for _, value in series(frames, "EngineStarting"))


def test_the_driver_shifts_up_through_the_gears_and_comes_to_rest(frames: list[can.Message]) -> None:
    """At least three gears one after another, more than 40 km/h, standing again, engine off, and a new start."""
    gears = [value for _, value in series(frames, "GearboxGear") if value > 0]
    assert [gear for i, gear in enumerate(gears) if gear not in gears[:i]][:3] == [1, 2, 3]
    speed = series(frames, "Speed")
    top = max(value for _, value in speed)
    assert top > 40
    after = [value for t, value in speed if t > next(t for t, v in speed if v == top)]
    assert 0.0 in after
    working = [value for _, value in series(frames, "EngineWorking")]
    changes = [now for before, now in pairwise(working) if now != before]
    assert changes[:3] == [1, 0, 1]


def test_nothing_unpleasant_happens_on_the_way(frames: list[can.Message]) -> None:
    """The demo driver neither stalls the engine nor runs it into the limiter, and fuel is burnt while it works."""
    assert not any(value for _, value in series(frames, "EngineLimiter"))
    started = next(t for t, value in series(frames, "EngineWorking") if value)
    stalled = [t for t, value in series(frames, "EngineStalled") if value]
    assert not [t for t in stalled if started < t < started + 60]
    assert max(value for _, value in series(frames, "EngineFuelRate")) > 1.0


def test_the_same_run_twice_gives_the_same_file(tmp_path: Path) -> None:
    """Byte for byte, time stamps included."""
    bench = demo_bench(tmp_path)
    for name in ("one", "two"):
        record(bench, tmp_path / name, 15.0)
    assert (tmp_path / "one/frames.blf").read_bytes() == (tmp_path / "two/frames.blf").read_bytes()


def test_another_rate_gives_another_step_but_the_same_periods(tmp_path: Path) -> None:
    """At 100 ticks/s the demo still drives, and every period of 10 ms and more is kept."""
    frames = record(demo_bench(tmp_path, ("rate: 1000 ", "rate: 100 ")), tmp_path / "recording", 40.0)
    assert max(value for _, value in series(frames, "Speed")) > 20
    times = [frame.timestamp for frame in frames if frame.arbitration_id == 0x100]
    assert len(times) == 4000
