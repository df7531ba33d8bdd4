"""What a recording says about itself: `manifest.json` in its directory.

Written before the first tick with `"complete": false`, and once more when the run has ended; only a recording whose
end was reached and that lacks nothing says `"complete": true`. On the virtual clock it holds nothing that differs from
one run to the next on the same machine.
"""

import json
import os
import platform
import sys
import zlib
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from hilbridge import __version__, build
from hilbridge.errors import ConfigurationError

FRAMES: Final = "frames.blf"
MANIFEST: Final = "manifest.json"
FORMAT: Final = 1

Facts = dict[str, Any]


def create(directory: Path, run: Facts) -> None:
    """Makes the directory of a new recording and its manifest, with `run`: bench, rate, seed, clock ...

    ConfigurationError when there is a recording already, or the directory cannot be written to.
    """
    for name in (FRAMES, MANIFEST):
        if (directory / name).exists():
            raise ConfigurationError(f"{directory} already holds a recording ({name}): name another directory")
    facts = {"format": FORMAT, "complete": False, **run, "software": software()}
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with (directory / MANIFEST).open("x", encoding="utf-8") as file:
            file.write(_text(facts))
    except OSError as error:
        raise ConfigurationError(f"cannot record into {directory}: {error.strerror}") from error


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
        "model": build.describe(),
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
