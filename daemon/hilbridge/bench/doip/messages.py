"""Messages of DoIP (ISO 13400-2): a header of eight bytes, and a payload.

    version, version ^ FF, payload type (16 bit), length of the payload (32 bit), payload; integers big-endian

| payload type | from | payload |
|---|---|---|
| 0000 negative acknowledge of a header | entity | code |
| 0001, 0002, 0003 identification request | tester, UDP | none; EID; VIN |
| 0004 announcement, identification response | entity, UDP | VIN, logical address, EID, GID, further action |
| 0005, 0006 routing activation | tester; entity, TCP | source, type, 4 reserved, 4 of the maker or none; see there |
| 0007, 0008 alive check | entity; tester, TCP | none; source |
| 4001, 4002 entity status | tester; entity, UDP | none; node type, most sockets, open ones, longest payload |
| 4003, 4004 diagnostic power mode | tester; entity, UDP | none; mode |
| 8001 diagnostic message | both, TCP | source, target, data |
| 8002, 8003 its acknowledgement | entity, TCP | source, target, code |
"""

import struct
from collections.abc import Mapping
from typing import Final, NamedTuple

HEADER: Final = struct.Struct(">BBHI")

NACK: Final = 0x0000
IDENTIFY: Final = 0x0001
IDENTIFY_EID: Final = 0x0002
IDENTIFY_VIN: Final = 0x0003
ANNOUNCEMENT: Final = 0x0004
ACTIVATION_REQUEST: Final = 0x0005
ACTIVATION_RESPONSE: Final = 0x0006
ALIVE_REQUEST: Final = 0x0007
ALIVE_RESPONSE: Final = 0x0008
STATUS_REQUEST: Final = 0x4001
STATUS_RESPONSE: Final = 0x4002
POWER_REQUEST: Final = 0x4003
POWER_RESPONSE: Final = 0x4004
DIAGNOSTIC: Final = 0x8001
POSITIVE_ACK: Final = 0x8002
NEGATIVE_ACK: Final = 0x8003

INCORRECT_PATTERN: Final = 0x00
UNKNOWN_TYPE: Final = 0x01
TOO_LARGE: Final = 0x02
INVALID_LENGTH: Final = 0x04
"""Codes of 0000. The first and the last one end a connection."""

ENDS_CONNECTION: Final = (INCORRECT_PATTERN, INVALID_LENGTH)

INVALID_SOURCE: Final = 0x02
UNKNOWN_TARGET: Final = 0x03
MESSAGE_TOO_LARGE: Final = 0x04
OUT_OF_MEMORY: Final = 0x05
UNREACHABLE: Final = 0x06
"""Codes of 8003."""

ANY_VERSION: Final = 0xFF
"""The version of an identification request of a tester that does not know that of the vehicle."""

ADDRESSES: Final = 4
"""[bytes] of source and target before the data of a diagnostic message."""

_SAID_BY_ENTITIES: Final = (NACK, ANNOUNCEMENT, STATUS_RESPONSE, POWER_RESPONSE)
"""An entity hears those of others, and of itself, where datagrams are broadcast; an answer could go on for ever."""

_IDENTIFICATIONS: Final = (IDENTIFY, IDENTIFY_EID, IDENTIFY_VIN)

OVER_TCP: Final[Mapping[int, tuple[int, ...]]] = {
    ACTIVATION_REQUEST: (7, 11),
    ALIVE_REQUEST: (0,),
    ALIVE_RESPONSE: (2,),
}
"""The lengths of the payloads that testers send over TCP, but for diagnostic messages."""

OVER_UDP: Final[Mapping[int, tuple[int, ...]]] = {
    IDENTIFY: (0,),
    IDENTIFY_EID: (6,),
    IDENTIFY_VIN: (17,),
    STATUS_REQUEST: (0,),
    POWER_REQUEST: (0,),
}
"""The lengths of the payloads that testers send over UDP."""


class Message(NamedTuple):
    """A message of a tester, with the protocol version in which it is answered."""

    version: int
    type: int
    payload: bytes


class Rejection(NamedTuple):
    """A message that is answered with 0000 and not carried out; `skipped`: bytes of its payload still to come."""

    version: int
    code: int
    skipped: int


def pack(version: int, payload_type: int, payload: bytes) -> bytes:
    """Return a message."""
    return HEADER.pack(version, version ^ 0xFF, payload_type, len(payload)) + payload


class HeaderRules(NamedTuple):
    """The checks of a header in the order of ISO 13400-2: pattern, payload type, size, length."""

    versions: tuple[int, ...]
    lengths: Mapping[int, tuple[int, ...]]
    longest: int
    """[bytes] of a payload."""
    diagnostic: bool = False
    """Whether diagnostic messages are allowed."""

    def check(self, header: bytes | bytearray) -> Rejection | int:
        """Return the rejection of a header, or the length of the payload that follows."""
        version, inverse, payload_type, length = map(int, HEADER.unpack_from(header))
        any_version = version == ANY_VERSION and payload_type in _IDENTIFICATIONS
        if inverse != version ^ 0xFF or not (version in self.versions or any_version):
            return Rejection(self.versions[0], INCORRECT_PATTERN, 0)
        if not (payload_type in self.lengths or (self.diagnostic and payload_type == DIAGNOSTIC)):
            return Rejection(version, UNKNOWN_TYPE, length)
        if length > self.longest:
            return Rejection(version, TOO_LARGE, length)
        if length not in self.lengths.get(payload_type, (length,)) or (
            payload_type == DIAGNOSTIC and length <= ADDRESSES
        ):
            return Rejection(version, INVALID_LENGTH, 0)
        return length


class MessageReader:
    """The messages in a stream of bytes. `waiting`: bytes that were not read yet, never more than were fed."""

    def __init__(self, rules: HeaderRules) -> None:
        self._rules: Final = rules
        self.waiting: Final = bytearray()
        self._skip = 0  # bytes of a payload that was rejected

    def feed(self, data: bytes) -> None:
        """Take bytes."""
        if self._skip:
            skipped = min(self._skip, len(data))
            self._skip -= skipped
            data = data[skipped:]
        self.waiting.extend(data)

    def next(self) -> Message | Rejection | None:
        """Return what comes next, None while it is not complete."""
        waiting = self.waiting
        if len(waiting) < HEADER.size:
            return None
        checked = self._rules.check(waiting)
        if isinstance(checked, Rejection):
            end = HEADER.size + checked.skipped
            self._skip = max(0, end - len(waiting))
            del waiting[:end]
            return checked
        end = HEADER.size + checked
        if len(waiting) < end:
            return None
        message = Message(waiting[0], int.from_bytes(waiting[2:4], "big"), bytes(waiting[HEADER.size : end]))
        del waiting[:end]
        return message


def read_datagram(rules: HeaderRules, data: bytes) -> Message | Rejection | None:
    """Return the message of a datagram, which holds one; None where it is too short, or is what entities say."""
    if len(data) < HEADER.size or int.from_bytes(data[2:4], "big") in _SAID_BY_ENTITIES:
        return None
    checked = rules.check(data)
    if isinstance(checked, Rejection):
        return checked
    if len(data) != HEADER.size + checked:
        return Rejection(data[0], INVALID_LENGTH, 0)
    version = rules.versions[0] if data[0] == ANY_VERSION else data[0]
    return Message(version, int.from_bytes(data[2:4], "big"), data[HEADER.size :])
