"""can-utils' candump: its log (`-l`, `-L`), or what it prints with any of -t a|z|d|A, -x, -a, -e, -i, -S, -8, -c.

Times from zero and differences of times look alike: both begin at 0. A clock goes back seldom, where two interfaces or
two logs meet; differences fall about as often as they rise, or are all the same. What was chosen is noted.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Final

from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH
from hilbridge.boundary.logs.account import LogError
from hilbridge.boundary.logs.frames import LogFrame, error_frame, make_frame
from hilbridge.boundary.logs.parser import Case, Parsed, Parser, TextFormat, nanoseconds
from hilbridge.frames.codec.frame import BRS

_COLOUR: Final = re.compile(r"\x1b\[[0-9;]*m")
_TIME: Final = r"\((?P<time>[-0-9.: ]+)\)"
_SHORT: Final = re.compile(
    rf"^\s*{_TIME}\s+(?P<channel>\S+)\s+(?P<id>[0-9A-Fa-f]{{3}}|[0-9A-Fa-f]{{8}})#(?P<rest>\S*)(?:\s+[RT])?\s*$"
)
_LONG: Final = re.compile(
    rf"^\s*(?:{_TIME}\s+)?(?P<channel>[A-Za-z]\S*)\s+(?:(?:RX|TX)\s+(?P<switch>[B-])\s+\S\s+)?"
    r"(?P<id>[0-9A-Fa-f]{3}|[0-9A-Fa-f]{8})\s+(?:\[(?P<length>\d{1,2})\]|\{(?P<code>[0-9A-F])\})(?P<rest>(?:\s.*)?)$"
)
_XL: Final = re.compile(
    rf"^\s*(?:{_TIME}\s+)?\S+\s+(?:[0-9A-Fa-f]{{5}}#[0-9A-Fa-f:]{{14}}#|[0-9A-Fa-f]{{3}}\s+\[\d{{4}}\]\s+\()"
)
_CLASSIC_DATA: Final = re.compile(r"^(?P<data>[0-9A-Fa-f.]*)(?:_[9A-Fa-f])?$")
_FD_DATA: Final = re.compile(r"^#(?P<flags>[0-9A-Fa-f])(?P<data>[0-9A-Fa-f.]*)$")
_REMOTE: Final = re.compile(r"^[Rr][0-8]?(?:_[9A-Fa-f])?$")
_DROPPED: Final = re.compile(r"^DROPCOUNT: dropped (\d+) CAN frames? on")
_ERROR_FLAG: Final = 1 << 29
_EARLIEST: Final = 10**17
"""[ns] A later time is one since 1970."""

_MOST_RISES: Final = 3
"""Times in a row that rise, of differences: of random ones half of all do."""


def _begins(head: Sequence[str]) -> bool:
    for line in head[:20]:
        text = _COLOUR.sub("", line)
        if _SHORT.match(text) or _LONG.match(text) or _XL.match(text):
            return True
        if text.strip() and not text.startswith(("#", "DROPCOUNT", "\t")):
            return False
    return False


class _Candump(Parser):
    def __init__(self, head: Sequence[str]) -> None:
        super().__init__(head)
        self.sized = not any(_SHORT.match(line) for line in head[:20])
        self._elapsed = 0
        times = [time for line in head if (time := _time_of(_COLOUR.sub("", line))) is not None]
        self.differences = _are_differences(times)
        if self.differences:
            self.notes.append("its times are taken as differences (candump -t d) and added up: they fall, or are alike")
        elif _may_be_differences(times):
            self.notes.append("its times are taken as a clock's from its beginning (candump -t z), not as differences")

    def parse(self, line: str) -> Parsed:
        if not line.strip() or line.startswith(("\t", "#")):  # \t: what candump -e says of the error frame above
            return None
        if "\x1b" in line:
            line = _COLOUR.sub("", line)
        found = _SHORT.match(line) or _LONG.match(line)
        if found is None:
            if _DROPPED.match(line):
                return "note of frames that candump lost"
            if (found := _XL.match(line)) is None:
                raise ValueError(line)
            self._advance(found["time"])
            return "CAN XL frame"
        time = self._advance(found["time"])
        if found.re is _SHORT:
            return _short(time, found)
        return _long(time, found)

    def _advance(self, text: str | None) -> int:
        if text is None:
            raise LogError("the frames have no times: record with `candump -L`, or print them with `candump -t a`")
        time = _parse_time(text)
        self._elapsed = self._elapsed + time if self.differences else time
        return self._elapsed


def _parse_time(text: str) -> int:
    if "-" not in text.strip()[1:]:
        return nanoseconds(text)
    day, _, fraction = text.strip().partition(".")
    moment = datetime.fromisoformat(day).replace(tzinfo=UTC)
    return int(moment.timestamp()) * 10**9 + nanoseconds(f"0.{fraction or 0}")


def _time_of(line: str) -> int | None:
    found = _SHORT.match(line) or _LONG.match(line) or _XL.match(line)
    try:
        return None if found is None or found["time"] is None else _parse_time(found["time"])
    except ValueError:
        return None


def _are_differences(times: Sequence[int]) -> bool:
    """Return whether times fall as no clock does; or begin at 0 and hardly ever rise again."""
    if not times or max(times) >= _EARLIEST:
        return False
    falls = sum(later < time for time, later in pairwise(times))
    if times[0]:  # a part of a log, which says less
        return (_MOST_RISES + 1) * falls > len(times)
    rises = sum(later > time for time, later in pairwise(times))
    alike = len(times) - 1 - falls - rises
    return _MOST_RISES * falls > rises or (max(times) > 0 and alike > _MOST_RISES * rises)


def _may_be_differences(times: Sequence[int]) -> bool:
    """Return whether times that are taken as a clock's begin at 0, or are mostly the same as the one before."""
    if not times or max(times) >= _EARLIEST:
        return False
    return times[0] == 0 or 2 * sum(later == time for time, later in pairwise(times)) > len(times)


