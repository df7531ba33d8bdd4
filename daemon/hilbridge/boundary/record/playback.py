"""The inputs of a recording for a replay: links, serial ports and a clock in the place of the real ones.

A tick begins with `wait`, which reads all that was recorded of it. The ticks follow each other at the bench's period;
where some were missed, the first record of the next one says so. The run ends with the tick that the END record names,
or, in a recording that has none, with the tick of the last record.
"""

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, Protocol

from hilbridge.base.clock import VirtualClock
from hilbridge.boundary.links.input_port import PortStatistics
from hilbridge.boundary.links.link import LinkStatistics
from hilbridge.boundary.record.boundary_records import (
    ANSWER,
    CAME,
    COMMAND,
    DATAGRAM,
    EARLY,
    EARLY_LAYOUT,
    END,
    FRAME,
    LEFT,
    LINK,
    MISSED,
    MISSED_LAYOUT,
    PORT,
    RECEIVED,
    RELOAD,
    RELOAD_LAYOUT,
    SERIAL,
    TOOL,
    WRITTEN,
    WRITTEN_LAYOUT,
    AnswerRecord,
    FrameRecord,
    LinkRecord,
    PortRecord,
    ToolRecord,
)
from hilbridge.boundary.record.recording import BoundaryRecord
from hilbridge.boundary.record.segments import GAP
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import Frame


