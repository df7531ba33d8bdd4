"""Backup and restoring of a stored state, by a user who need not be that of the bench.

A backup is the file itself, of which a run replaces the whole, so one is consistent at any time. Restoring takes the
lock of the run; the file has the owner of its folder afterwards, and what was there is kept beside it.
"""

import itertools
import os
from pathlib import Path
from typing import Final

from hilbridge.base.common.errors import ConfigurationError, reason_of
from hilbridge.base.common.lasting_files import is_there, read_file, replace_file
from hilbridge.boundary.record.state import PREVIOUS, NewerStateError, StateData, copy_path, decoded
from hilbridge.boundary.record.state_lock import StateInUseError, lock_state

_MODE: Final = 0o640
"""As the unit of the service has it: its user writes, its group reads."""

_UNREADABLE: Final = "unreadable"
"""Ending of a file that could not be read even by who restored another one."""


def load_backup(path: Path) -> tuple[bytes, StateData]:
    """Read a stored state or a backup of one. ConfigurationError: it is none, cannot be read, or is damaged."""
    try:
        content = read_file(path)
        return content, decoded(content)
    except FileNotFoundError:
        raise ConfigurationError(f"there is no stored state {path}") from None
    except PermissionError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror}; as root it can (sudo)") from None
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror or error}") from None
    except NewerStateError as error:
        raise ConfigurationError(f"{path} is of {error}: use the newer program") from None
    except ValueError as error:
        raise ConfigurationError(f"{path} is no stored state, or damaged: {error}") from None


def back_up(path: Path, output: Path, *, force: bool) -> StateData:
    """Copy the stored state into another file, and return it.

    ConfigurationError: it cannot be read or is damaged, or the file is there already and not overwritten by `force`.
    """
    content, state = load_backup(path)
    try:
        if os.path.lexists(output) and not force:
            raise ConfigurationError(f"{output} is there already; --force overwrites it")
        replace_file(output, content, _MODE)
    except OSError as error:
        raise ConfigurationError(f"the backup {output} cannot be written: {reason_of(error)}") from None
    return state


def restore(source: Path, path: Path) -> tuple[StateData, Path | None]:
    """Put a backup in the place of the stored state; return its state, and where the one before it is kept.

    ConfigurationError: the backup is unusable, a run has locked the state, or it cannot be written.
    """
    content, state = load_backup(source)
    try:
        lock = lock_state(path)
    except StateInUseError as error:
        what = f"the bench runs, process {error.owner}, and would write over it"
        remedy = "end it (`systemctl stop hilbridge`), restore, and start it again"
        raise ConfigurationError(f"{path} is not restored: {what}: {remedy}") from None
    except OSError as error:
        raise _refusal(path, error) from None
    try:
        before = _set_aside(path)
        if before is None and is_there(path):
            before = copy_path(path, PREVIOUS)
        replace_file(path, content, _MODE, keep=copy_path(path, PREVIOUS), anew=True)  # which may be the backup
    except OSError as error:
        raise _refusal(path, error) from None
    finally:
        os.close(lock)
    return state, before


def _refusal(path: Path, error: OSError) -> ConfigurationError:
    remedy = "; as root it can (sudo)" if isinstance(error, PermissionError) and os.geteuid() else ""
    return ConfigurationError(f"{path} cannot be restored: {error.strerror or error}{remedy}")


def _set_aside(path: Path) -> Path | None:
    """Move a present state that is damaged or unreadable aside; return where it lies then."""
    try:
        decoded(read_file(path))
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        numbers = itertools.count(2)
        aside = copy_path(path, _UNREADABLE)
        while os.path.lexists(aside):
            aside = copy_path(path, f"{_UNREADABLE}-{next(numbers)}")
        return path.replace(aside)  # reads nothing of it
    return None
