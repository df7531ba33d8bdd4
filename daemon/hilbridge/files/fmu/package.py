"""The files of an FMU (FMI 2.0.4, 2.3; FMI 3.0, 2.5): what is in the archive, within bounds, before any of it runs.

Refused: more or larger members than an FMU has, names that leave the folder, a name twice, links, encryption; no
modelDescription.xml, or one that description.py refuses; no library for this machine, or one that is for another.
"""

import io
import os
import shutil
import stat
import struct
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from hilbridge.base.common.archives import ZIP_ERRORS
from hilbridge.base.common.bundle_files import check_names
from hilbridge.base.common.errors import ConfigurationError, quoted
from hilbridge.files.fmu.description import LARGEST as LARGEST_DESCRIPTION
from hilbridge.files.fmu.description import Description, read_description

LARGEST: Final = 64 << 20
"""[byte] A packed FMU: the limit of the gate for code."""

MOST_BYTES: Final = 512 << 20
"""[byte] All members, unpacked."""

MOST_MEMBERS: Final = 10_000
_MOST_ENTRIES: Final = 100_000
"""Entries of directories, those of archives within the archive too."""

_DESCRIPTION: Final = "modelDescription.xml"
_PLATFORMS: Final = {
    "x86_64": {2: "linux64", 3: "x86_64-linux"},
    "aarch64": {3: "aarch64-linux"},
}
"""The folder of libraries by machine and version (FMI 2.0.4, 2.3.1; FMI 3.0, 2.5.1.4.1)."""

_MACHINES: Final = {"x86_64": 62, "aarch64": 183}
"""`e_machine` of an ELF file (System V ABI)."""

_ELF: Final = struct.Struct("<4sBB10xHH")
_LITTLE_64: Final = (b"\x7fELF", 2, 1)
_SHARED: Final = 3


class Package(NamedTuple):
    """An FMU that this machine can run. `library`: the path in the archive."""

    content: bytes
    description: Description
    library: str


def read_package(content: bytes) -> Package:
    """Look into an FMU. ConfigurationError: it is none, beyond the bounds, or not for this machine."""
    if len(content) > LARGEST:
        raise ConfigurationError(f"is larger than {LARGEST >> 20} MiB")
    if content.count(b"PK\x01\x02") > _MOST_ENTRIES:  # before an object is made of each
        raise ConfigurationError(f"has more than {_MOST_ENTRIES:,} entries")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = archive.infolist()
            _require_bounds(members)
            names = {one.filename: one for one in members if not one.is_dir()}
            described = names.get(_DESCRIPTION)
            if described is None:
                raise ConfigurationError(f"has no {_DESCRIPTION}: it is no FMU")
            if described.file_size > LARGEST_DESCRIPTION:
                raise ConfigurationError(f"{_DESCRIPTION} is larger than {LARGEST_DESCRIPTION >> 20} MiB")
            description = read_description(archive.read(described))
            library = _library(description, names)
            with archive.open(library) as file:
                _require_machine(library, file.read(_ELF.size))
    except ZIP_ERRORS as error:
        if isinstance(error, ConfigurationError):
            raise
        raise ConfigurationError(f"is no FMU: {error}") from None
    return Package(content, description, library)


def unpack(package: Package, folder: Path) -> None:
    """Write the files of an FMU into a new folder. ConfigurationError: one is damaged. OSError: there is no room."""
    try:
        with zipfile.ZipFile(io.BytesIO(package.content)) as archive:
            for member in archive.infolist():
                path = folder / member.filename  # `read_package` has seen that it stays in the folder
                if member.is_dir():
                    path.mkdir(parents=True, exist_ok=True)
                    continue
                path.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(member) as source, path.open("xb") as target:
                    shutil.copyfileobj(source, target)  # what is read is no longer than announced
    except ZIP_ERRORS as error:
        if isinstance(error, ConfigurationError | OSError):
            raise
        raise ConfigurationError(f"is damaged: {error}") from None


def _require_bounds(members: list[zipfile.ZipInfo]) -> None:
    if len(members) > MOST_MEMBERS:
        raise ConfigurationError(f"has {len(members):,} files: an FMU has {MOST_MEMBERS:,} at most")
    if (size := sum(one.file_size for one in members)) > MOST_BYTES:
        raise ConfigurationError(f"unpacks to {size >> 20:,} MiB: an FMU has {MOST_BYTES >> 20} at most")
    check_names(one.filename.rstrip("/") for one in members)
    for one in members:
        kind = stat.S_IFMT(one.external_attr >> 16)
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise ConfigurationError(f"has a link, or what is no file: {quoted(one.filename)}")
        if one.flag_bits & 1:
            raise ConfigurationError(f"is encrypted: {quoted(one.filename)}")


def _library(description: Description, names: Iterable[str]) -> str:
    """Return the path of the library for this machine."""
    machine = os.uname().machine
    platform = _PLATFORMS.get(machine, {}).get(description.version)
    library = f"binaries/{platform}/{description.identifier}.so"
    if platform is None or library not in names:
        found = sorted({name.split("/")[1] for name in names if name.startswith("binaries/") and name.count("/") > 1})
        there = f"it has {', '.join(found[:10])}" if found else "it has none at all"
        wanted = "of any kind" if platform is None else library
        raise ConfigurationError(f"has no library for Linux on {machine}, {wanted}: {there}")
    return library


def _require_machine(library: str, head: bytes) -> None:
    machine = os.uname().machine
    if len(head) == _ELF.size:
        magic, bits, order, kind, number = _ELF.unpack(head)
        if (magic, bits, order) == _LITTLE_64 and kind == _SHARED and number == _MACHINES[machine]:
            return
    raise ConfigurationError(f"{quoted(library, 200)} is no shared library for Linux on {machine}")
