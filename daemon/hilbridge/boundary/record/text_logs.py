"""Logs as text that python-can does not read: its messages from their lines.

    candump            what `candump -t a|z|d|A` prints: `(1.2) can0  123   [2]  11 22`
    SavvyCAN           CSV: Time Stamp,ID,Extended,Dir,Bus,LEN,D1,...; times in microseconds
    BUSMASTER          `15:34:37:5432 Rx 1 0x1F0 s 8 00 ...`, in HEX or DEC mode
    Kvaser CanKing     columns: Chn Identifier Flg DLC D0...D7 Time Dir
    Kvaser             CSV: Time,Channel,ID,Flags,DLC,Data0,...

(Written by can-utils, SavvyCAN, BUSMASTER, and Kvaser's CanKing and converter; flags as in canlib's canstat.h.)

A format is told by the first lines, not by the name of the file. Times from zero and differences of times look alike in
candump: they are differences if they go back somewhere.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from hilbridge.base.common.errors import quoted

if TYPE_CHECKING:
    import can

_CLASSIC: Final = 8
_EARLIEST: Final = 1e8
"""[s] A later time is one since 1970."""

_DAY: Final = 86_400.0

_CANDUMP: Final = re.compile(
    r"^\s*(?:\((?P<time>[-0-9.: ]+)\)\s+)?(?P<channel>[A-Za-z]\S*)\s+(?:(?:RX|TX)\s+(?P<switch>[B-])\s+\S\s+)?"
    r"(?P<id>[0-9A-Fa-f]{3}|[0-9A-Fa-f]{8})\s+\[(?P<length>\d{1,2})\](?P<rest>(?:\s.*)?)$"
)
_BUSMASTER_TIME: Final = re.compile(r"^(\d+):(\d+):(\d+):(\d+)$")
_ERROR_FLAG: Final = 1 << 29
_KVASER_FLAGS: Final = {"remote": 0x1, "extended": 0x4, "error": 0x20, "fd": 0x1_0000, "switch": 0x2_0000}
"""Bits of canlib's message flags: canMSG_RTR, canMSG_EXT, canMSG_ERROR_FRAME, canFDMSG_FDF, canFDMSG_BRS."""


class LogLineError(ValueError):
    """A line that is none of its format, in words for the user."""


class TextFormat(NamedTuple):
    """A format: what people call it, whether the first lines of a file are of it, and its messages."""

    name: str
    begins: Callable[[Sequence[str]], bool]
    read: Callable[[Iterable[str]], Iterator["can.Message"]]


def find_format(head: str) -> TextFormat | None:
    """Return the format whose first lines these are, None for one of python-can's."""
    lines = [line.strip() for line in head.splitlines() if line.strip()]
    return next((one for one in FORMATS if lines and one.begins(lines)), None)


def no_line(name: str, line: str) -> LogLineError:
    """Return the error for a line that is none of a format."""
    return LogLineError(f"this is no line of {name}: {quoted(line.strip())}")


def _message(time: float, identifier: int, data: bytes, channel: str, **flags: bool) -> "can.Message":
    """Return a message; flags: extended, fd, switch (of the bit rate), remote, error. ValueError: it cannot be."""
    import can

    extended, error = flags.get("extended", False), flags.get("error", False)
    if not math.isfinite(time):
        raise ValueError("time")
    return can.Message(
        timestamp=time, arbitration_id=0 if error else identifier, data=data, channel=channel,
        is_extended_id=extended, is_fd=flags.get("fd", False) or len(data) > _CLASSIC,
        bitrate_switch=flags.get("switch", False), is_remote_frame=flags.get("remote", False), is_error_frame=error,
        check=True,
    )  # fmt: skip


def _each(name: str, lines: Iterable[str], parse: Callable[[str], "can.Message | None"]) -> Iterator["can.Message"]:
    """Yield the messages of lines; those that `parse` gives None for have none."""
    for line in lines:
        try:
            message = parse(line)
        except LogLineError:
            raise
        except (ValueError, IndexError, KeyError, OverflowError):
            raise no_line(name, line) from None
        if message is not None:
            yield message


def _bytes_of(words: Sequence[str], base: int = 16) -> bytes:
    return bytes(int(word, base) for word in words)


