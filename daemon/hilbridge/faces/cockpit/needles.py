"""Read what the newest frames say that move needles of the page.

    value = (signal - offset) / factor        in the unit of the entry; factor and offset are those of gauges.py

The frames come through shared memory (boundary/observe/carried_frames.py), and the page's databases decode them.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from hilbridge.base.common.units import MILLISECOND
from hilbridge.boundary.observe.carried_frames import CarriedFrame, decode

if TYPE_CHECKING:  # they bring cantools along
    from hilbridge.faces.cockpit.decoding import Decoder, KnownMessage

Gauge = Mapping[str, Any]

Reading = tuple[float, float | None]
"""When a frame went [ms], and the value that it says; None: that is not available."""


class Needles:
    """The readings of all gauges, those of gauges.py. `buses`: names by index."""

    def __init__(self, buses: tuple[str, ...]) -> None:
        self._buses: Final = buses
        self._gauges: list[Gauge] = []
        self._readings: list[Reading | None] = []
        self._record = b""

    def adopt(self, gauges: Iterable[Gauge]) -> None:
        """Take the gauges of a configuration; what was read before means nothing."""
        self._gauges = [*gauges]
        self._readings = [None] * len(self._gauges)
        self._record = b""

    def read(self, record: bytes | None, decoders: "Mapping[str, Decoder]") -> list[Reading | None]:
        """Read a record of frames; return the readings by gauge. None: nothing is known of it yet.

        A frame that is another page of its multiplexer leaves the reading of a signal as it was, with its time.
        """
        if record is not None and record != self._record and decoders:
            self._record = record
            for frame in decode(record):
                self._take(frame, decoders)
        return self._readings

    def _take(self, frame: CarriedFrame, decoders: "Mapping[str, Decoder]") -> None:
        bus = self._buses[frame.bus] if frame.bus < len(self._buses) else ""
        known = decoders[bus].find(frame.can_id) if bus in decoders else None
        if known is None:
            return
        for number, gauge in enumerate(self._gauges):
            if (gauge["bus"], gauge["message"]) == (bus, known.codec.name):
                self._readings[number] = _reading(known, frame, gauge) or self._readings[number]


def _reading(known: "KnownMessage", frame: CarriedFrame, gauge: Gauge) -> Reading | None:
    """Return what a frame says of a gauge; None where it does not carry the signal."""
    try:
        key = known.codec.carried(frame.data, gauge["signal"])
        raw = None if key is None else known.codec.raw_numbers(frame.data)[key]
    except ValueError:  # too short for the message
        return None
    if key is None or raw is None:
        return None
    signal, time = known.codec.signals[key], frame.t / MILLISECOND
    if not signal.available(raw):
        return time, None
    return time, round((signal.to_physical(raw) - gauge["offset"]) / gauge["factor"], 4)
