"""The scheduling of an ordinary process, to which a child of a real-time process returns: class, slack, processors.

A child inherits all three. The processors that the parent had before it chose its own are passed on in an environment
variable.
"""

import ctypes
import os
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

PROCESSORS: Final = "HILBRIDGE_PROCESSORS"
"""The environment variable: numbers with commas between them."""

TIMER_SLACK: Final = 50_000
"""[ns] prctl(2)"""

_PR_SET_TIMERSLACK: Final = 29
_PR_GET_TIMERSLACK: Final = 30

_libc: Final = ctypes.CDLL(None, use_errno=True)


def become_ordinary() -> None:
    """Return this process to ordinary scheduling: the first line of a child."""
    with suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    set_timer_slack(TIMER_SLACK)
    if processors := os.environ.get(PROCESSORS):
        with suppress(OSError, ValueError):
            os.sched_setaffinity(0, map(int, processors.split(",")))


def timer_slack() -> int:
    """Return the timer slack of this thread [ns]: how late its timers may fire."""
    return int(_libc.prctl(_PR_GET_TIMERSLACK, 0, 0, 0, 0))


def set_timer_slack(nanoseconds: int) -> bool:
    """Set the timer slack of this thread; return False when the kernel refuses."""
    return bool(_libc.prctl(_PR_SET_TIMERSLACK, ctypes.c_ulong(nanoseconds), 0, 0, 0) == 0)


def format_processors(processors: Iterable[int]) -> str:
    """Return processors as text, as in the environment variable."""
    return ",".join(map(str, sorted(processors)))
