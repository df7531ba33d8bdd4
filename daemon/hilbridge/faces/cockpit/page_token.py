"""The secret in the address of the page, which outlives a run: an open page takes up the next run of its bench.

    the bench file has one        that one
    a kept one, NAME.page         that one: beside the stored state, for its owner's eyes alone
    none is kept                  a new one, which is kept; for the run alone where nothing can be, or nothing is stored

A kept file that others may read, that belongs to another user, or that is no token, is not used; it is made anew.
"""

import os
import re
import stat
from pathlib import Path
from typing import Final

from hilbridge.base.common.lasting_files import read_file
from hilbridge.files.settings.bench import CockpitSettings

ENDING: Final = ".page"
_LENGTH: Final = 16
"""[byte]"""
_FORM: Final = re.compile(rb"[0-9a-f]{32}\n")


def token_of(settings: CockpitSettings, state: Path | None = None) -> str:
    """Return the token of a page; `state`: the file of the stored state, None where nothing is stored.

    ConfigurationError: that of the bench file was left out of a copy.
    """
    if settings.token is not None:
        return settings.token.reveal(("cockpit", "token"))
    fresh = os.urandom(_LENGTH).hex()
    if state is None:
        return fresh
    path = state.with_name(f"{state.stem}{ENDING}")
    try:
        return _read(path) or _keep(path, fresh)
    except OSError:
        return fresh


def _read(path: Path) -> str | None:
    """Return a kept token, or None where there is none that may be used."""
    private = True

    def check(status: os.stat_result) -> None:
        nonlocal private
        private = status.st_uid == os.geteuid() and not stat.S_IMODE(status.st_mode) & 0o077

    try:
        content = read_file(path, check)
    except FileNotFoundError:
        return None
    return content.decode().strip() if private and _FORM.fullmatch(content) else None


def _keep(path: Path, token: str) -> str:
    """Make the file anew; return its token, which may be that of a run that began at the same moment. OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        return _read(path) or token
    try:
        os.write(descriptor, f"{token}\n".encode())
    finally:
        os.close(descriptor)
    return token
