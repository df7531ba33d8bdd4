"""Kvaser's CSV (Time,Channel,ID,Flags,DLC,Data0,...): numbers decimal or hexadecimal, as was chosen when it was made.

Flags as in canlib's canstat.h.
"""

import re
from collections.abc import Sequence
from typing import Final

from hilbridge.boundary.logs.frames import error_frame, make_frame
from hilbridge.boundary.logs.parser import Case, Parsed, TableParser, TextFormat, bytes_of, cells, columns, nanoseconds

_REMOTE, _EXTENDED, _ERROR, _FD, _SWITCH = 0x1, 0x4, 0x20, 0x1_0000, 0x2_0000
"""canMSG_RTR, canMSG_EXT, canMSG_ERROR_FRAME, canFDMSG_FDF, canFDMSG_BRS."""

_ID_DIGITS, _BYTE_DIGITS = 3, 2


def _begins(head: Sequence[str]) -> bool:
    return bool(head) and columns(head[0])[:5] == ["time", "channel", "id", "flags", "dlc"]


class _Kvaser(TableParser):
    def __init__(self, head: Sequence[str]) -> None:
        super().__init__(head)
        table = [cells(line) for line in head[1:] if line.strip()]
        self._id_base: Final = _base([words[2] for words in table if len(words) > 2], _ID_DIGITS)
        self._base: Final = _base([one for words in table for one in words[5 : 5 + _length(words)]], _BYTE_DIGITS)
        self.sized = True if self._base == 16 else None

    def row(self, words: list[str]) -> Parsed:
        time, channel = nanoseconds(words[0]), words[1]
        flags = int(words[3], 16 if words[3].startswith("0x") else 10)
        if flags & _ERROR:
            return error_frame(time, channel)
        remote = bool(flags & _REMOTE)
        data = b"" if remote else bytes_of(words[5:], int(words[4]), self._base)
        return make_frame(
            time, int(words[2], self._id_base), data, channel,
            extended=bool(flags & _EXTENDED), fd=bool(flags & _FD), switch=bool(flags & _SWITCH), remote=remote,
        )  # fmt: skip


def _length(words: Sequence[str]) -> int:
    return int(words[4]) if len(words) > 4 and words[4].isdecimal() else 0


def _base(numbers: Sequence[str], digits: int) -> int:
    """Return 16 if a number has a hexadecimal digit or prefix, or so many digits with a zero before them."""
    if any(re.search("[a-fA-FxX]", number) for number in numbers):
        return 16
    return 16 if any(len(number) >= digits and number.startswith("0") for number in numbers) else 10


_TOP: Final = "Time,Channel,ID,Flags,DLC,Data0,Data1,Data2,Data3,Data4,Data5,Data6,Data7,Counter,AbsTime\n"

CASES: Final = (
    Case(
        "hexadecimal: a number has a letter",
        f"{_TOP}395.01,0,18DAF110,4,3,01,02,03,,,,,,2,2014-08-08 11:49:07",
        ["395.01 0 18DAF110#010203"],
    ),
    Case("decimal", f"{_TOP}395.0,0,291,2,2,17,34,,,,,,,1,", ["395 0 123#1122"]),
    Case("CAN FD with its second bit rate", f"{_TOP}0.0,1,7FF,0x30002,2,0A,22,,,,,,", ["0 1 7FF##10A22"]),
    Case("remote and error frames", f"{_TOP}0.02,0,124,3,0,,\n0.03,2,0,32,0,,", [], ["remote frame", "error frame"]),
)

FORMAT: Final = TextFormat("Kvaser CSV", "Kvaser's converter", _begins, _Kvaser, CASES)