# -- candump ----------------------------------------------------------------------------------------------------------


def _is_candump(lines: Sequence[str]) -> bool:
    return _CANDUMP.match(lines[0]) is not None


def _candump(lines: Iterable[str]) -> Iterator["can.Message"]:
    """Differences of times are told from times since the first frame when all of them are known."""
    messages = _each("candump", lines, _candump_line)
    first = next(messages, None)
    if first is None:
        return
    if first.timestamp >= _EARLIEST:
        yield first
        yield from messages
        return
    short = [first, *messages]
    times = [message.timestamp for message in short]
    differences = any(later < time for time, later in pairwise(times))
    elapsed = 0.0
    for message in short:
        elapsed = elapsed + message.timestamp if differences else message.timestamp
        message.timestamp = elapsed
        yield message


def _candump_line(line: str) -> "can.Message | None":
    if not line.strip() or line.startswith("\t"):  # what candump -e says of the error frame above
        return None
    found = _CANDUMP.match(line.rstrip())
    if found is None:
        raise ValueError(line)
    if found["time"] is None:
        raise LogLineError("the frames have no times: record with `candump -L`, or print them with `candump -t a`")
    identifier, length = int(found["id"], 16), int(found["length"])
    rest = found["rest"].split("'", 1)[0].split()
    remote = rest[:1] == ["remote"]
    extended = len(found["id"]) > 3
    error = extended and bool(identifier & _ERROR_FLAG)
    data = b"" if remote or error else _bytes_of(rest)
    if len(data) != length and not remote and not error:
        raise ValueError(line)
    fd = len(found["length"]) == 2
    return _message(
        _candump_time(found["time"]), identifier, data, found["channel"],
        extended=extended, fd=fd, switch=found["switch"] == "B", remote=remote, error=error,
    )  # fmt: skip


def _candump_time(text: str) -> float:
    if "-" not in text:
        return float(text)
    return datetime.fromisoformat(text.strip()).replace(tzinfo=UTC).timestamp()


# -- SavvyCAN ---------------------------------------------------------------------------------------------------------


def _columns(line: str) -> list[str]:
    return [word.strip().casefold() for word in re.split("[,;]", line)]


def _is_savvycan(lines: Sequence[str]) -> bool:
    columns = _columns(lines[0])
    return {"time stamp", "id", "extended", "len"} <= set(columns)


def _savvycan(lines: Iterable[str]) -> Iterator["can.Message"]:
    rows = iter(lines)
    columns = {name: place for place, name in enumerate(_columns(next(rows)))}
    data = columns["d1"] if "d1" in columns else columns["len"] + 1
    bus = columns.get("bus")

    def parse(line: str) -> "can.Message | None":
        if not line.strip():
            return None
        words = [word.strip() for word in re.split("[,;]", line)]
        time = words[columns["time stamp"]]
        length = int(words[columns["len"]])
        content = _bytes_of(words[data : data + length])
        if len(content) != length:
            raise ValueError(line)
        return _message(
            float(time) if "." in time else int(time) / 1e6, int(words[columns["id"]], 16), content,
            "0" if bus is None else words[bus], extended=words[columns["extended"]].casefold() in ("true", "1"),
        )  # fmt: skip

    yield from _each("SavvyCAN's CSV", rows, parse)


# -- BUSMASTER --------------------------------------------------------------------------------------------------------


def _is_busmaster(lines: Sequence[str]) -> bool:
    return any(line.lstrip("-").startswith("***BUSMASTER") for line in lines[:3])


