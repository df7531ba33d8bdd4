"""Files that hold the memory of a control unit: Intel HEX, Motorola S-record, and plain bytes.

They are read by bincopy, which finds out by itself which of the two a text is; a file that ends in .bin is bytes.
"""

from pathlib import Path
from typing import Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.files.settings.uds_memory import LARGEST

_PLAIN: Final = ".bin"
_LARGEST_FILE: Final = 8 * LARGEST
"""[byte] A line of a HEX or S-record file has two digits for a byte, and some more."""


class Segment(NamedTuple):
    """Bytes that follow each other. `address`: of the first one; None in a file of plain bytes."""

    address: int | None
    data: bytes


def read_memory_file(path: Path, place: KeyPath) -> list[Segment]:
    """Return what a file holds, in the order of addresses. ConfigurationError: it is no such file."""
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise ConfigurationError(f"{path.name} is larger than {_LARGEST_FILE >> 20} MiB", place)
        content = path.read_bytes()
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror}", place) from None
    segments = [Segment(None, content)] if path.suffix.lower() == _PLAIN else _records(path, content, place)
    if not any(segment.data for segment in segments):
        raise ConfigurationError(f"{path.name} holds no byte", place)
    return segments


def _records(path: Path, content: bytes, place: KeyPath) -> list[Segment]:
    try:
        from bincopy import BinFile, Error  # type: ignore[import-untyped]
    except ImportError:
        remedy = "pip install 'hilbridge[hex]', or give the bytes as a file .bin"
        raise ConfigurationError(f"{path.name}: HEX and S-record files need the extra 'hex': {remedy}", place) from None
    file = BinFile()
    try:
        file.add(content.decode("ascii"))
    except (Error, ValueError) as error:
        reason = f"{path.name} is no Intel HEX and no S-record file, and does not end in .bin: {error}"
        raise ConfigurationError(reason, place) from None
    return [Segment(one.address, bytes(one.data)) for one in file.segments]
