"""The stored state of a bench, from one run to the next: odometer, operating hours, fuel, trouble codes.

    { "format": FORMAT, "crc32": CRC-32 of the canonical JSON of `state`, "state": { name: value } }

The file is replaced as a whole: a crash at any moment leaves the old one or the new one. One of an older format is
understood, and written in the present one. What a run begins with is in state_start.py.
"""

import json
import os
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from hilbridge.base.common.lasting_files import is_there, read_file, replace_file, state_folder

StateData = dict[str, Any]

FORMAT: Final = 2
"""The format of the files that are written; the formats before it are in `_MIGRATIONS`."""

MEMORY_PIECES: Final = "memory_pieces"
"""Name of the pieces of memory that testers have changed, by unit and address (bench/diagnostics/uds/memory.py)."""

NONE: Final = "none"
"""Value of the setting `state` that stores nothing."""

PREVIOUS: Final = "previous"
"""Ending of the copy that `store_state` keeps: the state before the last writing, a minute older at most."""

AT_START: Final = "at-start"
"""Ending of the copy of the state with which the last run began, in case that run has written nonsense."""

COPIES: Final = (PREVIOUS, AT_START)
"""The copies beside the file, the newest first; there are never more."""

_MODE: Final = 0o640
"""Permissions of a new file."""


MARK: Final = b'"crc32"'
"""A mark that every format has in it, and the file of another program has not."""


class NewerStateError(ValueError):
    """The file was written by a newer program."""


def state_path(setting: str | None, bench: str, environment: Mapping[str, str] = os.environ) -> Path | None:
    """Return the path of the stored state of a bench for its setting `state`; None: nothing is stored.

    By default NAME.json in the folder of state (base/common/lasting_files.py).
    """
    if setting == NONE:
        return None
    if setting is not None:
        return Path(setting).absolute()
    return state_folder(environment) / f"{bench}.json"


def copy_path(path: Path, ending: str) -> Path:
    """Return the path of a copy of the stored state."""
    return path.with_name(f"{path.name}.{ending}")


def read_state(path: Path) -> StateData:
    """Read a stored state, and change nothing.

    FileNotFoundError: there is none; OSError: it cannot be read. NewerStateError: a newer program has written it;
    ValueError, with the reason: it is damaged, or no stored state.
    """
    return decoded(read_file(path))


def store_state(path: Path, state: StateData) -> None:
    """Replace the stored state, and return when it is on the disk. OSError: the old one is kept.

    One that may not be written is not replaced either, though the folder would allow it.
    """
    if is_there(path):
        os.close(os.open(path, os.O_WRONLY | os.O_CLOEXEC))  # a file system that is read-only has a reason of its own
    replace_file(path, encoded(state), _MODE, keep=copy_path(path, PREVIOUS))


def encoded(state: StateData) -> bytes:
    """Return the content of the file."""
    whole = {"format": FORMAT, "crc32": f"{_check(state):08x}", "state": state}
    return json.dumps(whole, indent=2).encode() + b"\n"


def decoded(content: bytes) -> StateData:
    """Return the state in a file's content. NewerStateError; ValueError, with the reason: no state, or damaged."""
    try:
        whole = json.loads(content)
    except (ValueError, RecursionError):
        raise ValueError("not JSON") from None
    whole = whole if isinstance(whole, dict) else {}
    form = whole.get("format", 1)
    if type(form) is not int or form < 1:
        raise ValueError("it names no format")
    if form > FORMAT:
        raise NewerStateError(f"format {form}, and this program reads formats up to {FORMAT}")
    state = whole.get("state")
    if not isinstance(state, dict) or whole.get("crc32") != f"{_check(state):08x}":
        raise ValueError("its checksum does not fit")
    try:
        for migrate in _MIGRATIONS[form - 1 :]:
            state = migrate(state)
    except (AttributeError, KeyError, TypeError):
        raise ValueError(f"its parts are not those of format {form}") from None
    return state


def _without_versions(state: StateData) -> StateData:
    """Migrate from format 1, in which each part of a control unit had a version of its own."""
    parts = {name: state[name] for name in ("trouble_codes", "memory") if name in state}
    plain = {
        name: {unit: {key: value for key, value in part.items() if key != "version"} for unit, part in units.items()}
        for name, units in parts.items()
    }
    written = {unit: part["identifiers"] for unit, part in state.get("identifiers", {}).items()}
    return state | plain | ({"identifiers": written} if written else {})


_MIGRATIONS: Final[tuple[Callable[[StateData], StateData], ...]] = (_without_versions,)
"""From format 1, 2 ... to the next one. Version 0.1.0 wrote no number into its files, which are of format 1."""


def _check(state: StateData) -> int:
    return zlib.crc32(json.dumps(state, sort_keys=True, separators=(",", ":")).encode())
