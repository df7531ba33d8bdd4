"""Logs read in this process, and their frames as the tables of cases write them."""

from decimal import Decimal
from pathlib import Path

from hilbridge.boundary.logs.account import Account
from hilbridge.boundary.logs.reading import read_here
from hilbridge.frames.codec.frame import BRS, EXTENDED, EXTENDED_MASK, FD


def notation(time: int, channel: str, can_id: int, flags: int, data: bytes) -> str:
    """`1.5 can0 123#1122`, `##1` for CAN FD with its second bit rate."""
    seconds = f"{Decimal(time) / 10**9:f}"
    seconds = seconds.rstrip("0").rstrip(".") if "." in seconds else seconds
    identifier = f"{can_id & EXTENDED_MASK:08X}" if can_id & EXTENDED else f"{can_id:03X}"
    fd = f"#{1 if flags & BRS else 0}" if flags & FD else ""
    return f"{seconds or 0} {channel.replace(' ', '_')} {identifier}#{fd}{data.hex().upper()}"


def read(path: Path) -> tuple[list[str], Account]:
    """The frames of a log in that notation, and its account."""
    account = Account()
    found = []
    for block in read_here(path, account):
        names = [block.names[place] for place in block.channels.tolist()]
        rows = zip(block.frames(), names, strict=True)
        found += [notation(time, name, can_id, flags, data) for (time, can_id, flags, data), name in rows]
    return found, account


def read_text(folder: Path, text: str | bytes, name: str = "a.log") -> tuple[list[str], Account]:
    """The same of a text."""
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read(path)
