"""The boundary of a bench: all its inputs pass here, and are recorded if the run is.

The inputs of a run are what its links, its serial ports, its clock and its commands hand over, tick by tick, and
nothing else. The recorder takes its records here (boundary_records.py); a replay puts its own links, ports and clock in
the place of the real ones (playback.py), and the bench does not see the difference.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

from hilbridge.boundary.links.link import Link
from hilbridge.boundary.record.boundary_records import (
    ANSWER,
    COMMAND,
    EARLY,
    EARLY_LAYOUT,
    FRAME,
    FRAME_LAYOUT,
    LINK,
    MISSED,
    MISSED_LAYOUT,
    PORT,
    RELOAD,
    RELOAD_LAYOUT,
    SERIAL,
    TOOL,
    WRITTEN,
    WRITTEN_LAYOUT,
    AnswerRecord,
    LinkRecord,
    PortRecord,
    ToolRecord,
)
from hilbridge.frames.bus.bus import Outlet
from hilbridge.frames.codec.frame import Frame

Put: TypeAlias = Callable[[int, int, bytes], bool]
"""A function that takes a record: kind, t, payload. It returns False if there was no room."""


RELOAD_PART: Final = 1 << 15
"""[byte] Part of an archive in one RELOAD record."""


class Boundary:
    """The boundary of one bench. Records go to `put`, if there is one; `t` [ns] is the time of the current tick."""

    def __init__(self) -> None:
        self.put: Put | None = None
        self.t = 0
        self._links: Final[list[tuple[int, Link]]] = []
        self._known_links: Final[dict[int, LinkRecord]] = {}
        self._known_ports: Final[dict[int, str]] = {}

    def listen(self, put: Put | None) -> None:
        """Pass all records to `put` from now on, first those of the state of links and ports; None: record nothing."""
        self.put = put
        self._known_links.clear()
        self._known_ports.clear()

    def record_link(self, bus: int, link: Link) -> Outlet:
        """Return a link that records its answers, for the gate of a bus."""
        self._links.append((bus, link))
        return RecordedLink(self, bus, link)

    def frame(self, t: int, bus: int, received: bool, frame: Frame) -> None:
        """Record a frame on a bus: an observer of buses."""
        if self.put is not None:
            can_id, data, flags = frame
            self.put(FRAME, t, FRAME_LAYOUT.pack(can_id, bus, received, flags) + data)

    def early(self, t: int, frames: int) -> None:
        """Record that the next `frames` from outside are heard before the tick of time `t` [ns] is due."""
        self.t = t
        if self.put is not None:
            self.put(EARLY, t, EARLY_LAYOUT.pack(frames))

    def missed(self, t: int, ticks: int) -> None:
        """Record the number of ticks missed before that of time `t` [ns]."""
        if self.put is not None:
            self.put(MISSED, t, MISSED_LAYOUT.pack(ticks))

    def polled(self, t: int) -> None:
        """Record what has changed about the links, after they were polled in the tick of time `t` [ns]."""
        self.t = t
        if self.put is None:
            return
        for bus, link in self._links:
            statistics, known = link.statistics, self._known_links.get(bus, (bus, 0, 0, ""))
            now = (bus, statistics.connected, statistics.disconnected, link.trouble)
            if now != known:
                self._known_links[bus] = LinkRecord(*now)
                self.put(LINK, t, self._known_links[bus].encode())

    def serial(self, t: int, port: int, data: bytes, trouble: str) -> None:
        """Record the bytes of a serial port in this tick, and its trouble if that has changed."""
        if self.put is None:
            return
        if data:
            self.put(SERIAL, t, PortRecord(port, data).encode())
        if trouble != self._known_ports.get(port, ""):
            self._known_ports[port] = trouble
            self.put(PORT, t, PortRecord(port, trouble.encode(errors="replace")).encode())

    def tool(self, record: ToolRecord) -> None:
        """Record what a scan tool did in the current tick."""
        if self.put is not None:
            self.put(TOOL, self.t, record.encode())

    def reload(self, t: int, number: int, parts: int, part: bytes) -> None:
        """Record a part of the bench that is adopted at the end of the tick with the last part."""
        if self.put is not None:
            self.put(RELOAD, t, RELOAD_LAYOUT.pack(number, parts) + part)

    def written(self, t: int, number: int, *, written: bool) -> None:
        """Record that a writing of the stored state has ended, in the tick of time `t` [ns]."""
        if self.put is not None:
            self.put(WRITTEN, t, WRITTEN_LAYOUT.pack(number, written))

    def command(self, t: int, line: bytes) -> None:
        """Record a command, before it is carried out."""
        if self.put is not None:
            self.put(COMMAND, t, line)


class RecordedLink:
    """A link whose answers are recorded where they change."""

    def __init__(self, boundary: Boundary, bus: int, link: Link) -> None:
        self._boundary = boundary
        self._bus = bus
        self._link = link
        self._questions = 0
        self._refused: set[int] = set()
        self.receive: Final = link.receive  # a frame that leaves is no input

    def accepts(self, can_id: int) -> bool:
        """Return the answer of the link; record it if it differs from the last one."""
        self._questions += 1
        accepted = self._link.accepts(can_id)
        if accepted is (can_id in self._refused):
            (self._refused.discard if accepted else self._refused.add)(can_id)
            if self._boundary.put is not None:
                answer = AnswerRecord(self._questions, can_id, self._bus, accepted)
                self._boundary.put(ANSWER, self._boundary.t, answer.encode())
        return accepted
