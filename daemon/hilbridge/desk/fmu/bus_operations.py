"""The operations of FMI-LS-BUS 1.0 for CAN, as bytes: what a terminal sends, and what it is sent.

An operation is its code, its length (both of four bytes, the length counts all of it), and its arguments without
padding; numbers are little-endian. A variable holds any number of operations, one behind the other.

| operation | code | arguments |
|---|---|---|
| format error | 01 | length of the data (2), data: the operation that is wrong |
| CAN transmit | 10 | identifier (4), extended (1), remote (1), length (2), data |
| CAN FD transmit | 11 | identifier (4), extended (1), bit rate switch (1), error state (1), length (2), data |
| CAN XL transmit | 12 | identifier (4), extended, SEC, SDT, VCID (1 each), acceptance field (4), length (2), data |
| confirm | 20 | identifier (4) |
| arbitration lost | 30 | identifier (4) |
| bus error | 31 | identifier (4), error code (1), error flag (1), whether the receiver of this has sent the frame (1) |
| configuration | 40 | parameter (1), its value (4; of the behaviour after a lost arbitration 1) |
| status | 41 | error active 1, error passive 2, bus off 3 (1) |
| wake-up | 42 | none |

Source: FMI-LS-BUS 1.0.0, Network Abstraction, and its chapter on CAN, CAN FD and CAN XL.
"""

import struct
from collections.abc import Callable, Iterator, Mapping
from enum import IntEnum
from typing import Final, NamedTuple

from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH, FRAME_LENGTHS
from hilbridge.frames.codec.frame import BRS, EXTENDED, EXTENDED_MASK, FD, REMOTE, STANDARD_MASK, Frame

VERSION: Final = "1.0.0"
MIME_TYPE: Final = f'application/org.fmi-standard.fmi-ls-bus.can; version="{VERSION}"'


class Code(IntEnum):
    """The code of an operation."""

    FORMAT_ERROR = 0x01
    CAN_TRANSMIT = 0x10
    CAN_FD_TRANSMIT = 0x11
    CAN_XL_TRANSMIT = 0x12
    CONFIRM = 0x20
    ARBITRATION_LOST = 0x30
    BUS_ERROR = 0x31
    CONFIGURATION = 0x40
    STATUS = 0x41
    WAKEUP = 0x42


class Parameter(IntEnum):
    """A thing that a configuration sets."""

    CAN_BAUDRATE = 1
    CAN_FD_BAUDRATE = 2
    CAN_XL_BAUDRATE = 3
    ARBITRATION_LOST_BEHAVIOR = 4


class Status(IntEnum):
    """The state of a node (ISO 11898-1, fault confinement)."""

    ERROR_ACTIVE = 1
    ERROR_PASSIVE = 2
    BUS_OFF = 3


BUFFER_AND_RETRANSMIT: Final = 1
"""Behaviour of the bus after a lost arbitration: it keeps the frame, and the sender hears nothing of it."""
BIT_ERROR: Final = 1
ACKNOWLEDGE_ERROR: Final = 5
_LAST_ERROR: Final = 6
PRIMARY: Final = 1
_SECONDARY: Final = 2

_HEAD: Final = struct.Struct("<II")
_LENGTH: Final = struct.Struct("<H")
_IDENTIFIER: Final = struct.Struct("<I")
_CAN: Final = struct.Struct("<IBBH")
_CAN_FD: Final = struct.Struct("<IBBBH")
_CAN_XL: Final = struct.Struct("<IBBBBIH")
_BUS_ERROR: Final = struct.Struct("<IBBB")
_RATE: Final = struct.Struct("<BI")
_MOST_DATA: Final = 0xFFFF
_BOOLEANS: Final = (0, 1)


class BusError(NamedTuple):
    """A bus error that is told: of the frame `identifier`; `primary`: this node has detected it first."""

    identifier: int
    code: int
    primary: bool
    is_sender: bool


class Operation(NamedTuple):
    """An operation as it was received. `content` is what its code says; None: its form is wrong.

    A frame of a transmit, an identifier of a confirm or a lost arbitration, a `BusError`; of all others the arguments.
    """

    code: int
    content: Frame | BusError | int | bytes | None
    source: bytes


def operations(data: bytes) -> Iterator[Operation]:
    """Yield the operations in a variable, in their order; where a length cannot be, the rest is one that is wrong."""
    place = 0
    while place < len(data):
        code, length = _HEAD.unpack_from(data, place) if len(data) - place >= _HEAD.size else (0, 0)
        if not _HEAD.size <= length <= len(data) - place:
            yield Operation(code, None, data[place:])
            return
        source = data[place : place + length]
        yield Operation(code, _content(code, source[_HEAD.size :]), source)
        place += length


