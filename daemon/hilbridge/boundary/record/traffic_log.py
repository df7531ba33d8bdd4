"""Reading of a CAN log, through python-can or text_logs.py, before the run starts, in a process of its own.

    python -m hilbridge.boundary.record.traffic_log FILE [CHANNEL]

writes the data frames in the form of frames/codec/frame.py to its standard output, and to its standard error what was
left out, or an error as `file:line: reason`. python-can takes 0.1 s and 19 MB, and for MF4 files numpy with its
threads: neither belongs in the tick process.
"""

import io
import resource
import subprocess
import sys
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError, KeyPath, quoted
from hilbridge.base.common.lean_imports import lean_imports
from hilbridge.base.common.remedies import extra_remedy
from hilbridge.base.common.units import SECOND
from hilbridge.base.common.words import counted
from hilbridge.boundary.record.text_logs import FORMATS, LogLineError, find_format, no_line
from hilbridge.frames.codec.frame import BRS, EXTENDED, FD, LOGGED

if TYPE_CHECKING:
    import can.io.generic

MOST_FRAMES: Final = 2_000_000
"""52 MB in memory; a quarter of an hour of a busy 500 kbit/s bus."""

_COUNTED_FROM_ZERO: Final = (".asc", ".blf")
"""Formats whose channels begin with 1 in the file and with 0 in python-can."""


_HEAD: Final = 8192
"""[byte] By which a text format is told."""

_NAMES: Final = {
    ".asc": "a Vector ASC log",
    ".blf": "BLF",
    ".csv": "python-can's CSV",
    ".db": "python-can's SQLite",
    ".log": "candump -L",
    ".mf4": "MF4",
    ".trc": "a PEAK TRC log",
}
"""What people call the formats of python-can, by suffix."""


LARGEST_CONTAINER: Final = 16 << 20
"""[byte] of the frames that a BLF file has compressed together; Vector's tools and python-can make 128 KiB of them."""

_MOST_MEMORY: Final = 512 << 20
"""[byte] of the process that reads a log."""


class TrafficLog(NamedTuple):
    """The data frames of a log in the form of frames/codec/frame.py, and in words what was left out of it."""

    frames: bytes
    left_out: str


def read_log(path: Path, channel: str | int | None, place: KeyPath = ()) -> TrafficLog:
    """Read the frames of a log of one bus, or of the channel that is named; `place`: key path of the file.

    ConfigurationError: no such file, no known format, a line that cannot be read, too many frames, several channels
    and none named.
    """
    if not path.is_file():
        raise ConfigurationError(f"there is no log {path}", place)
    command = [
        sys.executable,
        "-P",
        "-m",
        "hilbridge.boundary.record.traffic_log",
        str(path),
    ]  # -P: another can.py is not python-can
    if channel is not None:
        command.append(str(channel))
    reader = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if reader.returncode:
        words = reader.stderr.decode(errors="replace").splitlines()
        ours = [line for line in words if line.startswith(str(path))]  # not what a library says while it is torn down
        raise ConfigurationError(ours[-1] if ours else f"{path}: the reader ended without a word", place)
    return TrafficLog(reader.stdout, reader.stderr.decode(errors="replace").strip())


class _Lines(io.TextIOWrapper):
    """A text file that counts the lines that were read."""

    number = 0
    last = ""

    def __next__(self) -> str:  # type: ignore[override]  # typeshed types every file as one of bytes
        line = super().__next__()
        self.number += 1
        self.last = line
        return line


class _BoundedInflater:
    """A zlib.decompressobj that inflates no more than LARGEST_CONTAINER at once."""

    def decompress(self, data: bytes) -> bytes:
        inflater = zlib.decompressobj()
        content = inflater.decompress(data, LARGEST_CONTAINER)
        if inflater.unconsumed_tail:
            raise LogLineError(f"a container of the file unpacks to more than {LARGEST_CONTAINER >> 20} MiB")
        return content


class OpenLog:
    """A log: its `messages`, and how far it has been read.

    LogLineError, and what python-can raises: no known format, or not this file; `reason` has the words for both.
    """

    def __init__(self, path: Path) -> None:
        import can.io.blf
        import can.io.generic
        import can.io.player

        self.messages: Iterator[can.Message] | can.io.generic.MessageReader
        self._path: Final = path
        self._lines: _Lines | None = None
        self._shift: Final = int(path.suffix.lower() in _COUNTED_FROM_ZERO)
        kind = can.io.player.MESSAGE_READERS.get(path.suffix.lower())
        text = kind if kind is not None and issubclass(kind, can.io.generic.TextIOMessageReader) else None
        own = find_format(_head(path)) if text is not None or path.suffix.lower() == ".txt" else None
        read = text if own is None else own.read
        if read is not None:
            self._lines = _Lines(path.open("rb"), encoding="utf-8", errors="replace")
            self.messages = read(self._lines)
        elif path.suffix.lower() == ".txt":
            known = ", ".join(one.name for one in FORMATS)
            raise LogLineError(f"this is none of the logs that are text: {known}")
        else:
            vars(can.io.blf)["zlib"] = SimpleNamespace(**vars(zlib) | {"decompressobj": _BoundedInflater})
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
        if self._lines is not None:
            self._lines.close()
        elif not isinstance(self.messages, Iterator):
            self.messages.stop()

    def reason(self, error: Exception) -> str:
        """Return what is wrong with the file, from an exception on the way, in words for the user."""
        return reason(self._path, error, "" if self._lines is None else self._lines.last)

    def channel(self, message: "can.Message") -> str:
        """Return the channel of a message, as the file calls it."""
        name = message.channel
        return str(name + self._shift if isinstance(name, int) else name)


