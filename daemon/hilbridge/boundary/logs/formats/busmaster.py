"""BUSMASTER's log, in HEX or DEC mode, with times of day or relative.

The last part of a time is a number and no fraction: BUSMASTER writes four digits, of 0.1 ms; SavvyCAN milliseconds, in
old versions without leading zeros. The longest in the file tells its unit.
"""

import re
from collections.abc import Sequence
from typing import Final

from hilbridge.boundary.logs.frames import LogFrame, error_frame, make_frame
from hilbridge.boundary.logs.parser import Case, Parsed, Parser, TextFormat, bytes_of

_TIME: Final = re.compile(r"^(\d+):(\d+):(\d+):(\d+)$")
_UNITS: Final = {4: 10**5, 6: 10**3}
_MILLISECOND: Final = 10**6
_SECOND: Final = 10**9
_DAY: Final = 86_400 * _SECOND


def _begins(head: Sequence[str]) -> bool:
    return any(line.lstrip("-").startswith("***BUSMASTER") for line in head[:3])


class _Busmaster(Parser):
    def __init__(self, head: Sequence[str]) -> None:
        super().__init__(head)
        parts = [found[4] for line in head if (found := _TIME.match(line.partition(" ")[0]))]
        self._digits: Final = max(map(len, parts), default=4)
        self._unit: Final = _UNITS.get(self._digits, _MILLISECOND)
        if any(len(part) < self._digits for part in parts):
            self.notes.append("its times have milliseconds without leading zeros, as SavvyCAN wrote them")
        self._base = 16
        self._relative = False
        self._time = 0

    def parse(self, line: str) -> Parsed:
        words = line.split()
        if not words or line.lstrip("-").startswith("***"):
            self._base = 10 if "***DEC***" in line else 16 if "***HEX***" in line else self._base
            self.sized = True if self._base == 16 else None
            self._relative = "RELATIVE MODE" in line or (self._relative and "MODE***" not in line)
            return None
        time = self._moment(words[0])
        channel = words[2]
        if words[3].upper().startswith("ERR"):
            self._time = time
            return error_frame(time, channel)
        frame = self._frame(time, channel, words[3:])
        self._time = time
        return frame

    def _moment(self, text: str) -> int:
        found = _TIME.match(text)
        if found is None or len(found[4]) > self._digits:
            raise ValueError(text)
        hours, minutes, seconds, parts = map(int, found.groups())
        moment = (hours * 3600 + minutes * 60 + seconds) * _SECOND + parts * self._unit
        if self._relative:
            return moment + self._time
        if moment < self._time - _DAY // 2:
            moment += _DAY * (1 + (self._time - moment) // _DAY)
        return moment

    def _frame(self, time: int, channel: str, words: list[str]) -> LogFrame:
        identifier, kind, length = int(words[0], self._base), words[1].casefold(), int(words[2])
        remote = "r" in kind
        data = b"" if remote else bytes_of(words[3:], length, self._base)
        if not remote and len(words) > 3 + length:
            raise ValueError("more bytes than the length says")
        return make_frame(
            time, identifier, data, channel, extended=kind.startswith("x"), remote=remote, fd="f" in kind or length > 8
        )


_TOP: Final = "***BUSMASTER Ver 3.2.2***\n***{}***\n***{} MODE***\n"
_HEX: Final = _TOP.format("HEX", "SYSTEM")

CASES: Final = (
    Case("BUSMASTER: four digits of 0.1 ms", f"{_HEX}11:49:07:9650 Rx 1 0x123 s 2 11 22", ["42547.965 1 123#1122"]),
    Case("29-bit identifier", f"{_HEX}00:00:01:0000 Tx 2 0x18DAF110 x 1 01", ["1 2 18DAF110#01"]),
    Case("SavvyCAN: three digits of milliseconds", f"{_HEX}00:00:01:020 Rx 1 0x123 s 0", ["1.02 1 123#"]),
    Case(
        "SavvyCAN of old: milliseconds without leading zeros",
        f"{_HEX}22:20:14:992 Rx 1 0x123 s 0\n22:20:15:2 Rx 1 0x123 s 0",
        ["80414.992 1 123#", "80415.002 1 123#"],
    ),
    Case(
        "`RELATIVE MODE`",
        f"{_TOP.format('HEX', 'RELATIVE')}00:00:00:0100 Rx 1 0x1 s 0\n00:00:00:0100 Rx 1 0x1 s 0",
        ["0.01 1 001#", "0.02 1 001#"],
    ),
    Case(
        "past midnight",
        f"{_HEX}23:59:59:9000 Rx 1 0x1 s 0\n00:00:00:1000 Rx 1 0x1 s 0",
        ["86399.9 1 001#", "86400.1 1 001#"],
    ),
    Case("`DEC`", f"{_TOP.format('DEC', 'SYSTEM')}00:00:01:0000 Rx 1 291 s 2 17 34", ["1 1 123#1122"]),
    Case(
        "remote and error frames",
        f"{_HEX}00:00:01:0000 Rx 1 0x124 sr 0\n00:00:02:0000 Tx 2 ERR",
        [],
        ["remote frame", "error frame"],
    ),
)

FORMAT: Final = TextFormat("BUSMASTER", "BUSMASTER, SavvyCAN", _begins, _Busmaster, CASES)
