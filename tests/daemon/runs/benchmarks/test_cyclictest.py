"""cyclictest is run under the daemon's conditions, and its report is read as it stands."""

import os
from pathlib import Path

import pytest

from hilbridge.base.common.statistics import RELATIVE_ERROR
from hilbridge.runs.benchmarks import cyclictest
from hilbridge.runs.benchmarks.daemon import Conditions
from hilbridge.runs.benchmarks.result import UnavailableError

ORDINARY = Conditions(cpu=0, policy=os.SCHED_OTHER, priority=0, memory_locked=False, dma_latency_held=False)
REAL_TIME = Conditions(cpu=3, policy=os.SCHED_FIFO, priority=40, memory_locked=True, dma_latency_held=True)


def words(conditions: Conditions) -> list[str]:
    return cyclictest.command(conditions, 1_000_000, 2.0, Path("report"))


def test_class_priority_and_processor_are_the_daemons() -> None:
    """As are the period, and with it the number of samples in a slice."""
    assert {"--policy=fifo", "--priority=40", "--affinity=3"} <= set(words(REAL_TIME))
    assert {"--policy=other", "--priority=0", "--affinity=0"} <= set(words(ORDINARY))
    assert {"--interval=1000", "--loops=2000"} <= set(words(REAL_TIME))


def test_sleep_states_are_allowed_unless_the_daemon_forbids_them() -> None:
    assert "--laptop" in words(ORDINARY)
    assert "--laptop" not in words(REAL_TIME)


def test_memory_is_locked_when_the_daemons_is() -> None:
    assert "--mlockall" in words(REAL_TIME)
    assert "--mlockall" not in words(ORDINARY)


def test_every_cycle_of_the_report_is_counted() -> None:
    """Whole microseconds count at their upper edge; what left the histogram counts as the largest."""
    report = {"thread": {"0": {"histogram": {"12": 97, "40": 2}, "cycles": 100, "min": 12, "max": 70_000}}}
    histogram = cyclictest.histogram(report)
    assert histogram.count == 100
    assert histogram.percentile(50) == pytest.approx(13_000, rel=RELATIVE_ERROR)
    assert histogram.percentile(99) == pytest.approx(41_000, rel=RELATIVE_ERROR)
    assert histogram.maximum == 70_000_000


def test_without_the_program_the_remedy_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UnavailableError, match="apt-get install rt-tests"):
        cyclictest.run(ORDINARY, 1_000_000, 0.1, tmp_path)


def test_what_it_is_not_permitted_is_told_in_its_own_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "cyclictest"
    program.write_text("#!/bin/sh\necho failed to set priority >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UnavailableError, match="cyclictest: failed to set priority"):
        cyclictest.run(REAL_TIME, 1_000_000, 0.1, tmp_path)
