"""The selection of a bus: its messages that are sent, and as what frames.

Sent are the messages of the nodes in `transmit`, and those that `messages` names. A message of a node that cannot be
sent is listed with the reason; one that the bench file names must be sendable.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Final

from cantools.database.can import Message

from hilbridge.base.common.errors import ConfigurationError, Doubt, ErrorCollector, KeyPath
from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH, FRAME_LENGTHS, frame_length
from hilbridge.base.common.units import MILLISECOND
from hilbridge.files.settings import BusSettings, MessageMap, SignalMap
from hilbridge.files.settings.frames import RangeRule
from hilbridge.files.settings.protection import ProtectionSettings
from hilbridge.frames.codec.codec import CompiledMessage, compile_message
from hilbridge.frames.codec.database import Database, unknown
from hilbridge.frames.codec.layout import Raw, occupied
from hilbridge.frames.codec.mapping import Assignment, assign, sources_of
from hilbridge.frames.codec.page_names import signal_names
from hilbridge.frames.codec.pgn import with_source
from hilbridge.frames.codec.sources import Channels, ExpressionSource, FixedSource, Held, Memory, SignalSource
from hilbridge.frames.codec.turns import Turns
from hilbridge.frames.codec.variant import Encoder
from hilbridge.frames.plan.bus_protection import frame_protection
from hilbridge.frames.plan.events import EventTable, build_events
from hilbridge.frames.plan.frame_format import classic_instead, format_flags
from hilbridge.frames.plan.send_type import Sending, cannot_go, inactive_values, sending
from hilbridge.frames.plan.terminals import terminal_bits
from hilbridge.frames.protection import Protector
from hilbridge.frames.transport.transport_frames import LONGEST
from vehiclesim.entries import STANDARD, Entries

_AS_IN_DATABASE: Final = MessageMap()


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message as it is sent: `length` [byte] on the wire, `after_run` [ns], `place` in the bench file.

    `terminals` is a set of terminals (terminals.py). `lamps` has the encoders that stand in for `encode` during the
    bulb check, each with the time [ns] that it ends. `protected` has the kind of each of the protector's signals:
    counter or checksum. `database_period` [ms] is for comparison. `node` is the sender's name in the database.
    `codec` reads and alters the signals; a frame without any has none. `feeds`, `darkens`: what the receiver shows
    by it (files/settings/frames.py); `lights`: the lamps that a signal lights while it is not 0, by signal.
    `counts_way`: a computed entry of the bench brings it the vehicle's way. `held`: the signals whose value the encoder
    held at a limit since its reader emptied it. `protection` has the settings of the protector. `inactive`:
    the bits of the signals that make a frame active, as a mask, and as they are while none is.
    """

    message: str
    can_id: int
    flags: int
    length: int
    sending: Sending
    terminals: int
    wake_up: bool
    after_run: int
    encode: Encoder
    place: KeyPath
    protector: Protector | None = None
    protected: Mapping[str, str] = field(default_factory=dict)
    lamps: tuple[tuple[int, Encoder], ...] = ()
    assignments: tuple[Assignment, ...] = ()
    database_period: int | None = None
    node: str | None = None
    codec: CompiledMessage | None = None
    counts_way: bool = False
    feeds: Sequence[str] = ()
    darkens: Sequence[str] = ()
    lights: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    events: EventTable | None = None
    held: Held = field(default_factory=dict)
    protection: Sequence[ProtectionSettings] = ()
    doubt: Doubt | None = None
    inactive: tuple[int, int] = (0, 0)

    @property
    def is_long(self) -> bool:
        """Whether it goes by the transport protocol of J1939."""
        return self.codec is not None and self.codec.is_long

    @property
    def memories(self) -> dict[str, Memory]:
        """The memories of signals from frame to frame, by their name."""
        sources = ((one.signal, one.source) for one in self.assignments)
        return {
            signal: source.memory
            for signal, source in sources
            if isinstance(source, ExpressionSource) and source.memory is not None
        }


@dataclass(frozen=True, slots=True)
class Selection:
    """The frames that a bus sends, the messages that it does not send with the reason, warnings, and rates [bit/s].

    `data_bitrate` is that of the data phase of CAN FD frames that switch.
    """

    outgoing: tuple[Outgoing, ...]
    not_sent: dict[str, str]
    warnings: tuple[Doubt, ...]
    bitrate: int | None
    data_bitrate: int | None


