"""The stored state with which a run begins.

| the file | the run |
|---|---|
| can be read | begins with it |
| is missing | begins with nothing; copies are named, and not taken: removing the file means to begin anew |
| cannot be read | does not begin: what cannot be read is not "there is none" |
| is of a newer program | does not begin |
| is damaged | sets it aside, never overwritten, and begins with the newest copy that is good, else with nothing |
| is something else: no copy is beside it, nothing of a state in it | does not begin: a bench file can name any file |
| has parts that this bench cannot use | keeps the whole of it aside, and begins with the other parts |
"""

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Final

from hilbridge.base.common.errors import ConfigurationError, reason_of
from hilbridge.base.common.lasting_files import is_there, keep_copy, read_file, replace_file
from hilbridge.boundary.record.state import (
    AT_START,
    COPIES,
    MARK,
    NewerStateError,
    StateData,
    copy_path,
    decoded,
    encoded,
    read_state,
)

DAMAGED: Final = "damaged"
"""Ending of a file that was set aside; the second one is `damaged-2`."""

UNUSED: Final = "unused"
"""Ending of a state of which a bench could not use some parts."""

_BLANK: Final = b"\0 \r\n\t"
"""The bytes that a power cut leaves of a block that was not written, and white space."""

_HEAD: Final = 200
"""[byte] in which every format has its mark."""

Warn = Callable[[str], None]


def load_state(path: Path | None, warn: Warn) -> StateData:
    """Load the stored state with which a run begins; `warn` is called with what is other than it should be.

    ConfigurationError: it is there and cannot be used; nothing has changed on the disk.
    """
    if path is None:
        return {}
    try:
        content = read_file(path)
    except FileNotFoundError:
        _name_copies(path, warn)
        return {}
    except OSError as error:
        raise unreadable(path, error) from None
    try:
        return decoded(content)
    except NewerStateError as error:
        reason = f"the stored state {path} is of {error}: run the newer program, or move the file away"
        raise ConfigurationError(reason, may_pass=True) from None
    except ValueError as error:
        _require_ours(path, content)
        return _in_place_of_damaged(path, content, str(error), warn)


def _require_ours(path: Path, content: bytes) -> None:
    """ConfigurationError: a file that cannot be read as a state was never one, so that it must stay as it is.

    A state that is damaged has its mark at its head, is cut off before it, or is blank, or it has copies.
    """
    head = content.lstrip(_BLANK)
    if not head or encoded({}).startswith(head) or (head.startswith(b"{") and MARK in head[:_HEAD]):
        return
    try:
        known = any(is_there(copy_path(path, ending)) for ending in COPIES)
    except OSError as error:
        raise unreadable(path, error) from None
    if not known:
        reason = f"{path} is no stored state of hilbridge, and stays as it is"
        raise ConfigurationError(f"{reason}: name another file with 'state', or move it away", ("state",))


def _name_copies(path: Path, warn: Warn) -> None:
    """Warn of a state that is missing beside its copies."""
    try:
        copies = [copy for ending in COPIES if is_there(copy := copy_path(path, ending))]
    except OSError as error:
        raise unreadable(path, error) from None
    if copies:
        remedy = f"`hilbridge state restore {copies[0]}` takes the newest"
        warn(f"there is no stored state {path}: the run begins with nothing, though copies are there: {remedy}")


def unreadable(path: Path, error: OSError) -> ConfigurationError:
    """Return the error about a stored state, or a copy, that is there and cannot be read."""
    reason = f"the stored state {path} cannot be read: {error.strerror or error}"
    remedy = f"`sudo hilbridge state restore {path} {path}` mends owner and permissions; else move it away"
    return ConfigurationError(f"{reason}. No run begins, as it would overwrite it: {remedy}", may_pass=True)


def keep_at_start(path: Path, warn: Warn) -> None:
    """Keep a copy of the state with which the run begins; `warn` is called where that cannot be."""
    try:
        keep_copy(path, copy_path(path, AT_START))
    except FileNotFoundError:
        return
    except OSError as error:
        warn(f"the stored state {path} was not copied: {reason_of(error)}")


def keep_unused(path: Path) -> Path:
    """Keep a state aside of which the run does not use all. ConfigurationError: that cannot be."""
    try:
        content = read_file(path)
        aside = _aside(path, UNUSED, content)
        replace_file(aside, content, 0o640)
    except OSError as error:
        reason = f"parts of the stored state {path} cannot be used, and it cannot be kept aside: {reason_of(error)}"
        raise ConfigurationError(f"{reason}. No run begins, as it would overwrite them", may_pass=True) from None
    return aside


def set_aside(path: Path, content: bytes) -> Path:
    """Rename a file that is damaged to a name that no other has, and return that. OSError: it is where it was."""
    aside = _aside(path, DAMAGED, content)
    return path.replace(aside)


def _in_place_of_damaged(path: Path, content: bytes, reason: str, warn: Warn) -> StateData:
    """Set a damaged file aside, and put the newest good copy in its place."""
    try:
        copy = newest_copy(path)
        if copy is None:
            aside, instead, state = set_aside(path, content), "there is no good copy: the run begins with nothing", {}
        else:
            state = read_state(copy)
            aside = _aside(path, DAMAGED, content)
            keep_copy(path, aside)
            replace_file(path, read_file(copy))
            instead = f"the run begins with its copy {copy.name}"
    except (OSError, NewerStateError) as error:
        why = f"the stored state {path} is damaged ({reason}), and cannot be replaced: {reason_of(error)}"
        remedy = "mend that, or `hilbridge state restore FILE`, or move it away"
        raise ConfigurationError(f"{why}. No run begins, as it would overwrite it: {remedy}", may_pass=True) from None
    warn(f"the stored state {path} is damaged ({reason}); it was set aside as {aside.name}; {instead}")
    return state


def newest_copy(path: Path) -> Path | None:
    """Return the newest copy that is good; None: there is none. OSError, NewerStateError: one cannot be read."""
    for ending in COPIES:
        copy = copy_path(path, ending)
        try:
            read_state(copy)
        except NewerStateError:
            raise
        except (FileNotFoundError, ValueError):
            continue
        return copy
    return None


def _aside(path: Path, ending: str, content: bytes) -> Path:
    """Return the first name of this ending that is free, or that has this content already."""
    numbers = itertools.count(2)
    aside = copy_path(path, ending)
    while is_there(aside) and read_file(aside) != content:
        aside = copy_path(path, f"{ending}-{next(numbers)}")
    return aside
