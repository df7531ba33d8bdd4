"""What the manifest and the bench folder of a recording are made of, kept ready for one that begins in mid-run.

A memfd beside the rings, of which the observer has the descriptor: the tick process writes at its end, once before the
first tick and once for each reload, and hands over where. So to begin a recording costs the tick one small event.

    entry = JSON of the facts | line feed | ZIP archive of the files
"""

import fcntl
import io
import json
import os
import zipfile
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Self

_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
"""When ZIP's time begins: the same files are the same archive."""


class Place(NamedTuple):
    """Of an entry: offset and length [byte]."""

    offset: int
    length: int


class Dossier:
    """Both ends of it: made by `create`, found again through its descriptor. `newest`: the writer's latest entry.

    `facts`: what every manifest says, of the writer.
    """

    def __init__(self, descriptor: int, facts: Mapping[str, Any] = MappingProxyType({})) -> None:
        self.descriptor: Final = descriptor
        self.newest = Place(0, 0)
        self._facts: Final = facts

    @classmethod
    def create(cls, facts: Mapping[str, Any]) -> Self:
        """An empty one. OSError: no descriptor is left. Its own is never 0, 1 or 2, which may be free."""
        lowest = os.memfd_create("hilbridge-dossier", os.MFD_CLOEXEC)
        try:
            return cls(fcntl.fcntl(lowest, fcntl.F_DUPFD_CLOEXEC, 3), facts)
        finally:
            os.close(lowest)

    def put(self, archive: bytes) -> None:
        """Appends an entry. OSError: there is no memory for it; the one before stays the newest."""
        content = json.dumps(dict(self._facts)).encode() + b"\n" + archive
        place = Place(sum(self.newest), len(content))
        if os.pwrite(self.descriptor, content, place.offset) == len(content):
            self.newest = place

    def get(self, place: Place) -> tuple[dict[str, Any], dict[str, bytes]]:
        """The facts and files of an entry."""
        facts, _, content = os.pread(self.descriptor, place.length, place.offset).partition(b"\n")
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return json.loads(facts), {name: archive.read(name) for name in archive.namelist()}

    def close(self) -> None:
        """The memory is gone when the other end has closed it too."""
        os.close(self.descriptor)


def archive_of(files: Mapping[str, bytes]) -> bytes:
    """A ZIP archive; equal files give equal archives."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), data, zipfile.ZIP_DEFLATED)
    return content.getvalue()
