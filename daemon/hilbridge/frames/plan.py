"""The frames of all buses in time: what is due is encoded from the data bus and sent.

A frame is due at absolute times, phase + k · period. One that is late goes once, and its later times stay what they
were. Frames that are due together go in the order in which they would win arbitration.
"""

from collections.abc import Mapping
from heapq import heapreplace
from typing import Final

from hilbridge.frames.bus import Bus
from hilbridge.frames.database import Database
from hilbridge.frames.frame import EXTENDED, EXTENDED_MASK, Frame
from hilbridge.frames.report import BusReport, report
from hilbridge.frames.schedule import spread
from hilbridge.frames.selection import Outgoing, select
from hilbridge.settings import BenchSettings
from vehiclesim.databus import DataBus

_IDENTIFIER_EXTENSION: Final = 18
"""Bits by which a 29-bit identifier is longer."""


class PlannedFrame:
    """A frame in the plan: what it is, its `period` and `phase` [ns], and how often it went or was left out."""

    __slots__ = ("bus", "can_id", "encode", "flags", "message", "period", "phase", "sent", "skipped")

    def __init__(self, outgoing: Outgoing, bus: Bus, phase: int) -> None:
        self.message: Final = outgoing.message
        self.can_id: Final = outgoing.can_id
        self.flags: Final = outgoing.flags
        self.encode: Final = outgoing.encode
        self.period: Final = outgoing.period
        self.bus: Final = bus
        self.phase: Final = phase
        self.sent = 0
        self.skipped = 0


class FramePlan:
    """All frames of a bench. The phases keep the frames of all buses apart: they share the tick."""

    def __init__(
        self, bench: BenchSettings, databases: Mapping[str, Database], data: DataBus, buses: Mapping[str, Bus]
    ) -> None:
        """`databases` and `buses` by the name of the bus. ConfigurationError: see `selection.select`."""
        self._channels = data.channels
        self._selections = {
            name: select(name, settings, databases[name], bench.period)
            for name, settings in bench.buses.items()
            if name in databases
        }
        chosen = [(buses[name], frame) for name, one in self._selections.items() for frame in one.outgoing]
        phases = spread([outgoing.period // bench.period for _, outgoing in chosen])
        self.frames = tuple(
            PlannedFrame(outgoing, bus, phase * bench.period)
            for (bus, outgoing), phase in zip(chosen, phases, strict=True)
        )
        ranked = sorted(self.frames, key=lambda frame: (_arbitration(frame.can_id), frame.bus.index))
        self._due = sorted((frame.phase, rank, frame) for rank, frame in enumerate(ranked))

    def publish(self, t: int) -> None:
        """Sends every frame that is due at `t` [ns]; a single comparison when none is."""
        due = self._due
        while due and due[0][0] <= t:
            time, rank, frame = due[0]
            skipped = (t - time) // frame.period
            heapreplace(due, (time + (skipped + 1) * frame.period, rank, frame))
            frame.sent += 1
            frame.skipped += skipped
            frame.bus.transmit(Frame(frame.can_id, frame.encode(self._channels), frame.flags), None)

    def describe(self) -> list[BusReport]:
        """The plan in rows, bus by bus, for `hilbridge check`."""
        planned = iter(self.frames)
        return [
            report(name, selection, [next(planned).phase for _ in selection.outgoing])
            for name, selection in self._selections.items()
        ]


def _arbitration(can_id: int) -> tuple[int, bool]:
    """Sorts as the bus decides: by the first 11 bits, then the shorter identifier, then the other 18 bits."""
    extended = bool(can_id & EXTENDED)
    identifier = can_id & EXTENDED_MASK
    return (identifier, True) if extended else (identifier << _IDENTIFIER_EXTENSION, False)
