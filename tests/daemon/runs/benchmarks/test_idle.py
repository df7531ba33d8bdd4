"""What an idle bench is said to cost is what procfs says of the processes that were started."""

import os
import subprocess
import sys
import time

import pytest

from hilbridge.runs.benchmarks import idle
from hilbridge.runs.benchmarks.idle import MEASUREMENT
from hilbridge.runs.benchmarks.result import UnavailableError

BUSY = "import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', 'while True: pass']); p.wait()"


def test_the_processes_beside_the_first_count_too() -> None:
    """A parent that waits, and a child that takes all it gets: more than nothing, and no more than one processor."""
    with subprocess.Popen([sys.executable, "-c", BUSY]) as parent:
        try:
            end = time.monotonic() + 60
            while len(idle._tree(parent.pid)) < 2:
                assert time.monotonic() < end
                time.sleep(0.01)
            _, child = idle._tree(parent.pid)
            while not idle._used(child):
                assert time.monotonic() < end
                time.sleep(0.01)
            assert idle._share(parent.pid, 0.5) <= 110
            assert sum(map(idle._proportional, (parent.pid, child))) > idle._proportional(child)
            os.kill(child, 9)
        finally:
            parent.kill()


def test_a_process_that_has_ended_is_no_memory() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
        assert idle._used(ended.pid) == 0.0
        with pytest.raises(UnavailableError):
            idle._proportional(ended.pid)


def test_two_benches_are_measured_with_and_without_their_page() -> None:
    names = [each.name for each in MEASUREMENT.quantities]
    assert len(names) == len({*names}) == 8
    assert sum("without_page" in name for name in names) == 4
