"""The gate before every piece of Python that a bench, a vehicle or a recording names: no other place imports it.

A file is trusted that the user has trusted here (base/trust/store.py), that came with the program, or that is in
/etc/hilbridge, where only root writes. A name in an installed package is trusted that the user has trusted in this
version of the package, or that the package declares for this purpose (base/trust/installed.py). The gate never asks: it
refuses and remembers what, and the command line asks.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from hilbridge.base.common.errors import ConfigurationError, quoted
from hilbridge.base.common.lasting_files import is_file
from hilbridge.base.resources import Kind, is_of_this_machine, shipped_folders
from hilbridge.base.trust import store
from hilbridge.base.trust.code import Code, read_code
from hilbridge.base.trust.installed import OWN, Installed, find_installed

_LONGEST_PATH: Final = 300


_REMEDY: Final = "then: hilbridge trust FILE, or --trust of run, check, replay and campaign"


class UntrustedCodeError(ConfigurationError):
    """Code that the user has not trusted here."""


class _Gate:
    """The decisions of this process."""

    def __init__(self) -> None:
        self.passed: dict[str, Code | Installed] = {}
        self.refused: dict[str, Code | Installed] = {}
        self.accepted: set[str] = set()
        self.is_open = False


_GATE: Final = _Gate()


def require_trust(path: Path) -> Code:
    """Return the code of a file that may be run.

    UntrustedCodeError: it is not trusted. OSError, ValueError: it cannot be read.
    """
    code = read_code(path)
    if not (_is_known(code) or is_of_this_machine(code.path) or _is_shipped(code)):
        _GATE.refused[code.digest] = code
        raise UntrustedCodeError(
            f"{quoted(str(path), _LONGEST_PATH)} is code that nobody has trusted here; read it, {_REMEDY}"
        )
    _GATE.passed[code.digest] = code
    return code


def require_trust_of_name(name: str, group: str) -> Installed:
    """Return where a `MODULE:NAME` comes from that may be imported, as code of a kind with this group of entry points.

    UntrustedCodeError: the user has not trusted it, or it is none that a file may name.
    """
    try:
        found = find_installed(name)
    except ValueError as error:
        raise UntrustedCodeError(quoted(str(error), _LONGEST_PATH)[1:-1]) from None
    if name in OWN or group in found.groups:
        return found
    if found.is_editable and not _GATE.is_open:
        words = f"{found.label}, which is installed as editable, has no entry point for it in {group}"
        raise UntrustedCodeError(f"{words}: declare one, or name FILE.py:NAME")
    if not _is_known(found):
        _GATE.refused[found.digest] = found
        raise UntrustedCodeError(f"{found.label} is code that nobody has trusted here; read it, {_REMEDY}")
    _GATE.passed[found.digest] = found
    return found


def take_refused() -> list[Code | Installed]:
    """Return what was refused since the last call."""
    refused = list(_GATE.refused.values())
    _GATE.refused.clear()
    return refused


def passed() -> list[Code | Installed]:
    """Return the code that this process has run."""
    return list(_GATE.passed.values())


def accept(digests: Iterable[str]) -> None:
    """Trust code of these digests too, in this process alone: as trusted at another desk."""
    _GATE.accepted.update(digests)


@contextmanager
def everything_trusted() -> Iterator[None]:
    """Trust whatever is imported in the block, in this process alone: for programs that name the code themselves."""
    before, _GATE.is_open = _GATE.is_open, True
    try:
        yield
    finally:
        _GATE.is_open = before


def _is_known(code: Code | Installed) -> bool:
    """Return whether the user has trusted code: before, in this process, or in the list."""
    if _GATE.is_open or code.digest in {*_GATE.passed, *_GATE.accepted}:
        return True
    return any(entry.digest == code.digest for entry in store.entries())


def _is_shipped(code: Code) -> bool:
    """Return whether a file that came with the program has this name and content: recordings have copies of those."""
    own = (folder / code.path.name for folder in shipped_folders(Kind.VEHICLE, Kind.BENCH))
    return any(is_file(file) and read_code(file).digest == code.digest for file in own)
