"""The lock on a stored state: two runs would write over what the other one has answered.

NAME.json.lock beside the file holds the process number of the run, and is locked (flock(2)) by it and by its observer,
which goes on writing for a moment after a run that was killed. The lock ends with the last of them, however they end.
"""

import fcntl
import os
from pathlib import Path

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.owner_lock import take_lock


class StateInUseError(ConfigurationError):
    """Another run keeps its state in the file; `owner` is the number of its process."""

    def __init__(self, path: Path, owner: str) -> None:
        reason = f"another run, process {owner}, keeps its state in {path}"
        super().__init__(f"{reason}: end it, or give this bench a 'name' or a 'state' of its own", may_pass=True)
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
    return take_lock(path.with_name(f"{path.name}.lock"), "", lambda owner: StateInUseError(path, owner))
