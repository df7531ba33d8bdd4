"""What an ordinary process has, and a child of a real-time process takes back: class, timer slack, processors.

A child inherits all three. Where the parent ran before it took processors of its own is handed on in an environment
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
    """For the first line of a child."""
    with suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    set_timer_slack(TIMER_SLACK)
    if processors := os.environ.get(PROCESSORS):
        with suppress(OSError, ValueError):
            os.sched_setaffinity(0, map(int, processors.split(",")))


def timer_slack() -> int:
    """[ns] how late timers of this thread may fire."""
    return int(_libc.prctl(_PR_GET_TIMERSLACK, 0, 0, 0, 0))


def set_timer_slack(nanoseconds: int) -> bool:
    """False when the kernel refuses."""
    return bool(_libc.prctl(_PR_SET_TIMERSLACK, ctypes.c_ulong(nanoseconds), 0, 0, 0) == 0)


def listed(processors: Iterable[int]) -> str:
    """Processors as the environment variable has them."""
    return ",".join(map(str, sorted(processors)))
