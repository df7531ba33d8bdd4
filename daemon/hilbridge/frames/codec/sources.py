"""Sources of a signal's value, tick by tick: a data bus entry, an expression of several, or a fixed number."""

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias

from hilbridge.base.common.errors import KeyPath
from hilbridge.frames.codec.database import unknown
from hilbridge.frames.codec.layout import Raw
from hilbridge.frames.codec.signals import SignalCodec
from hilbridge.frames.codec.units import IDENTITY, Conversion
from vehiclesim.channels import NAN, UNAVAILABLE_LOAD, VEHICLE, VehicleData
from vehiclesim.entries import STANDARD, Entries

Channels: TypeAlias = list[list[int]]
"""`DataBus.channels`."""

EntryId: TypeAlias = tuple[int, int]
"""The channel and the id of an entry."""

Held: TypeAlias = dict[str, int]
"""The signals whose value was held at a limit, by name; 1 for each."""

_MOST: Final = 1 << 63


@dataclass(frozen=True, slots=True)
class EntrySource:
    """An entry of the data bus in the unit of a signal.

        value = integer / resolution * factor + offset

    Integers up to `unavailable` mean "not available"; `substitute` [the signal's unit] is sent then by signals that
    cannot say so.
    """

    channel: int
    index: int
    resolution: int
    unavailable: int = NAN
    conversion: Conversion = IDENTITY
    substitute: float | None = None

    @property
    def entries(self) -> tuple[EntryId, ...]:
        """The entries that the value depends on."""
        return ((self.channel, self.index),)

    @property
    def integral(self) -> bool:
        """The value is the integer."""
        return self.resolution == 1 and self.conversion == IDENTITY

    def read(self, channels: Channels) -> float:
        """Return the value now, NaN while it is not available."""
        integer = channels[self.channel][self.index]
        return self.value(integer) if integer > self.unavailable else math.nan

    def value(self, integer: int) -> float:
        """Return the value of an integer that is available."""
        value = integer if self.resolution == 1 else integer / self.resolution
        factor, offset = self.conversion
        if factor != 1:
            value *= factor
        return value if offset == 0 else value + offset

    def expression(self, integer: str) -> str:
        """Return Python text for the same."""
        text = integer if self.resolution == 1 else f"{integer} / {self.resolution}"
        factor, offset = self.conversion
        if factor != 1:
            text += f" * {factor!r}"
        return text if offset == 0 else f"{text} + {offset!r}"


class Memory(Protocol):
    """The memory of a source from frame to frame."""

    def take_over(self, before: object) -> None:
        """Continue from what another one remembers, if it is of this kind."""


@dataclass(frozen=True, slots=True)
class ExpressionSource:
    """A value in the unit of a signal, computed from `entries`; NaN is "not available", as in an EntrySource.

    `memory` is what the computation depends on besides.
    """

    entries: tuple[EntryId, ...]
    value: Callable[[Channels], float]
    substitute: float | None = None
    memory: Memory | None = None


@dataclass(frozen=True, slots=True)
class FixedSource:
    """The same raw number all the time."""

    raw: Raw

    @property
    def entries(self) -> tuple[EntryId, ...]:
        """No entry: the value depends on none."""
        return ()


SignalSource: TypeAlias = EntrySource | ExpressionSource | FixedSource


def find_entry(path: str, place: KeyPath = (), entries: Entries = STANDARD) -> EntryId:
    """Return the id of the entry `vehicle.EngineRpm`. ConfigurationError, at the key path `place`: there is none."""
    found = entries.find(path)
    if found is None:
        raise unknown("data bus entry", path, [entry.path for entry in entries.all()], place)
    return found


def unit_of(entry: EntryId, entries: Entries = STANDARD) -> str:
    """Return the unit of an entry."""
    return entries.at(entry).unit


def entry_source(
    entry: EntryId,
    conversion: Conversion = IDENTITY,
    substitute: float | None = None,
    entries: Entries = STANDARD,
) -> EntrySource:
    """Return the source that reads an entry as the data bus defines it."""
    resolution, unavailable = entries.at(entry).resolution, _unavailable(entry)
    return EntrySource(*entry, resolution, unavailable, conversion, substitute)


def is_available(entry: EntryId, channels: Channels) -> bool:
    """Return whether the value of an entry is known now."""
    channel, index = entry
    return channels[channel][index] > _unavailable(entry)