def _content(code: int, body: bytes) -> Frame | BusError | int | bytes | None:
    try:
        if code == Code.CAN_TRANSMIT:
            return _classic(body)
        if code == Code.CAN_FD_TRANSMIT:
            return _fd(body)
        if code == Code.BUS_ERROR:
            return _bus_error(body)
        if code in (Code.CONFIRM, Code.ARBITRATION_LOST):
            return int(_IDENTIFIER.unpack(body)[0])
        fits = _FITS.get(code)
        return body if fits is not None and fits(body) else None
    except struct.error:
        return None


def _classic(body: bytes) -> Frame | None:
    identifier, extended, remote, length = _CAN.unpack_from(body)
    data = body[_CAN.size :]
    can_id = _can_id(identifier, extended)
    if can_id is None or remote not in _BOOLEANS or length > CLASSIC_LENGTH or length != len(data):
        return None
    return Frame(can_id | REMOTE, bytes(length)) if remote else Frame(can_id, data)


def _fd(body: bytes) -> Frame | None:
    identifier, extended, switches, state, length = _CAN_FD.unpack_from(body)
    data = body[_CAN_FD.size :]
    can_id = _can_id(identifier, extended)
    if can_id is None or switches not in _BOOLEANS or state not in _BOOLEANS:
        return None
    return Frame(can_id, data, FD | (BRS if switches else 0)) if length == len(data) in FRAME_LENGTHS else None


def _can_id(identifier: int, extended: int) -> int | None:
    if extended not in _BOOLEANS or identifier > (EXTENDED_MASK if extended else STANDARD_MASK):
        return None
    return identifier | EXTENDED if extended else identifier


def _bus_error(body: bytes) -> BusError | None:
    identifier, code, flag, sender = _BUS_ERROR.unpack(body)
    if not BIT_ERROR <= code <= _LAST_ERROR or flag not in (PRIMARY, _SECONDARY) or sender not in _BOOLEANS:
        return None
    return BusError(identifier, code, flag == PRIMARY, bool(sender))


def _is_format_error(body: bytes) -> bool:
    return bool(len(body) == _LENGTH.size + _LENGTH.unpack_from(body)[0])


def _is_can_xl(body: bytes) -> bool:
    return bool(len(body) == _CAN_XL.size + _CAN_XL.unpack_from(body)[-1])


def _is_configuration(body: bytes) -> bool:
    kind = body[0] if body else 0
    return kind in [*Parameter] and len(body) == (2 if kind == Parameter.ARBITRATION_LOST_BEHAVIOR else _RATE.size)


def _is_status(body: bytes) -> bool:
    return len(body) == 1 and body[0] in [*Status]


_FITS: Final[Mapping[int, Callable[[bytes], bool]]] = {
    Code.FORMAT_ERROR: _is_format_error,
    Code.CAN_XL_TRANSMIT: _is_can_xl,
    Code.CONFIGURATION: _is_configuration,
    Code.STATUS: _is_status,
    Code.WAKEUP: lambda body: not body,
}


# -- what is sent ------------------------------------------------------------------------------------------------------


def transmit(frame: Frame) -> bytes:
    """Return the operation that transmits a frame; error reports of a controller are not transmitted."""
    can_id, data, flags = frame
    extended = bool(can_id & EXTENDED)
    identifier = can_id & (EXTENDED_MASK if extended else STANDARD_MASK)
    if flags & FD:
        head = _CAN_FD.pack(identifier, extended, bool(flags & BRS), 0, len(data))
        return _operation(Code.CAN_FD_TRANSMIT, head + data)
    return _operation(Code.CAN_TRANSMIT, _CAN.pack(identifier, extended, bool(can_id & REMOTE), len(data)) + data)


def format_error(source: bytes) -> bytes:
    """Return the operation that says that another one is wrong, whose first 65535 bytes it has."""
    data = source[:_MOST_DATA]
    return _operation(Code.FORMAT_ERROR, _LENGTH.pack(len(data)) + data)


def configuration(bitrate: int | None, data_bitrate: int | None) -> bytes:
    """Return what a bus simulation is told first: rates [bit/s], where they are known, and that it keeps frames."""
    rates = ((Parameter.CAN_BAUDRATE, bitrate), (Parameter.CAN_FD_BAUDRATE, data_bitrate))
    told = [_operation(Code.CONFIGURATION, _RATE.pack(kind, rate)) for kind, rate in rates if rate is not None]
    keep = bytes((Parameter.ARBITRATION_LOST_BEHAVIOR, BUFFER_AND_RETRANSMIT))
    return b"".join([*told, _operation(Code.CONFIGURATION, keep)])


def status(state: Status) -> bytes:
    """Return the operation that tells the state of this node."""
    return _operation(Code.STATUS, bytes((state,)))


def _operation(code: Code, body: bytes) -> bytes:
    return _HEAD.pack(code, _HEAD.size + len(body)) + body
