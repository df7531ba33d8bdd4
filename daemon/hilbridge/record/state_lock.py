"""The lock on a stored state: two runs would write over what the other one has answered.

NAME.json.lock beside the file holds the process number of the run, and is locked (flock(2)) by it and by its observer,
which goes on writing for a moment after a run that was killed. The lock ends with the last of them, however they end.
"""

import contextlib
import fcntl
import os
import time
from pathlib import Path
from typing import Final

from hilbridge.common.errors import ConfigurationError

PATIENCE: Final = 10.0
"""[s] for which an observer may write after its run has died."""

_POLL: Final = 0.01


def lock_state(path: Path) -> int:
    """Lock the stored state `path`, and return the descriptor that holds the lock until it is closed everywhere.

    ConfigurationError: another run keeps its state there. OSError: there can be no lock.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        _take(descriptor, path)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, b"%d\n" % os.getpid(), 0)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _take(descriptor: int, path: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        owner = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip()
        if Path("/proc", owner or "-").exists() or time.monotonic() > deadline:
            reason = f"another run, process {owner or 'unknown'}, keeps its state in {path}"
            raise ConfigurationError(f"{reason}: end it, or give this bench a 'name' or a 'state' of its own")
        time.sleep(_POLL)
