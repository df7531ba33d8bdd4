"""The boundary of a bench: everything that comes in passes here on its way, and is recorded if the run is.

The inputs of a run are what its links, its serial ports, its clock and its commands hand over, tick by tick, and
nothing else. The recorder takes its records here (boundary_records.py); a replay puts its own links, ports and clock in
the place of the real ones (playback.py), and the bench does not see the difference.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

from hilbridge.bus.bus import WayOut
from hilbridge.codec.frame import Frame
from hilbridge.links.link import Link
from hilbridge.record.boundary_records import (
    ANSWER,
    COMMAND,
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
    AnswerRecord,
    LinkRecord,
    PortRecord,
    ToolRecord,
)

Put: TypeAlias = Callable[[int, int, bytes], bool]
"""Where records go: kind, t, payload. False: there was no room."""


RELOAD_PART: Final = 1 << 15
"""[byte] of an archive in a RELOAD record."""


class Boundary:
    """Hears what comes in, and hands it on to `put`; without, nobody listens. `t` [ns] is the tick at hand."""

    def __init__(self) -> None:
        self.put: Put | None = None
        self.t = 0
        self._links: Final[list[tuple[int, Link]]] = []
        self._known_links: Final[dict[int, LinkRecord]] = {}
        self._known_ports: Final[dict[int, str]] = {}

    def listen(self, put: Put | None) -> None:
        """What comes in goes to `put` from now on, and first how links and ports are; None: nobody listens."""
        self.put = put
        self._known_links.clear()
        self._known_ports.clear()

    def questioned(self, bus: int, link: Link) -> WayOut:
        """What stands in the place of a bus's link before its gate."""
        self._links.append((bus, link))
        return RecordedLink(self, bus, link)

    def frame(self, t: int, bus: int, received: bool, frame: Frame) -> None:
        """Record a frame on a bus: an observer of buses."""
        if self.put is not None:
            can_id, data, flags = frame
            self.put(FRAME, t, FRAME_LAYOUT.pack(can_id, bus, received, flags) + data)

    def missed(self, t: int, ticks: int) -> None:
        """Before the tick of time `t` [ns]: so many were not done."""
        if self.put is not None:
            self.put(MISSED, t, MISSED_LAYOUT.pack(ticks))

    def polled(self, t: int) -> None:
        """The links were polled in the tick of time `t` [ns]: what has changed about them is recorded."""
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
        """What a serial port gave in this tick, and why it does not work."""
        if self.put is None:
            return
        if data:
            self.put(SERIAL, t, PortRecord(port, data).encode())
        if trouble != self._known_ports.get(port, ""):
            self._known_ports[port] = trouble
            self.put(PORT, t, PortRecord(port, trouble.encode(errors="replace")).encode())

    def tool(self, record: ToolRecord) -> None:
        """A scan tool came, sent something or left, in the tick at hand."""
        if self.put is not None:
            self.put(TOOL, self.t, record.encode())

    def reload(self, t: int, number: int, parts: int, part: bytes) -> None:
        """A part of the bench that is adopted at the end of the tick with the last part."""
        if self.put is not None:
            self.put(RELOAD, t, RELOAD_LAYOUT.pack(number, parts) + part)

    def command(self, t: int, line: bytes) -> None:
        """A command, before it is carried out."""
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
        self.receive: Final = link.receive  # what goes out is no input

    def accepts(self, can_id: int) -> bool:
        """What the link says."""
        self._questions += 1
        accepted = self._link.accepts(can_id)
        if accepted is (can_id in self._refused):
            (self._refused.discard if accepted else self._refused.add)(can_id)
            if self._boundary.put is not None:
                answer = AnswerRecord(self._questions, can_id, self._bus, accepted)
                self._boundary.put(ANSWER, self._boundary.t, answer.encode())
        return accepted
