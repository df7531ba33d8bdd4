"""A function or class of an installed package, by its name `MODULE:NAME`: found, and not imported.

    module = a file that an installed distribution lists as its own, and that an import would load
    digest = SHA-256 of "MODULE:NAME", the distribution's name and its version, on a line each

Modules of Python itself, of hilbridge, and those of no distribution are refused. A package that is made for benches
declares what they may name: an entry point MODULE:NAME in the group of its kind (base/trust/kinds.py). A distribution
that is installed as editable has only such: its code changes without its version.
"""

import json
import sys
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib import metadata
from importlib.machinery import EXTENSION_SUFFIXES, SOURCE_SUFFIXES
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit

from hilbridge.base.common.lasting_files import is_file

_DEMO_KEY: Final = "bench.diagnostics.uds.demo_security:key"

OWN: Final = frozenset({f"hilbridge.{_DEMO_KEY}"})
"""Code that hilbridge itself has for benches."""

FORMER: Final = {f"hilbridge.{_DEMO_KEY.removeprefix('bench.')}": f"hilbridge.{_DEMO_KEY}"}
"""The names of version 0.1, which its benches and recordings have."""

_OURS: Final = ("hilbridge", "vehiclesim")
_FORM: Final = "is no MODULE:NAME of an installed package"


class Installed(NamedTuple):
    """A name in a module of a distribution.

    `file` is that of the module; `groups` are the groups of entry points in which the distribution has the name.
    """

    name: str
    distribution: str
    version: str
    file: Path
    groups: frozenset[str] = frozenset()
    is_editable: bool = False

    @property
    def label(self) -> str:
        """Return what people know it by."""
        return f"{self.name} of {self.distribution} {self.version}"

    @property
    def digest(self) -> str:
        """Return what changes with the name, the distribution and its version."""
        return sha256(f"{self.name}\n{self.distribution}\n{self.version}\n".encode()).hexdigest()


def find_installed(name: str) -> Installed:
    """Return where a name comes from. ValueError: it is none that a file may have, with the reason."""
    return _found(name, tuple(sys.path))


@cache
def _found(name: str, path: tuple[str, ...]) -> Installed:
    """Find a name; `path` is a parameter because the answer depends on it."""
    module, _, attribute = name.partition(":")
    parts = module.split(".")
    if not all(part.isidentifier() for part in (*parts, attribute)):
        raise ValueError(f"{name} is no MODULE:NAME")
    if parts[0] in sys.stdlib_module_names:
        raise ValueError(f"{module} is a module of Python itself: name a function of your own that calls it")
    if parts[0] in _OURS and name not in OWN:
        raise ValueError(f"{module} is a part of hilbridge: name a function of your own that calls it")
    file = _file_of(parts)
    if file is None or not is_file(file):
        raise ValueError(f"cannot import {module}: no file of a package that is installed")
    if name in OWN:
        return Installed(name, _OURS[0], "", file)
    distributions = list(metadata.distributions(path=[*_searched(path)]))
    carrier = next((each for each in distributions if _lists(each, parts, file)), None)
    editable = carrier is None
    if carrier is None:  # environments of Python lie in folders of sources: what is listed comes first
        carrier = next((each for each in distributions if _has_in_its_sources(each, file)), None)
    if carrier is None:
        raise ValueError(f"{module} belongs to no distribution that is installed")
    groups = frozenset(point.group for point in carrier.entry_points if point.value.strip() == name)
    return Installed(name, carrier.name, carrier.version, file, groups, editable)


def _searched(path: tuple[str, ...]) -> Iterator[str]:
    """Yield the folders in which packages are installed: not the working directory, which may be anybody's."""
    for entry in path:
        if Path(entry).is_absolute() and Path(entry).resolve() != Path.cwd():
            yield entry


def _file_of(parts: list[str]) -> Path | None:
    """Return the file that an import of a module would load; nothing is imported."""
    searched: list[str] | None = None
    spec = None
    for end in range(1, len(parts) + 1):
        name = ".".join(parts[:end])
        try:
            specs = (finder.find_spec(name, searched, None) for finder in sys.meta_path)
            spec = next((each for each in specs if each is not None), None)
            searched = None if spec is None else list(spec.submodule_search_locations or ())
        except KeyError:  # a namespace package in another one, which only its import finds
            return None
        if spec is None:
            return None
    return Path(spec.origin).resolve() if spec and spec.origin and spec.has_location else None


def _lists(distribution: metadata.Distribution, parts: list[str], file: Path) -> bool:
    """Return whether a module's file is one of those that a distribution has installed."""
    stem = "/".join(parts)
    suffixes = (*SOURCE_SUFFIXES, *EXTENSION_SUFFIXES)
    names = {f"{stem}{end}" for suffix in suffixes for end in (suffix, f"/__init__{suffix}")}
    listed = (each for each in distribution.files or () if each.as_posix() in names)
    return any(Path(str(distribution.locate_file(each))).resolve() == file for each in listed)


def _has_in_its_sources(distribution: metadata.Distribution, file: Path) -> bool:
    """Return whether a file is one of the sources of a distribution that is installed as editable (PEP 610)."""
    try:
        origin = json.loads(distribution.read_text("direct_url.json") or "{}")
        url = urlsplit(origin["url"]) if origin.get("dir_info", {}).get("editable") is True else None
    except (ValueError, KeyError, AttributeError, TypeError):
        return False
    return url is not None and url.scheme == "file" and file.is_relative_to(Path(unquote(url.path)).resolve())
