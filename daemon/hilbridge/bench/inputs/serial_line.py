"""Inputs from a serial line: bytes split into packets, decoded by one of the formats, accepted as samples.

A packet (a line, or a binary frame) counts as a whole or not at all: a wanted field that is no finite decimal number
and no known word, or comes twice, spoils it. A field that it does not hold keeps its value until it times out.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.bench.inputs.binding import Binding, bind, build_conditioner
from hilbridge.bench.inputs.formats.binary import BINARY_FORMATS
from hilbridge.bench.inputs.formats.format import Format, shown
from hilbridge.bench.inputs.formats.lines import LINE_FORMATS
from hilbridge.bench.inputs.signal_conditioner import Refused
from hilbridge.bench.inputs.source import PortSource
from hilbridge.files.settings import BoardInput, SerialInput
from vehiclesim.entries import STANDARD, Entries

FORMATS: Final = {**LINE_FORMATS, **BINARY_FORMATS}
"""The formats by the names of the bench file."""

OVERLONG: Final = "overlong"
"""No end within MAXIMUM_PACKET bytes."""
BACKLOG: Final = "backlog"
"""More than MAXIMUM_PACKETS at once, such as those that had waited for the start."""
ENDLESS: Final = "no_end"
"""No end within PATIENCE bytes."""

MAXIMUM_PACKET: Final = 256
"""[bytes] of a packet without its end; a longer one is dropped up to its end."""

MAXIMUM_PACKETS: Final = 16
"""Packets of one portion that are decoded, the newest ones; at 1,000 portions a second no board sends more."""

PATIENCE: Final = 4096
"""[bytes] without any end after which the stream cannot be of this format."""


class PacketSource(PortSource):
    """The samples in a stream of packets."""

    def __init__(
        self,
        name: str,
        settings: SerialInput | BoardInput,
        make: Callable[[Sequence[str]], Format],
        place: KeyPath,
        entries: Entries,
    ) -> None:
        """`make`: makes the format that reads some fields; `place`: key path of this input in the bench file.

        ConfigurationError: see `bind`, `build_conditioner` and `build_format`.
        """
        bindings = bind(settings.signals, place, entries)
        layout = build_format(make, bindings)
        super().__init__(
            name,
            bindings,
            [build_conditioner(binding) for binding in bindings],
            timeout=settings.timeout,
            recovery=settings.recovery,
        )
        self._decode: Final = layout.decode
        self._packets: Final = Packets(layout.ends)
        self._trouble = ""

    def feed(self, data: bytes, t: int, trouble: str = "") -> None:
        """Take bytes in any portions; `t` [ns] is the time of the packets that they complete.

        `trouble` says why the port does not work. When it changes, the packet that has begun is dropped: half a line of
        the old connection is no beginning of one of the new connection.
        """
        if data:
            self._decode_packets(data, t)
        if trouble != self._trouble:
            self._trouble = trouble
            self._packets.reset()

    def _decode_packets(self, data: bytes, t: int) -> None:
        packets = self._packets
        before = packets.overlong, packets.flooded, packets.endless
        for packet in packets.split(data):
            try:
                readings = self._decode(packet)
            except Refused as refused:
                self._reject(refused.reason, t, what=refused.what)
            else:
                if readings is not None:
                    self._accept(readings, t, what=shown(packet))
        if before != (packets.overlong, packets.flooded, packets.endless):
            self._count_dropped(before, t)

    def _count_dropped(self, before: tuple[int, int, int], t: int) -> None:
        packets = self._packets
        overlong, flooded, endless = before
        if packets.overlong > overlong:
            what = f"more than {MAXIMUM_PACKET} bytes without an end"
            self._reject(OVERLONG, t, packets.overlong - overlong, what)
        if packets.flooded > flooded:
            what = f"more than {MAXIMUM_PACKETS} lines or packets had waited, and the newest are taken"
            self._reject(BACKLOG, t, packets.flooded - flooded, what)
        if packets.endless > endless:
            what = f"{PATIENCE} bytes without any end: is it the right format, and the right baud rate?"
            self._reject(ENDLESS, t, packets.endless - endless, what)


class SerialLineSource(PacketSource):
    """The samples of one serial port."""

    def __init__(self, settings: SerialInput, place: KeyPath = (), entries: Entries = STANDARD) -> None:
        """`place`: key path of this input in the bench file. ConfigurationError: see PacketSource."""
        super().__init__(settings.port, settings, partial(FORMATS[settings.format], settings=settings), place, entries)


class Packets:
    """A splitter of a stream of bytes into packets, the bytes between two ends.

    `overlong`, `flooded` and `endless` count what was dropped so far; `endless` grows by one with every PATIENCE bytes
    without an end: wrong baud rate, wrong format, no line ends. What precedes the first end after the port was opened
    is dropped, because the tail of a packet can look like one.
    """

    def __init__(self, ends: bytes) -> None:
        self.overlong = 0
        self.flooded = 0
        self.endless = 0
        self._end: Final = ends[-1:]
        self._other: Final = ends[:-1]
        self._pending = b""
        self._skipping = True
        self._run = 0  # bytes since the last end

    def reset(self) -> None:
        """Drop what comes before the next end."""
        self._pending = b""
        self._skipping = True
        self._run = 0

    def split(self, data: bytes) -> list[bytes]:
        """Return the packets that end in `data`, without those that are empty, too long or too many."""
        if self._other:
            data = data.replace(self._other, self._end)
        if self._end not in data:
            self._extend(data)
            return []
        first, *whole, rest = data.split(self._end)
        self._extend(first)
        if not self._skipping:
            whole.insert(0, self._pending)
        self._pending, self._skipping, self._run = b"", False, 0
        self.endless += sum(len(packet) // PATIENCE for packet in whole)
        fitting = [packet for packet in whole if packet and not self._is_overlong(packet)]
        self._extend(rest)
        self.flooded += max(len(fitting) - MAXIMUM_PACKETS, 0)
        return fitting[-MAXIMUM_PACKETS:]

    def _extend(self, part: bytes) -> None:
        """Add bytes of a packet whose end has not come."""
        before = self._run
        self._run += len(part)
        self.endless += self._run // PATIENCE - before // PATIENCE
        if not self._skipping:
            self._pending += part
            if self._is_overlong(self._pending):
                self._pending, self._skipping = b"", True

    def _is_overlong(self, packet: bytes) -> bool:
        overlong = len(packet) > MAXIMUM_PACKET
        self.overlong += overlong
        return overlong


def build_format(make: Callable[[Sequence[str]], Format], bindings: Sequence[Binding]) -> Format:
    """Build the format that reads the fields of all bindings, in their order.

    ConfigurationError, with the key path of the binding: a field that the format's columns or fields do not have.
    """
    for binding in bindings:
        try:
            make(binding.fields)
        except ConfigurationError as error:
            raise ConfigurationError(error.message, binding.place) from None
    return make([field for binding in bindings for field in binding.fields])
