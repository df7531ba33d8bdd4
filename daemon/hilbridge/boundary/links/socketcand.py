"""The protocol of socketcand: CAN frames and jobs of a broadcast manager as text in angle brackets, without any I/O.

    < hi >                                    the greeting
    < open BUS >                              < ok >, and BCM mode; else < error could not open bus >, and the end
    < rawmode >  < bcmmode >  < controlmode > < ok >
    < echo >                                  < echo >
    < send ID LENGTH [BYTE]... >              a frame, in raw and in BCM mode; < sendrtr ID LENGTH > a remote request
    < add S US ID LENGTH [BYTE]... >          a frame now, and again each S seconds and US microseconds (0 0: once)
    < update ID LENGTH [BYTE]... >            other content of that job;  < delete ID > ends it
    < subscribe S US ID >                     all frames of an identifier, at most one in each interval
    < filter S US ID LENGTH [MASK]... >       those that differ from the one before in a bit of the mask
    < muxfilter S US ID COUNT [8 BYTES]... >  the same by pages: mask of a page's number, then the number with its mask
    < unsubscribe ID >                        none of them
    < statistics MS >                         control mode: < stat rbytes rpackets tbytes tpackets > each MS; 0: never
    < frame ID SECONDS.MICROS BYTES >         a frame of the bus: in raw mode each one, its bytes without blanks
    < rtr ID SECONDS.MICROS LENGTH >          a remote request

Numbers are hexadecimal but for times, counts and lengths; an identifier of eight digits has 29 bits. What is no command
is answered < error unknown command >, one with wrong arguments not at all; both are counted. There is no CAN FD in it,
and no ISO-TP mode here. Source: doc/protocol.md of socketcand, its behaviour where that is silent, and linux/can/bcm.h.
"""

import re
from enum import Enum, auto
from typing import Final, NamedTuple

from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH
from hilbridge.base.common.units import MICROSECOND, SECOND
from hilbridge.frames.codec.frame import EXTENDED, EXTENDED_MASK, REMOTE, STANDARD_MASK, Frame

GREETING: Final = b"< hi >"
OK: Final = b"< ok >"
UNKNOWN: Final = b"< error unknown command >"
NO_BUS: Final = b"< error could not open bus >"

MOST_TUPLES: Final = 257
"""Tuples of a muxfilter: one mask of the page's number, and 256 pages."""

LONGEST_COMMAND: Final = 64 + MOST_TUPLES * 24

_HEX: Final = re.compile(r"[0-9A-Fa-f]{1,8}")
_BYTE: Final = re.compile(r"[0-9A-Fa-f]{1,2}")
_NUMBER: Final = re.compile(r"[0-9]{1,10}")


class Mode(Enum):
    """The mode of a client."""

    NO_BUS = auto()
    BCM = auto()
    RAW = auto()
    CONTROL = auto()


class Filter(NamedTuple):
    """Which frames of an identifier a client gets, and how often. Masks and pages are numbers of eight bytes.

    `pages`: the mask of the content by the value of the page's number; None: every frame.
    """

    interval: int
    """[ns]"""
    page: int = 0
    pages: dict[int, int] | None = None


class MalformedError(Exception):
    """A command has wrong arguments."""


def elements(buffer: bytearray) -> list[str]:
    """Take the complete commands out of a buffer: what stands between brackets. What is no command is dropped."""
    *parts, rest = bytes(buffer).split(b">")
    found = [part.rpartition(b"<")[2].decode("ascii", "replace").strip() for part in parts if b"<" in part]
    begin = rest.rfind(b"<")
    buffer[:] = rest[begin : begin + LONGEST_COMMAND + 1] if begin >= 0 else b""
    return found


def number(text: str) -> int:
    """Return a decimal number. MalformedError: it is none."""
    if not _NUMBER.fullmatch(text):
        raise MalformedError
    return int(text)


def interval(seconds: str, micros: str) -> int:
    """Return a time [ns]. MalformedError: it is none."""
    return number(seconds) * SECOND + number(micros) * MICROSECOND


def identifier(text: str) -> int:
    """Return an identifier, with its flag if it has eight digits. MalformedError: it is none."""
    if not _HEX.fullmatch(text):
        raise MalformedError
    value = int(text, 16)
    extended = len(text) == len("1FFFFFFF")
    if value > (EXTENDED_MASK if extended else STANDARD_MASK):
        raise MalformedError
    return value | EXTENDED if extended else value


def content(words: list[str]) -> bytes:
    """Return the bytes behind a length, as many as it says. MalformedError: they are not."""
    if not words:
        raise MalformedError
    length = number(words[0])
    if length != len(words) - 1 or length > CLASSIC_LENGTH or not all(map(_BYTE.fullmatch, words[1:])):
        raise MalformedError
    return bytes(int(word, 16) for word in words[1:])


def frame(words: list[str]) -> Frame:
    """Return the frame of identifier, length and bytes. MalformedError: there is none."""
    if not words:
        raise MalformedError
    return Frame(identifier(words[0]), content(words[1:]))


def remote(words: list[str]) -> Frame:
    """Return the remote request of identifier and length. MalformedError: there is none."""
    if len(words) != len(("ID", "LENGTH")) or number(words[1]) > CLASSIC_LENGTH:
        raise MalformedError
    return Frame(identifier(words[0]) | REMOTE, bytes(number(words[1])))


def content_filter(words: list[str]) -> tuple[int, Filter]:
    """Return the identifier and the filter of `filter`. MalformedError: the arguments are wrong."""
    if len(words) < len(("S", "US", "ID")):
        raise MalformedError
    mask = int.from_bytes(content(words[3:]).ljust(CLASSIC_LENGTH, b"\0"), "big")
    return identifier(words[2]), Filter(interval(words[0], words[1]), 0, {0: mask})


def page_filter(words: list[str]) -> tuple[int, Filter]:
    """Return the identifier and the filter of `muxfilter`. MalformedError: the arguments are wrong."""
    if len(words) < len(("S", "US", "ID", "COUNT")):
        raise MalformedError
    count, digits = number(words[3]), words[4:]
    if not 1 < count <= MOST_TUPLES or len(digits) != CLASSIC_LENGTH * count or not all(map(_BYTE.fullmatch, digits)):
        raise MalformedError
    data = bytes(int(word, 16) for word in digits)
    page, *masks = (int.from_bytes(data[at : at + CLASSIC_LENGTH], "big") for at in range(0, len(data), CLASSIC_LENGTH))
    pages: dict[int, int] = {}
    for mask in masks:
        pages.setdefault(mask & page, mask)
    return identifier(words[2]), Filter(interval(words[0], words[1]), page, pages)


def line_of(one: Frame, t: int, *, spaced: bool) -> bytes:
    """Return the line of a classic frame at `t` [ns]; `spaced`: with blanks between its bytes, as in BCM mode."""
    number_ = (
        b"%08X" % (one.can_id & EXTENDED_MASK) if one.can_id & EXTENDED else b"%03X" % (one.can_id & STANDARD_MASK)
    )
    stamp = b"%d.%06d" % (t // SECOND, t % SECOND // MICROSECOND)
    if one.can_id & REMOTE:
        return b"< rtr %b %b %d >" % (number_, stamp, len(one.data))
    data = (one.data.hex(" ") if spaced else one.data.hex()).upper().encode()
    return b"< frame %b %b %b >" % (number_, stamp, data)