class Playback(VirtualClock):
    """A clock that passes the records of each tick to the links and ports that it has made.

    `frames`, `payloads` of their records, and `commands` are those of the current tick, `writings` those of the
    stored state that end with it, each with its success, `reload` is the bench that is adopted at its end, or
    empty; `ticks` counts them. After the last tick `ended` is True if the run ended in good order, `missing` if
    records are missing, so that the ticks after them cannot be replayed, `damage` has the reason if one cannot be
    of this bench. `orders` are the records of commands, writings and reloads of the current tick, each with its
    kind. `until` [ns]: no tick of this time or later is taken, and `paused` says that one would follow. A bus whose
    link another program has made takes frames from it.
    """

    def __init__(self, records: Iterable[BoundaryRecord], period: int) -> None:
        super().__init__(period)
        self.answer: Callable[[int], object] = lambda _t: None
        """Called with the time [ns] of a tick when the frames that were answered before it are on their links."""

        self._early = 0  # frames that are still to come until they are answered
        self.until: int | None = None
        self.paused = False
        self.payloads: Final[list[bytes]] = []
        self.orders: Final[list[tuple[int, bytes]]] = []
        self.commands: Final[list[bytes]] = []
        self.writings: Final[list[tuple[int, bool]]] = []
        self.reload = b""
        self._archive: Final[list[bytes]] = []
        self.ticks = 0
        self.ended = False
        self.missing = False
        self.damage = ""
        self._last: int | None = None  # number of ticks in the END record
        self._records: Final[Iterator[BoundaryRecord]] = iter(records)
        self._next = next(self._records, None)
        self._links: Final[dict[int, PlayedLink]] = {}
        self._ports: Final[dict[int, PlayedPort]] = {}
        self._tools: Final[dict[int, PlayedTools]] = {}

    @property
    def frames(self) -> list[FrameRecord]:
        """The frames of the current tick; nearly always a replay has the same bytes, and no one asks for them."""
        return [FrameRecord.decode(payload) for payload in self.payloads]

    @property
    def is_partial(self) -> bool:
        """Whether the recording breaks off here, so that records of the current tick may be missing."""
        return self.missing or (self._next is None and not self.ended)

    def link(self, bus: Bus) -> "PlayedLink":
        """Make the link of a bus."""
        self._links[bus.index] = PlayedLink(bus)
        return self._links[bus.index]

    def port(self, index: int) -> "PlayedPort":
        """Make serial port number `index`."""
        self._ports[index] = PlayedPort()
        return self._ports[index]

    def tools(self, index: int, adapters: "ScanToolSockets") -> "PlayedTools":
        """Make the scan tools at ELM327 number `index`."""
        self._tools[index] = PlayedTools(adapters)
        return self._tools[index]

    def wait(self) -> bool:
        """Take the next tick; return False when the run is over."""
        self.payloads.clear()
        self.orders.clear()
        self.commands.clear()
        self.writings.clear()
        self.reload = b""
        self._take_end()
        if self.missing or (self.ticks >= self._last if self._last is not None else self._next is None):
            return False
        self.paused = self.until is not None and self.t + self.period >= self.until
        if self.paused:
            return False
        self.ticks += 1
        self.t += self.period
        self._take_records()
        self.missed = self._missed_before()
        if self.missed:
            self.t += self.missed * self.period
            self._take_records()
        self._take_end()
        return True

    def _take_records(self) -> None:
        """Take the records up to the present time; frames that were answered early are answered at once."""
        record, t, records = self._next, self.t, self._records
        while record is not None and record[0] <= t:
            when, kind, payload = record
            if kind == FRAME:
                self._take_frame(payload, when)
            elif kind in (END, GAP):
                break
            elif reason := self._take(record):
                self._break_off(reason)
                break
            record = next(records, None)
        self._next = record

    def _missed_before(self) -> int:
        if self._next is None or self._next.kind != MISSED:
            return 0
        (missed,) = MISSED_LAYOUT.unpack(self._next.payload)
        if self._next.t != self.t + missed * self.period:
            return 0  # of a later tick
        self._next = next(self._records, None)
        return int(missed)

    def _take_end(self) -> None:
        if self._next is not None and self._next.kind == END and not self.ended:
            last = json.loads(self._next.payload)["ticks"]
            if last * self.period > self._next.t + self.period:
                self._break_off(f"the run cannot have ended after {last} ticks")
                return
            self.ended = True
            self._last = last
            self._next = None
        elif self._next is not None and self._next.kind == GAP:
            self.missing = True

    def _break_off(self, reason: str) -> None:
        """End the replay with this tick: what follows cannot be trusted."""
        self.missing = True
        self.damage = reason

    def _take(self, record: BoundaryRecord) -> str:
        """Hand over a record; return why it cannot be of this bench, empty if it can."""
        kind, payload = record.kind, record.payload
        if kind == ANSWER:
            answer = AnswerRecord.decode(payload)
            if answer.bus in self._links:
                self._links[answer.bus].answers.append(answer)
        elif kind == LINK:
            change = LinkRecord.decode(payload)
            if change.bus in self._links:
                self._links[change.bus].change(change)
        elif kind == EARLY:
            (self._early,) = EARLY_LAYOUT.unpack(payload)
        elif kind in (SERIAL, PORT):
            return self._take_port(kind, PortRecord.decode(payload))
        elif kind == TOOL:
            tool = ToolRecord.decode(payload)
            tools = self._tools.get(tool.elm327)
            if tools is None:
                return f"the bench has no ELM327 number {tool.elm327}"
            return tools.take(tool)
        else:
            self._take_order(kind, payload)
        return ""

    def _take_frame(self, payload: bytes, t: int) -> None:
        self.payloads.append(payload)
        if not payload[RECEIVED]:
            return
        frame = FrameRecord.decode(payload)
        if frame.bus not in self._links:
            return
        self._links[frame.bus].frames.append(frame.frame)
        if self._early:
            self._early -= 1
            if not self._early:
                self.answer(t)

    def _take_port(self, kind: int, record: PortRecord) -> str:
        port = self._ports.get(record.port)
        if port is None:
            return f"the bench has no serial port number {record.port}"
        if kind == SERIAL:
            port.data += record.content
        else:
            port.trouble = record.content.decode()
        return ""

    def _take_order(self, kind: int, payload: bytes) -> None:
        """Take a command, the end of a writing, or a part of a reload."""
        self.orders.append((kind, payload))
        if kind == COMMAND:
            self.commands.append(payload)
        elif kind == WRITTEN:
            number, succeeded = WRITTEN_LAYOUT.unpack(payload)
            self.writings.append((number, bool(succeeded)))
        elif kind == RELOAD:
            number, parts = RELOAD_LAYOUT.unpack_from(payload)
            if number == 0:  # the parts before it were not adopted
                self._archive.clear()
            self._archive.append(payload[RELOAD_LAYOUT.size :])
            if number + 1 == parts:
                self.reload = b"".join(self._archive)


