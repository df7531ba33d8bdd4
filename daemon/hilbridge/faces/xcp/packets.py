"""The packets of XCP (ASAM MCD-1 XCP V1.5, protocol layer): codes, and how commands and answers are laid out.

All numbers have their least significant byte first; the granularity of addresses is the byte.
"""

from collections.abc import Sequence
from enum import IntEnum
from typing import Final

PROTOCOL_VERSION: Final = 1
TRANSPORT_VERSION: Final = 1

RES: Final = 0xFF
ERR: Final = 0xFE
EV: Final = 0xFD

CAL_PAG: Final = 0x01
DAQ: Final = 0x04
STIM: Final = 0x08
"""Bits of the resources."""

EV_DAQ_OVERLOAD: Final = 0x06
EV_SESSION_TERMINATED: Final = 0x07
EV_STIM_TIMEOUT: Final = 0x09

FIRST_COMMAND: Final = 0xC0
"""Packets of a master that begin with less have values for a STIM list."""

DAQ_RUNNING: Final = 0x40
"""Bit of the session status."""


class Command(IntEnum):
    """The commands that the slave knows."""

    CONNECT = 0xFF
    DISCONNECT = 0xFE
    GET_STATUS = 0xFD
    SYNCH = 0xFC
    GET_COMM_MODE_INFO = 0xFB
    GET_ID = 0xFA
    GET_SEED = 0xF8
    UNLOCK = 0xF7
    SET_MTA = 0xF6
    UPLOAD = 0xF5
    SHORT_UPLOAD = 0xF4
    BUILD_CHECKSUM = 0xF3
    DOWNLOAD = 0xF0
    SHORT_DOWNLOAD = 0xED
    SET_CAL_PAGE = 0xEB
    GET_CAL_PAGE = 0xEA
    GET_PAG_PROCESSOR_INFO = 0xE9
    GET_SEGMENT_INFO = 0xE8
    GET_PAGE_INFO = 0xE7
    COPY_CAL_PAGE = 0xE4
    CLEAR_DAQ_LIST = 0xE3
    SET_DAQ_PTR = 0xE2
    WRITE_DAQ = 0xE1
    SET_DAQ_LIST_MODE = 0xE0
    GET_DAQ_LIST_MODE = 0xDF
    START_STOP_DAQ_LIST = 0xDE
    START_STOP_SYNCH = 0xDD
    GET_DAQ_CLOCK = 0xDC
    GET_DAQ_PROCESSOR_INFO = 0xDA
    GET_DAQ_RESOLUTION_INFO = 0xD9
    GET_DAQ_EVENT_INFO = 0xD7
    FREE_DAQ = 0xD6
    ALLOC_DAQ = 0xD5
    ALLOC_ODT = 0xD4
    ALLOC_ODT_ENTRY = 0xD3
    WRITE_DAQ_MULTIPLE = 0xC7


class Error(IntEnum):
    """The error codes that the slave answers with."""

    CMD_SYNCH = 0x00
    DAQ_ACTIVE = 0x11
    CMD_UNKNOWN = 0x20
    CMD_SYNTAX = 0x21
    OUT_OF_RANGE = 0x22
    WRITE_PROTECTED = 0x23
    ACCESS_DENIED = 0x24
    ACCESS_LOCKED = 0x25
    PAGE_NOT_VALID = 0x26
    MODE_NOT_VALID = 0x27
    SEGMENT_NOT_VALID = 0x28
    SEQUENCE = 0x29
    DAQ_CONFIG = 0x2A
    MEMORY_OVERFLOW = 0x30
    GENERIC = 0x31
    RESOURCE_TEMPORARY_NOT_ACCESSIBLE = 0x33


class XcpError(Exception):
    """A command that is answered by an error."""

    def __init__(self, code: Error) -> None:
        super().__init__(code.name)
        self.code: Final = code


def positive(*fields: int | bytes) -> bytes:
    """Return a positive answer: bytes, and what is there as bytes already."""
    return bytes((RES,)) + b"".join(bytes((one,)) if isinstance(one, int) else one for one in fields)


def negative(code: Error) -> bytes:
    """Return the answer of an error."""
    return bytes((ERR, code))


def word(number: int) -> bytes:
    """Return 16 bits."""
    return number.to_bytes(2, "little")


def dword(number: int) -> bytes:
    """Return the low 32 bits."""
    return (number & 0xFFFFFFFF).to_bytes(4, "little")


def parse(packet: bytes, widths: Sequence[int]) -> tuple[int, ...]:
    """Return the fields behind the code of a command, each of so many bytes.

    XcpError CMD_SYNTAX: the packet is shorter. Bytes behind the fields are fill bytes, or the caller's.
    """
    if len(packet) < 1 + sum(widths):
        raise XcpError(Error.CMD_SYNTAX)
    fields, start = [], 1
    for width in widths:
        fields.append(int.from_bytes(packet[start : start + width], "little"))
        start += width
    return tuple(fields)
