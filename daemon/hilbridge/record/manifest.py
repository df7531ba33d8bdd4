"""The manifest of a recording: `manifest.json` in its directory.

It is written at the beginning with `"complete": false`, and again at the end; only a recording that reached its end and
lacks nothing has `"complete": true`. `since` [s] is the time of the run at its beginning. On the virtual clock it holds
nothing that differs from one run to the next on the same machine.
"""

import json
import os
import platform
import sys
import zlib
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from hilbridge import __version__, model_build
from hilbridge.common.bundle_files import write_bundle
from hilbridge.common.errors import ConfigurationError
from hilbridge.common.lasting_files import read_file, replace_file

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

_FORMS: Final[dict[str, tuple[type, str]]] = {
    "bench": (str, "text"),
    "vehicle": (str, "text"),
    "complete": (bool, "truth value"),
    "software": (dict, "object"),
    "sha256": (dict, "object"),
    "buses": (list, "list"),
}
"""What every manifest has."""

Facts = dict[str, Any]


def create(directory: Path, run: Facts, files: Mapping[str, bytes] = MappingProxyType({})) -> None:
    """Make the directory of a new recording and its manifest, with `run`: bench, rate, seed, clock ...

    `files`: content of the files of the run, by name; they go into the folder BENCH, their hashes into the manifest.
    ConfigurationError when there is a recording already, a name is not usable, or the directory cannot be written to.
    """
    hashes = {name: sha256(content).hexdigest() for name, content in files.items()}
    facts = {"format": FORMAT, "complete": False, "software": software(), **run, "sha256": hashes}
    try:
        for name in (FRAMES, MANIFEST, FIRST_SEGMENT, BENCH):
            if os.path.lexists(directory / name):
                raise ConfigurationError(f"{directory} already holds a recording ({name}): name another directory")
        write_bundle(directory, {f"{BENCH}/{name}": content for name, content in files.items()}, _PRIVATE)
        with (directory / MANIFEST).open("x", encoding="utf-8") as file:
            file.write(_text(facts))
    except OSError as error:
        raise ConfigurationError(f"cannot record into {directory}: {error.strerror}") from error


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
    try:
        facts = read(directory)
    except RecursionError:
        raise ValueError("is nested too deeply") from None
    if not isinstance(facts, dict):
        raise ValueError("is no JSON object")
    if facts.get("format") != FORMAT:
        raise ValueError(f"is of format {facts.get('format')!r}, and this program reads format {FORMAT}")
    for key, (kind, form) in _FORMS.items():
        if type(facts.get(key)) is not kind:
            raise ValueError(f"{key!r} is no {form}")
    if not all(isinstance(bus, str) for bus in facts["buses"]):
        raise ValueError("'buses' holds what is no name")
    if not all(Path(name).name == name and name.isprintable() for name in facts["sha256"]):
        raise ValueError("'sha256' names a file that does not lie in the recording")
    if type(facts.get("since", 0.0)) not in (int, float):
        raise ValueError("'since' is no number")
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
