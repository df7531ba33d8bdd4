"""What a recording says about itself: `manifest.json` in its directory.

Written when it begins with `"complete": false`, and once more when it has ended; only a recording whose end was reached
and that lacks nothing says `"complete": true`. `since` [s] is the time of the run with which it begins. On the virtual
clock it holds nothing that differs from one run to the next on the same machine.
"""

import json
import os
import platform
import sys
import zlib
from collections.abc import Mapping
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from hilbridge import __version__, model_build
from hilbridge.common.errors import ConfigurationError

FRAMES: Final = "frames.blf"
MANIFEST: Final = "manifest.json"
FIRST_SEGMENT: Final = "record.000000"
BENCH: Final = "bench"
"""The folder of the bench and all files that it names."""
BENCH_FILE: Final = "bench.yaml"
STATE: Final = "state.json"
"""Beside it: what the run began with (state.py)."""
FORMAT: Final = 2

Facts = dict[str, Any]


def create(directory: Path, run: Facts, files: Mapping[str, bytes] = MappingProxyType({})) -> None:
    """Makes the directory of a new recording and its manifest, with `run`: bench, rate, seed, clock ...

    `files`: what the run begins with, by name; they go into the folder BENCH, their hashes into the manifest.
    ConfigurationError when there is a recording already, or the directory cannot be written to.
    """
    for name in (FRAMES, MANIFEST, FIRST_SEGMENT, BENCH):
        if (directory / name).exists():
            raise ConfigurationError(f"{directory} already holds a recording ({name}): name another directory")
    hashes = {name: sha256(content).hexdigest() for name, content in files.items()}
    facts = {"format": FORMAT, "complete": False, "software": software(), **run, "sha256": hashes}
    try:
        directory.mkdir(parents=True, exist_ok=True)
        if files:
            (directory / BENCH).mkdir()
        for name, content in files.items():
            (directory / BENCH / name).write_bytes(content)
        with (directory / MANIFEST).open("x", encoding="utf-8") as file:
            file.write(_text(facts))
    except OSError as error:
        raise ConfigurationError(f"cannot record into {directory}: {error.strerror}") from error


def changed_files(directory: Path, facts: Facts) -> list[str]:
    """The files of BENCH that are not as they were recorded."""
    return [
        name
        for name, known in facts["sha256"].items()
        if not (path := directory / BENCH / name).is_file() or sha256(path.read_bytes()).hexdigest() != known
    ]


def read(directory: Path) -> Facts:
    """The manifest of a recording."""
    facts: Facts = json.loads((directory / MANIFEST).read_text(encoding="utf-8"))
    return facts


def update(directory: Path, changes: Facts) -> None:
    """Changes entries of the manifest; a reader finds the old file or the new one, never a part."""
    changed = directory / f"{MANIFEST}.new"
    with changed.open("w", encoding="utf-8") as file:
        file.write(_text(read(directory) | changes))
        file.flush()
        os.fsync(file.fileno())
    changed.replace(directory / MANIFEST)


def software() -> Facts:
    """What computes and writes the frames, as far as it might make two recordings differ."""
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
