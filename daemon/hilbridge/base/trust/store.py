"""The list of the code that is trusted: a file in the folder of state, with lines as sha256sum(1) prints them.

    DIGEST  PATH
    DIGEST  MODULE:NAME of DISTRIBUTION VERSION

Only the digest counts; the rest says to people what it was. The list counts for nothing if others than its user and
root may write it.
"""

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.lasting_files import read_file, replace_file, state_folder
from hilbridge.base.common.owner_lock import PATIENCE, take_lock
from hilbridge.base.trust.code import Code
from hilbridge.base.trust.installed import Installed

_NAME: Final = "trusted-code"
_ROOT: Final = 0


class Entry(NamedTuple):
    """A line of the list."""

    digest: str
    label: str


def list_path() -> Path:
    """Return the path of the list."""
    return state_folder() / _NAME


def entries() -> list[Entry]:
    """Return what is trusted, the oldest first. ConfigurationError: the list cannot be read, or others may write it."""
    path = list_path()
    try:
        content = read_file(path, partial(_require_own, path))
    except FileNotFoundError:
        return []
    except OSError as error:
        reason = error.strerror or str(error)
        raise ConfigurationError(f"the list of trusted code {path} cannot be read: {reason}") from error
    return list(_parsed(content.decode(errors="replace").splitlines()))


def add(codes: Iterable[Code | Installed]) -> None:
    """Trust code from now on. ConfigurationError: that cannot be stored."""
    new = [Entry(code.digest, _shown(code.label)) for code in codes]
    fresh = {entry.digest for entry in new}
    with _alone():
        _store([*(entry for entry in entries() if entry.digest not in fresh), *new])


def forget(name: str) -> list[Entry]:
    """Take away what was trusted by a path, whatever its text was, or by MODULE:NAME, of all versions; return it."""
    path = _shown(str(Path(name).resolve()))
    with _alone():
        known = entries()
        forgotten = [entry for entry in known if entry.label == path or entry.label.startswith(f"{name} of ")]
        if forgotten:
            _store([entry for entry in known if entry not in forgotten])
    return forgotten


@contextmanager
def _alone() -> Iterator[None]:
    """Let no other command change the list meanwhile. ConfigurationError: one does, for long."""
    path = list_path().with_name(f"{_NAME}.lock")

    def refusal(owner: str) -> ConfigurationError:
        return ConfigurationError(f"the list of trusted code {list_path()} is being changed by process {owner}")

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = take_lock(path, "", refusal, PATIENCE)
    except OSError as error:
        raise ConfigurationError(
            f"the list of trusted code {list_path()} cannot be locked: {error.strerror}"
        ) from error
    try:
        yield
    finally:
        os.close(lock)


def _require_own(path: Path, status: os.stat_result) -> None:
    if status.st_uid not in (_ROOT, os.geteuid()) or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        words = f"the list of trusted code {path} belongs to somebody else, or others may write it"
        raise ConfigurationError(f"{words}: nothing in it counts; remove it, or chmod go-w")


def _parsed(lines: Iterable[str]) -> Iterator[Entry]:
    for line in lines:
        digest, _, label = line.rstrip("\n").partition("  ")
        yield Entry(digest, label)


def _shown(label: str) -> str:
    """Return a label on one line."""
    return "".join(letter if letter.isprintable() else "?" for letter in label)


def _store(known: Iterable[Entry]) -> None:
    text = "".join(f"{entry.digest}  {entry.label}\n" for entry in known)
    try:
        replace_file(list_path(), text.encode(), mode=0o600)
    except OSError as error:
        raise ConfigurationError(
            f"the list of trusted code {list_path()} cannot be written: {error.strerror}"
        ) from error
