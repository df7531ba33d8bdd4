"""Reading of a CAN log through python-can, before the run starts, in a process of its own.

    python -m hilbridge.record.traffic_log FILE [CHANNEL]

writes the data frames in the form of rest_bus.py to its standard output, and an error as `file:line: reason` to its
standard error. python-can takes 0.1 s and 19 MB, and for MF4 files numpy with its threads: neither belongs in the tick
process.
"""

import io
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from hilbridge.codec.frame import BRS, EXTENDED, FD
from hilbridge.common.errors import ConfigurationError, KeyPath
from hilbridge.common.units import SECOND
from hilbridge.plan.rest_bus import RECORD

if TYPE_CHECKING:
    import can.io.generic

MOST_FRAMES: Final = 2_000_000
"""52 MB in memory; a quarter of an hour of a busy 500 kbit/s bus."""

_COUNTED_FROM_ZERO: Final = (".asc", ".blf")
"""Formats whose channels begin with 1 in the file and with 0 in python-can."""


def read_log(path: Path, channel: str | int | None, place: KeyPath = ()) -> bytes:
    """Read the frames of a log for a RestBus, of one channel if it is named; `place`: key path of the file.

    ConfigurationError: no such file, no format that python-can reads, a line that cannot be read, too many frames.
    """
    if not path.is_file():
        raise ConfigurationError(f"there is no log {path}", place)
    command = [
        sys.executable,
        "-P",
        "-m",
        "hilbridge.record.traffic_log",
        str(path),
    ]  # -P: another can.py is not python-can
    if channel is not None:
        command.append(str(channel))
    reader = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if reader.returncode:
        words = reader.stderr.decode(errors="replace").strip().splitlines()
        raise ConfigurationError(words[-1] if words else f"{path}: the reader ended without a word", place)
    return reader.stdout


class _Lines(io.TextIOWrapper):
    """A text file that counts the lines that were read."""

    number = 0

    def __next__(self) -> str:  # type: ignore[override]  # typeshed types every file as one of bytes
        line = super().__next__()
        self.number += 1
        return line


class OpenLog:
    """A log that python-can reads: its `messages`, and how far it has been read.

    ValueError and many others: python-can reads no such format, or not this file.
    """

    def __init__(self, path: Path) -> None:
        import can.io.generic
        import can.io.player

        self.messages: can.io.generic.MessageReader
        self._path: Final = path
        self._lines: _Lines | None = None
        self._shift: Final = int(path.suffix.lower() in _COUNTED_FROM_ZERO)
        kind = can.io.player.MESSAGE_READERS.get(path.suffix.lower())
        if kind is not None and issubclass(kind, can.io.generic.TextIOMessageReader):
            self._lines = _Lines(path.open("rb"), encoding="utf-8", errors="replace")
            self.messages = kind(self._lines)
        else:
            self.messages = can.LogReader(path)

    @property
    def place(self) -> str:
        """The file, and the line where it has lines."""
        return f"{self._path}:{self._lines.number}" if self._lines is not None else f"{self._path}"

    @property
    def position(self) -> int:
        """Bytes that were read; 0 for a file that python-can reads at once."""
        file: Any = self._lines.buffer if self._lines is not None else getattr(self.messages, "file", None)
        return file.tell() if file is not None else 0

    @property
    def missing(self) -> int:
        """Bytes at the end that the head of a BLF file announces: it was cut off; its frames are whole."""
        return max(0, getattr(self.messages, "file_size", 0) - self._path.stat().st_size)

    def close(self) -> None:
        """Close the file."""
        self.messages.stop()

    def channel(self, message: "can.Message") -> str:
        """Return the channel of a message, as the file calls it."""
        name = message.channel
        return str(name + self._shift if isinstance(name, int) else name)


def main() -> int:
    channel = sys.argv[2] if len(sys.argv) > 2 else None
    path = Path(sys.argv[1])
    log: OpenLog | None = None
    try:
        log = OpenLog(path)
        _write(_chosen(log, channel), sys.stdout.buffer)
    except Exception as error:  # noqa: BLE001 - every error of a reader is reported to the user
        sys.stderr.write(f"{log.place if log is not None else path}: {reason(error)}\n")
        return 1
    return 0


def reason(error: Exception) -> str:
    """Return the words of an error of python-can on one line."""
    return " ".join(str(error).split()) or type(error).__name__


def _chosen(log: OpenLog, channel: str | None) -> Iterator["can.Message"]:
    """Choose the data frames of a channel, by its name in the file."""
    for message in log.messages:
        if message.is_error_frame or message.is_remote_frame:
            continue
        if channel is None or log.channel(message) == channel:
            yield message


def _write(messages: Iterator["can.Message"], output: BinaryIO) -> None:
    """Write frames with times from the first frame on, which never decrease."""
    start: float | None = None
    latest = 0
    for count, message in enumerate(messages, 1):
        if count > MOST_FRAMES:
            raise ValueError(f"the log has more than {MOST_FRAMES} frames; cut it, or choose a channel")
        start = message.timestamp if start is None else start
        latest = max(latest, round((message.timestamp - start) * SECOND))
        can_id = message.arbitration_id | (EXTENDED if message.is_extended_id else 0)
        flags = (FD if message.is_fd else 0) | (BRS if message.bitrate_switch else 0)
        data = bytes(message.data)
        output.write(RECORD.pack(latest, can_id, flags, len(data)) + data)


if __name__ == "__main__":
    sys.exit(main())
