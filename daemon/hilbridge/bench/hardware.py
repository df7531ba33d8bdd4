"""The endpoints that a bench file describes: links of the buses, serial ports, servers for scan tools.

What scan tools do is an input of the run: it goes to the recorder on its way to the ELM327.
"""

from typing import Final

from hilbridge.base.common.errors import LinkError
from hilbridge.bench.diagnostics.elm327.adapters import Adapters
from hilbridge.bench.diagnostics.elm327.interpreter import Interpreter
from hilbridge.bench.doip.entity import DoipEntity
from hilbridge.bench.doip.tester import Tester
from hilbridge.boundary.fmu.opening import start
from hilbridge.boundary.links.doip_server import DoipServer
from hilbridge.boundary.links.elm327_server import Elm327Server, open_doors
from hilbridge.boundary.links.event_port import EventPort
from hilbridge.boundary.links.factory import open_link
from hilbridge.boundary.links.input_port import InputPort
from hilbridge.boundary.links.link import DuplexEndpoint, Link
from hilbridge.boundary.links.serial_output import OutputPort, OutputTerminal, SerialOutputPort, SharedPort
from hilbridge.boundary.links.serial_port import PseudoTerminal, SerialPort
from hilbridge.boundary.links.udp_port import UdpPort
from hilbridge.boundary.record.boundary import Boundary
from hilbridge.boundary.record.boundary_records import CAME, DATAGRAM, LEFT, NUMBERS, SENT, ToolRecord
from hilbridge.files.settings import PORT_INPUTS, BenchSettings, BoardInput, EvdevInput, UdpInput
from hilbridge.files.settings.boards import BoardSettings
from hilbridge.files.settings.layouts import LARGEST_DATAGRAM
from hilbridge.files.settings.outputs import OutputSettings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.input_events import event_codes


class Hardware:
    """Opens the endpoints of a bench file; LinkError where one cannot be opened. `boundary` records scan tools.

    `waits`: links that are missing are awaited, but for those of which the bench file says `wait: required`.
    """

    def __init__(self, settings: BenchSettings, boundary: Boundary, *, waits: bool) -> None:
        self._settings: Final = settings
        self._waits: Final = waits
        self._inputs: Final = [one for one in settings.inputs if isinstance(one, PORT_INPUTS)]
        self._boundary: Final = boundary
        self._boards: Final[dict[str, SharedPort]] = {}

    def link(self, bus: Bus) -> Link:
        """Open the link of a bus."""
        settings = self._settings.buses[bus.name]
        return open_link(bus, settings, self._settings.period, waits=self._waits and settings.wait == "late")

    def input_port(self, number: int) -> InputPort:
        """Open the port of input `number`, counted from 0 among those that have one."""
        if number >= len(self._inputs):
            line = number - len(self._inputs)
            if line >= len(self._settings.lines):
                return start(list(self._settings.fmu)[line - len(self._settings.lines)], self._settings, waits=False)
            return self._line_port(list(self._settings.lines)[line])
        one = self._inputs[number]
        if isinstance(one, EvdevInput):
            return EventPort(one.device, event_codes(one))
        if isinstance(one, UdpInput):
            try:
                return UdpPort(one.address, one.port, one.senders, LARGEST_DATAGRAM)
            except LinkError as error:
                raise type(error)(str(error), (self._settings.inputs.index(one), *error.place)) from error
        if isinstance(one, BoardInput):
            return self._board_port(one.board)
        return PseudoTerminal() if one.port == "pty" else SerialPort(one.port, one.baudrate)

    def output_port(self, name: str) -> OutputPort:
        """Open the port of an output or a board; one that an input reads is open already, and is read there."""
        return self._boards[name].tap if name in self._boards else _open_output(self._settings.serial_outputs[name])

    def _board_port(self, name: str) -> InputPort:
        board = self._boards[name] = SharedPort(_open_output(self._settings.boards[name]))
        return board

    def _line_port(self, name: str) -> InputPort:
        line = self._settings.lines[name]
        port = SerialOutputPort(line.port, line.baudrate, line.parity) if line.is_hardware else OutputTerminal()
        shared = self._boards[name] = SharedPort(port)
        return shared

    def scan_tool_port(self, number: int, adapters: Adapters | DoipEntity) -> DuplexEndpoint:
        """Open the server of ELM327 `number`, counted from 0, whose clients get `adapters`, or that of the entity."""
        if isinstance(adapters, DoipEntity):
            return DoipServer(
                adapters.settings, RecordedEntity(number, adapters, self._boundary), self._settings.period
            )
        elm327 = self._settings.diagnostics.elm327[number]
        recorded = RecordedAdapters(number, adapters, self._boundary)
        doors = open_doors(elm327.ways, elm327.baudrate, elm327.address)
        return Elm327Server(doors, recorded.plug_in, recorded.unplug, self._settings.period)


