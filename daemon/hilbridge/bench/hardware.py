"""The endpoints that a bench file describes: links of the buses, serial ports, servers for scan tools.

What scan tools do is an input of the run: it goes to the recorder on its way to the ELM327.
"""

from typing import Final

from hilbridge.bus.bus import Bus
from hilbridge.diagnostics.elm327.adapters import Adapters
from hilbridge.diagnostics.elm327.interpreter import Interpreter
from hilbridge.links.elm327_server import Elm327Server, open_doors
from hilbridge.links.factory import open_link
from hilbridge.links.link import DuplexEndpoint, Link
from hilbridge.links.serial_port import PseudoTerminal, SerialInputPort, SerialPort
from hilbridge.record.boundary import Boundary
from hilbridge.record.boundary_records import CAME, LEFT, SENT, ToolRecord
from hilbridge.settings import BenchSettings, SerialInput


class Hardware:
    """Opens the endpoints of a bench file; LinkError where one cannot be opened. `boundary` records scan tools."""

    def __init__(self, settings: BenchSettings, boundary: Boundary) -> None:
        self._settings: Final = settings
        self._lines: Final = [one for one in settings.inputs if isinstance(one, SerialInput)]
        self._boundary: Final = boundary

    def link(self, bus: Bus) -> Link:
        """Open the link of a bus."""
        return open_link(bus, self._settings.buses[bus.name], self._settings.period)

    def serial_input(self, number: int) -> SerialInputPort:
        """Open the port of serial input `number`, counted from 0."""
        line = self._lines[number]
        return PseudoTerminal() if line.port == "pty" else SerialPort(line.port, line.baudrate)

    def scan_tool_port(self, number: int, adapters: Adapters) -> DuplexEndpoint:
        """Open the server of ELM327 `number`, counted from 0, whose clients get `adapters`."""
        elm327 = self._settings.diagnostics.elm327[number]
        recorded = RecordedAdapters(number, adapters, self._boundary)
        doors = open_doors(elm327.ways, elm327.baudrate, elm327.address)
        return Elm327Server(doors, recorded.plug_in, recorded.unplug, self._settings.period)


class RecordedAdapters:
    """The place where the clients of ELM327 number `index` plug in."""

    def __init__(self, index: int, adapters: Adapters, boundary: Boundary) -> None:
        self._index: Final = index
        self._adapters: Final = adapters
        self._boundary: Final = boundary
        self._next = 0

    def plug_in(self) -> "RecordedAdapter":
        """Return an adapter for a client that has come."""
        number = self._next
        self._next = (number + 1) % 256
        self.record(number, CAME)
        return RecordedAdapter(self, number, self._adapters.plug_in())

    def unplug(self, adapter: "RecordedAdapter") -> None:
        """Take the adapter of a client that has left."""
        self.record(adapter.number, LEFT)
        self._adapters.unplug(adapter.interpreter)

    def record(self, client: int, what: int, content: bytes = b"") -> None:
        """Hand to the recorder what a client does."""
        self._boundary.tool(ToolRecord(self._index, client, what, content))


class RecordedAdapter:
    """An ELM327 with one client; `number` is the client's."""

    def __init__(self, recorded: RecordedAdapters, number: int, interpreter: Interpreter) -> None:
        self.number: Final = number
        self.interpreter: Final = interpreter
        self._recorded: Final = recorded

    @property
    def output(self) -> bytearray:
        """What the ELM327 says to the client."""
        return self.interpreter.output

    def feed(self, data: bytes, t: int) -> None:
        """Take characters of the client."""
        self._recorded.record(self.number, SENT, data)
        self.interpreter.feed(data, t)
