"""SLCAN, the line protocol of Lawicel's CAN232 and CANUSB: frames and commands in ASCII, without any I/O.

    tIIILDD…  TIIIIIIIILDD…    data frame, 11-bit and 29-bit identifier I, length L, data bytes D, all in hex
    rIIIL     RIIIIIIIIL       remote request
    d D b B                    CAN FD data frame (b, B: bit rate switch); L is the data length code 0..F

A line ends with CR. A line that was carried out is answered with CR (a frame with z or Z before it), any other with
BELL. Source: Lawicel CAN232 manual, version 3; CAN FD as in the CANable 2.0 firmware and python-can.
"""

import re
from binascii import hexlify, unhexlify
from enum import Enum, auto
from typing import Final

from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH, FRAME_LENGTHS, LENGTH_CODES
from hilbridge.frames.codec.frame import BRS, ERROR, EXTENDED, EXTENDED_MASK, FD, REMOTE, STANDARD_MASK, Frame

OK: Final = b"\r"
BELL: Final = b"\a"

LONGEST_LINE: Final = len("B") + 8 + 1 + 2 * FRAME_LENGTHS[-1]
STAMP_PERIOD: Final = 60_000
"""[ms] after which a time stamp starts again at 0."""

_FRAME: Final = re.compile(
    rb"(?:([trdb])([0-7][0-9A-Fa-f]{2})|([TRDB])([01][0-9A-Fa-f]{7}))([0-9A-Fa-f])((?:[0-9A-Fa-f]{2})*)"
)
_FD_FLAGS: Final = {b"d": FD, b"D": FD, b"b": FD | BRS, b"B": FD | BRS}


def parse_frame(line: bytes) -> Frame | None:
    """Return the frame in a line without its CR; None if the line is not a frame, or not a valid one."""
    match = _FRAME.fullmatch(line)
    if match is None:
        return None
    standard, short, extended, long, code, digits = match.groups()
    kind = standard or extended
    can_id = int(short, 16) if standard else int(long, 16) | EXTENDED
    length = int(code, 16)
    if kind in _FD_FLAGS:
        length = FRAME_LENGTHS[length]
        return Frame(can_id, unhexlify(digits), _FD_FLAGS[kind]) if len(digits) == 2 * length else None
    if length > CLASSIC_LENGTH:
        return None
    if kind in b"rR":
        return None if digits else Frame(can_id | REMOTE, bytes(length))
    return Frame(can_id, unhexlify(digits)) if len(digits) == 2 * length else None


def format_frame(frame: Frame) -> bytes:
    """Return the line of a frame, with its CR; empty for an error frame, which SLCAN cannot express."""
    can_id, data, flags = frame
    if can_id & ERROR:
        return b""
    code = len(data)
    digits = hexlify(data).upper()
    if flags & FD:
        kind = b"b" if flags & BRS else b"d"
        code = LENGTH_CODES[code]
        digits = digits.ljust(2 * FRAME_LENGTHS[code], b"0")
    elif can_id & REMOTE:
        kind = b"r"
        digits = b""
    else:
        kind = b"t"
    if can_id & EXTENDED:
        return b"%b%08X%X%b\r" % (kind.upper(), can_id & EXTENDED_MASK, code, digits)
    return b"%b%03X%X%b\r" % (kind, can_id & STANDARD_MASK, code, digits)


def stamp(line: bytes, t: int) -> bytes:
    """Return a line of `format_frame` with the time of the tick `t` [ns] appended, in ms within the minute."""
    return b"%b%04X\r" % (line[:-1], t // 1_000_000 % STAMP_PERIOD)


class Channel(Enum):
    """The state of the channel of a client."""

    CLOSED = auto()
    OPEN = auto()
    LISTEN_ONLY = auto()


_CHANNELS: Final = {b"O": Channel.OPEN, b"L": Channel.LISTEN_ONLY, b"C": Channel.CLOSED}
_IDENTITY: Final = {b"V": b"V1010\r", b"N": b"NHILB\r"}
"""Version of hardware and software (1.0 both), and the serial number."""
_CONFIGURATION: Final = re.compile(rb"S[0-9]|s[0-9A-Fa-f]{4}|Y[0-9]|Z[01]|M0{8}|m[Ff]{8}")
"""Bit rate, its registers, data bit rate, time stamps, and the acceptance filter that lets everything pass."""


class SlcanSession:
    """The adapter's side of one client: its channel, and its input in pieces of any size.

    Bit rates are accepted and mean nothing: an embedded bus has none.
    """

    def __init__(self) -> None:
        self.channel = Channel.CLOSED
        self.stamped = False  # frames carry a time stamp (Z1)
        self.overrun = False  # frames for this client were dropped since it last asked (F)
        self.malformed = 0  # lines that are no command
        self.refused = 0  # frames sent while the channel is closed or listen-only
        self._rest = b""

    def feed(self, data: bytes) -> tuple[list[Frame], bytes]:
        """Return the frames for the bus, and the answers to write back, for the next bytes of the client."""
        frames: list[Frame] = []
        lines = (self._rest + data).replace(b"\n", b"\r").split(b"\r")
        # What is kept of an unfinished line is enough to know that it is too long.
        self._rest = lines.pop()[: LONGEST_LINE + 1]
        # Empty lines are no commands: clients send a few CR to begin with.
        answers = b"".join([self._take(line, frames) for line in lines if line])
        return frames, answers

    def _take(self, line: bytes, frames: list[Frame]) -> bytes:
        frame = parse_frame(line)
        if frame is None:
            return self._command(line)
        if self.channel is not Channel.OPEN:
            self.refused += 1
            return BELL
        frames.append(frame)
        return b"Z\r" if frame.can_id & EXTENDED else b"z\r"

    def _command(self, line: bytes) -> bytes:
        """Carry out a command: O, L and C always reach the state they name; configuring needs a closed channel."""
        if line in _CHANNELS:
            self.channel = _CHANNELS[line]
            return OK
        if line in _IDENTITY:
            return _IDENTITY[line]
        if line == b"F":
            flags, self.overrun = b"F08\r" if self.overrun else b"F00\r", False
            return flags
        if not _CONFIGURATION.fullmatch(line):
            self.malformed += 1
            return BELL
        if self.channel is not Channel.CLOSED:
            return BELL
        if line[:1] == b"Z":
            self.stamped = line == b"Z1"
        return OK
