"""The same tests on a virtual bench and on a real one: a daemon in real time, and its bus through python-can.

The hardware is the loopback: an embedded bus with an SLCAN port.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import can
import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.frames.codec.frame import Frame
from hilbridge.testing import AnyBench, RealBench, VirtualBench

from ...program import demo_bench

BUS = "powertrain"
LONG = 30.0
"""Longer than a busy machine takes; a virtual second costs nothing."""


@pytest.fixture(scope="module", params=[VirtualBench, RealBench])
def started(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[AnyBench]:
    folder = tmp_path_factory.mktemp("bench")
    file = demo_bench(folder)
    with file.open("a", encoding="utf-8") as text:
        text.write(f"\ncontrol: {{socket: {folder}/ctl.sock, mode: '600'}}\n")
    with request.param(file) as bench:
        yield bench


@pytest.fixture
def both(started: AnyBench) -> AnyBench:
    """Nothing of the test before is left."""
    started.release()
    started.clear()
    return started


class Echo:
    """A control unit that answers every EngineData1 with its first bytes."""

    def receive(self, frame: Frame, t: float) -> Iterable[Frame]:
        return [Frame(0x555, frame.data[:2])] if frame.can_id == 0x100 else []

    def tick(self, t: float) -> Iterable[Frame]:
        return ()


def test_the_engine_starts(both: AnyBench) -> None:
    both.set("input.Key", 1)
    assert both.advance_until("vehicle.EngineWorking", timeout=LONG) >= 0.0
    assert both.read("vehicle.EngineRpm") > 300


def test_frames_come_with_their_signals(both: AnyBench) -> None:
    both.set("input.Key", 0)
    frame = both.wait_for(BUS, "EngineData1", lambda heard: heard["EngineRpm"] >= 0, timeout=LONG)
    assert 0.0 <= frame.t <= both.time
    assert both.frames(BUS, "EngineData1")[-1].t >= frame.t


def test_a_foreign_frame_moves_a_pedal(both: AnyBench) -> None:
    both.inject(BUS, "DriverInputs", Throttle=40, every=0.02)
    both.advance_until("abs(input.Throttle - 0.4) < 0.01", timeout=LONG)


def test_a_control_unit_on_the_wire_answers(both: AnyBench) -> None:
    both.set("input.Key", 0)
    both.attach(BUS, Echo())
    heard = both.wait_for(BUS, "EngineData1", timeout=LONG)
    both.advance(0.5)
    answers = [one.data for one in both.frames(BUS) if one.frame.can_id == 0x555]
    assert heard.data[:2] in answers


def test_a_tester_is_answered(both: AnyBench) -> None:
    both.set("input.Key", 0)
    both.wait_for(BUS, "EngineData1", timeout=LONG)
    assert len(both.obd(0x0C)) == 2
    assert both.uds(bytes.fromhex("23 11 00 01")) == bytes.fromhex("7F 23 11")


def test_a_fault_takes_a_frame_away_and_gives_it_back(both: AnyBench) -> None:
    both.set("input.Key", 0)
    both.wait_for(BUS, "EngineData1", timeout=LONG)
    number = both.fault(f"frame {BUS}.EngineData1 drop")
    both.advance(0.2)
    with pytest.raises(TimeoutError):
        both.wait_for(BUS, "EngineData1", timeout=0.3)
    both.clear(number)
    both.wait_for(BUS, "EngineData1", timeout=LONG)


def test_a_scenario_has_its_verdicts(both: AnyBench, tmp_path: Path) -> None:
    file = tmp_path / "slope.yaml"
    file.write_text(
        "steps:\n"
        "  - set: {road.Slope: 0.05}\n"
        "  - wait: {until: road.Slope > 0.04, timeout: 30}\n"
        "  - expect: road.Slope > 0.5\n"
    )
    report = both.play(file)
    assert [(row.line, row.outcome.value) for row in report.rows] == [(2, "passed"), (3, "passed"), (4, "failed")]


def test_values_have_a_history(both: AnyBench) -> None:
    both.set("road.Slope", 0.08)
    both.advance(0.5)
    course = both.history("road.Slope", 0.3)
    assert len(course.times) == len(course.values) > 0
    assert course.values[-1] == pytest.approx(0.08)


def test_what_explains_a_failure_is_kept(both: AnyBench, tmp_path: Path) -> None:
    both.set("input.Key", 0)
    both.wait_for(BUS, "EngineData1", timeout=LONG)
    files = both.keep(tmp_path / "kept")
    assert [file.name for file in files][:3] == ["frames.blf", "log.txt", "values.svg"]
    assert 0x100 in {message.arbitration_id for message in can.BLFReader(files[0])}


def test_unknown_names_are_refused(both: AnyBench) -> None:
    with pytest.raises(ConfigurationError, match="did you mean"):
        both.read("vehicle.EngineRmp")
    with pytest.raises(ConfigurationError, match="unknown bus 'body'"):
        both.frames("body")
    with pytest.raises(ConfigurationError):
        both.set("input.Brake", 4.0)