def _unavailable(entry: EntryId) -> int:
    return UNAVAILABLE_LOAD if entry == (VEHICLE, VehicleData.ENGINE_LOAD) else NAN


class EntryEncoding:
    """The encoding of an entry as a raw number of a signal.

    `first`…`last` are the data bus integers that need neither limit nor substitute: nearly all that occur.
    """

    def __init__(self, source: EntrySource, signal: SignalCodec, held: Held | None = None) -> None:
        self._held = {} if held is None else held
        self.channels = frozenset([source.channel])
        self._source = source
        self._signal = signal
        self._named = frozenset(signal.names) - signal.reserved
        self.first, self.last = self._span()

    def text(self, index: int) -> str:
        """Return Python text for the raw number; `bus1` is the list of channel 1, `index` keeps its names apart."""
        source = self._source
        value = source.expression("v") if source.integral else f"({source.expression('v')})"
        raw = self._signal.expression(value, integral=source.integral)
        integer = f"bus{source.channel}[{source.index}]"
        return f"{raw} if {self.first} <= (v := {integer}) <= {self.last} else limit{index}(v)"

    def names(self, index: int) -> dict[str, Any]:
        """Return the names that the text refers to."""
        return {f"limit{index}": self.limited}

    def read(self, channels: Channels) -> Raw:
        """Return the raw number now."""
        return self.limited(channels[self._source.channel][self._source.index])

    def limited(self, integer: int) -> Raw:
        """Return the raw number of any integer. Named values that are not reserved may lie beyond the limits."""
        if integer <= self._source.unavailable:
            return self._signal.unavailable(self._source.substitute)
        return _limited(self._source.value(integer), self._signal, self._named, self._held)

    def _span(self) -> tuple[int, int]:
        """Return the integers whose values lie within the signal's span: an estimate, narrowed until both ends do."""
        source, (low, high) = self._source, self._signal.span
        if low > high:
            return 1, 0
        factor, offset = source.conversion
        ends = sorted((bound - offset) / factor * source.resolution for bound in (low, high))
        first = max(math.ceil(max(ends[0], -_MOST)) - 1, source.unavailable + 1)
        last = math.floor(min(ends[1], _MOST)) + 1
        while first <= last and not low <= source.value(first) <= high:
            first += 1
        while first <= last and not low <= source.value(last) <= high:
            last -= 1
        return first, last


class ExpressionEncoding:
    """The encoding of a computed value; the interface is that of EntryEncoding."""

    channels: Final[frozenset[int]] = frozenset()
    """None: the computation looks them up itself."""

    def __init__(self, source: ExpressionSource, signal: SignalCodec, held: Held | None = None) -> None:
        self._held = {} if held is None else held
        self._source = source
        self._signal = signal
        self._named = frozenset(signal.names) - signal.reserved

    def text(self, index: int) -> str:
        """Return Python text for the raw number, with `channels`; the comparison fails for NaN."""
        low, high = self._signal.span
        raw = self._signal.expression("v")
        return f"{raw} if {low!r} <= (v := value{index}(channels)) <= {high!r} else limit{index}(v)"

    def names(self, index: int) -> dict[str, Any]:
        """Return the names that the text refers to."""
        return {f"value{index}": self._source.value, f"limit{index}": self.limited}

    def read(self, channels: Channels) -> Raw:
        """Return the raw number now."""
        return self.limited(self._source.value(channels))

    def limited(self, value: float) -> Raw:
        """Return the raw number of any value. Named values that are not reserved may lie beyond the limits."""
        if value != value:
            return self._signal.unavailable(self._source.substitute)
        return _limited(value, self._signal, self._named, self._held)


def _limited(value: float, signal: SignalCodec, named: Collection[int], held: Held) -> Raw:
    """Return the raw number of a value within the limits, and note the signal if one was at work."""
    raw = signal.limit(value, named)
    if signal.differs(raw, value):
        held[signal.name] = 1
    return raw


def encoding(
    source: EntrySource | ExpressionSource, signal: SignalCodec, held: Held | None = None
) -> EntryEncoding | ExpressionEncoding:
    """Return the encoding of a source in a signal, which notes in `held` that a value was beyond a limit."""
    if isinstance(source, EntrySource):
        return EntryEncoding(source, signal, held)
    return ExpressionEncoding(source, signal, held)