class _Busmaster:
    """What the head of a BUSMASTER log says of its lines, and the time so far."""

    def __init__(self) -> None:
        self._base = 16
        self._relative = False
        self._time = 0.0

    def parse(self, line: str) -> "can.Message | None":
        words = line.split()
        if not words or line.lstrip("-").startswith("***"):
            self._base = 10 if "***DEC***" in line else 16 if "***HEX***" in line else self._base
            self._relative = "RELATIVE MODE" in line or (self._relative and "MODE***" not in line)
            return None
        time, _, channel = words[:3]
        found = _BUSMASTER_TIME.match(time)
        if found is None:
            raise ValueError(line)
        hours, minutes, seconds, parts = found.groups()
        moment = int(hours) * 3600 + int(minutes) * 60 + int(seconds) + int(parts) / 10 ** len(parts)
        if self._relative:
            moment += self._time
        elif moment < self._time - _DAY / 2:
            moment += _DAY * (1 + (self._time - moment) // _DAY)
        self._time = moment
        if words[3].upper().startswith("ERR"):
            return _message(moment, 0, b"", channel, extended=False, error=True)
        identifier, kind, length = int(words[3], self._base), words[4], int(words[5])
        remote = "r" in kind
        data = b"" if remote else _bytes_of(words[6:], self._base)
        if len(data) != length and not remote:
            raise ValueError(line)
        return _message(moment, identifier, data, channel, extended=kind.startswith("x"), remote=remote)


def _busmaster(lines: Iterable[str]) -> Iterator["can.Message"]:
    yield from _each("a BUSMASTER log", lines, _Busmaster().parse)


# -- Kvaser -----------------------------------------------------------------------------------------------------------


def _is_canking(lines: Sequence[str]) -> bool:
    return any(line.casefold().split()[:3] == ["chn", "identifier", "flg"] for line in lines[:20])


def _canking(lines: Iterable[str]) -> Iterator["can.Message"]:
    yield from _each("Kvaser CanKing's text", lines, _canking_line)


def _canking_line(line: str) -> "can.Message | None":
    words = line.split()
    if not words or not words[0].isdigit():
        return None
    channel, identifier, time = words[0], int(words[1], 16), float(words[-2])
    if "ErrorFrame" in words:
        return _message(time, 0, b"", channel, extended=False, error=True)
    flags = "" if words[2].isdigit() else words[2].upper()
    rest = words[3 if flags else 2 : -2]
    remote = "R" in flags
    data = b"" if remote else _bytes_of(rest[1:])
    if len(data) != int(rest[0]) and not remote:
        raise ValueError(line)
    fd = "F" in flags
    return _message(time, identifier, data, channel, extended="X" in flags, fd=fd, switch="B" in flags, remote=remote)


def _is_kvaser_csv(lines: Sequence[str]) -> bool:
    return _columns(lines[0])[:5] == ["time", "channel", "id", "flags", "dlc"]


def _kvaser_csv(lines: Iterable[str]) -> Iterator["can.Message"]:
    """Numbers are decimal or hexadecimal as somebody chose when the file was made: its longest ones tell."""
    rows = iter(lines)
    separator = ";" if ";" in next(rows) else ","
    table = [line.split(separator) for line in rows if line.strip()]
    id_base = _base([words[2].strip() for words in table if len(words) > 2], 3)
    data_base = _base([word.strip() for words in table for word in words[5 : 5 + _length(words)]], 2)

    def parse(line: str) -> "can.Message | None":
        words = [word.strip() for word in line.split(separator)]
        flags = int(words[3], 0) if words[3].startswith("0x") else int(words[3])
        is_set = {name: bool(flags & bit) for name, bit in _KVASER_FLAGS.items()}
        data = b"" if is_set["remote"] or is_set["error"] else _bytes_of(words[5 : 5 + int(words[4])], data_base)
        return _message(float(words[0]), int(words[2], id_base), data, words[1], **is_set)

    yield from _each("Kvaser's CSV", (separator.join(words) for words in table), parse)


def _length(words: Sequence[str]) -> int:
    return int(words[4]) if len(words) > 4 and words[4].strip().isdigit() else 0


def _base(numbers: Sequence[str], digits: int) -> int:
    """Return 16 if a number has a hexadecimal digit or prefix, or all have so many digits and zeros before them."""
    if any(re.search("[a-fA-FxX]", number) for number in numbers):
        return 16
    padded = any(len(number) >= digits and number.startswith("0") for number in numbers)
    return 16 if padded else 10


FORMATS: Final = (
    TextFormat("BUSMASTER", _is_busmaster, _busmaster),
    TextFormat("SavvyCAN (CSV)", _is_savvycan, _savvycan),
    TextFormat("Kvaser (CSV)", _is_kvaser_csv, _kvaser_csv),
    TextFormat("Kvaser CanKing", _is_canking, _canking),
    TextFormat("candump", _is_candump, _candump),
)
