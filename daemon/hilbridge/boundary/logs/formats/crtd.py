"""CRTD of OVMS, and of SavvyCAN: `1320745424.002 R11 402 FA 01`; a digit before the type is the bus.

(docs.openvehicles.com, "CRTD CAN Log Format".)
"""

import re
from collections.abc import Sequence
from typing import Final

from hilbridge.boundary.logs.account import EVENT
from hilbridge.boundary.logs.frames import error_frame, make_frame
from hilbridge.boundary.logs.parser import Case, Parsed, Parser, TextFormat, bytes_of, nanoseconds

_LINE: Final = re.compile(r"^\s*-?\d+(\.\d+)?\s+(?P<bus>\d?)(?P<kind>[RT](?:11|29)|C[A-Z]{2})(?:\s|$)")


def _begins(head: Sequence[str]) -> bool:
    return bool(head) and _LINE.match(head[0]) is not None


class _Crtd(Parser):
    sized = False

    def parse(self, line: str) -> Parsed:
        found = _LINE.match(line)
        if found is None:
            if line.strip():
                raise ValueError(line)
            return None
        words, channel, kind = line.split(), found["bus"] or "1", found["kind"]
        time = nanoseconds(words[0])
        if kind == "CER":
            return error_frame(time, channel)
        if kind.startswith("C"):
            return None if kind == "CXX" else EVENT
        data = bytes_of(words[3:], len(words) - 3)
        return make_frame(time, int(words[2], 16), data, channel, extended=kind.endswith("29"))


CASES: Final = (
    Case(
        "OVMS",
        "1320745424.000 CXX OVMS Tesla Roadster log\n1320745424.002 R11 402 FA 01 C3",
        ["1320745424.002 1 402#FA01C3"],
    ),
    Case(
        "the bus before the type",
        "123.431 2R11 27E 00\n123.441 3T29 18DAF110 01",
        ["123.431 2 27E#00", "123.441 3 18DAF110#01"],
    ),
    Case("SavvyCAN: identifiers of eight digits", "166.064000 R11 0000021A FE 36 ", ["166.064 1 21A#FE36"]),
    Case(
        "events and errors",
        "1.0 CEV Open charge port door\n1.1 1CER Error\n1.2 R11 100 07",
        ["1.2 1 100#07"],
        [EVENT, "error frame"],
    ),
)

FORMAT: Final = TextFormat("CRTD", "OVMS, SavvyCAN", _begins, _Crtd, CASES)
