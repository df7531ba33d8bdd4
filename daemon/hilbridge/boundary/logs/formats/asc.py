"""Vector's ASC, as CANoe, CANalyzer, BUSMASTER, PEAK's converter and python-can write it.

Where times are relative, every line with a time counts, of frames or not. A request to transmit (TxRq) is no frame on
the bus: the same frame follows as Tx when it was sent.
"""

import re
from collections.abc import Sequence
from typing import Final

from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH, FRAME_LENGTHS
from hilbridge.boundary.logs.account import EVENT, LogError
from hilbridge.boundary.logs.frames import LogFrame, error_frame, make_frame
from hilbridge.boundary.logs.parser import Case, Parsed, Parser, TextFormat, bytes_of, nanoseconds

_EVENT_LINE: Final = re.compile(r"^\s*[-+]?\d+[.,]\d+\s+\S")
_HEAD: Final = re.compile(
    r"^\s*(date\s|base\s+(hex|dec)|begin\s+triggerblock|end\s+triggerblock|(no\s+)?internal\s+events|//|$)",
    re.IGNORECASE,
)
_BASE: Final = re.compile(r"^\s*base\s+(hex|dec)(?:\s+timestamps\s+(absolute|relative))?", re.IGNORECASE)
_FRAME: Final = re.compile(
    r"^\s*[-+]?\d+[.,]\d+\s+(\d+\s+\S+\s+(rx|tx|txrq)\s+[dr]\b|canfd\s+\d+\s+(rx|tx|txrq)|\d+\s+errorframe)",
    re.IGNORECASE,
)
_TAIL_ID: Final = re.compile(r"\sID\s*=\s*(\d+)(x?)\s*$", re.IGNORECASE)
_REQUEST: Final = "transmit request (TxRq)"
_NAMELESS: Final = "frame with a name and no identifier"
_MOST_CODE: Final = 15
_FDF: Final = 0x1000
_RTR: Final = 0x10
"""Bits of the flags of a CANFD line."""

_BEHIND_DATA: Final = 2
"""Columns between the data and the flags of a CANFD line: duration, length."""


def _begins(head: Sequence[str]) -> bool:
    lines = [line for line in head[:60] if line.strip()]
    if not lines or not (_HEAD.match(lines[0]) or _EVENT_LINE.match(lines[0])):
        return False
    return any(_BASE.match(line) or _FRAME.match(line) for line in lines)


class _Asc(Parser):
    def __init__(self, head: Sequence[str]) -> None:
        super().__init__(head)
        self._base = 16
        self._relative = False
        self._time = 0
        self._began = False

    def parse(self, line: str) -> Parsed:
        if not _EVENT_LINE.match(line):
            self._take_head(line)
            return None
        self._began = True
        first, *words = line.split()
        try:
            time = nanoseconds(first)
        except ValueError:
            if self._relative:
                raise LogError(f"its times are relative, and one cannot be read: {first}") from None
            raise
        self._time = self._time + time if self._relative else time
        kind = words[0].casefold()
        if kind == "canfd":
            return self._fd(words[1:])
        if kind == "canxl":
            return "CAN XL frame"
        if not kind.isdecimal() or len(words) < 2:
            return EVENT
        if words[1].casefold().startswith("errorframe"):
            return error_frame(self._time, words[0])
        return self._classic(words, line) if len(words) > 3 else EVENT

    def is_whole(self, line: str, frame: LogFrame) -> bool:
        """The columns behind the data may tell another identifier, and of a CANFD line that it is a classic frame."""
        return "=" not in line and "CANFD" not in line.upper() and super().is_whole(line, frame)

    def _take_head(self, line: str) -> None:
        if found := _BASE.match(line):
            self._base = 10 if found[1].casefold() == "dec" else 16
            self._relative = (found[2] or "").casefold() == "relative"
            self.sized = True if self._base == 16 else None
            if self._relative:
                self.notes.append("its times are relative: they are added up")
        elif self._began and not _HEAD.match(line):
            raise ValueError(line)

    def _classic(self, words: list[str], line: str) -> Parsed:
        """Read `channel identifier direction d length bytes`; anything else is another event."""
        channel, name, direction, kind = words[:4]
        if direction.casefold() not in ("rx", "tx", "txrq") or kind.casefold() not in ("d", "r"):
            return EVENT
        if direction.casefold() == "txrq":
            return _REQUEST
        identifier = self._identifier(name)
        if kind.casefold() == "r":
            number, extended = identifier or (0, False)
            return make_frame(self._time, number, b"", channel, extended=extended, remote=True)
        code = int(words[4], self._base)
        if code > _MOST_CODE:
            raise ValueError("length")
        data = bytes_of(words[5:], min(code, CLASSIC_LENGTH), self._base)
        if tail := _TAIL_ID.search(line):
            identifier = int(tail[1]), bool(tail[2])
        if identifier is None:
            return _NAMELESS
        return make_frame(self._time, identifier[0], data, channel, extended=identifier[1])

    def _fd(self, words: list[str]) -> Parsed:
        """Read `channel direction identifier [name] BRS ESI code length bytes duration length flags ...`."""
        channel, direction, name = words[:3]
        if not channel.isdecimal():  # "CANFD Start of measurement" and the like
            return EVENT
        if "errorframe" in (name.casefold(), words[3].casefold()):
            return error_frame(self._time, channel)
        if direction.casefold() == "txrq":
            return _REQUEST
        rest = words[3:] if words[3] in ("0", "1") and words[4] in ("0", "1") else words[4:]
        switch, _, code, length = rest[0], rest[1], int(rest[2], 16), int(rest[3])
        if rest[0] not in ("0", "1") or not 0 <= length <= FRAME_LENGTHS[-1]:
            raise ValueError("length")
        data = bytes_of(rest[4:], length, self._base)
        place = 4 + length + _BEHIND_DATA
        flags = int(rest[place], 16) if len(rest) > place else _FDF
        identifier = self._identifier(name)
        if identifier is None:
            return _NAMELESS
        number, extended = identifier
        if flags & _RTR or (length == 0 and code):
            return make_frame(self._time, number, b"", channel, extended=extended, remote=True)
        fd = bool(flags & _FDF) or length > CLASSIC_LENGTH
        return make_frame(self._time, number, data, channel, extended=extended, fd=fd, switch=fd and switch == "1")

    def _identifier(self, text: str) -> tuple[int, bool] | None:
        """Return an identifier, and whether it has 29 bits; None: it is a name."""
        extended = text[-1:] in "xX"
        try:
            return int(text[:-1] if extended else text, self._base), extended
        except ValueError:
            return None


