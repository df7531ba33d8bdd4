"""CANHacker's trace: `Time ID DLC Data Comment`. The adapter's clock starts anew each minute.

All identifiers have eight digits, so that those below 0x800 are taken for 11 bits, as SavvyCAN takes them.
"""

import re
from collections.abc import Sequence
from typing import Final

from hilbridge.boundary.logs.frames import make_frame
from hilbridge.boundary.logs.parser import Case, Parsed, Parser, TextFormat, bytes_of, nanoseconds
from hilbridge.frames.codec.frame import STANDARD_MASK

_HEAD: Final = re.compile(r"^\s*time\s+id\s+dlc\s+data", re.IGNORECASE)
_MINUTE: Final = 60 * 10**9


def _begins(head: Sequence[str]) -> bool:
    return any(_HEAD.match(line) or "canhacker" in line.casefold() for line in head[:3])


class _CanHacker(Parser):
    def __init__(self, head: Sequence[str]) -> None:
        super().__init__(head)
        self.notes.append("identifiers below 0x800 are taken for 11 bits: CANHacker does not say")
        self._newest = 0

    def parse(self, line: str) -> Parsed:
        words = line.split()
        if not words or _HEAD.match(line) or "canhacker" in line.casefold():
            return None
        time = nanoseconds(words[0])
        identifier = int(words[1], 16)
        length = int(words[2], 16)
        if time < self._newest:
            time += _MINUTE * -(-(self._newest - time) // _MINUTE)
        remote = words[3:4] == ["RTR"]
        data = b"" if remote else bytes_of(words[3:], length)
        frame = make_frame(time, identifier, data, "1", extended=identifier > STANDARD_MASK, remote=remote)
        self._newest = time
        return frame


_TOP: Final = "Time   ID     DLC Data                    Comment\n"

CASES: Final = (
    Case(
        "a frame, and one of 29 bits",
        f"{_TOP}00.010 00000123 2 36 47 \n00,020 00004000 1 36 text",
        ["0.01 1 123#3647", "0.02 1 00004000#36"],
    ),
    Case(
        "the minute begins anew",
        f"{_TOP}59.990 00000123 0\n00.010 00000123 0\n00.005 00000123 0",
        ["59.99 1 123#", "60.01 1 123#", "120.005 1 123#"],
    ),
    Case("a remote frame", f"{_TOP}00.010 00000123 2 RTR", [], ["remote frame"]),
)

FORMAT: Final = TextFormat("CANHacker", "CANHacker and its clones", _begins, _CanHacker, CASES)
