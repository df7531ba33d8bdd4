"""Whether the clock of this machine is right: synchronised, as the kernel and the service of the network time say.

    adjtimex(2) answers      TIME_ERROR: it is not; else it is. The kernel takes it back by itself after some hours
    it may not be asked      as in the sandbox of a service: what systemd-timesyncd has noted since the boot, if it runs
    neither                  a date before this program was written is wrong; else it is not known

A machine without a battery for its clock begins in the past, until it is synchronised.
"""

import ctypes
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

REMEDY: Final = "timedatectl; drop-ins/time-sync.conf has the service wait for it"
"""The remedy for a clock that is not synchronised."""

TIMESYNC: Final = Path("/run/systemd/timesync")
"""The folder of systemd-timesyncd, which writes `synchronized` into it (systemd-time-wait-sync.service(8))."""

_TIMEX: Final = 256
"""[byte] A timex has 208 at most."""

_TIME_ERROR: Final = 5

_WRITTEN: Final = 1_767_225_600.0
"""[s since 1970] 2026-01-01: this program is newer."""


def ask_kernel() -> bool | None:
    """Return whether the kernel counts its clock as synchronised; None: this process may not ask."""
    timex = ctypes.create_string_buffer(_TIMEX)  # modes 0: nothing is changed
    try:
        state = ctypes.CDLL(None, use_errno=True).adjtimex(timex)
    except (OSError, AttributeError):
        return None
    return None if state < 0 else state != _TIME_ERROR


def is_synchronised(
    folder: Path = TIMESYNC, ask: Callable[[], bool | None] = ask_kernel, now: Callable[[], float] = time.time
) -> bool | None:
    """Return whether the clock is synchronised; None: it cannot be found out."""
    answer = ask()
    if answer is not None:
        return answer
    if os.path.lexists(folder):
        return (folder / "synchronized").exists()
    return False if now() < _WRITTEN else None
