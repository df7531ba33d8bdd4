"""Vehicle Spy's table of messages, as CSV or with tabs: Line,Abs Time(Sec),...,Arb ID,Remote,Xtd,B1,B2,...

A message has as many bytes as cells from B1 on are filled; the table has no length.
"""

from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from hilbridge.boundary.logs.frames import error_frame, make_frame
from hilbridge.boundary.logs.parser import (
    Case,
    Parsed,
    Parser,
    TextFormat,
    bytes_of,
    cells,
    columns,
    is_true,
    nanoseconds,
)

_MOST_BYTES: Final = 64


def _table_head(head: Sequence[str]) -> list[str] | None:
    found = (columns(line) for line in head[:200])
    return next((names for names in found if names[0] == "line" and {"arb id", "b1"} <= set(names)), None)


def _begins(head: Sequence[str]) -> bool:
    return _table_head(head) is not None


class _VehicleSpy(Parser):
    sized = False

    def __init__(self, head: Sequence[str]) -> None:
        super().__init__(head)
        names = _table_head(head) or []
        self._places: Final = {name: place for place, name in enumerate(names)}
        self._time: Final = next(place for name, place in self._places.items() if name.startswith("abs time"))

    def parse(self, line: str) -> Parsed:
        words = cells(line)
        if not words[0].isdecimal():
            return None
        cell = {name: words[place] for name, place in self._places.items() if place < len(words)}
        time, channel = nanoseconds(words[self._time]), cell.get("network", "1")
        if is_true(cell.get("er", "")):
            return error_frame(time, channel)
        named = (cell.get(f"b{number}", "") for number in range(1, _MOST_BYTES + 1))
        filled = list(takewhile(bool, named))
        remote = is_true(cell.get("remote", ""))
        data = b"" if remote else bytes_of(filled, len(filled))
        return make_frame(
            time, int(cell["arb id"], 16), data, channel,
            extended=is_true(cell["xtd"]), remote=remote,
        )  # fmt: skip


_TOP: Final = (
    "Vehicle Spy 3\n"
    "Line,Abs Time(Sec),Rel Time (Sec),Status,Er,Tx,Description,"
    "Network,Node,Arb ID,Remote,Xtd,B1,B2,B3,B4,B5,B6,B7,B8,Value\n"
)

CASES: Final = (
    Case(
        "a frame, and one of 29 bits",
        f"{_TOP}2,2550.368293675,0.0038,67371008,F,F,HS CAN $119,HS CAN,,119,F,F,00,8B,,,,,,,\n"
        "3,2550.4,0.1,0,F,T,Name,MS CAN,,18DAF110,F,T,01,,,,,,,,",
        ["2550.368293675 HS_CAN 119#008B", "2550.4 MS_CAN 18DAF110#01"],
    ),
    Case("tabs", f"{_TOP}2,1.5,0,0,F,F,x,HS,,119,F,F,01,,,,,,,,".replace(",", "\t"), ["1.5 HS 119#01"]),
    Case(
        "remote and error frames",
        f"{_TOP}2,1,0,0,F,F,x,HS,,119,T,F,,,,,,,,,\n3,2,0,0,T,F,x,HS,,0,F,F,,,,,,,,,",
        [],
        ["remote frame", "error frame"],
    ),
)

FORMAT: Final = TextFormat("Vehicle Spy", "Vehicle Spy of Intrepid", _begins, _VehicleSpy, CASES)
