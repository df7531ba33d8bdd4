"""What the manifest and the bench folder of a recording are made of, kept ready for one that begins in mid-run.

A memfd beside the rings, of which observer and cockpit have the descriptor: the tick process writes into it before the
first tick, the check of a reload at its end, and the tick process hands over where. So to begin a recording costs the
tick one small event, and the page knows what runs, whatever has become of the files meanwhile.

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


class ArchivePlace(NamedTuple):
    """Of an entry: offset, length, and how much of it are the facts [byte]."""

    offset: int = 0
    length: int = 0
    facts: int = 0

    @property
    def archive(self) -> range:
        """Where its archive lies."""
        return range(self.offset + self.facts + 1, self.offset + self.length)


_NOWHERE: Final = ArchivePlace()


class BenchArchive:
    """All ends of it: made by `create`, found again through its descriptor. `newest`: the entry of what runs.

    `facts`: what every manifest says.
    """

    def __init__(
        self, descriptor: int, facts: Mapping[str, Any] = MappingProxyType({}), newest: ArchivePlace = _NOWHERE
    ) -> None:
        self.descriptor: Final = descriptor
        self.newest = newest
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
        """An entry after the newest, which it becomes. OSError: there is no memory for it."""
        self.newest = self._write(json.dumps(dict(self._facts)).encode(), archive)

    def propose(self, archive: bytes) -> ArchivePlace:
        """An entry after the newest, with its facts; who keeps it makes it the newest, otherwise the next replaces it.

        OSError: there is no memory for it.
        """
        return self._write(self._facts_of(self.newest), archive)

    def get(self, place: ArchivePlace) -> tuple[dict[str, Any], dict[str, bytes]]:
        """The facts and files of an entry."""
        with zipfile.ZipFile(io.BytesIO(self.read(place.archive))) as archive:
            return json.loads(self._facts_of(place)), {name: archive.read(name) for name in archive.namelist()}

    def read(self, where: range) -> bytes:
        """What lies there."""
        return os.pread(self.descriptor, len(where), where.start)

    def close(self) -> None:
        """The memory is gone when the other end has closed it too."""
        os.close(self.descriptor)

    def _facts_of(self, place: ArchivePlace) -> bytes:
        return self.read(range(place.offset, place.offset + place.facts))

    def _write(self, facts: bytes, archive: bytes) -> ArchivePlace:
        content = facts + b"\n" + archive
        place = ArchivePlace(sum(self.newest[:2]), len(content), len(facts))
        written = 0
        while written < len(content):
            written += os.pwrite(self.descriptor, memoryview(content)[written:], place.offset + written)
        return place


def archive_of(files: Mapping[str, bytes]) -> bytes:
    """A ZIP archive; equal files give equal archives."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), data, zipfile.ZIP_DEFLATED)
    return content.getvalue()
