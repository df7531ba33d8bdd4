"""Profiles and layouts of installed packages, which are data alone: found by name, and nothing of them is imported.

    [project.entry-points."hilbridge.profiles"]
    my-clusters = "my_clusters"

names the folder `my_clusters` among the installed files of a distribution; what lies in its folders `clusters` and
`layouts` goes by its plain name, after the files of the user, of the machine, and those that were shipped. A
distribution that has anything but data (DATA) is left out, with the reason.
"""

import csv
import sys
from functools import cache
from importlib import metadata
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

GROUP: Final = "hilbridge.profiles"

DATA: Final = frozenset(
    (
        *(".arxml", ".csv", ".dbc", ".kcd", ".ldf", ".sym", ".yaml", ".yml"),
        *(".cff", ".md", ".png", ".rst", ".svg", ".toml", ".txt"),
    )
)
"""Extensions of files that no program runs."""

_NO_EXTENSION: Final = frozenset(("LICENSE", "LICENCE", "COPYING", "NOTICE", "AUTHORS", ".gitignore"))

_INFO: Final = ".dist-info"
"""The folder in which installers keep what they know of a distribution."""

_OF_INFO: Final = frozenset(("", ".json", *DATA))


class Pack(NamedTuple):
    """A package of profiles: its distribution and version, the folder of its files, or why it is left out."""

    name: str
    folder: Path
    fault: str = ""


def is_data(name: str) -> bool:
    """Return whether a file, by its name, is data and no code."""
    path = PurePosixPath(name)
    if any(part.endswith(_INFO) for part in path.parts[:-1]):
        return path.suffix.lower() in _OF_INFO
    return path.suffix.lower() in DATA or path.name in _NO_EXTENSION


def packs() -> tuple[Pack, ...]:
    """Return the packages that declare profiles, sorted by name."""
    return _packs(tuple(sys.path))


@cache
def _packs(path: tuple[str, ...]) -> tuple[Pack, ...]:
    """Find them; `path` is a parameter because the answer depends on it."""
    searched = [entry for entry in path if Path(entry).is_absolute()]
    found = {
        each.name: _pack(each, point.value.strip())
        for each in metadata.distributions(path=searched)
        for point in each.entry_points
        if point.group == GROUP
    }
    return tuple(found[name] for name in sorted(found))


def _files(carrier: metadata.Distribution) -> list[str]:
    """Return what was installed, by its record: `files` of Python 3.12 leaves out what lies elsewhere, as scripts."""
    record = carrier.read_text("RECORD")
    if record is None:
        return [each.as_posix() for each in carrier.files or ()]
    return [row[0] for row in csv.reader(record.splitlines()) if row]


def _pack(carrier: metadata.Distribution, value: str) -> Pack:
    name = f"{carrier.name} {carrier.version}"
    top = value.replace(".", "/")
    folder = Path(str(carrier.locate_file(top)))
    files = _files(carrier)
    code = [each for each in files if not is_data(each)]
    if code:
        return Pack(name, folder, f"it has code ({code[0]}), and a package of profiles is data alone")
    if not any(each.startswith(f"{top}/") for each in files):
        return Pack(name, folder, f"none of its files lies in {top}")
    return Pack(name, folder)
