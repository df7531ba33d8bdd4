"""What crosses the boundary between a bench and the world, and what a recording holds: every record once.

| record   | payload |
|---|---|
| FRAME    | can_id (32 bit), bus, received, flags (8 each), then the data: a frame that was on a bus |
| END      | JSON `{field: value}`: the run ended in good order, with these statistics; nothing follows |
| MISSED   | ticks (32): so many before this one were not done; it comes before all else of its tick |
| LINK     | bus (8), clients that came and left (32 each), then why it does not work, in UTF-8; empty while it works |
| ANSWER   | question (64), can_id (32), bus, accepted (8 each): whether a link takes frames of an identifier |
| SERIAL   | port (8), then the bytes that came in in one tick |
| PORT     | port (8), then why it does not work, in UTF-8 |
| TOOL     | ELM327, client (8 each), what (8): 0 came, 1 sent what follows, 2 left |
| RELOAD   | part, parts (16 each), then bytes of a ZIP archive: a bench, adopted at the end of the last part's tick |
| COMMAND  | a line that came in through the control socket, or from whoever else commands the bench |

Records stand in the order in which things happened, each with the time of its tick [ns]; every input stands before
anything that could follow from it. So what is left of a recording that was cut off has all that its frames depend on.

A link is asked before each cyclic frame, thousands of times a second, and says nearly always the same. So only the
answers are recorded that differ from the last one for that identifier (at first: accepted), each with the number of
its question, counted from 1 for each bus: on replay the same questions come in the same order.

Integers are little-endian. The numbers of the kinds are shared with the event ring, whose own are 0 and 1.
"""

import struct
from typing import Final, NamedTuple, Self

from hilbridge.codec.frame import Frame

FRAME: Final = 2
END: Final = 3
MISSED: Final = 4
LINK: Final = 5
ANSWER: Final = 6
SERIAL: Final = 7
PORT: Final = 8
COMMAND: Final = 9
TOOL: Final = 11
RELOAD: Final = 12

RECORDED: Final = frozenset((FRAME, END, MISSED, LINK, ANSWER, SERIAL, PORT, COMMAND, TOOL, RELOAD))

FRAME_LAYOUT: Final = struct.Struct("<IBBB")
MISSED_LAYOUT: Final = struct.Struct("<I")
LINK_LAYOUT: Final = struct.Struct("<BII")
RELOAD_LAYOUT: Final = struct.Struct("<HH")
ANSWER_LAYOUT: Final = struct.Struct("<QIBB")


class FrameRecord(NamedTuple):
    """A frame that was on a bus: `received` from outside, or sent by a node of the bench."""

    bus: int
    received: bool
    frame: Frame

    def encode(self) -> bytes:
        """The payload of a FRAME record."""
        can_id, data, flags = self.frame
        return FRAME_LAYOUT.pack(can_id, self.bus, self.received, flags) + data

    @classmethod
    def decode(cls, payload: bytes) -> Self:
        """The inverse of `encode`."""
        can_id, bus, received, flags = FRAME_LAYOUT.unpack_from(payload)
        return cls(bus, bool(received), Frame(can_id, payload[FRAME_LAYOUT.size :], flags))


class LinkRecord(NamedTuple):
    """How a link is, since it changed."""

    bus: int
    connected: int
    disconnected: int
    trouble: str

    def encode(self) -> bytes:
        """The payload of a LINK record."""
        return LINK_LAYOUT.pack(self.bus, self.connected, self.disconnected) + self.trouble.encode(errors="replace")

    @classmethod
    def decode(cls, payload: bytes) -> Self:
        """The inverse of `encode`."""
        bus, connected, disconnected = LINK_LAYOUT.unpack_from(payload)
        return cls(bus, connected, disconnected, payload[LINK_LAYOUT.size :].decode())


class AnswerRecord(NamedTuple):
    """The answer of a link that differs from the one before it for the same identifier."""

    question: int
    can_id: int
    bus: int
    accepted: bool

    def encode(self) -> bytes:
        """The payload of an ANSWER record."""
        return ANSWER_LAYOUT.pack(*self)

    @classmethod
    def decode(cls, payload: bytes) -> Self:
        """The inverse of `encode`."""
        question, can_id, bus, accepted = ANSWER_LAYOUT.unpack(payload)
        return cls(question, can_id, bus, bool(accepted))


class PortRecord(NamedTuple):
    """What a serial port gave, as SERIAL, or why it does not work, as PORT."""

    port: int
    content: bytes

    def encode(self) -> bytes:
        """The payload of a SERIAL or PORT record."""
        return bytes((self.port,)) + self.content

    @classmethod
    def decode(cls, payload: bytes) -> Self:
        """The inverse of `encode`."""
        return cls(payload[0], payload[1:])


CAME: Final = 0
SENT: Final = 1
LEFT: Final = 2
"""What a scan tool did."""


class ToolRecord(NamedTuple):
    """What a client of an ELM327 did; clients are numbered as they come, from 0 again after 255."""

    elm327: int
    client: int
    what: int
    content: bytes = b""

    def encode(self) -> bytes:
        """The payload of a TOOL record."""
        return bytes((self.elm327, self.client, self.what)) + self.content

    @classmethod
    def decode(cls, payload: bytes) -> Self:
        """The inverse of `encode`."""
        return cls(payload[0], payload[1], payload[2], payload[3:])
