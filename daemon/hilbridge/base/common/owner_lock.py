"""A lock file: flock(2) on it, and in it who has it, for the message to the one who comes second.

The lock ends with the last process that holds the descriptor, however it ends.
"""

import contextlib
import errno
import fcntl
import os
import stat
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.lasting_files import give_to_owner

PATIENCE: Final = 10.0
"""[s] for which a child of a process that has died may keep its lock."""

_POLL: Final = 0.01
_LONGEST: Final = 300
"""[byte] of an owner."""


def take_lock(path: Path, host: str, refusal: Callable[[str], ConfigurationError], patience: float = 0.0) -> int:
    """Lock a file, which is made if need be; return the descriptor that holds the lock until it is closed everywhere.

    `host`: written beside the process number where the owner may be on another machine; empty: it never is.
    `refusal`: the error for an owner that lives and keeps it for longer than `patience` [s]. A lock that root makes
    belongs to the owner of its folder.

    ConfigurationError: another process has it. OSError: there can be no lock, or the file is a link or no plain file:
    root may lock in a folder of a user who must not lead it to write into another file.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK, 0o644)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
            raise OSError(errno.EINVAL, f"{path.name} is no lock file", str(path))
        give_to_owner(descriptor, path.parent.stat())
        _take(descriptor, host, refusal, patience)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()} {host}".strip().encode() + b"\n", 0)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _take(descriptor: int, host: str, refusal: Callable[[str], ConfigurationError], patience: float) -> None:
    begin = time.monotonic()
    while True:
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        owner, _, there = os.pread(descriptor, _LONGEST, 0).decode("ascii", "replace").strip().partition(" ")
        lives = there != host or Path("/proc", owner if owner.isdecimal() else "-").exists()
        if time.monotonic() - begin >= (patience if lives else PATIENCE):
            raise refusal(f"{owner or 'unknown'} on {there}" if there else owner or "unknown")
        time.sleep(_POLL)
