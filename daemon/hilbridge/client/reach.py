"""The reason why a daemon cannot be reached: without permission, with the group that has it."""

import getpass
from pathlib import Path
from stat import S_IWGRP

from hilbridge.client.talks import UnreachableError


def unreachable(path: Path, error: Exception) -> UnreachableError:
    """Return the error of a connection that failed; without permission it names whom the socket lets in."""
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    if isinstance(error, PermissionError):
        reason += f": {_whom(path)}"
    return UnreachableError(f"no daemon can be reached at {path}: {reason}")


def _whom(path: Path) -> str:
    """Return whom the permissions of a socket let in, with the command that makes this user one of them."""
    try:
        state, user = path.stat(), getpass.getuser()
        owner, group = path.owner(), path.group()
    except (OSError, KeyError):
        return "its folder is closed to this user"
    if state.st_mode & S_IWGRP:
        return f"it is for user {owner} and group {group}; `sudo usermod -aG {group} {user}`, then log in anew"
    return f"it is for user {owner} alone; `control: {{mode: '660'}}` in the bench file lets group {group} in"
