"""The message with which the tick process sets the cockpit process up: a line of JSON at its start and each reload."""

import json
import os
from pathlib import Path
from typing import Any, Final, NamedTuple

from hilbridge.boundary.observe.bench_archive import ArchivePlace
from hilbridge.faces.cockpit.page_info import Files
from hilbridge.files.settings.bench import CockpitSettings

_CHUNK: Final = 1 << 16


class SetupMessage(NamedTuple):
    """Setup of the cockpit. `control`: path of the control socket; `bench`: place of its files in the archive.

    `token` opens the page; in the settings that are passed on it is left out.
    """

    settings: CockpitSettings
    control: Path | None
    facts: dict[str, Any]
    files: Files
    bench: ArchivePlace | None
    token: str

    def encode(self) -> bytes:
        """Encode the message as a line."""
        fields = {
            "settings": self.settings.model_dump(),
            "control": None if self.control is None else str(self.control),
            "facts": self.facts,
            "files": self.files,
            "bench": self.bench,
            "token": self.token,
        }
        return json.dumps(fields).encode() + b"\n"

    @classmethod
    def decode(cls, line: bytes) -> "SetupMessage":
        """Decode a line that `encode` made."""
        fields = json.loads(line)
        return cls(
            CockpitSettings.model_validate(fields["settings"]),
            None if fields["control"] is None else Path(fields["control"]),
            fields["facts"],
            Files(*fields["files"]),
            None if fields["bench"] is None else ArchivePlace(*fields["bench"]),
            fields["token"],
        )


class SetupReader:
    """The cockpit's end of the pipe. `newest`: the last message."""

    def __init__(self, descriptor: int) -> None:
        """Wait for the first line. EOFError: the pipe was closed before."""
        self.descriptor: Final = descriptor
        self._rest = b""
        self._lines: list[bytes] = []
        while not self._lines:
            if not self._receive():
                raise EOFError
        self.newest = SetupMessage.decode(self._lines[-1])

    def read(self) -> bool:
        """Read what has arrived, or wait for it. False: the pipe is closed."""
        self._lines.clear()
        if not self._receive():
            return False
        if self._lines:
            self.newest = SetupMessage.decode(self._lines[-1])
        return True

    def _receive(self) -> bool:
        data = os.read(self.descriptor, _CHUNK)
        *lines, self._rest = (self._rest + data).split(b"\n")
        self._lines += lines
        return bool(data)
