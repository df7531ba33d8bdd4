"""A message's encoder and decoder, made once from the layout that cantools parsed.

A message with multiplexers has a variant for every set of signals that can travel together; the raw numbers of the
multiplexers say which one it is. A number that selects nothing leaves the signals that are always there.

Public databases have signals that overlap: a group and its members, two names of one byte. All of them are read; sent
are those that are wanted, and of the others the shortest that share no bit with one that is sent. A signal that cannot
be (it does not fit into the message, its scale is 0) is left out, with those that it selects.

A name may have a layout on each of several pages (page_names.py). Values are by name; signals, layouts, sources and raw
numbers by a key, which is the name where it has one layout.
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from functools import cached_property
from itertools import islice
from typing import Final, TypeAlias
from weakref import WeakKeyDictionary

from cantools.database.can import Message, Signal
from cantools.database.namedsignalvalue import NamedSignalValue

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH
from hilbridge.frames.codec.container import opened
from hilbridge.frames.codec.frame import EXTENDED, Frame
from hilbridge.frames.codec.layout import MuxPath, Raw, extract, multiplexing, occupied, overlaps, require_fit
from hilbridge.frames.codec.page_names import with_keys
from hilbridge.frames.codec.pgn import GROUP_MASK
from hilbridge.frames.codec.signals import SignalCodec
from hilbridge.frames.codec.sources import Channels, FixedSource, Held, SignalSource, encoding
from hilbridge.frames.codec.variant import Encoder, Variant

MOST_PATHS: Final = 20_000
"""Combinations of pages of a message that are compiled."""

Value: TypeAlias = float | str | NamedSignalValue
"""A physical value, or the name of one."""


_Ways: TypeAlias = tuple[bool, AbstractSet[str]]
"""`padding` and `unranged` of `compile_message`."""


class CompiledMessage:
    """The codec of one message. `signals` has the numbers of each signal by key, `layouts` its bits.

    `left_out` has the reason for each signal that cannot be, `names` the name of each key that shares one.

    A received frame is this message if its identifier has `matched` in the bits of `mask`: all of them, in J1939 all
    but priority and source address. One with a `header` is in a frame that is its container.
    """

    def __init__(self, message: Message, *, padding: bool = False, unranged: AbstractSet[str] = frozenset()) -> None:
        if message.is_container:
            raise ConfigurationError(f"{message.name} is a container of other messages")
        self.name = message.name
        self.can_id = message.frame_id | (EXTENDED if message.is_extended_frame else 0)
        self.length = message.length
        j1939 = message.protocol == "j1939"
        self.mask = GROUP_MASK if j1939 else ~0
        self.matched = self.can_id & self.mask
        self.header = message.header_id
        self.signals: dict[str, SignalCodec] = {}
        self.layouts: dict[str, Signal] = {}
        self.left_out: dict[str, str] = {}
        usable: list[Signal] = []
        for signal in message.signals:
            try:
                require_fit(signal, message.length)
                SignalCodec(signal)
                usable.append(signal)
            except ConfigurationError as error:
                self._leave_out(signal, error.message)
        usable, self.names, _ = with_keys(usable)
        while orphans := [one for one in usable if one.multiplexer_signal in self.left_out]:
            usable = [one for one in usable if one not in orphans]
            for signal in orphans:
                self._leave_out(signal, f"its multiplexer {signal.multiplexer_signal} is left out")
        self._tree = multiplexing(usable, self.names)
        reached = {one.name for one in self._tree.reached()}
        for signal in usable:
            if signal.name in reached:
                name = self.name_of(signal.name)
                self.signals[signal.name] = SignalCodec(signal, j1939=j1939, ranged=name not in unranged)
                self.layouts[signal.name] = signal
            else:
                self._leave_out(signal, f"no number of a multiplexer {signal.multiplexer_signal} selects it")
        self._fill = message.unused_bit_pattern if padding else 0
        self._variants: dict[MuxPath, Variant] = {}
        self._parts: dict[tuple[str, ...], Variant] = {}
        self._only = None if self._tree.selectors else self._variant(())

    def content(self, frame: Frame) -> bytes | None:
        """Return the bytes of the message in a frame, which may be its container; None: it is not in it."""
        if frame.can_id & self.mask != self.matched:
            return None
        return frame.data if self.header is None else opened(frame.data).get(self.header)

    @property
    def is_long(self) -> bool:
        """Whether no frame holds it, and it goes by the transport protocol of J1939."""
        return self.mask != ~0 and self.length > CLASSIC_LENGTH and bool(self.can_id & EXTENDED)

    def name_of(self, key: str) -> str:
        """Return the name of the signal with a key."""
        return self.names.get(key, key)

    def keys_of(self, name: str) -> list[str]:
        """Return the keys of the signals of a name; of a key itself, that one."""
        shared = [key for key, one in self.names.items() if one == name]
        return [name, *shared] if name in self.signals else shared

    def _leave_out(self, signal: Signal, reason: str) -> None:
        name, number = signal.name, 1
        while name in self.left_out:
            number += 1
            name = f"{signal.name} ({number})"
        self.left_out[name] = reason

    def encode(self, values: Mapping[str, Value]) -> bytes:
        """Return the bytes for physical values, or names of values, by signal name.

        Any number is accepted: it is limited, and NaN becomes "not available". A signal without a value rests at its
        start value. Names of signals that are not in the frame are passed over. ValueError: no value of that name, or
        values for two signals that overlap.
        """
        variant = self._only or self._variant(self._tree.follow(lambda name: self._raw(name, values))[0])
        if self.overlaps:
            variant = self._part_of(variant, self.choose(key for name in values for key in self.keys_of(name)))
        if self.names:
            return variant.pack({key: self._raw(key, values) for key in variant.codecs})
        try:
            return variant.encode(values)
        except (KeyError, TypeError):  # a signal without a value, or with the name of one
            return variant.pack({name: self._raw(name, values) for name in variant.codecs})

    def decode(self, data: bytes, *, names: bool = False) -> dict[str, Value]:
        """Return the physical values by signal name; with `names`, the names of those that have one.

        Bytes beyond the message's length are passed over. ValueError: there are fewer.
        """
        variant = self._carried(data)
        if not names:
            return variant.decode(data)
        return {
            self.name_of(key): variant.codecs[key].name_of(raw) or variant.codecs[key].to_physical(raw)
            for key, raw in variant.unpack(data).items()
        }

    def raw_numbers(self, data: bytes) -> dict[str, Raw]:
        """Return the raw numbers by key; of bytes as of `decode`."""
        return self._carried(data).unpack(data)

    def decode_available(self, data: bytes) -> dict[str, float]:
        """Return the same as `decode`, without the signals that are "not available" or "error"."""
        variant = self._carried(data)
        return {
            self.name_of(key): variant.codecs[key].to_physical(raw)
            for key, raw in variant.unpack(data).items()
            if variant.codecs[key].available(raw)
        }

    def carried(self, data: bytes, name: str) -> str | None:
        """Return the key of the signal of a name that the bytes carry; None if they carry none."""
        codecs = self._carried(data).codecs
        return next((key for key in self.keys_of(name) if key in codecs), None)

    def altered(self, data: bytes, name: str, change: Callable[[Raw], Raw]) -> bytes:
        """Return the bytes with another raw number for a signal; unchanged if they do not carry the signal."""
        key = self.carried(data, name)
        if key is None:
            return data
        variant = self._carried(data)
        bits = occupied(self.layouts[key])
        packed = self._part_of(variant, (key,)).pack({key: change(variant.unpack(data)[key])})
        changed = int.from_bytes(data, "little") & ~bits | int.from_bytes(packed, "little") & bits
        return changed.to_bytes(len(data), "little")

    @cached_property
    def overlaps(self) -> Mapping[str, frozenset[str]]:
        """The signals that share bits with others of the same frame, each with the names of these."""
        return overlaps(self._tree)

    def choose(self, wanted: Iterable[str]) -> frozenset[str]:
        """Return the keys of the signals that are sent: those wanted, and others that share no bit with one that is.

        ConfigurationError: two of those wanted overlap.
        """
        chosen = dict.fromkeys(wanted)
        for name in chosen:
            if (rival := next(filter(self.overlaps.get(name, ()).__contains__, chosen), None)) is not None:
                raise ConfigurationError(f"signals {rival} and {name} overlap: one of them can be sent")
        for name in sorted(self.signals, key=lambda name: self.signals[name].length):
            if self.overlaps.get(name, frozenset()).isdisjoint(chosen):
                chosen[name] = None
        return frozenset(chosen)

    def bus_encoder(self, sources: Mapping[str, SignalSource], held: Held | None = None) -> Encoder:
        """Return the encoder from the data bus's channels. A signal without a source stays at its start value.

        ConfigurationError: more combinations of pages than anybody can have meant, or see `choose`.

        It notes in `held` which signals it sends another value for, because theirs is beyond a limit.
        """
        chosen = self.choose(sources)
        complete = {
            name: sources.get(name, FixedSource(signal.rest)) for name, signal in self.signals.items() if name in chosen
        }
        fixed = {name: source.raw for name, source in complete.items() if isinstance(source, FixedSource)}
        fixed |= dict.fromkeys(self.signals.keys() - chosen, math.nan)  # selects nothing
        paths = list(islice(self._tree.paths(fixed), MOST_PATHS + 1))
        if len(paths) > MOST_PATHS:
            raise ConfigurationError(
                f"{self.name} has more than {MOST_PATHS} combinations of pages: keep multiplexers constant"
            )
        encoders = {path: self._part_of(self._variant(path), chosen).bus_encoder(complete, held) for path in paths}
        if len(encoders) == 1:
            return next(iter(encoders.values()))
        readers: dict[str, Callable[[Channels], Raw]] = {
            name: encoding(source, self.signals[name]).read
            for name, source in complete.items()
            if not isinstance(source, FixedSource)
        }

        def encode(channels: Channels) -> bytes:
            path, _ = self._tree.follow(lambda name: fixed[name] if name in fixed else readers[name](channels))
            return encoders[path](channels)

        return encode

    def prepare(self) -> None:
        """Compile every variant now, so that no tick has to; the first of them if there are very many."""
        for path in islice(self._tree.paths({}), MOST_PATHS):
            variant = self._variant(path)
            _ = variant.encode, variant.decode, variant.unpack

    def _raw(self, name: str, values: Mapping[str, Value]) -> Raw:
        signal, value = self.signals[name], values.get(name, values.get(self.name_of(name)))
        if value is None:
            return signal.rest
        if isinstance(value, str | NamedSignalValue):
            return signal.named(str(value))
        return signal.to_raw(value)

    def _carried(self, data: bytes) -> Variant:
        """Return the variant that a frame carries."""
        if len(data) < self.length:
            raise ValueError(f"{self.name} has {self.length} bytes, not {len(data)}")
        if self._only is not None:
            return self._only
        payload = data[: self.length]
        return self._variant(self._tree.follow(lambda name: extract(self.layouts[name], payload))[0])

    def _variant(self, path: MuxPath) -> Variant:
        variant = self._variants.get(path)
        if variant is None:
            signals = self._tree.along(path)
            variant = self._variants[path] = Variant(signals, self.signals, self.length, self._fill, self.names)
        return variant

    def _part_of(self, variant: Variant, chosen: Collection[str]) -> Variant:
        """Return a variant with the chosen ones of its signals alone."""
        names = tuple(name for name in variant.codecs if name in chosen)
        if len(names) == len(variant.codecs):
            return variant
        part = self._parts.get(names)
        if part is None:
            layouts = [self.layouts[name] for name in names]
            part = self._parts[names] = Variant(layouts, self.signals, self.length, self._fill, self.names)
        return part


_compiled: Final[WeakKeyDictionary[Message, dict[_Ways, CompiledMessage]]] = WeakKeyDictionary()


def compile_message(
    message: Message, *, padding: bool = False, unranged: AbstractSet[str] = frozenset()
) -> CompiledMessage:
    """Return the codec of a message; with `padding`, unused bits are sent as the database's pattern (ones).

    `unranged`: the names of signals whose values are not held inside the database's range. A codec is made once, and
    kept as long as its message is.

    ConfigurationError: containers.
    """
    known = _compiled.setdefault(message, {})
    way = (padding, frozenset(unranged))
    if way not in known:
        known[way] = CompiledMessage(message, padding=padding, unranged=unranged)
    return known[way]
