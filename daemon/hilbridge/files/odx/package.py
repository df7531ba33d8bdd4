"""The files of a PDX package (ISO 22901-1, 10), or of one ODX document, within bounds, before anything reads them.

Refused: more or larger members than a car has, names that leave the package, a name twice, encryption; a document type
declaration, which ODX does not have and which entity bombs need; more elements than MOST_ELEMENTS, deeper ones than
DEEPEST.
"""

import io
import zipfile
from pathlib import PurePosixPath
from typing import Final
from xml.parsers import expat

from hilbridge.base.common.archives import ZIP_ERRORS
from hilbridge.base.common.errors import ConfigurationError, quoted

LARGEST: Final = 64 << 20
"""[byte] A packed file."""

MOST_BYTES: Final = 256 << 20
"""[byte] All members, unpacked."""

MOST_MEMBERS: Final = 1000
MOST_ELEMENTS: Final = 500_000
DEEPEST: Final = 200


def documents(content: bytes) -> dict[str, bytes | None]:
    """Return the ODX documents of a PDX package by name, or one that is there by itself; of other files the names.

    ConfigurationError: it is neither, or beyond the bounds.
    """
    if len(content) > LARGEST:
        raise ConfigurationError(f"is larger than {LARGEST >> 20} MiB")
    found: dict[str, bytes | None] = {"document.odx-d": content}
    if content.startswith(b"PK"):
        found = _members(content)
    elements = 0
    for name, text in found.items():
        elements += 0 if text is None else _count(name, text, MOST_ELEMENTS - elements)
    if not elements:
        raise ConfigurationError("holds no ODX document")
    return found


def _members(content: bytes) -> dict[str, bytes | None]:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            members = package.infolist()
            if len(members) > MOST_MEMBERS:
                raise ConfigurationError(f"has {len(members)} files: a package has {MOST_MEMBERS} at most")
            if (size := sum(one.file_size for one in members)) > MOST_BYTES:
                raise ConfigurationError(f"unpacks to {size >> 20} MiB: a package has {MOST_BYTES >> 20} at most")
            names = [_checked(one) for one in members]
            if len(set(names)) < len(names):
                twice = next(name for name in names if names.count(name) > 1)
                raise ConfigurationError(f"has {quoted(twice)} twice")
            # what is read is no longer than announced
            return {name: package.read(name) if _is_document(name) else None for name in names}
    except ZIP_ERRORS as error:
        if isinstance(error, ConfigurationError):
            raise
        raise ConfigurationError(f"is no PDX package: {error}") from None


def _is_document(name: str) -> bool:
    return PurePosixPath(name).suffix.lower().startswith(".odx")


def _checked(member: zipfile.ZipInfo) -> str:
    """Return the name of a member. ConfigurationError: it leaves the package, or is encrypted."""
    name = member.filename
    if name.startswith(("/", "\\")) or ".." in PurePosixPath(name.replace("\\", "/")).parts or ":" in name:
        raise ConfigurationError(f"has a file outside of the package: {quoted(name)}")
    if member.flag_bits & 1:
        raise ConfigurationError(f"is encrypted: {quoted(name)}")
    return name


def _count(name: str, text: bytes, most: int) -> int:
    """Return the number of elements. ConfigurationError: too many or too deep, a declared type, or no XML."""
    parser = expat.ParserCreate()
    count = depth = 0

    def start(_tag: str, _attributes: dict[str, str]) -> None:
        nonlocal count, depth
        count, depth = count + 1, depth + 1
        if count > most:
            raise ConfigurationError(f"has more than {MOST_ELEMENTS} elements")
        if depth > DEEPEST:
            raise ConfigurationError(f"is nested deeper than {DEEPEST} elements: {quoted(name)}")

    def end(_tag: str) -> None:
        nonlocal depth
        depth -= 1

    def declared(*_words: object) -> None:
        raise ConfigurationError(f"declares a document type, which ODX does not have: {quoted(name)}")

    parser.StartElementHandler, parser.EndElementHandler, parser.StartDoctypeDeclHandler = start, end, declared
    try:
        parser.Parse(text, True)
    except (expat.ExpatError, LookupError, ValueError) as error:
        if isinstance(error, ConfigurationError):
            raise
        raise ConfigurationError(f"{quoted(name)} is no XML: {error}") from None
    return count
