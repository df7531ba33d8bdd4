"""The records of the boundary between a bench and the world, which a recording holds: every layout once.

| record   | payload |
|---|---|
| FRAME    | can_id (32 bit), bus, received, flags (8 each), then the data: a frame that was on a bus |
| END      | JSON `{field: value}`: the run ended in good order, with these statistics; the last record |
| MISSED   | ticks (32): number of ticks missed before this one; the first record of its tick |
| LINK     | bus (8), clients connected and disconnected (32 each), then its trouble in UTF-8; empty while it works |
| ANSWER   | question (64), can_id (32), bus, accepted (8 each): whether a link takes frames of an identifier |
| SERIAL   | port (8), then the bytes received in one tick |
| PORT     | port (8), then its trouble in UTF-8 |
| TOOL     | port, client (8 each), action (8): 0 connected, 1 sent the bytes that follow, 2 left, 3 a datagram |
| EARLY    | frames (32): that many from outside, the next ones, were heard and answered before their tick was due |
| RELOAD   | part, parts (16 each), then bytes of a ZIP archive: a bench, adopted at the end of the last part's tick |
| WRITTEN  | writing (32), succeeded (8): the stored state has what control units had asked for up to this writing |
| COMMAND  | a line of the control socket, of a scenario, or of a signal |

Records lie in the order of events, each with the time of its tick [ns]; every input lies before everything that could
follow from it. So the rest of a recording that was cut off has all that its frames depend on.

A link is asked before each cyclic frame, thousands of times a second, and nearly always answers the same. So only those
answers are recorded that differ from the last one for that identifier (at first: accepted), each with the number of its
question, counted from 1 for each bus: on replay the same questions come in the same order.

Integers are little-endian. The numbers of the kinds are shared with the event ring, whose own are 0 and 1.
"""

import json
import struct
from typing import Any, Final, NamedTuple, Self

from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH, FRAME_LENGTHS
from hilbridge.frames.codec.frame import FD, Frame

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
EARLY: Final = 18
WRITTEN: Final = 19

RECORDED: Final = frozenset((FRAME, END, MISSED, LINK, ANSWER, SERIAL, PORT, COMMAND, TOOL, RELOAD, EARLY, WRITTEN))

FRAME_LAYOUT: Final = struct.Struct("<IBBB")
RECEIVED: Final = 5
"""Place in it of what says that the frame came from outside."""

MISSED_LAYOUT: Final = struct.Struct("<I")
EARLY_LAYOUT: Final = struct.Struct("<I")
WRITTEN_LAYOUT: Final = struct.Struct("<IB")
LINK_LAYOUT: Final = struct.Struct("<BII")
RELOAD_LAYOUT: Final = struct.Struct("<HH")
ANSWER_LAYOUT: Final = struct.Struct("<QIBB")

_SHORTEST: Final = {
    END: 0,
    MISSED: MISSED_LAYOUT.size,
    LINK: LINK_LAYOUT.size,
    ANSWER: ANSWER_LAYOUT.size,
    SERIAL: 1,
    PORT: 1,
    COMMAND: 0,
    TOOL: 3,
    RELOAD: RELOAD_LAYOUT.size,
    EARLY: EARLY_LAYOUT.size,
    WRITTEN: WRITTEN_LAYOUT.size,
}
"""[byte] The shortest payload of each kind but FRAME."""

_FIXED: Final = (MISSED, ANSWER, EARLY, WRITTEN)
_LENGTHS: Final = frozenset(FRAME_LENGTHS)


class FrameRecord(NamedTuple):
    """A frame that was on a bus: `received` from outside, or sent by a node of the bench."""

    bus: int
    received: bool
    frame: Frame

    def encode(self) -> bytes:
        """Return the payload of a FRAME record."""
        can_id, data, flags = self.frame
        return FRAME_LAYOUT.pack(can_id, self.bus, self.received, flags) + data

    @classmethod
    def decode(cls, payload: bytes) -> Self:
        """Return the inverse of `encode`."""
        can_id, bus, received, flags = FRAME_LAYOUT.unpack_from(payload)
        return cls(bus, bool(received), Frame(can_id, payload[FRAME_LAYOUT.size :], flags))