def select(bus: str, settings: BusSettings, database: Database, tick: int, entries: Entries = STANDARD) -> Selection:
    """Return the frames of one bus, sorted by identifier; `tick` is the period of the tick [ns].

    ConfigurationError: unknown names; a named message that cannot be sent; times that do not fit the tick or each
    other; CAN FD on a classic bus; two messages of one identifier.
    """
    place: KeyPath = ("buses", bus)
    errors = ErrorCollector()
    with errors.attempt():
        _require_nodes(settings, database, (*place, "source_address"))
    outgoing: list[Outgoing] = []
    not_sent: dict[str, str] = {}
    sent: list[Message] = []
    for message in _chosen(settings, database, place, errors):
        reason = _obstacle(message, settings.messages.get(message.name, _AS_IN_DATABASE))
        here = (*place, "messages", message.name)
        with errors.attempt():
            if reason is None:
                outgoing.append(_outgoing(message, settings, tick, here, entries))
                sent.append(message)
            elif message.name in settings.messages:
                raise ConfigurationError(f"message {message.name} cannot be sent: {reason}", here)
            else:
                shared = message.name in not_sent or any(one.message == message.name for one in outgoing)
                not_sent[f"{message.name} (0x{message.frame_id:X})" if shared else message.name] = reason
    errors.verdict()
    warnings = [Doubt(f"node {node} sends no message") for node in settings.transmit if not database.sent_by(node)]
    warnings += classic_instead(sent, settings, place)
    outgoing.sort(key=lambda frame: frame.can_id)
    for one, other in pairwise(outgoing):
        if one.can_id == other.can_id:
            raise ConfigurationError(f"{one.message} and {other.message} have the same identifier", other.place)
    return Selection(tuple(outgoing), not_sent, tuple(warnings), *_rates(settings, database.bitrate))


def select_nothing(settings: BusSettings) -> Selection:
    """Return the selection of a bus without a database."""
    return Selection((), {}, (), *_rates(settings, None))


def _rates(settings: BusSettings, usual: int | None) -> tuple[int | None, int | None]:
    """Return nominal and data bit rate; `usual` is that of the database."""
    bitrate = settings.bitrate or usual
    fast = settings.options.get("data_bitrate")
    return bitrate, fast if isinstance(fast, int) else bitrate


def _chosen(settings: BusSettings, database: Database, place: KeyPath, errors: ErrorCollector) -> Iterable[Message]:
    """Return the messages that are to be sent; names that the database does not know are collected."""
    chosen: dict[tuple[str, int, bool], Message] = {}
    for i, node in enumerate(settings.transmit):
        with errors.attempt():
            for message in database.sent_by(node, (*place, "transmit", i)):
                chosen.setdefault((message.name, message.frame_id, message.is_extended_frame), message)
    for name in settings.messages:
        with errors.attempt():
            message = database.message(name, (*place, "messages", name))
            chosen[message.name, message.frame_id, message.is_extended_frame] = message
    return chosen.values()


def _require_nodes(settings: BusSettings, database: Database, place: KeyPath) -> None:
    """Check that source addresses are given to nodes that exist."""
    for node in settings.source_address if isinstance(settings.source_address, dict) else ():
        if node not in database.nodes:
            raise unknown(f"node of {database.name}", node, database.nodes, (*place, node))


def _obstacle(message: Message, settings: MessageMap) -> str | None:
    """Return why a message cannot be sent, or None."""
    if message.is_container:
        return "it is a container of other messages"
    if message.header_id is not None:
        return "it goes in a container, and none is sent"
    if message.protocol == "j1939":
        if message.length > LONGEST:
            return f"{message.length} bytes are more than the {LONGEST} of the transport protocol of J1939"
        if message.length > CLASSIC_LENGTH and not message.is_extended_frame:
            return f"{message.length} bytes need the transport protocol of J1939, which has no 11-bit identifiers"
    elif message.length > FRAME_LENGTHS[-1]:
        return f"{message.length} bytes do not fit into a frame"
    return cannot_go(message, settings)


def _outgoing(message: Message, settings: BusSettings, tick: int, place: KeyPath, entries: Entries) -> Outgoing:
    own = settings.messages.get(message.name, _AS_IN_DATABASE)
    errors = ErrorCollector()
    flags = 0
    with errors.attempt():
        flags = format_flags(message, own, settings, place)
    codec = compile_message(
        message,
        padding=message.protocol == "j1939",
        unranged={name for name in signal_names(message) if _range_rule(name, own, settings) != "database"},
    )
    held: Held = {}
    node = message.senders[0] if message.senders else None
    can_id = _addressed(codec.can_id, message, settings.source_address_of(node))
    assignments: list[Assignment] = []
    with errors.attempt():
        assignments = assign(codec, at_rest(own.signals, settings), (*place, "signals"), entries)
    with errors.attempt():
        times = sending(message, own, tick, place)
        require_cycle(times, assignments, (*place, "signals"))
    length = message.length if codec.is_long else frame_length(message.length)
    with errors.attempt():
        protection = frame_protection(own, settings, codec, can_id, length, place)
    with errors.attempt():
        events = build_events(own, codec, tick, place, entries)
    errors.verdict()
    sources, protector = sources_of(assignments), protection.protector
    return Outgoing(
        message=message.name,
        can_id=can_id,
        flags=flags,
        length=length,
        sending=times,
        terminals=terminal_bits(own.terminals),
        wake_up=own.wake_up,
        after_run=round(own.after_run * MILLISECOND),
        encode=encoder(codec, sources, length, held),
        place=place,
        protector=protector,
        protected=protected_signals(codec, protector) if protector is not None else {},
        lamps=lamps(codec, sources, length, own.signals),
        assignments=tuple(assignments),
        database_period=None if own.events is not None else message.cycle_time,
        events=events,
        node=node,
        codec=codec,
        feeds=own.feeds,
        darkens=own.darkens,
        lights=lights(own.signals),
        held=held,
        protection=protection.settings,
        doubt=protection.doubt,
        inactive=_inactive(message, codec),
    )


