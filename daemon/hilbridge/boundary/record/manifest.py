"""The manifest of a recording: `manifest.json` in its directory.

It is written at the beginning with `"complete": false`, and again at the end; only a recording that reached its end
and lacks nothing has `"complete": true`. `since` [s] is the time of the run at its beginning, `began` the time of day
in UTC, by the clock as it was at the end. On the virtual clock it holds nothing that differs from one run to the next
on the same machine.
"""

import json
import platform
import sys
import zlib
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from hilbridge import __version__
from hilbridge.base import model_build
from hilbridge.base.common.bundle_files import write_bundle
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.lasting_files import is_folder, is_there, read_file, replace_file
from hilbridge.base.common.shape import fit, read_json

FRAMES: Final = "frames.blf"
MANIFEST: Final = "manifest.json"
FIRST_SEGMENT: Final = "record.000000"
BENCH: Final = "bench"
"""The folder of the bench and all files that it names."""
BENCH_FILE: Final = "bench.yaml"
STATE: Final = "state.json"
"""The stored state at the beginning of the run, beside the bench file (state.py)."""
FORMAT: Final = 2

_PRIVATE: Final = 0o600
"""Permissions of the files of BENCH: the code of key providers is among them."""

_LONGEST: Final = 4 << 20
"""[bytes] of a manifest that is read."""

_SHAPE: Final = {
    "format": int,
    "bench": str,
    "vehicle": str,
    "complete": bool,
    "software": {str: str},
    "sha256": {str: str},
    "buses": [str],
    "since?": float,
    "began?": str,
    "duration?": (None, float),
    "frames?": (None, int),
    "stored?": (None, bool),
}
"""The keys that every manifest has, and those that are read if they are there."""

Facts = dict[str, Any]


def require_free(directory: Path) -> None:
    """ConfigurationError: a directory holds a recording already, or is a file."""
    try:
        if is_there(directory) and not is_folder(directory):
            raise ConfigurationError(f"cannot record into {directory}: it is no directory")
        for name in (FRAMES, MANIFEST, FIRST_SEGMENT, BENCH):
            if (directory / name).is_symlink() or is_there(directory / name):
                raise ConfigurationError(f"{directory} already holds a recording ({name}): name another directory")
    except OSError as error:
        raise ConfigurationError(f"cannot record into {directory}: {error.strerror}", may_pass=True) from error


def create(directory: Path, run: Facts, files: Mapping[str, bytes] = MappingProxyType({})) -> None:
    """Make the directory of a new recording and its manifest, with `run`: bench, rate, seed, clock ...

    `files`: content of the files of the run, by name; they go into the folder BENCH, their hashes into the manifest.
    ConfigurationError when there is a recording already, a name is not usable, or the directory cannot be written to.
    """
    require_free(directory)
    hashes = {name: sha256(content).hexdigest() for name, content in files.items()}
    facts = {"format": FORMAT, "complete": False, "software": software(), **run, "sha256": hashes}
    try:
        write_bundle(directory, {f"{BENCH}/{name}": content for name, content in files.items()}, _PRIVATE)
        with (directory / MANIFEST).open("x", encoding="utf-8") as file:
            file.write(_text(facts))
    except OSError as error:
        raise ConfigurationError(f"cannot record into {directory}: {error.strerror}", may_pass=True) from error


def changed_files(directory: Path, facts: Facts) -> list[str]:
    """Return the files of BENCH that have changed since they were recorded, or are missing.

    ConfigurationError: one cannot be read.
    """
    return [name for name, known in facts["sha256"].items() if _digest(directory / BENCH / name) != known]


def _digest(path: Path) -> str:
    try:
        return sha256(read_file(path)).hexdigest()
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror or error}") from None


def read(directory: Path) -> Facts:
    """Read the manifest of a recording."""
    facts: Facts = json.loads(read_file(directory / MANIFEST).decode())
    return facts


def read_foreign(directory: Path) -> Facts:
    """Read a manifest that may be damaged. ValueError: it is none, or one of another format; OSError."""
    facts: Facts = fit(read_json(read_file(directory / MANIFEST), _LONGEST), {})
    if facts.get("format", FORMAT) != FORMAT:
        raise ValueError(f"is of format {facts['format']!r}, and this program reads format {FORMAT}")
    fit(facts, _SHAPE)
    if not all(Path(name).name == name and name.isprintable() for name in facts["sha256"]):
        raise ValueError("'sha256' names a file that does not lie in the recording")
    return facts


def update(directory: Path, changes: Facts) -> None:
    """Change entries of the manifest; a reader finds the old file or the new one, never a part.

    OSError, ValueError: it cannot be read or written, and is as it was.
    """
    replace_file(directory / MANIFEST, _text(read(directory) | changes).encode())


def software() -> Facts:
    """Return the versions of the software that computes and writes the frames, which could make recordings differ."""
    from importlib.metadata import version  # brings the parser of e-mail along; few processes ask

    return {
        "hilbridge": __version__,
        "model": model_build.describe(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "machine": platform.machine(),
        "system": sys.platform,
        "libc": " ".join(platform.libc_ver()),
        "python-can": version("python-can"),
        "cantools": version("cantools"),
        "zlib": zlib.ZLIB_RUNTIME_VERSION,
    }


def _text(facts: Facts) -> str:
    return json.dumps(facts, indent=2, ensure_ascii=False) + "\n"