def _open_output(settings: OutputSettings | BoardSettings) -> OutputPort:
    return SerialOutputPort(settings.port, settings.baudrate) if settings.is_hardware else OutputTerminal()


class RecordedClients:
    """The numbers of the clients of the ELM327, or DoIP entity, number `index`, and the records of what they do."""

    def __init__(self, index: int, boundary: Boundary) -> None:
        self._index: Final = index
        self._boundary: Final = boundary
        self._next = 0
        self._present: Final[set[int]] = set()

    def came(self) -> int:
        """Record that a client has come; return its number, which no client has that is still there."""
        number = self._next
        while number in self._present:
            number = (number + 1) % NUMBERS
        self._next = (number + 1) % NUMBERS
        self._present.add(number)
        self.record(number, CAME)
        return number

    def left(self, number: int) -> None:
        """Record that a client has left."""
        self.record(number, LEFT)
        self._present.remove(number)

    def record(self, client: int, what: int, content: bytes = b"") -> None:
        """Hand to the recorder what a client does."""
        self._boundary.tool(ToolRecord(self._index, client, what, content))


class RecordedAdapters(RecordedClients):
    """The place where the clients of an ELM327 plug in."""

    def __init__(self, index: int, adapters: Adapters, boundary: Boundary) -> None:
        super().__init__(index, boundary)
        self._adapters: Final = adapters

    def plug_in(self) -> "RecordedAdapter":
        """Return an adapter for a client that has come."""
        return RecordedAdapter(self, self.came(), self._adapters.plug_in())

    def unplug(self, adapter: "RecordedAdapter") -> None:
        """Take the adapter of a client that has left."""
        self.left(adapter.number)
        self._adapters.unplug(adapter.interpreter)


class RecordedAdapter:
    """An ELM327 with one client; `number` is the client's."""

    def __init__(self, recorded: RecordedAdapters, number: int, interpreter: Interpreter) -> None:
        self.number: Final = number
        self.interpreter: Final = interpreter
        self._recorded: Final = recorded

    @property
    def output(self) -> bytearray:
        """The output of the ELM327 to the client."""
        return self.interpreter.output

    def feed(self, data: bytes, t: int) -> None:
        """Take characters of the client."""
        self._recorded.record(self.number, SENT, data)
        self.interpreter.feed(data, t)


class RecordedEntity(RecordedClients):
    """The DoIP entity, as its port knows it."""

    def __init__(self, index: int, entity: DoipEntity, boundary: Boundary) -> None:
        super().__init__(index, boundary)
        self._entity: Final = entity
        self.announcement: Final = entity.announcement

    def plug_in(self) -> "RecordedTester":
        """Return a tester that has connected."""
        return RecordedTester(self, self.came(), self._entity.plug_in())

    def unplug(self, tester: "RecordedTester") -> None:
        """Forget a tester that has left."""
        self.left(tester.number)
        self._entity.unplug(tester.tester)

    def datagram(self, data: bytes) -> bytes:
        """Return the answer to a datagram, empty for none."""
        self.record(0, DATAGRAM, data)
        return self._entity.datagram(data)


class RecordedTester:
    """One connection to the DoIP entity; `number` is the client's."""

    def __init__(self, recorded: RecordedEntity, number: int, tester: Tester) -> None:
        self.number: Final = number
        self.tester: Final = tester
        self.output: Final = tester.output
        self._recorded: Final = recorded

    @property
    def room(self) -> int:
        """Bytes that are taken at present."""
        return self.tester.room

    @property
    def is_finished(self) -> bool:
        """Whether the connection is to be closed when the output has been sent."""
        return self.tester.is_finished

    @property
    def gives_way(self) -> bool:
        """Whether its place goes to a newcomer."""
        return self.tester.gives_way

    def feed(self, data: bytes, t: int) -> None:
        """Take bytes of the tester."""
        self._recorded.record(self.number, SENT, data)
        self.tester.feed(data, t)