class Tally:
    """The counts of what a log has: data frames by channel, and what carries no data."""

    def __init__(self) -> None:
        self.channels: Final[Counter[str]] = Counter()
        self.errors = self.remotes = 0

    def is_data(self, message: "can.Message", channel: str) -> bool:
        """Count a message; return whether it is a data frame."""
        if message.is_error_frame:
            self.errors += 1
        elif message.is_remote_frame:
            self.remotes += 1
        else:
            self.channels[channel] += 1
            return True
        return False

    @property
    def left_out(self) -> str:
        """What carries no data, in words: `2 error frames and 1 remote frame`; nothing if there is none."""
        counts = {"error frame": self.errors, "remote frame": self.remotes}
        return " and ".join(counted(count, noun) for noun, count in counts.items() if count)

    def require_one(self, path: Path, channel: str | None) -> None:
        """Check that the frames are of one bus. ConfigurationError: of several, or the channel is not there."""
        listed = ", ".join(f"{name} ({counted(number, 'frame')})" for name, number in sorted(self.channels.items()))
        if channel is not None and channel not in self.channels:
            raise ConfigurationError(f"{path}: there is no channel {channel!r} in it; there are {listed or 'none'}")
        if channel is None and len(self.channels) > 1:
            buses = f"{len(self.channels)} buses in one log"
            choice = "choose one with --channel, or with 'channel' of a rest bus"
            raise ConfigurationError(f"{path}: {buses}: {choice}: {listed}")


def main() -> int:
    channel = sys.argv[2] if len(sys.argv) > 2 else None
    path = Path(sys.argv[1])
    log: OpenLog | None = None
    tally = Tally()
    try:
        log = OpenLog(path)
        _write(_chosen(log, channel, tally), sys.stdout.buffer)
        tally.require_one(path, channel)
    except ConfigurationError as error:
        sys.stderr.write(f"{error.message}\n")
        return 1
    except Exception as error:  # noqa: BLE001 - every error of a reader is reported to the user
        sys.stderr.write(f"{path}: {reason(path, error)}\n" if log is None else f"{log.place}: {log.reason(error)}\n")
        return 1
    sys.stderr.write(tally.left_out)
    return 0


def reason(path: Path, error: Exception, line: str = "") -> str:
    """Return what is wrong with a log, from an exception of its reader, in words for the user."""
    if isinstance(error, LogLineError):
        return str(error)
    if isinstance(error, MemoryError):
        return f"to read it takes more than {_MOST_MEMORY >> 20} MiB of memory"
    name = _NAMES.get(path.suffix.lower(), "")
    if not name:
        return f"no log format ends in {quoted(path.suffix)}: {', '.join(_NAMES)} and .txt do"
    if isinstance(error, NotImplementedError | ImportError) and name == "MF4":
        return f"MF4 files need a package: {extra_remedy('mf4')}"
    return str(no_line(name, line)) if line.strip() else f"this is no {name} file, or a damaged one"


def _head(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(_HEAD).decode(errors="replace")


def _chosen(log: OpenLog, channel: str | None, tally: Tally) -> Iterator["can.Message"]:
    """Choose the data frames of a channel, by its name in the file; without one those of the first that has any."""
    for message in log.messages:
        name = log.channel(message)
        if tally.is_data(message, name) and name == (channel or next(iter(tally.channels))):
            yield message


def _write(messages: Iterator["can.Message"], output: BinaryIO) -> None:
    """Write frames with times from the first frame on, which never decrease."""
    start: float | None = None
    latest = 0
    for count, message in enumerate(messages, 1):
        if count > MOST_FRAMES:
            raise LogLineError(f"the log has more than {MOST_FRAMES} frames; cut it, or choose a channel")
        start = message.timestamp if start is None else start
        latest = max(latest, round((message.timestamp - start) * SECOND))
        can_id = message.arbitration_id | (EXTENDED if message.is_extended_id else 0)
        flags = (FD if message.is_fd else 0) | (BRS if message.bitrate_switch else 0)
        data = bytes(message.data)
        output.write(LOGGED.pack(latest, can_id, flags, len(data)) + data)


if __name__ == "__main__":
    is_mf4 = sys.argv[1].lower().endswith(".mf4")
    lean_imports(asammdf=is_mf4)
    if not is_mf4:  # the threads of numpy have gibibytes that they never touch
        resource.setrlimit(resource.RLIMIT_DATA, (_MOST_MEMORY, _MOST_MEMORY))
    sys.exit(main())
