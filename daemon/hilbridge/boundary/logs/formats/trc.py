"""PEAK's TRC, versions 1.0 to 2.1 (PCAN-View, PCAN-Explorer, PEAK-Converter); a file without a version is 1.0."""

import re
from collections.abc import Sequence
from typing import Final

from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH, FRAME_LENGTHS
from hilbridge.boundary.logs.account import EVENT
from hilbridge.boundary.logs.frames import LogFrame, error_frame, make_frame
from hilbridge.boundary.logs.parser import Case, Parsed, Parser, TextFormat, bytes_of, nanoseconds

_VERSION: Final = re.compile(r"^;\$FILEVERSION=(\d+\.\d+)")
_COLUMNS: Final = re.compile(r"^;\$COLUMNS=([A-Za-z,]+)")
_OLD_LINE: Final = re.compile(r"^\s*\d+\)\s+-?\d")
_BY_VERSION: Final = {
    "1.0": "N,O,I,L,D",
    "1.1": "N,O,T,I,L,D",
    "1.2": "N,O,B,T,I,L,D",
    "1.3": "N,O,B,T,I,R,L,D",
    "2.0": "N,O,T,I,d,l,D",
    "2.1": "N,O,T,B,I,d,R,L,D",
}
"""Columns: number, offset of the time [ms], bus, type, identifier, direction, reserved, length or its code, data."""

_MILLISECOND: Final = 6
_STATUS: Final = "FFFFFFFF"
_FD_TYPES: Final = ("FD", "FB", "FE", "BI")
_SWITCHED: Final = ("FB", "FE")
_DATA_TYPES: Final = ("DT", "RX", "TX", *_FD_TYPES)
_STANDARD_DIGITS: Final = 4


def _begins(head: Sequence[str]) -> bool:
    lines = [line for line in head[:100] if line.strip()]
    if not lines or not lines[0].startswith(";"):
        return bool(lines) and _OLD_LINE.match(lines[0]) is not None
    is_peak = any(_VERSION.match(line) or "PCAN" in line or "PEAK" in line for line in lines)
    return is_peak or any(_OLD_LINE.match(line) for line in lines)


class _Trc(Parser):
    def __init__(self, head: Sequence[str]) -> None:
        super().__init__(head)
        version = next((found[1] for line in head if (found := _VERSION.match(line))), "1.0")
        named = next((found[1] for line in head if (found := _COLUMNS.match(line))), None)
        if named is None and version not in _BY_VERSION:
            raise ValueError(f"version {version}")
        names = (named or _BY_VERSION[version]).split(",")
        self._places: Final = {name: place for place, name in enumerate(names)}

    def parse(self, line: str) -> Parsed:
        if line.startswith(";") or not line.strip():
            return None
        words = line.split()
        places = self._places
        kind = words[places["T"]].upper() if "T" in places else "RX"
        time = nanoseconds(words[places["O"]], _MILLISECOND)
        channel = words[places["B"]] if "B" in places else "1"
        if kind in ("ER", "ERROR"):
            return error_frame(time, channel)
        if kind == "RR" or (kind in _DATA_TYPES and "RTR" in words):
            return self._frame(time, channel, words, remote=True)
        if kind not in _DATA_TYPES or words[places["I"]] == _STATUS:
            return EVENT
        return self._frame(time, channel, words, fd=kind in _FD_TYPES, switch=kind in _SWITCHED)

    def _frame(self, time: int, channel: str, words: list[str], **flags: bool) -> LogFrame:
        identifier = words[self._places["I"]]
        data = b""
        if not flags.get("remote"):
            fd = flags.get("fd", False)
            length = int(words[self._places["l"]]) if "l" in self._places else _length(words[self._places["L"]], fd=fd)
            data = bytes_of(words[self._places["D"] :], length)
        extended = len(identifier) > _STANDARD_DIGITS
        return make_frame(time, int(identifier, 16), data, channel, extended=extended, **flags)


def _length(word: str, *, fd: bool) -> int:
    code = int(word)
    return FRAME_LENGTHS[code] if fd else min(code, CLASSIC_LENGTH)


_TOP: Final = ";$FILEVERSION={}\n;$STARTTIME=44548.6028595139\n"

CASES: Final = (
    Case(
        "1.0",
        ";   PCAN-Net: N/A\n     1)     17535  00000100  8  00 11 22 33 44 55 66 77\n"
        "     2)     19295      0704  1  AA",
        ["17.535 1 00000100#0011223344556677", "19.295 1 704#AA"],
    ),
    Case(
        "1.0: a state of the bus, a remote frame",
        ";   PCAN-Net: N/A\n"
        "     1)     17540  FFFFFFFF  4  00 00 00 08 -- -- -- -- BUSHEAVY\n     2)     17541  0704  1  RTR",
        [],
        [EVENT, "remote frame"],
    ),
    Case(
        "1.1",
        _TOP.format("1.1") + "     1)     17535.4  Tx     00000100  2  00 11\n"
        "     2)  17540.3  Warng  FFFFFFFF  4  00 00 00 08 ",
        ["17.5354 1 00000100#0011"],
        [EVENT],
    ),
    Case(
        "1.2: a bus", _TOP.format("1.2") + "     1)     17535.400 2  Rx        0100  2  00 11", ["17.5354 2 100#0011"]
    ),
    Case(
        "1.3: a column more",
        _TOP.format("1.3") + "     1)     17535.400 1  Tx        0100 -  2    00 11",
        ["17.5354 1 100#0011"],
    ),
    Case(
        "2.0",
        _TOP.format("2.0") + ";$COLUMNS=N,O,T,I,d,l,D\n      1     17535.400 DT     0100 Tx 2  00 11\n"
        "      2     17540.300 ST          Rx    00 00 00 08",
        ["17.5354 1 100#0011"],
        [EVENT],
    ),
    Case(
        "2.1: CAN FD, length code 9 is 12 bytes",
        _TOP.format("2.1") + ";$COLUMNS=N,O,T,B,I,d,R,L,D\n"
        "  1  1.000 FB 1  0100 Rx -  9  00 01 02 03 04 05 06 07 08 09 0A 0B\n"
        "  2  2.000 ER 1  - Rx -  5  04 00 02 00 00\n"
        "  3  3.000 RR 1  0704 Rx -  1",
        ["0.001 1 100##1000102030405060708090A0B"],
        ["error frame", "remote frame"],
    ),
)

FORMAT: Final = TextFormat("TRC", "PCAN-View, PCAN-Explorer, PEAK-Converter", _begins, _Trc, CASES)
