"""CSS Electronics' logs as text: of the CL1000 to CL3000 (a head of `#` lines), and CANedge's CSV (mdf2csv)."""

import re
from collections.abc import Sequence
from datetime import date
from typing import Final

from hilbridge.boundary.logs.account import LogError
from hilbridge.boundary.logs.frames import make_frame
from hilbridge.boundary.logs.parser import Case, Parsed, Parser, TableParser, TextFormat, columns, is_true, nanoseconds

_PARTS: Final = ((3, 1), (2, 1000), (2, 60_000), (2, 3_600_000), (2, 86_400_000))
"""Digits of a short time from its end, and [ms] of each: milliseconds, seconds, minutes, hours, days."""

_WRAPS: Final = (1000, 60_000, 3_600_000, 86_400_000)
"""[ms] after which a time of formats 0 to 3 begins anew."""

_MONTH: Final = 5
"""The time format that has the month too; 6 has the year."""

_CLOCK_DIGITS: Final = 9
_DAY_MS: Final = 86_400_000
_EPOCH: Final = date(1970, 1, 1).toordinal()


def _begins_cl(head: Sequence[str]) -> bool:
    return bool(head) and head[0].startswith("# Logger type:")


class _Cl(Parser):
    """`Timestamp;Type;ID;Length;Data` in the order that its head says; type bit 0: 29 bits, bit 1: remote."""

    sized = False

    def __init__(self, head: Sequence[str]) -> None:
        super().__init__(head)
        found = (re.match(r'^# ([^:]+): "?(.*?)"?\s*$', line) for line in head[:30])
        said: dict[str, str] = {one[1]: one[2] for one in found if one is not None}
        self._separator: Final = said.get("Value separator", ";")
        self._format: Final = int(said.get("Time format", "4"))
        names = next((line for line in head if not line.startswith("#") and line.strip()), "")
        self._head: Final = names.strip()
        self._places: Final = {name: place for place, name in enumerate(names.strip().split(self._separator))}
        self.sized = "Length" in self._places
        self._newest = 0
        if "Timestamp" not in self._places:
            raise LogError("its frames have no times: set the time stamps of the logger on")

    def parse(self, line: str) -> Parsed:
        if line.startswith("#") or not line.strip() or line.strip() == self._head:
            return None
        words = line.strip("\r\n").split(self._separator)
        identifier = words[self._places["ID"]]
        kind = int(words[self._places["Type"]]) if "Type" in self._places else int(int(identifier, 16) > 0x7FF)
        data = bytes.fromhex(words[self._places["Data"]]) if len(words) > self._places["Data"] else b""
        if "Length" in self._places and int(words[self._places["Length"]], 16) != len(data) and not kind & 2:
            raise ValueError("another number of bytes than the length says")
        time = self._moment(words[self._places["Timestamp"]])
        remote = bool(kind & 2)
        return make_frame(
            time, int(identifier, 16), b"" if remote else data, "1",
            extended=bool(kind & 1), remote=remote,
        )  # fmt: skip

    def _moment(self, text: str) -> int:
        digits = re.sub(r"\D", "", text)
        if self._format >= _MONTH:
            days = _days(digits[:-_CLOCK_DIGITS])
            return (days * _DAY_MS + _milliseconds(digits[-_CLOCK_DIGITS:])) * 10**6
        time = _milliseconds(digits) * 10**6
        if time < self._newest:
            if self._format >= len(_WRAPS):
                raise LogError("the day of the month begins anew: cut the log there")
            wrap = _WRAPS[self._format] * 10**6
            time += wrap * -(-(self._newest - time) // wrap)
        self._newest = time
        return time


def _milliseconds(digits: str) -> int:
    total, end = 0, len(digits)
    for width, unit in _PARTS:
        total += int(digits[max(end - width, 0) : end] or 0) * unit
        end = max(end - width, 0)
    return total


def _days(digits: str) -> int:
    """Return the day of `YYYYMMDD` since 1970, or of `MMDD` in a leap year."""
    return date(int(digits[:-4] or 2000), int(digits[-4:-2]), int(digits[-2:])).toordinal() - _EPOCH


def _begins_canedge(head: Sequence[str]) -> bool:
    return bool(head) and {"timestampepoch", "id", "ide", "databytes"} <= set(columns(head[0]))


class _CanEdge(TableParser):
    def row(self, words: list[str]) -> Parsed:
        cell = {name: words[place] for name, place in self.places.items() if place < len(words)}
        data = bytes.fromhex(cell["databytes"])
        if "datalength" in cell and int(cell["datalength"]) != len(data):
            raise ValueError("another number of bytes than the length says")
        return make_frame(
            nanoseconds(cell["timestampepoch"]), int(cell["id"], 16), data, cell.get("buschannel", "1"),
            extended=is_true(cell["ide"]), fd=is_true(cell.get("edl", "")) or None,
            switch=is_true(cell.get("brs", "")), remote=is_true(cell.get("rtr", "")),
        )  # fmt: skip


_CL_TOP: Final = (
    '# Logger type: CL2000\n# Time: 20200101T000000\n# Value separator: ";"\n# Time format: {}\n'
    '# Time separator: ""\n{}\n'
)
_ALL: Final = "Timestamp;Type;ID;Length;Data"

CL_CASES: Final = (
    Case(
        "day and time of day; type 1: 29 bits, 9: sent",
        _CL_TOP.format(4, _ALL) + "01T000001500;0;123;2;1122\n01T000001600;1;18daf110;1;01\n01T000001700;8;123;0;",
        ["86401.5 1 123#1122", "86401.6 1 18DAF110#01", "86401.7 1 123#"],
    ),
    Case(
        "seconds only: they begin anew each minute",
        _CL_TOP.format(1, "Timestamp;ID;Data") + "59900;123;11\n00100;123;12",
        ["59.9 1 123#11", "60.1 1 123#12"],
    ),
    Case(
        "a date",
        _CL_TOP.format(6, _ALL) + "20200101T000000000;0;123;1;11\n20200101T000000250;0;123;1;12",
        ["1577836800 1 123#11", "1577836800.25 1 123#12"],
    ),
)

_EDGE_TOP: Final = "TimestampEpoch;BusChannel;ID;IDE;DLC;DataLength;Dir;EDL;BRS;DataBytes\n"

CANEDGE_CASES: Final = (
    Case(
        "classic, and 29 bits",
        f"{_EDGE_TOP}1578922367.77715;1;2AA;0;2;2;0;0;0;0CF9\n1578922367.8;9;18FEF100;1;1;1;1;0;0;11",
        ["1578922367.77715 1 2AA#0CF9", "1578922367.8 9 18FEF100#11"],
    ),
    Case("CAN FD with its second bit rate", f"{_EDGE_TOP}1.0;1;2AA;0;2;2;0;1;1;0CF9", ["1 1 2AA##10CF9"]),
)

CL_FORMAT: Final = TextFormat("CSS CL1000-3000", "loggers of CSS Electronics", _begins_cl, _Cl, CL_CASES)
CANEDGE_FORMAT: Final = TextFormat(
    "CANedge CSV", "mdf2csv of CSS Electronics", _begins_canedge, _CanEdge, CANEDGE_CASES
)
