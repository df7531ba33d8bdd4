"""SavvyCAN's and GVRET's CSV: Time Stamp,ID,Extended,[Dir,]Bus,LEN,D1,...

Times are whole microseconds, or seconds with a point.
"""

from collections.abc import Sequence
from typing import Final

from hilbridge.boundary.logs.frames import make_frame
from hilbridge.boundary.logs.parser import (
    Case,
    Parsed,
    TableParser,
    TextFormat,
    bytes_of,
    columns,
    is_true,
    nanoseconds,
)
from hilbridge.frames.codec.frame import STANDARD_MASK

_MICROSECOND: Final = 3


def _begins(head: Sequence[str]) -> bool:
    return bool(head) and {"time stamp", "id", "extended", "len"} <= set(columns(head[0]))


class _SavvyCan(TableParser):
    def __init__(self, head: Sequence[str]) -> None:
        super().__init__(head)
        self._data: Final = self.places.get("d1", self.places["len"] + 1)

    def row(self, words: list[str]) -> Parsed:
        time = words[self.places["time stamp"]]
        identifier = int(words[self.places["id"]], 16)
        data = bytes_of(words[self._data :], int(words[self.places["len"]]))
        extended = is_true(words[self.places["extended"]]) or identifier > STANDARD_MASK
        channel = words[self.places["bus"]] if "bus" in self.places else "0"
        moment = nanoseconds(time) if "." in time else nanoseconds(time, _MICROSECOND)
        return make_frame(moment, identifier, data, channel, extended=extended)


_TOP: Final = "Time Stamp,ID,Extended,Dir,Bus,LEN,D1,D2,D3,D4,D5,D6,D7,D8\n"

CASES: Final = (
    Case(
        "SavvyCAN; columns behind the length are not data",
        f"{_TOP}166064000,0000021A,false,Rx,0,2,FE,36,00,00,00,00,00,00,",
        ["166.064 0 21A#FE36"],
    ),
    Case("29-bit identifier", f"{_TOP}-1000,18DAF110,true,Tx,1,1,01,", ["-0.001 1 18DAF110#01"]),
    Case("29 bits, though the file says no", f"{_TOP}1000,18DAF110,false,Rx,1,0,", ["0.001 1 18DAF110#"]),
    Case("CAN FD", f"{_TOP}1000,00000300,false,Rx,0,9,0,1,2,3,4,5,6,7,8", ["0.001 0 300##0000102030405060708"]),
    Case(
        "GVRET and SavvyCAN of old: no direction",
        "Time Stamp,ID,Extended,Bus,LEN,D1,D2,D3,D4,D5,D6,D7,D8\n166064000,0000021A,false,0,1,FE,",
        ["166.064 0 21A#FE"],
    ),
    Case("semicolons, seconds", "Time Stamp;ID;Extended;LEN\n1.5;123;0;2;11;22", ["1.5 0 123#1122"]),
)

FORMAT: Final = TextFormat("SavvyCAN CSV", "SavvyCAN, GVRET", _begins, _SavvyCan, CASES)