def _short(time: int, found: re.Match[str]) -> Parsed:
    identifier, channel, rest = int(found["id"], 16), found["channel"], found["rest"]
    extended = len(found["id"]) > 3
    if extended and identifier & _ERROR_FLAG:
        return error_frame(time, channel)
    if _REMOTE.match(rest):
        return make_frame(time, identifier, b"", channel, extended=extended, remote=True)
    fd = _FD_DATA.match(rest)
    content = fd or _CLASSIC_DATA.match(rest)
    if content is None:
        raise ValueError(rest)
    switch = fd is not None and bool(int(fd["flags"], 16) & BRS)
    data = bytes.fromhex(content["data"].replace(".", " ").strip())
    return make_frame(time, identifier, data, channel, extended=extended, fd=fd is not None, switch=switch)


def _long(time: int, found: re.Match[str]) -> LogFrame:
    identifier, channel = int(found["id"], 16), found["channel"]
    extended = len(found["id"]) > 3
    if extended and identifier & _ERROR_FLAG:
        return error_frame(time, channel)
    length = int(found["length"]) if found["length"] else min(int(found["code"], 16), CLASSIC_LENGTH)
    rest = found["rest"].split("'", 1)[0].strip()
    if rest.startswith("remote"):
        return make_frame(time, identifier, b"", channel, extended=extended, remote=True)
    swapped = "`" in rest
    words = rest.replace("`", " ").split()[:length] if length else []
    data = bytes(int(word, 2 if len(word) == CLASSIC_LENGTH else 16) for word in words)
    if len(data) != length or any(len(word) not in (2, CLASSIC_LENGTH) for word in words):
        raise ValueError(rest)
    if not swapped and len(rest.replace("`", " ").split()) > length:
        raise ValueError(rest)
    fd = found["length"] is not None and len(found["length"]) == 2
    return make_frame(
        time, identifier, data[::-1] if swapped else data, channel,
        extended=extended, fd=fd, switch=found["switch"] == "B",
    )  # fmt: skip


