"""The gate before every piece of Python that a bench, a vehicle or a recording names: no other place imports it.

Code is trusted that somebody has trusted here (trust/store.py), that came with the program, or that lies in
/etc/hilbridge, where only root writes. The gate never asks: it refuses and remembers what, and the command line asks.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from hilbridge.common.errors import ConfigurationError, quoted
from hilbridge.resources import Kind, is_of_this_machine, shipped_folders
from hilbridge.trust import store
from hilbridge.trust.code import Code, read_code

_LONGEST_PATH: Final = 300


class UntrustedCodeError(ConfigurationError):
    """Code that nobody has trusted here."""


class _Gate:
    """What was decided in this process."""

    def __init__(self) -> None:
        self.passed: dict[str, Code] = {}
        self.refused: dict[str, Code] = {}
        self.accepted: set[str] = set()
        self.is_open = False


_GATE: Final = _Gate()


def require_trust(path: Path) -> Code:
    """Return the code of a file that may be run.

    UntrustedCodeError: nobody has trusted it. OSError, ValueError: it cannot be read.
    """
    code = read_code(path)
    if code.digest not in {*_GATE.passed, *_GATE.accepted} and not (_GATE.is_open or _is_trusted(code)):
        _GATE.refused[code.digest] = code
        raise UntrustedCodeError(
            f"{quoted(str(path), _LONGEST_PATH)} is code that nobody has trusted here; read it, then: "
            "hilbridge trust FILE, or --trust of run, check, replay and campaign"
        )
    _GATE.passed[code.digest] = code
    return code


def take_refused() -> list[Code]:
    """Return what was refused since the last call."""
    refused = list(_GATE.refused.values())
    _GATE.refused.clear()
    return refused


def passed() -> list[Code]:
    """Return the code that this process has run."""
    return list(_GATE.passed.values())


def accept(digests: Iterable[str]) -> None:
    """Trust code of these digests too, in this process alone: what somebody has trusted at another desk."""
    _GATE.accepted.update(digests)


@contextmanager
def everything_trusted() -> Iterator[None]:
    """Trust whatever is imported in the block, in this process alone: for programs that name the code themselves."""
    before, _GATE.is_open = _GATE.is_open, True
    try:
        yield
    finally:
        _GATE.is_open = before


def _is_trusted(code: Code) -> bool:
    return (
        is_of_this_machine(code.path)
        or _is_shipped(code)
        or any(entry.digest == code.digest for entry in store.entries())
    )


def _is_shipped(code: Code) -> bool:
    """Return whether a file that came with the program has this name and content: recordings have copies of those."""
    own = (folder / code.path.name for folder in shipped_folders(Kind.VEHICLE, Kind.BENCH))
    return any(file.is_file() and read_code(file).digest == code.digest for file in own)
