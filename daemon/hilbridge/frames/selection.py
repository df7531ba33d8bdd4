"""Which messages of a bus are sent, and as what frames.

Sent are the messages of the nodes in `transmit`, and those that `messages` names. A message of a node that cannot be
sent is listed with the reason; one that the bench file names must be sendable.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from cantools.database.can import Message

from hilbridge.errors import ConfigurationError, KeyPath
from hilbridge.frames.codec import compile_message
from hilbridge.frames.database import Database
from hilbridge.frames.frame import BRS, FD
from hilbridge.frames.mapping import Assignment, assign
from hilbridge.frames.schedule import in_whole_ticks
from hilbridge.frames.sources import Channels
from hilbridge.frames.variant import Encoder
from hilbridge.settings import BusSettings, MessageMap

_CLASSIC_LENGTH: Final = 8
_FD_LENGTHS: Final = (8, 12, 16, 20, 24, 32, 48, 64)
"""[byte] the lengths above 7 that a CAN FD frame can have."""

_AS_IN_DATABASE: Final = MessageMap()


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message as it is sent: `length` [byte] on the wire, `period` [ns], `place` in the bench file."""

    message: str
    can_id: int
    flags: int
    length: int
    period: int
    encode: Encoder
    assignments: tuple[Assignment, ...]
    place: KeyPath


@dataclass(frozen=True, slots=True)
class Selection:
    """What a bus sends, what it does not and why (by message), what else is to be said, and the rates [bit/s].

    `data_bitrate` is that of the data phase of CAN FD frames that switch.
    """

    outgoing: tuple[Outgoing, ...]
    not_sent: dict[str, str]
    warnings: tuple[str, ...]
    bitrate: int | None
    data_bitrate: int | None


def select(bus: str, settings: BusSettings, database: Database, tick: int) -> Selection:
    """The frames of one bus, by identifier; `tick` [ns].

    ConfigurationError: unknown names; a named message that cannot be sent; a period that is no multiple of the tick;
    CAN FD on a classic bus; two messages of one identifier.
    """
    place: KeyPath = ("buses", bus)
    outgoing: list[Outgoing] = []
    not_sent: dict[str, str] = {}
    for message in _chosen(settings, database, place):
        reason = _obstacle(message, settings.messages.get(message.name, _AS_IN_DATABASE), database)
        here = (*place, "messages", message.name)
        if reason is None:
            outgoing.append(_outgoing(message, settings, tick, here))
        elif message.name in settings.messages:
            raise ConfigurationError(f"message {message.name} cannot be sent: {reason}", here)
        else:
            not_sent[message.name] = reason
    warnings = [f"node {node} sends no message" for node in settings.transmit if not database.sent_by(node)]
    outgoing.sort(key=lambda frame: frame.can_id)
    for one, other in pairwise(outgoing):
        if one.can_id == other.can_id:
            raise ConfigurationError(f"{one.message} and {other.message} have the same identifier", other.place)
    bitrate = settings.bitrate or database.bitrate
    fast = settings.options.get("data_bitrate")
    data_bitrate = fast if isinstance(fast, int) else bitrate
    return Selection(tuple(outgoing), not_sent, tuple(warnings), bitrate, data_bitrate)


def _chosen(settings: BusSettings, database: Database, place: KeyPath) -> Iterator[Message]:
    named = [database.message(name, (*place, "messages", name)) for name in settings.messages]
    nodes = [database.sent_by(node, (*place, "transmit", i)) for i, node in enumerate(settings.transmit)]
    chosen = {message.name: message for messages in (*nodes, named) for message in messages}
    yield from chosen.values()


def _obstacle(message: Message, settings: MessageMap, database: Database) -> str | None:
    """Why a message cannot be sent, or None."""
    if message.name in database.defects:
        return database.defects[message.name]
    if message.is_container:
        return "it is a container of other messages"
    if message.length > _FD_LENGTHS[-1]:
        return f"{message.length} bytes do not fit into a frame"
    if message.length > _CLASSIC_LENGTH and message.protocol == "j1939":
        return f"{message.length} bytes need the transport protocol of J1939"
    if settings.period is None and not message.cycle_time:
        return "it has no period, neither in the database (GenMsgCycleTime) nor in the bench file ('period')"
    return None


def _outgoing(message: Message, settings: BusSettings, tick: int, place: KeyPath) -> Outgoing:
    own = settings.messages.get(message.name, _AS_IN_DATABASE)
    is_fd = message.is_fd or message.length > _CLASSIC_LENGTH
    if is_fd and not settings.fd:
        raise ConfigurationError(
            f"message {message.name} is a CAN FD frame of {message.length} bytes: the bus needs 'fd: true'", place
        )
    period = in_whole_ticks(own.period if own.period is not None else message.cycle_time or 0, tick, (*place, "period"))
    codec = compile_message(message, padding=message.protocol == "j1939")
    assignments = assign(codec, own.signals, (*place, "signals"))
    length = next(length for length in (*range(_CLASSIC_LENGTH), *_FD_LENGTHS) if length >= message.length)
    encode = codec.bus_encoder({assignment.signal: assignment.source for assignment in assignments})
    return Outgoing(
        message.name,
        codec.can_id,
        (FD | (BRS if _switches_bit_rate(message) else 0)) if is_fd else 0,
        length,
        period,
        encode if length == message.length else _filled_up(encode, bytes(length - message.length)),
        tuple(assignments),
        place,
    )


def _filled_up(encode: Encoder, rest: bytes) -> Encoder:
    """CAN FD has no frames of, say, 10 bytes: the rest up to the next length is zero."""

    def filled(channels: Channels) -> bytes:
        return encode(channels) + rest

    return filled


def _switches_bit_rate(message: Message) -> bool:
    """The database attribute CANFD_BRS of Vector's tools; its usual default is yes."""
    attributes = message.dbc.attributes if message.dbc is not None else {}
    return "CANFD_BRS" not in attributes or bool(int(attributes["CANFD_BRS"].value))
