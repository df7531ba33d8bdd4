"""What is measured is what it is called."""

from pathlib import Path

import pytest

from hilbridge.bench.bench import Bench
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.runs.benchmarks.rig import DEMO, MeasuredBench

from .benches import FORTY, FULL, SIXTY
from .hands import HANDS


def built(bench: MeasuredBench, folder: Path) -> Bench:
    return Bench(load_bench(str(bench.write(folder))))


@pytest.mark.parametrize("bench", [DEMO, FORTY, SIXTY, FULL, HANDS], ids=["demo", "forty", "sixty", "full", "hands"])
def test_a_measured_bench_disturbs_no_other_daemon(bench: MeasuredBench, tmp_path: Path) -> None:
    """Any free port, no control socket but one of its own, no stored state."""
    settings = built(bench, tmp_path).settings
    assert {way for bus in settings.buses.values() for way in bus.slcan_ways} == {0}
    assert all(way in (0, "pty") for adapter in settings.diagnostics.elm327 for way in adapter.ways)
    assert not settings.control.enabled or settings.control.socket == str(tmp_path / "control.sock")
    assert (settings.cockpit.port, settings.state) == (0, "none")


def test_forty_protected_frames_lie_on_two_buses(tmp_path: Path) -> None:
    """With periods from 10 ms to 1 s, and nothing to complain of."""
    bench = built(FORTY, tmp_path)
    frames = bench.wiring.plan.frames
    assert (len(frames), len({frame.bus.name for frame in frames})) == (40, 2)
    assert {frame.period for frame in frames} >= {10_000_000, 1_000_000_000}
    assert all(frame.outgoing.protector is not None for frame in frames)
    assert bench.wiring.warnings() == []


def test_the_sixty_frames_are_those_of_a_profile(tmp_path: Path) -> None:
    """Each has a table, a limit per second and expressions; one has forty events, and all are sent."""
    plan = built(SIXTY, tmp_path).wiring.plan
    assert len(plan.frames) == 60
    assert [len(frame.outgoing.events.events) for frame in plan.frames if frame.outgoing.events is not None] == [40]
    assert sum("by a table" in one.text for frame in plan.frames for one in frame.outgoing.assignments) == 59
    assert sum(frame.outgoing.protector is not None for frame in plan.frames) == 20


def test_the_full_bench_has_every_way_in(tmp_path: Path) -> None:
    """More than forty frames on three buses, CAN and serial inputs, OBD-II, scan tools, the page, and a recording."""
    bench = built(FULL, tmp_path)
    assert len(bench.wiring.plan.frames) > 40
    assert len(bench.buses) == 3
    assert {one.source for one in bench.settings.inputs} == {"can", "serial", "demo-driver"}
    assert list(bench.settings.diagnostics.units) == ["engine"]
    assert bench.settings.diagnostics.elm327
    assert bench.settings.cockpit.enabled
    assert bench.wiring.warnings() == []
    assert FULL.options(tmp_path)[0] == "--record"
