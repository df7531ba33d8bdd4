"""The ELM327s on one bus: each client has one of its own, as if it had just been plugged in."""

from collections.abc import Callable
from typing import Final

from hilbridge.bus.bus import Bus
from hilbridge.codec.frame import Frame
from hilbridge.diagnostics.elm327.interpreter import Interpreter
from hilbridge.diagnostics.elm327.session import Connector
from vehiclesim.databus import DataBus


class Adapters:
    """A node of `bus` for all of them. `usable` says whether a frame would go out at present (`Link.accepts`)."""

    def __init__(
        self, bus: Bus, data: DataBus, bitrate: int = 500_000, usable: Callable[[int], bool] = lambda _: True
    ) -> None:
        self._bus: Final = bus
        self._data: Final = data
        self._bitrate: Final = bitrate
        self._usable: Final = usable
        self._interpreters: Final[list[Interpreter]] = []
        bus.attach(self)

    def plug_in(self) -> Interpreter:
        """An interpreter for a client that has come."""
        connector = Connector(self._bitrate, lambda frame: self._transmit(frame, interpreter), self._usable, self._data)
        interpreter = Interpreter(connector)
        self._interpreters.append(interpreter)
        return interpreter

    def unplug(self, interpreter: Interpreter) -> None:
        """Its client has gone."""
        self._interpreters.remove(interpreter)

    def receive(self, frame: Frame, t: int) -> None:
        """Takes a frame of the bus."""
        for interpreter in self._interpreters:
            if interpreter.listening:
                interpreter.receive(frame, t)

    def poll(self, t: int) -> None:
        """Once a tick."""
        for interpreter in self._interpreters:
            interpreter.poll(t)

    def _transmit(self, frame: Frame, sender: Interpreter) -> None:
        """To the bus, and to the other clients, who are the same node."""
        self._bus.transmit(frame, self)
        for interpreter in self._interpreters:
            if interpreter is not sender and interpreter.listening:
                interpreter.receive(frame, sender.t)
