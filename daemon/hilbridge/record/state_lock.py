"""The lock on a stored state: two runs would write over what the other one has answered.

NAME.json.lock beside the file holds the process number of the run, and is locked (flock(2)) by it and by its observer,
which goes on writing for a moment after a run that was killed. The lock ends with the last of them, however they end.
"""

import contextlib
import errno
import fcntl
import os
import stat
import time
from pathlib import Path
from typing import Final

from hilbridge.common.errors import ConfigurationError
from hilbridge.common.lasting_files import give_to_owner

PATIENCE: Final = 10.0
"""[s] for which an observer may write after its run has died."""

_POLL: Final = 0.01


class StateInUseError(ConfigurationError):
    """Another run keeps its state in the file; `owner` is the number of its process."""

    def __init__(self, path: Path, owner: str) -> None:
        reason = f"another run, process {owner}, keeps its state in {path}"
        super().__init__(f"{reason}: end it, or give this bench a 'name' or a 'state' of its own")
        self.owner = owner


def owner_of_lock(path: Path) -> str:
    """Return the number of the process that has locked the stored state; empty: none has. OSError: that is unknown."""
    try:
        descriptor = os.open(path.with_name(f"{path.name}.lock"), os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        return ""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return os.pread(descriptor, 32, 0).decode("ascii", "replace").strip() or "unknown"
    finally:
        os.close(descriptor)
    return ""


def lock_state(path: Path) -> int:
    """Lock the stored state `path`, and return the descriptor that holds the lock until it is closed everywhere.

    StateInUseError: another run keeps its state there. OSError: there can be no lock.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = path.with_name(f"{path.name}.lock")
    # root may lock in a folder of the service's user, who must not lead it to write into another file
    descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK, 0o644)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
            raise OSError(errno.EINVAL, f"{lock.name} is no lock of a stored state", str(lock))
        give_to_owner(descriptor, path.parent.stat())
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
            raise StateInUseError(path, owner or "unknown")
        time.sleep(_POLL)