class PlayedLink:
    """A link without hardware, which delivers, answers and fails as it was recorded."""

    def __init__(self, bus: Bus) -> None:
        self.statistics = LinkStatistics()
        self.descriptor = None
        self.trouble = ""
        self.frames: list[Frame] = []
        self.answers: deque[AnswerRecord] = deque()
        self._bus = bus
        self._questions = 0
        self._refused: set[int] = set()

    def change(self, record: LinkRecord) -> None:
        """Take the recorded trouble, and the recorded numbers of clients."""
        self.trouble = record.trouble
        self.statistics.connected = record.connected
        self.statistics.disconnected = record.disconnected

    def accepts(self, can_id: int) -> bool:
        self._questions += 1
        while self.answers and self.answers[0].question <= self._questions:
            answer = self.answers.popleft()
            (self._refused.discard if answer.accepted else self._refused.add)(answer.can_id)
        return can_id not in self._refused

    def poll(self, t: int) -> None:
        self.statistics.received += len(self.frames)
        for frame in self.frames:
            self._bus.transmit(frame, self)
        self.frames.clear()

    def receive(self, frame: Frame, t: int) -> None:
        self.statistics.sent += 1

    def flush(self, t: int) -> None:
        """Do nothing: no frame is queued."""

    def close(self) -> None:
        """Do nothing: no port is open."""

    def describe(self) -> str:
        return f"recorded {self._bus.name}"


class PlayedPort:
    """A serial port without hardware, which returns the recorded bytes, and fails when the real one did."""

    descriptor: Final = None

    def __init__(self) -> None:
        self.statistics = PortStatistics()
        self.trouble = ""
        self.data = b""

    def poll(self, t: int) -> bytes:
        data, self.data = self.data, b""
        self.statistics.received += len(data)
        return data

    def close(self) -> None:
        """Do nothing: no port is open."""

    def describe(self) -> str:
        return "recorded port"


class ScanToolAdapter(Protocol):
    """The adapter of one scan tool."""

    @property
    def output(self) -> bytearray:
        """Characters for the scan tool."""

    def feed(self, data: bytes, t: int) -> None:
        """Take characters of the scan tool."""


class ScanToolSockets(Protocol):
    """The sockets of scan tools."""

    def plug_in(self) -> Any:
        """Return an adapter for a new client."""

    def unplug(self, interpreter: Any) -> None:
        """Remove the adapter of a client that has disconnected."""


class PlayedTools:
    """Scan tools without a port, which connect, send and disconnect as recorded, and read everything at once."""

    trouble: Final = ""

    def __init__(self, sockets: ScanToolSockets) -> None:
        self.records: list[ToolRecord] = []
        self.descriptor = None
        self.statistics = PortStatistics()
        self._sockets: Final = sockets
        self._datagram: Final[Callable[[bytes], bytes] | None] = getattr(sockets, "datagram", None)
        self._known: Final[set[int]] = set()  # clients, as of the last record
        self._clients: Final[dict[int, ScanToolAdapter]] = {}

    def take(self, record: ToolRecord) -> str:
        """Keep an action for the next `poll`; return why no client can have done it, empty if one can."""
        if record.what == DATAGRAM:
            if self._datagram is None:
                return f"port {record.elm327} of scan tools takes no datagrams"
        elif record.what == CAME:
            self._known.add(record.client)
        elif record.client not in self._known:
            return f"scan tool {record.client} did something before it was there"
        elif record.what == LEFT:
            self._known.remove(record.client)
        self.records.append(record)
        return ""

    def poll(self, t: int) -> None:
        for record in self.records:
            if record.what == CAME:
                self._clients[record.client] = self._sockets.plug_in()
            elif record.what == LEFT:
                self._sockets.unplug(self._clients.pop(record.client))
            elif record.what == DATAGRAM and self._datagram is not None:
                self._datagram(record.content)
            else:
                self._clients[record.client].feed(record.content, t)
        self.records.clear()

    def flush(self, t: int) -> None:
        for adapter in self._clients.values():
            adapter.output.clear()

    def close(self) -> None:
        """Do nothing: no port is open."""

    def describe(self) -> str:
        return "recorded scan tools"
