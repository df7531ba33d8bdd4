"""Scan tools at the ELM327s of a bench: what they do crosses the boundary on its way, and is recorded."""

from typing import Final

from hilbridge.diagnostics.elm327.adapters import Adapters
from hilbridge.diagnostics.elm327.interpreter import Interpreter
from hilbridge.record.boundary import Boundary
from hilbridge.record.boundary_records import CAME, LEFT, SENT, ToolRecord


class Tapped:
    """An ELM327 with one client; `number` is the client's."""

    def __init__(self, socket: "TappedSockets", number: int, interpreter: Interpreter) -> None:
        self.number: Final = number
        self.interpreter: Final = interpreter
        self._socket: Final = socket

    @property
    def output(self) -> bytearray:
        return self.interpreter.output

    def feed(self, data: bytes, t: int) -> None:
        self._socket.tell(self.number, SENT, data)
        self.interpreter.feed(data, t)


class TappedSockets:
    """Where the clients of ELM327 number `index` plug in."""

    def __init__(self, index: int, adapters: Adapters, boundary: Boundary) -> None:
        self._index: Final = index
        self._adapters: Final = adapters
        self._boundary: Final = boundary
        self._next = 0

    def plug_in(self) -> Tapped:
        number = self._next
        self._next = (number + 1) % 256
        self.tell(number, CAME)
        return Tapped(self, number, self._adapters.plug_in())

    def unplug(self, device: Tapped) -> None:
        self.tell(device.number, LEFT)
        self._adapters.unplug(device.interpreter)

    def tell(self, client: int, what: int, content: bytes = b"") -> None:
        """What a client does goes to the recorder first."""
        self._boundary.tool(ToolRecord(self._index, client, what, content))
