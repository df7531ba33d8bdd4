"""A child that is looked after: started again with back-off, by the caller's time."""

import os
import sys

from hilbridge.base.common.backoff import FIRST_DELAY, LONGEST_DELAY
from hilbridge.base.common.units import SECOND
from hilbridge.base.process.child_process import Child
from hilbridge.base.process.supervised_process import SupervisedProcess


class Kept(SupervisedProcess):
    """Ends at once with status 3, or does not even start."""

    def __init__(self) -> None:
        super().__init__()
        self.fails = False
        self.codes: list[int] = []

    def _spawn(self) -> Child:
        if self.fails:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        words = [sys.executable, "-S", "-c", "raise SystemExit(3)"]
        return Child(os.posix_spawn(words[0], words, os.environ))

    def _ended(self, process: Child, code: int) -> None:
        self.codes.append(code)

    def wait(self) -> None:
        assert self._process is not None
        self._process.wait()


def test_a_child_that_ended_is_started_again_after_the_delay() -> None:
    """Its exit status is reported once; the first restart follows after 50 ms."""
    child = Kept()
    child.start()
    child.wait()
    assert not child.poll(SECOND)
    assert (child.codes, child.pid, child.restarts) == ([3], None, 0)
    assert not child.poll(SECOND + FIRST_DELAY - 1)
    assert child.poll(SECOND + FIRST_DELAY)
    assert child.restarts == 1
    assert child.pid is not None
    child.wait()


def test_a_child_that_cannot_be_started_costs_one_attempt_a_second() -> None:
    """Without descriptors or processes to be had the caller goes on, and tries again."""
    child = Kept()
    child.start()
    child.wait()
    child.fails = True
    looks = range(0, 20 * SECOND, SECOND // 10)
    assert not any(child.poll(t) for t in looks)
    child.fails = False
    assert child.poll(looks[-1] + LONGEST_DELAY)
    assert child.restarts == 1
    child.wait()