_TOP: Final = "date Sam Sep 30 15:06:13.191 2017\nbase hex  timestamps absolute\ninternal events logged\n"
_RELATIVE: Final = _TOP.replace("absolute", "relative")

CASES: Final = (
    Case(
        "CANoe",
        f"{_TOP}Begin Triggerblock Sam Sep 30 15:06:13.191 2017\n   0.000000 Start of measurement\n"
        "  17.876708 1  6F9             Rx   d 8 05 0C 00 00 00 00 00 00  Length = 240015 BitCount = 124 ID = 1785\n"
        "End TriggerBlock",
        ["17.876708 1 6F9#050C000000000000"],
        [EVENT],
    ),
    Case(
        "29-bit identifier; the length code is hexadecimal, of 8 bytes at most",
        f"{_TOP}0.1 1 18EBFF00x Rx d F 01 A0 0F A6 60 3B D1 40",
        ["0.1 1 18EBFF00#01A00FA6603BD140"],
    ),
    Case("no head, no trigger block", "0.1 1 123 Rx d 1 11\n0.2 1 123 Rx d 1 12", ["0.1 1 123#11", "0.2 1 123#12"]),
    Case(
        "`timestamps relative`: every line with a time counts",
        f"{_RELATIVE}0.1 1 123 Rx d 1 11\n0.1 1 Statistic: D 0 R 0\n0.1 1 123 Rx d 1 12",
        ["0.1 1 123#11", "0.3 1 123#12"],
        [EVENT],
    ),
    Case(
        "a request and the frame it becomes",
        f"{_TOP}0.1 1 123 TxRq d 1 11\n0.10025 1 123 Tx d 1 11",
        ["0.10025 1 123#11"],
        [_REQUEST],
    ),
    Case("before the trigger", f"{_TOP}-0.5 1 123 Rx d 1 11", ["-0.5 1 123#11"]),
    Case(
        "`base dec`",
        f"{_TOP.replace('hex', 'dec')}0.1 1 291 Rx d 2 17 34\n0.2 1 417001744x Rx d 1 255",
        ["0.1 1 123#1122", "0.2 1 18DAF110#FF"],
    ),
    Case(
        "names in place of identifiers",
        f"{_TOP}0.1 1 EngineData Rx d 1 11 Length = 1 BitCount = 2 ID = 291\n0.2 1 EngineData Rx d 1 11",
        ["0.1 1 123#11"],
        [_NAMELESS],
    ),
    Case(
        "CAN FD, with a name and without; `303000`: the flags of CAN FD and of its second bit rate",
        f"{_TOP}0.1 CANFD 1 Rx 300 1 0 8 8 11 c2 03 04 05 06 07 08 102203 133 303000 e0006659\n"
        "0.2 CANFD 2 Tx 1C4D80A7x Name_12 0 1 9 12 1 2 3 4 5 6 7 8 9 a b c 102203 133 201000 0",
        ["0.1 1 300##111C2030405060708", "0.2 2 1C4D80A7##00102030405060708090A0B0C"],
    ),
    Case(
        "a classic frame in a CANFD line", f"{_TOP}0.1 CANFD 1 Rx 300 0 0 1 1 11 102203 133 200000 0", ["0.1 1 300#11"]
    ),
    Case(
        "remote frames",
        f"{_TOP}0.1 2 100 Tx r\n0.2 CANFD 3 Tx 50005x 0 1 5 0 140000 73 200050 7a60",
        [],
        ["remote frame", "remote frame"],
    ),
    Case(
        "error frames",
        f"{_TOP}0.1 1 ErrorFrame ECC: 10100010\n0.2 CANFD 5 Tx ErrorFrame Not Acknowledge error",
        [],
        ["error frame", "error frame"],
    ),
    Case(
        "what is no CAN frame",
        f"{_TOP}0.1 CANFD Start of measurement\n0.2 CAN 1 Status:chip status error active\n"
        "0.3 1 J1939TP FEE3p 6 0 0 - Rx d 3 23 A0 0F\n0.4 Li 1 Rx 3C 8 00",
        [],
        [EVENT] * 4,
    ),
)

FORMAT: Final = TextFormat("ASC", "CANoe, CANalyzer, BUSMASTER, python-can", _begins, _Asc, CASES)
