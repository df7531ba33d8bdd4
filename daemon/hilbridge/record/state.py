"""The stored state of a bench, from one run to the next: odometer, operating hours, fuel, trouble codes.

    { "crc32": CRC-32 of the canonical JSON of `state`, "state": { name: value } }

The file is replaced as a whole: written beside it, synchronised, renamed. A crash at any moment leaves the old file or
the new one. A file that is damaged all the same is set aside, never overwritten.
"""

import contextlib
import json
import os
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

StateData = dict[str, Any]

MEMORY_PIECES: Final = "memory_pieces"
"""Name of the pieces of memory that testers have changed, by control unit and address (diagnostics/uds/memory.py)."""

NONE: Final = "none"
"""Value of the setting `state` that stores nothing."""


def state_path(setting: str | None, bench: str, environment: Mapping[str, str] = os.environ) -> Path | None:
    """Return the path of the stored state of a bench for its setting `state`; None: nothing is stored.

    By default NAME.json in $STATE_DIRECTORY, which systemd sets, or in $XDG_STATE_HOME/hilbridge (~/.local/state).
    """
    if setting == NONE:
        return None
    if setting is not None:
        return Path(setting).absolute()
    if service := environment.get("STATE_DIRECTORY", "").partition(":")[0]:
        return Path(service, f"{bench}.json")
    home = environment.get("XDG_STATE_HOME", "")
    folder = Path(home) if Path(home).is_absolute() else Path.home() / ".local/state"
    return folder / "hilbridge" / f"{bench}.json"


def load_state(path: Path | None, warn: Callable[[str], None]) -> StateData:
    """Load the stored state; empty if there is none yet. `warn` is called for a file that cannot be used."""
    if path is None:
        return {}
    try:
        return _decoded(path.read_bytes())
    except FileNotFoundError:
        return {}
    except OSError as error:
        warn(f"the stored state {path} cannot be read: {error.strerror}")
    except ValueError as error:
        aside = path.with_name(f"{path.name}.damaged")
        with contextlib.suppress(OSError):
            path.replace(aside)
        warn(f"the stored state {path} is damaged ({error}); it was set aside as {aside.name}")
    return {}


def store_state(path: Path, state: StateData) -> None:
    """Replace the stored state, and return when it is on the disk. OSError: the old one is kept."""
    path.parent.mkdir(parents=True, exist_ok=True)
    growing = path.with_name(f"{path.name}.new")
    with growing.open("wb") as file:
        file.write(encoded(state))
        file.flush()
        os.fsync(file.fileno())
    growing.replace(path)
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def encoded(state: StateData) -> bytes:
    """Return the content of the file."""
    return json.dumps({"crc32": f"{_check(state):08x}", "state": state}, indent=2).encode() + b"\n"


def _decoded(content: bytes) -> StateData:
    """Return the state in a file's content. ValueError, with the reason: it is no state, or damaged."""
    try:
        whole = json.loads(content)
    except (ValueError, RecursionError):
        raise ValueError("not JSON") from None
    state = whole.get("state") if isinstance(whole, dict) else None
    if not isinstance(state, dict) or whole.get("crc32") != f"{_check(state):08x}":
        raise ValueError("its checksum does not fit")
    return state


def _check(state: StateData) -> int:
    return zlib.crc32(json.dumps(state, sort_keys=True, separators=(",", ":")).encode())
