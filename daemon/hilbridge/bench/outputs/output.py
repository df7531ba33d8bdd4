"""One output: values of the data bus, a packet each period, to a port that may take it or not.

    value sent = value of the entry or expression, in `unit`, * scale + offset

A packet is made only when it can go: in ticks that are multiples of the period, and while the output is armed. A port
that does not take it costs the packet, never the tick.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from cantools.database.can import Signal
from cantools.database.conversion import BaseConversion

from hilbridge.base.common.errors import ConfigurationError, ErrorCollector, KeyPath
from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.base.common.words import counted
from hilbridge.bench.outputs.formats import FORMATS
from hilbridge.files.settings.common import in_whole_ticks
from hilbridge.files.settings.outputs import OutputSettings, OutputValue
from hilbridge.frames.codec.mapping import assign_origin, reader_of
from hilbridge.frames.codec.signals import SignalCodec
from hilbridge.frames.codec.sources import Channels, EntrySource, FixedSource, SignalSource
from vehiclesim.entries import STANDARD, Entries

_DECIMALS: Final = 2
_BITS_OF_BYTE: Final = 10
"""On a serial line: a start bit, eight of data, a stop bit."""


@dataclass(slots=True)
class OutputStatistics:
    """Counters since the start of the run; they only ever grow."""

    passed: int = 0
    """Packets that the port took."""
    unarmed: int = 0
    """Packets that were not made because the output is not armed."""
    dropped: int = 0
    """Packets that the port did not take: its receiver is behind."""
    unheard: int = 0
    """Packets without a receiver: the port is missing, or no program has the pseudo terminal open."""

    def count(self, port: "Way", taken: bool) -> None:
        """Count a packet that the port has taken, or not."""
        if taken:
            self.passed += 1
        elif port.is_open:
            self.dropped += 1
        else:
            self.unheard += 1


class Way(Protocol):
    """The port of an output."""

    @property
    def is_open(self) -> bool:
        """Whether someone may receive what is written."""

    def write(self, packet: bytes, t: int) -> bool:
        """Take a whole packet, or none of it: then return False. Never blocks."""


class OutputValueSource:
    """A value of the bench file: its reader, and its decimals in text."""

    def __init__(self, name: str, settings: OutputValue, place: KeyPath, entries: Entries) -> None:
        self.name: Final = name
        number = SignalCodec(Signal(name, 0, 64, conversion=BaseConversion.factory(1, 0, None, is_float=True)))
        assignment = assign_origin(number, settings, place, entries)
        source, self.text = assignment.source, assignment.text
        whole = (isinstance(source, EntrySource) and source.integral) or settings.constant is not None
        scale, offset = settings.scale, settings.offset
        whole = whole and scale.is_integer() and offset.is_integer()
        self.decimals: Final = settings.decimals if settings.decimals is not None else 0 if whole else _DECIMALS
        self.read: Final = _reader(source, settings.substitute, scale, offset)
        if (scale, offset) != (1, 0):
            self.text += f" * {scale:g}" + (f" + {offset:g}" if offset else "")


class Output:
    """One output of the bench file; `armed` may change at any time."""

    def __init__(
        self, name: str, settings: OutputSettings, tick: int, place: KeyPath, entries: Entries = STANDARD
    ) -> None:
        """`tick` [ns]. ConfigurationError, with the key path: no such entry, unit or field; a period between ticks."""
        self.name: Final = name
        self.armed = settings.armed or not settings.is_hardware
        self.trouble: Final = ""  # a receiver says nothing of itself
        self.statistics = OutputStatistics()
        self._settings: Final = settings
        self._period: Final = in_whole_ticks(settings.period, tick, (*place, "period"))
        self._next = 0  # [ns] time of the next packet
        errors = ErrorCollector()
        values: list[OutputValueSource] = []
        for one, value in settings.values.items():
            with errors.attempt():
                values.append(OutputValueSource(one, value, (*place, "values", one), entries))
        errors.verdict()
        self._values: Final = values
        self._readers: Final = [one.read for one in values]
        try:
            self._encode: Final = FORMATS[settings.format](settings, [one.decimals for one in values]).encode
        except ConfigurationError as error:
            raise ConfigurationError(error.message, (*place, *error.place)) from None

    def publish(self, channels: Channels, port: Way, t: int) -> None:
        """Send the packet of the values now, if it is due at `t` [ns]; one for all that missed ticks have left out."""
        if t < self._next:
            return
        self._next = t - t % self._period + self._period
        statistics = self.statistics
        if not self.armed:
            statistics.unarmed += 1
        else:
            statistics.count(port, port.write(self.packet(channels), t))

    def hear(self, data: bytes, t: int) -> None:
        """Take bytes of the receiver, which mean nothing."""

    def packet(self, channels: Channels) -> bytes:
        """Return the packet of the values now."""
        return self._encode([read(channels) for read in self._readers])

    def take_over(self, before: object) -> None:
        """Continue in the place of another one, if it is of this kind: armed as that one is, with its counters."""
        if isinstance(before, Output):
            self.armed, self.statistics = before.armed, before.statistics

    def describe(self) -> str:
        """Return one line for people: `pairs of 3 values, every 20 ms`."""
        count = counted(len(self._values), "value")
        return f"{self._settings.format}, {count}, every {self._period / MILLISECOND:g} ms"

    def rows(self) -> dict[str, str]:
        """Return where each value comes from, by its name."""
        return {one.name: one.text for one in self._values}

    def doubts(self, channels: Channels) -> list[str]:
        """Return what the user may not have meant: packets that the line cannot carry."""
        length = len(self.packet(channels))
        needed = length * _BITS_OF_BYTE * SECOND // self._period
        if not self._settings.is_hardware or needed <= self._settings.baudrate:
            return []
        what = f"{counted(length, 'byte')} every {self._period / MILLISECOND:g} ms need {needed} bit/s"
        return [f"output {self.name}: {what}, and the line has {self._settings.baudrate}: packets will be dropped"]


def _reader(source: SignalSource, substitute: float | None, scale: float, offset: float) -> Callable[[Channels], float]:
    """Return what reads a value; NaN while it is not available and has no substitute."""
    if isinstance(source, FixedSource):
        fixed = source.raw * scale + offset
        return lambda _channels: fixed
    read = reader_of(source)
    if (scale, offset) == (1, 0) and substitute is None:
        return read

    def scaled(channels: Channels) -> float:
        value = read(channels)
        if value != value:
            return value if substitute is None else substitute
        return value * scale + offset

    return scaled