CASES: Final = (
    Case("`candump -l`, `-L`", "(1700000000.123456) can0 123#1122", ["1700000000.123456 can0 123#1122"]),
    Case("29-bit identifier, no data", "(1.000001) vcan0 18DAF110#", ["1.000001 vcan0 18DAF110#"]),
    Case("direction (`-x`), nanoseconds (`-N`)", "(1.000000001) can-c1 123#11 R", ["1.000000001 can-c1 123#11"]),
    Case("CAN FD: flags behind `##`; 1 is the bit-rate switch", "(1.0) can0 123##1112233", ["1 can0 123##1112233"]),
    Case("CAN FD without data", "(1.0) can0 123##0", ["1 can0 123##0"]),
    Case("dots between the bytes", "(1.0) can0 123#01.02", ["1 can0 123#0102"]),
    Case("raw length code behind 8 bytes", "(1.0) can0 123#1122334455667788_B", ["1 can0 123#1122334455667788"]),
    Case("remote frames", "(1.0) can0 123#R\n(1.1) can0 123#R8_E", [], ["remote frame", "remote frame"]),
    Case("error frame", "(1.0) can0 20000004#0004000000000000", [], ["error frame"]),
    Case("CAN XL", "(1.0) can0 00123#81:00:12345678#11223344", [], ["CAN XL frame"]),
    Case("comments, empty lines", "# made by hand\n\n(1.0) can0 123#11", ["1 can0 123#11"]),
    Case(
        "frames lost by candump (`-d`)",
        "(1.0) can0 123#11\nDROPCOUNT: dropped 3 CAN frames on 'can0' socket (total drops 3)",
        ["1 can0 123#11"],
        ["note of frames that candump lost"],
    ),
    Case("printed, `-t a`", " (1700000000.5)  can0  123   [2]  11 22", ["1700000000.5 can0 123#1122"]),
    Case("`-t A`: a date", " (2023-11-14 22:13:20.100000)  can0  123   [1]  11", ["1700000000.1 can0 123#11"]),
    Case(
        "`-t z`: from zero",
        " (000.000000)  can0  123   [1]  11\n (000.010000)  can0  123   [1]  12",
        ["0 can0 123#11", "0.01 can0 123#12"],
    ),
    Case(
        "`-t d`: differences, for they fall again",
        " (000.000000)  can0  123   [1]  11\n (000.010000)  can0  123   [1]  12\n (000.005000)  can0  123   [1]  13",
        ["0 can0 123#11", "0.01 can0 123#12", "0.015 can0 123#13"],
    ),
    Case(
        "`-L -t d` of a frame every 10 ms: differences, for most are alike",
        "(000.000000) can0 123#11\n(000.010000) can0 123#12\n(000.010000) can0 123#13\n(000.010000) can0 123#14\n"
        "(000.010000) can0 123#15\n(000.010000) can0 123#16\n(000.010000) can0 123#17",
        [
            "0 can0 123#11",
            "0.01 can0 123#12",
            "0.02 can0 123#13",
            "0.03 can0 123#14",
            "0.04 can0 123#15",
            "0.05 can0 123#16",
            "0.06 can0 123#17",
        ],
    ),
    Case("`-a`: letters", " (1.0)  can0  123   [3]  41 42 0A   'AB.'", ["1 can0 123#41420A"]),
    Case("`-x`: direction, BRS, ESI", " (1.0)  can0  RX B -  123  [02]  11 22", ["1 can0 123##11122"]),
    Case("`-i`: binary", " (1.0)  can0  123   [2]  00010001 00100010", ["1 can0 123#1122"]),
    Case("`-S`: bytes swapped", " (1.0)  can0  123   [3]  33`22`11", ["1 can0 123#112233"]),
    Case("`-8`: raw length code", " (1.0)  can0  123   {A}  11 22 33 44 55 66 77 88", ["1 can0 123#1122334455667788"]),
    Case("`-c`: colours", " \x1b[31m(1.0)  can0  123   [1]  11\x1b[0m", ["1 can0 123#11"]),
    Case("printed CAN XL", " (1.0)  can0  123 [0004] (00|81:00:12345678) 11 22 33 44", [], ["CAN XL frame"]),
    Case("printed remote frame", " (1.0)  can0  124   [0]  remote request", [], ["remote frame"]),
    Case(
        "`-e`: an error frame and its text",
        " (1.0)  can0  20000004   [8]  00 04 00 00 00 00 00 00   ERRORFRAME\n\tcontroller-problem{}",
        [],
        ["error frame"],
    ),
)

FORMAT: Final = TextFormat("candump", "candump of can-utils, and many other tools", _begins, _Candump, CASES)
