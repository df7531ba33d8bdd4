"""What the tick process tells the cockpit process: a line of JSON at its start, and another one with each reload."""

import json
import os
from pathlib import Path
from typing import Any, Final, NamedTuple

from hilbridge.cockpit.page_info import Files
from hilbridge.observe.bench_archive import ArchivePlace
from hilbridge.settings.cockpit import CockpitSettings

_CHUNK: Final = 1 << 16


class SetupMessage(NamedTuple):
    """`control`: path of the control socket; `bench`: where in the dossier the files of what runs are."""

    settings: CockpitSettings
    control: Path | None
    facts: dict[str, Any]
    files: Files
    bench: ArchivePlace | None

    def encode(self) -> bytes:
        """As a line."""
        told = {
            "settings": self.settings.model_dump(),
            "control": None if self.control is None else str(self.control),
            "facts": self.facts,
            "files": self.files,
            "bench": self.bench,
        }
        return json.dumps(told).encode() + b"\n"

    @classmethod
    def decode(cls, line: bytes) -> "SetupMessage":
        """The inverse of `encode`."""
        told = json.loads(line)
        return cls(
            CockpitSettings.model_validate(told["settings"]),
            None if told["control"] is None else Path(told["control"]),
            told["facts"],
            Files(*told["files"]),
            None if told["bench"] is None else ArchivePlace(*told["bench"]),
        )


class Ears:
    """The cockpit's end of the pipe. `newest`: what was told last; EOFError where nothing was."""

    def __init__(self, descriptor: int) -> None:
        """Waits for the first line."""
        self.descriptor: Final = descriptor
        self._rest = b""
        self._lines: list[bytes] = []
        while not self._lines:
            if not self._read():
                raise EOFError
        self.newest = SetupMessage.decode(self._lines[-1])

    def listen(self) -> bool:
        """Takes what has come; waits where nothing has. False: nothing more will."""
        self._lines.clear()
        if not self._read():
            return False
        if self._lines:
            self.newest = SetupMessage.decode(self._lines[-1])
        return True

    def _read(self) -> bool:
        data = os.read(self.descriptor, _CHUNK)
        *lines, self._rest = (self._rest + data).split(b"\n")
        self._lines += lines
        return bool(data)
