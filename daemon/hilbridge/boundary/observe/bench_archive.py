"""The source of manifest and bench folder of a recording, kept ready for one that begins in mid-run.

It lies in a memfd beside the rings, of which observer and cockpit have the descriptor. The tick process writes into it
before the first tick, the check of a reload at its end, and the tick process passes on the place. So beginning a
recording costs the tick one small event, and the page knows what runs even if the files have changed on the disk.

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

from hilbridge.base.common.bundle_files import check_names

_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
"""Date of every file in an archive, the first that ZIP knows: so equal files give equal archives."""


class ArchivePlace(NamedTuple):
    """The place of an entry: its offset, its length, and the length of its facts [byte]."""

    offset: int = 0
    length: int = 0
    facts: int = 0

    @property
    def archive(self) -> range:
        """Range of its archive."""
        return range(self.offset + self.facts + 1, self.offset + self.length)


_NOWHERE: Final = ArchivePlace()


class BenchArchive:
    """An archive as each process sees it: made by `create`, found again through its descriptor.

    `newest`: the place of the entry of what runs; `facts`: those of every manifest.
    """

    def __init__(
        self, descriptor: int, facts: Mapping[str, Any] = MappingProxyType({}), newest: ArchivePlace = _NOWHERE
    ) -> None:
        self.descriptor: Final = descriptor
        self.newest = newest
        self._facts: Final = facts

    @classmethod
    def create(cls, facts: Mapping[str, Any]) -> Self:
        """Create an empty archive, whose descriptor is never 0, 1 or 2. OSError: no descriptor is left."""
        lowest = os.memfd_create("hilbridge-bench-archive", os.MFD_CLOEXEC)
        try:
            return cls(fcntl.fcntl(lowest, fcntl.F_DUPFD_CLOEXEC, 3), facts)
        finally:
            os.close(lowest)

    def put(self, archive: bytes) -> None:
        """Write an entry, which becomes the newest. OSError: there is no memory for it."""
        self.newest = self._write(json.dumps(dict(self._facts)).encode(), archive)

    def propose(self, archive: bytes) -> ArchivePlace:
        """Write an entry after the newest, with its facts; the next entry overwrites it unless it is made the newest.

        OSError: there is no memory for it.
        """
        return self._write(self._facts_of(self.newest), archive)

    def get(self, place: ArchivePlace) -> tuple[dict[str, Any], dict[str, bytes]]:
        """Return the facts and files of an entry."""
        with zipfile.ZipFile(io.BytesIO(self.read(place.archive))) as archive:
            return json.loads(self._facts_of(place)), {name: archive.read(name) for name in archive.namelist()}

    def read(self, where: range) -> bytes:
        """Return the bytes of a range."""
        return os.pread(self.descriptor, len(where), where.start)

    def close(self) -> None:
        """Close the descriptor; the memory is freed when all processes have."""
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
    """Return a ZIP archive of files; equal files give equal archives. BundleError: a name is not usable."""
    check_names(files)
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), data, zipfile.ZIP_DEFLATED)
    return content.getvalue()
