"""python-can's CSV, timestamp,arbitration_id,extended,remote,error,dlc,data, and cabana's, time,addr,bus,data."""

import base64
from collections.abc import Sequence
from typing import Final

from hilbridge.boundary.logs.frames import error_frame, make_frame
from hilbridge.boundary.logs.parser import Case, Parsed, Parser, TextFormat, cells, columns, is_true, nanoseconds
from hilbridge.frames.codec.frame import STANDARD_MASK


def _begins(head: Sequence[str]) -> bool:
    return bool(head) and columns(head[0])[:3] == ["timestamp", "arbitration_id", "extended"]


class _PythonCan(Parser):
    """Its data has its length by itself, in groups of four letters."""

    def parse(self, line: str) -> Parsed:
        if not line.strip() or line.startswith("timestamp"):
            return None
        time, identifier, extended, remote, error, length, data = line.strip().split(",")
        moment = _decimal(time)
        if is_true(error):
            return error_frame(moment, "1")
        content = base64.b64decode(data, validate=True)
        if not is_true(remote) and len(content) != int(length):
            raise ValueError("another number of bytes than the length says")
        return make_frame(
            moment, int(identifier, 16), b"" if is_true(remote) else content, "1",
            extended=is_true(extended), remote=is_true(remote),
        )  # fmt: skip


def _decimal(text: str) -> int:
    """Return a number of seconds, which may have an exponent, in nanoseconds."""
    return nanoseconds(f"{float(text):.9f}") if "e" in text.casefold() else nanoseconds(text)


def _begins_cabana(head: Sequence[str]) -> bool:
    return bool(head) and columns(head[0])[:4] == ["time", "addr", "bus", "data"]


class _Cabana(Parser):
    sized = False

    def parse(self, line: str) -> Parsed:
        if not line.strip() or line.casefold().startswith("time"):
            return None
        time, address, bus, data = cells(line)[:4]
        identifier = int(address, 16 if address.startswith("0x") else 10)
        content = bytes.fromhex(data.removeprefix("0x"))
        extended = identifier > STANDARD_MASK
        return make_frame(_decimal(time), identifier, content, bus, extended=extended)


_TOP: Final = "timestamp,arbitration_id,extended,remote,error,dlc,data\n"

CASES: Final = (
    Case(
        "a frame, and one of 29 bits",
        f"{_TOP}1.5,0x123,0,0,0,2,ESI=\n1.6,0x18daf110,1,0,0,0,",
        ["1.5 1 123#1122", "1.6 1 18DAF110#"],
    ),
    Case("remote and error frames", f"{_TOP}1.5,0x123,0,1,0,2,\n1.5,0x0,0,0,1,0,", [], ["remote frame", "error frame"]),
)

CABANA_CASES: Final = (
    Case(
        "identifiers decimal or with 0x, bytes with 0x or not",
        "time,addr,bus,data\n1.5,291,0,1122\n1.6,0x123,1,0x1122",
        ["1.5 0 123#1122", "1.6 1 123#1122"],
    ),
)

FORMAT: Final = TextFormat("python-can CSV", "python-can", _begins, _PythonCan, CASES)
CABANA_FORMAT: Final = TextFormat("cabana CSV", "cabana of openpilot", _begins_cabana, _Cabana, CABANA_CASES)
