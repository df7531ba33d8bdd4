"""The ELM327 adapters on one bus. Each client gets an adapter of its own, in the state after power-on.

What an ELM327 keeps without power (chip.py) they have in common.
"""

from collections.abc import Callable
from typing import Final

from hilbridge.bench.diagnostics.elm327.chip import Chip
from hilbridge.bench.diagnostics.elm327.interpreter import Interpreter
from hilbridge.bench.diagnostics.elm327.session import Connector
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import Frame
from vehiclesim.databus import DataBus


class Adapters:
    """All adapters of `bus`, as one node of it, with the memory of one `chip`."""

    def __init__(
        self,
        bus: Bus,
        data: DataBus,
        chip: Chip,
        bitrate: int = 500_000,
        usable: Callable[[int], bool] = lambda _: True,
    ) -> None:
        """`usable` returns whether the link accepts an identifier at present."""
        self._bus: Final = bus
        self._data: Final = data
        self._chip: Final = chip
        self._bitrate: Final = bitrate
        self._usable: Final = usable
        self._interpreters: Final[list[Interpreter]] = []
        bus.attach(self)

    def plug_in(self) -> Interpreter:
        """Return an interpreter for a new client."""
        connector = Connector(self._bitrate, lambda frame: self._transmit(frame, interpreter), self._usable, self._data)
        interpreter = Interpreter(connector, self._chip)
        self._interpreters.append(interpreter)
        return interpreter

    def unplug(self, interpreter: Interpreter) -> None:
        """Remove the interpreter of a client that has disconnected."""
        self._interpreters.remove(interpreter)

    def receive(self, frame: Frame, t: int) -> None:
        """Take a frame of the bus."""
        for interpreter in self._interpreters:
            interpreter.session.connector.heard = t
            if interpreter.listening:
                interpreter.receive(frame, t)

    def poll(self, t: int) -> None:
        """Let all interpreters do what is due; called once a tick."""
        for interpreter in self._interpreters:
            interpreter.poll(t)

    def _transmit(self, frame: Frame, sender: Interpreter) -> None:
        """Send a frame to the bus, and to the other adapters, which are the same node of it."""
        self._bus.transmit(frame, self)
        for interpreter in self._interpreters:
            if interpreter is not sender and interpreter.listening:
                interpreter.receive(frame, sender.t)