class LinkRecord(NamedTuple):
    """The state of a link after a change."""

    bus: int
    connected: int
    disconnected: int
    trouble: str

    def encode(self) -> bytes:
        """Return the payload of a LINK record."""
        return LINK_LAYOUT.pack(self.bus, self.connected, self.disconnected) + self.trouble.encode(errors="replace")

    @classmethod
    def decode(cls, payload: bytes) -> Self:
        """Return the inverse of `encode`."""
        bus, connected, disconnected = LINK_LAYOUT.unpack_from(payload)
        return cls(bus, connected, disconnected, payload[LINK_LAYOUT.size :].decode())


class AnswerRecord(NamedTuple):
    """The answer of a link that differs from the one before it for the same identifier."""

    question: int
    can_id: int
    bus: int
    accepted: bool

    def encode(self) -> bytes:
        """Return the payload of an ANSWER record."""
        return ANSWER_LAYOUT.pack(*self)

    @classmethod
    def decode(cls, payload: bytes) -> Self:
        """Return the inverse of `encode`."""
        question, can_id, bus, accepted = ANSWER_LAYOUT.unpack(payload)
        return cls(question, can_id, bus, bool(accepted))


class PortRecord(NamedTuple):
    """The bytes of a serial port, as SERIAL, or its trouble, as PORT."""

    port: int
    content: bytes

    def encode(self) -> bytes:
        """Return the payload of a SERIAL or PORT record."""
        return bytes((self.port,)) + self.content

    @classmethod
    def decode(cls, payload: bytes) -> Self:
        """Return the inverse of `encode`."""
        return cls(payload[0], payload[1:])


CAME: Final = 0
SENT: Final = 1
LEFT: Final = 2
DATAGRAM: Final = 3
"""Actions of a scan tool, or a tester. A datagram comes without a connection: its client is 0."""

NUMBERS: Final = 256
"""How many numbers clients of an ELM327 have."""


class ToolRecord(NamedTuple):
    """An action of a client of an ELM327, or behind them of the DoIP entity: `elm327` is the number of the port.

    Clients are numbered in order, from 0 again after 255; the number of one that is still there is passed over.
    """

    elm327: int
    client: int
    what: int
    content: bytes = b""

    def encode(self) -> bytes:
        """Return the payload of a TOOL record."""
        return bytes((self.elm327, self.client, self.what)) + self.content

    @classmethod
    def decode(cls, payload: bytes) -> Self:
        """Return the inverse of `encode`."""
        return cls(payload[0], payload[1], payload[2], payload[3:])


def defect(kind: int, payload: bytes, buses: int) -> str:
    """Return why a payload cannot be one of its kind on a bench with so many buses; empty: it can."""
    if kind == FRAME:
        return _frame_defect(payload, buses)
    if kind not in _SHORTEST:
        return f"its kind {kind} is not known"
    shortest = _SHORTEST[kind]
    if len(payload) < shortest or (kind in _FIXED and len(payload) > shortest):
        return f"{len(payload)} bytes are none of its kind {kind}"
    try:
        return _content_defect(kind, payload, buses)
    except ValueError:  # of the text or the JSON in it
        return f"its text, of kind {kind}, is unreadable"


def _frame_defect(payload: bytes, buses: int) -> str:
    length = len(payload) - FRAME_LAYOUT.size
    if length < 0:
        return "it is too short for a frame"
    _, bus, _, flags = FRAME_LAYOUT.unpack_from(payload)
    if bus >= buses:
        return f"its frame is of bus {bus}, and there are {buses}"
    if length not in _LENGTHS or (length > CLASSIC_LENGTH and not flags & FD):
        return f"no frame has {length} bytes"
    return ""


def _content_defect(kind: int, payload: bytes, buses: int) -> str:
    if kind == END:
        ticks = _object(payload).get("ticks")
        return "" if type(ticks) is int and ticks >= 0 else "it ends a run after no number of ticks"
    if kind == COMMAND:
        _object(payload)
        return ""
    if kind == LINK:
        bus = LinkRecord.decode(payload).bus
    elif kind == ANSWER:
        bus = AnswerRecord.decode(payload).bus
    else:
        if kind == PORT:
            PortRecord.decode(payload).content.decode()
        return ""
    return "" if bus < buses else f"it is of bus {bus}, and there are {buses}"


def _object(payload: bytes) -> dict[str, Any]:
    """Return the JSON object in a payload. ValueError: there is none."""
    try:
        content = json.loads(payload)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(content, dict):
        raise ValueError("no object")
    return content