def _replaced(raw: Raw, _: Raw) -> Raw:
    return raw


def _inactive(message: Message, codec: CompiledMessage) -> tuple[int, int]:
    """Return the bits of the signals that have an inactive value, as a mask and with these values."""
    mask, data = 0, bytes(codec.length)
    for name, raw in inactive_values(message).items():
        if codec.carried(data, name) is not None:
            data = codec.altered(data, name, partial(_replaced, raw))
            mask |= occupied(codec.layouts[name])
    return mask, int.from_bytes(data, "little") & mask


def _range_rule(signal: str, own: MessageMap, settings: BusSettings) -> RangeRule:
    """Return where the values of a signal are held: by its own key, that of the message, or that of the bus."""
    given = own.signals[signal].range if signal in own.signals else None
    return given or own.range or settings.range


def at_rest(maps: Mapping[str, SignalMap], settings: BusSettings) -> Mapping[str, SignalMap]:
    """Return where values come from: on hardware that may not count, what makes an odometer count stands still."""
    if settings.odometer or not settings.is_hardware:
        return maps
    return {
        name: one if one.without_odometer is None else SignalMap(constant=one.without_odometer)
        for name, one in maps.items()
    }


def require_cycle(times: Sending, assignments: Iterable[Assignment], place: KeyPath) -> None:
    """Check that a frame whose signals take turns goes by its period alone: on change it would go all the time."""
    for one in assignments:
        source = one.source
        if times.kind != "cyclic" and isinstance(source, ExpressionSource) and isinstance(source.memory, Turns):
            raise ConfigurationError("needs a frame that goes by its period alone", (*place, one.signal, "in_turn"))


def _addressed(can_id: int, message: Message, address: int | None) -> int:
    """Return the identifier with the sender's address from the bench file: J1939 databases have a placeholder there."""
    return can_id if address is None or message.protocol != "j1939" else with_source(can_id, address)


def protected_signals(codec: CompiledMessage, protector: Protector) -> dict[str, str]:
    """Return the kind of each of the protector's signals: counter if it shares bits with one, else checksum."""
    counters = [counter for group in protector.groups for counter in (group.counter, group.second)]
    counted = sum(counter.position.occupied for counter in counters if counter is not None)
    return {
        name: "counter" if occupied(codec.layouts[name]) & counted else "checksum" for name in sorted(protector.signals)
    }


def lamps(
    codec: CompiledMessage, sources: Mapping[str, SignalSource], length: int, maps: Mapping[str, SignalMap]
) -> tuple[tuple[int, Encoder], ...]:
    """Return for each duration that occurs the encoder with those lamps on that are lit as long or longer."""
    durations = {name: one.bulb_check for name, one in maps.items() if one.bulb_check is not None}
    stages = []
    for duration in sorted(set(durations.values())):
        lit = {
            key: FixedSource(codec.signals[key].to_raw(1))
            for name, lit_for in durations.items()
            if lit_for >= duration
            for key in codec.keys_of(name)
        }
        stages.append((round(duration * MILLISECOND), encoder(codec, {**sources, **lit}, length)))
    return tuple(stages)


def lights(maps: Mapping[str, SignalMap]) -> dict[str, tuple[str, ...]]:
    """Return the lamps that each signal lights while it is not 0, by signal."""
    return {name: tuple(one.lights) for name, one in maps.items() if one.lights}


def encoder(
    codec: CompiledMessage, sources: Mapping[str, SignalSource], length: int, held: Held | None = None
) -> Encoder:
    """Return an encoder that fills up to `length` with zeros: CAN FD has no frames of, say, 10 bytes.

    It notes in `held` which signals it sends another value for, because theirs is beyond a limit.
    """
    encode = codec.bus_encoder(sources, held)
    rest = bytes(length - codec.length)

    def filled_up(channels: Channels) -> bytes:
        return encode(channels) + rest

    return filled_up if rest else encode
