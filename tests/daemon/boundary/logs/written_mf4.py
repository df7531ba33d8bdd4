"""MF4 as loggers write it while they run: its description first, its records last (ASAM MDF 4.1 with bus logging).

python-can and asammdf write the description behind the records. Written after the layout of the standard's blocks; the
reader under test has none of this, asammdf reads the blocks.
"""

import struct
from collections.abc import Sequence
from typing import NamedTuple

RECORD = 8 + 15
"""[bytes] of a record: time [us], BusChannel, ID and IDE, DLC, DataLength, 8 DataBytes."""

_UNSIGNED, _BYTES = 0, 10
_VALUE, _MASTER = 0, 2
_HEADER = 24 + 6 * 8 + 32


class Member(NamedTuple):
    name: str
    offset: int
    bits: int
    kind: int = _UNSIGNED


MEMBERS = (
    Member("CAN_DataFrame.BusChannel", 64, 8),
    Member("CAN_DataFrame.ID", 72, 29),
    Member("CAN_DataFrame.IDE", 103, 1),
    Member("CAN_DataFrame.DLC", 104, 8),
    Member("CAN_DataFrame.DataLength", 112, 8),
    Member("CAN_DataFrame.DataBytes", 120, 64, _BYTES),
)


class Frame(NamedTuple):
    time: float
    identifier: int
    extended: bool
    data: bytes

    def record(self) -> bytes:
        whole = self.identifier | self.extended << 31
        head = struct.pack("<QBIBB", round(self.time * 1e6), 1, whole, len(self.data), len(self.data))
        return head + self.data.ljust(8, b"\0")


class Blocks:
    def __init__(self) -> None:
        self.content = bytearray(64 + _HEADER)

    def add(self, name: bytes, links: Sequence[int], data: bytes) -> int:
        place = len(self.content)
        length = 24 + 8 * len(links) + len(data)
        self.content += struct.pack("<4s4xQQ", b"##" + name, length, len(links))
        self.content += struct.pack(f"<{len(links)}Q", *links) + data + bytes(-length % 8)
        return place

    def text(self, text: str, name: bytes = b"TX") -> int:
        return self.add(name, (), text.encode() + b"\0")

    def channel(self, member: Member, following: int, parts: int = 0, scale: int = 0, kind: int = _VALUE) -> int:
        byte, bit = divmod(member.offset, 8)
        head = (kind, 1 if kind == _MASTER else 0, member.kind, bit, byte, member.bits, 0, 0, 0, 0)
        data = struct.pack("<4B4IBxH48x", *head)
        return self.add(b"CN", (following, parts, self.text(member.name), 0, scale, 0, 0, 0), data)


def written(frames: Sequence[Frame], finished: bool) -> tuple[bytes, int]:
    """Return the file and where its first record begins."""
    blocks = Blocks()
    history = blocks.add(b"FH", (0, blocks.text("<FHcomment><TX>test</TX></FHcomment>", b"MD")), bytes(16))
    following = 0
    for member in reversed(MEMBERS):
        following = blocks.channel(member, following)
    whole = blocks.channel(Member("CAN_DataFrame", 64, 120, _BYTES), 0, parts=following)
    microseconds = blocks.add(b"CC", (0, 0, 0, 0), struct.pack("<BBHHHdddd", 1, 0, 0, 0, 2, 0, 0, 0.0, 1e-6))
    time = blocks.channel(Member("Timestamp", 0, 64), whole, scale=microseconds, kind=_MASTER)
    source = blocks.add(b"SI", (blocks.text("CAN"), 0, 0), struct.pack("<BBB5x", 2, 2, 0))
    counted = struct.pack("<QQHH4xII", 0, len(frames) if finished else 0, 0x6, ord("."), RECORD, 0)
    group = blocks.add(b"CG", (0, time, blocks.text("CAN_DataFrame"), source, 0, 0), counted)
    place = len(blocks.content) + 24 + 4 * 8 + 8
    blocks.add(b"DG", (0, group, place, 0), bytes(8))
    records = b"".join(frame.record() for frame in frames)
    blocks.content += struct.pack("<4s4xQQ", b"##DT", 24 + (len(records) if finished else 0), 0) + records
    links = (place - 64, history, 0, 0, 0, 0)
    start = struct.pack("<Q24x", 1_700_000_000 * 10**9)
    blocks.content[64 : 64 + _HEADER] = struct.pack("<4s4xQQ6Q", b"##HD", _HEADER, 6, *links) + start
    flags = 0 if finished else 0x01 | 0x04
    identity = (b"MDF     " if finished else b"UnFinMF ", b"4.11    ", b"logger  ", 411, flags, 0)
    blocks.content[:64] = struct.pack("<8s8s8s4xH30xHH", *identity)
    return bytes(blocks.content), place + 24
