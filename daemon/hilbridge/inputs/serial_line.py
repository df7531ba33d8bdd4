"""Inputs from a serial line: what arrives in any portions, turned into samples by one of the formats.

A packet (a line, or a binary frame) counts as a whole or not at all: a wanted field that is no finite decimal number
and no known word, or comes twice, spoils it. What it does not hold stays as it is, until it times out.
"""

from typing import Final

from hilbridge.common.errors import KeyPath
from hilbridge.inputs.binding import bind, build_transducer
from hilbridge.inputs.formats.build import build_format
from hilbridge.inputs.formats.format import Refused, shown
from hilbridge.inputs.formats.packets import MAXIMUM_PACKET, PATIENCE, Packets
from hilbridge.inputs.source import Source
from hilbridge.settings import SerialInput

OVERLONG: Final = "overlong"
"""No end within MAXIMUM_PACKET bytes."""
FLOOD: Final = "flood"
"""More than MAXIMUM_PACKETS at once."""
ENDLESS: Final = "no_end"
"""No end within PATIENCE bytes."""


class SerialLineSource(Source):
    """The samples of one serial port. `feed` takes what was read from it, `reset` tells that it was opened anew."""

    def __init__(self, settings: SerialInput, place: KeyPath = ()) -> None:
        """`place`: key path of this input in the bench file.

        ConfigurationError: see `bind`, `build_transducer` and `build_format`.
        """
        bindings = bind(settings.signals, place)
        layout = build_format(settings, bindings)
        super().__init__(
            settings.port,
            bindings,
            [build_transducer(binding) for binding in bindings],
            timeout=settings.timeout,
            recovery=settings.recovery,
        )
        self._decode: Final = layout.decode
        self._packets: Final = Packets(layout.ends)

    def reset(self) -> None:
        """The port was opened: the rest of a packet that began before is not looked at."""
        self._packets.reset()

    def feed(self, data: bytes, t: int) -> None:
        """Takes bytes in any portions; `t` [ns] is the time of the packets that they complete."""
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
            self._reject(FLOOD, t, packets.flooded - flooded)
        if packets.endless > endless:
            what = f"{PATIENCE} bytes without any end: is it the right format, and the right baud rate?"
            self._reject(ENDLESS, t, packets.endless - endless, what)
