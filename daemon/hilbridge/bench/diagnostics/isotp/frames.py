"""Encoding and decoding of the four frame types of ISO-TP (ISO 15765-2:2016, 9.6).

    0L data…                    single frame (SF) with L bytes, 1 … 7
    00 LL data…                 the same in a CAN FD frame of more than 8 bytes
    1L LL data…                 first frame (FF) of a message of L bytes, up to 4095
    10 00 LL LL LL LL data…     the same for longer messages
    2N data…                    consecutive frame (CF); N = 1, 2, … 15, 0, 1, …
    3S BS ST                    flow control (FC); S = 0 continue, 1 wait, 2 overflow

These bytes follow the address prefix, if there is one. ST, the separation time STmin, is 00 … 7F in milliseconds or
F1 … F9 in 100 µs; other values are reserved and mean 127 ms.

A frame that the standard does not allow decodes to None and is ignored: no data, a length that does not fit, a message
in a first frame that a single frame could hold, the escape to long lengths for a short message.
"""

from typing import Final, NamedTuple

from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH, frame_length
from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.diagnostics.isotp.parameters import LONGEST_ST_MIN, PADDING, IsoTpParameters
from hilbridge.frames.codec.frame import FD, Frame

CONTINUE: Final = 0
WAIT: Final = 1
OVERFLOW: Final = 2

_SHORT: Final = 0xFFF
"""The longest message whose first frame needs no escape."""
_HUNDRED_MICROSECONDS: Final = MILLISECOND // 10


class SingleFrame(NamedTuple):
    """A single frame: a whole message."""

    data: bytes


class FirstFrame(NamedTuple):
    """A first frame: the beginning of a message of `length` bytes."""

    length: int
    data: bytes


class ConsecutiveFrame(NamedTuple):
    """A consecutive frame: the next part of a message. The last one may have padding after its data."""

    sequence: int
    data: bytes


class FlowControl(NamedTuple):
    """A flow control frame: how the receiver wants the rest of the message. `separation` is STmin in ns."""

    status: int
    block_size: int
    separation: int


def decode(data: bytes, start: int = 0) -> SingleFrame | FirstFrame | ConsecutiveFrame | FlowControl | None:
    """Return the frame that the bytes from `start` on encode, after the address prefix; None if it is not allowed."""
    size = len(data)
    if size < start + 2:
        return None
    head = data[start]
    low = head & 0x0F
    match head >> 4:
        case 0:
            return _single(data, start, low)
        case 1:
            return _first(data, start, low << 8 | data[start + 1])
        case 2:
            return ConsecutiveFrame(low, data[start + 1 :])
        case 3 if size >= start + 3:
            return FlowControl(low, data[start + 1], decode_separation(data[start + 2]))
    return None


def _single(data: bytes, start: int, length: int) -> SingleFrame | None:
    begin = start + 1
    if len(data) > CLASSIC_LENGTH:
        if length:
            return None
        length = data[begin]
        begin += 1
    return SingleFrame(data[begin : begin + length]) if 0 < length <= len(data) - begin else None


def _first(data: bytes, start: int, length: int) -> FirstFrame | None:
    size = len(data)
    if size < CLASSIC_LENGTH:
        return None
    begin = start + 2
    if length == 0:
        begin += 4
        length = int.from_bytes(data[start + 2 : begin], "big")
        if length <= _SHORT:
            return None
    return FirstFrame(length, data[begin:]) if length > single_limit(size, start) else None


def single_limit(frame_size: int, prefix: int) -> int:
    """Return the length of the longest message of a single frame; the address prefix takes `prefix` bytes."""
    return frame_size - prefix - (1 if frame_size <= CLASSIC_LENGTH else 2)


def decode_separation(code: int) -> int:
    """Return the STmin [ns] of a code."""
    if code <= 0x7F:
        return code * MILLISECOND
    if 0xF1 <= code <= 0xF9:
        return (code - 0xF0) * _HUNDRED_MICROSECONDS
    return LONGEST_ST_MIN


def encode_separation(separation: int) -> int:
    """Return the code of the shortest STmin that is not below `separation` [ns]."""
    if 0 < separation <= 9 * _HUNDRED_MICROSECONDS:
        return 0xF0 - -separation // _HUNDRED_MICROSECONDS
    return -(-separation // MILLISECOND)


class FrameEncoder:
    """Encodes the frames of one direction, with the identifier `can_id` and the address prefix `prefix`."""

    def __init__(self, can_id: int, prefix: bytes, parameters: IsoTpParameters) -> None:
        self._can_id: Final = can_id
        self._prefix: Final = prefix
        self._full: Final = parameters.frame_size
        self._padding: Final = bytes((PADDING if parameters.padding is None else parameters.padding,))
        self._always_full: Final = parameters.padding is not None
        self._flow: Final = bytes((parameters.block_size, encode_separation(parameters.st_min)))
        self.use_format(parameters.flags)

    def use_format(self, flags: int) -> None:
        """Encode frames with these flags from now on: classic ones have 8 bytes at most."""
        self._flags = flags
        self._frame_size = self._full if flags & FD else CLASSIC_LENGTH
        self.single_limit = single_limit(self._frame_size, len(self._prefix))
        self.consecutive_size = self._frame_size - len(self._prefix) - 1

    def single(self, message: bytes) -> Frame:
        """Encode a message of 1 to `single_limit` bytes."""
        length = len(message)
        head = bytes((length,) if length + len(self._prefix) < CLASSIC_LENGTH else (0, length))
        return self._frame(head + message)

    def first(self, message: bytes) -> tuple[Frame, int]:
        """Encode the first frame of a longer message; return it and the number of message bytes in it."""
        length = len(message)
        head = (0x1000 | length).to_bytes(2, "big") if length <= _SHORT else b"\x10\x00" + length.to_bytes(4, "big")
        taken = self._frame_size - len(self._prefix) - len(head)
        return self._frame(head + message[:taken]), taken

    def consecutive(self, sequence: int, data: bytes) -> Frame:
        """Encode at most `consecutive_size` further bytes."""
        return self._frame(bytes((0x20 | sequence,)) + data)

    def flow_control(self, status: int) -> Frame:
        """Encode a flow control frame with the block size and STmin of the parameters."""
        return self._frame(bytes((0x30 | status,)) + self._flow)

    def _frame(self, content: bytes) -> Frame:
        data = self._prefix + content
        size = len(data)
        if size > CLASSIC_LENGTH:
            data = data.ljust(frame_length(size), self._padding)
        elif self._always_full:
            data = data.ljust(CLASSIC_LENGTH, self._padding)
        return Frame(self._can_id, data, self._flags)
