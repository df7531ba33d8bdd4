"""Kvaser CanKing's text: columns Chn Identifier Flg DLC D0...D7 Time Dir."""

from collections.abc import Sequence
from typing import Final

from hilbridge.boundary.logs.frames import error_frame, make_frame
from hilbridge.boundary.logs.parser import Case, Parsed, Parser, TextFormat, bytes_of, nanoseconds


def _begins(head: Sequence[str]) -> bool:
    return any(line.casefold().split()[:3] == ["chn", "identifier", "flg"] for line in head[:20])


class _CanKing(Parser):
    def parse(self, line: str) -> Parsed:
        words = line.split()
        if not words or not words[0].isdecimal():
            return None
        channel, identifier, time = words[0], int(words[1], 16), nanoseconds(words[-2])
        if "ErrorFrame" in words:
            return error_frame(time, channel)
        flags = "" if words[2].isdecimal() else words[2].upper()
        length, *rest = words[3 if flags else 2 : -2]
        remote = "R" in flags
        if not remote and len(rest) != int(length):
            raise ValueError("another number of bytes than the length says")
        data = b"" if remote else bytes_of(rest, int(length))
        return make_frame(
            time, identifier, data, channel,
            extended="X" in flags, fd="F" in flags or len(data) > 8, switch="B" in flags, remote=remote,
        )  # fmt: skip


_TOP: Final = "Chn Identifier Flg   DLC  D0...1...2...3...4...5...6..D7       Time     Dir\n"

CASES: Final = (
    Case(
        "a frame, and one of 29 bits",
        f"{_TOP} 0    00000123         2  11  22      395.000000 R\n"
        " 1    18DAF110 X       1  01          395.010000 T\nLogging stopped.",
        ["395 0 123#1122", "395.01 1 18DAF110#01"],
    ),
    Case("CAN FD with its second bit rate", f"{_TOP} 0    00000123 FB      1  11      1.0 R", ["1 0 123##111"]),
    Case(
        "remote and error frames",
        f"{_TOP} 0    00000124 R       0        395.02 R\n 0    00000000   ErrorFrame   395.03 R",
        [],
        ["remote frame", "error frame"],
    ),
)

FORMAT: Final = TextFormat("Kvaser CanKing", "Kvaser CanKing", _begins, _CanKing, CASES)
