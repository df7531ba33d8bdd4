"""The lockstep clients of a run on the virtual clock: each has its turn before a tick goes on.

At the beginning of the tick of time T, a client is told every frame that was on its bus before, each with the time of
its tick, and that it is T; what it sends in this turn is on the bus at T. Turns begin and end in the order of the
names, whatever the order in which programs answer, so that the same clients give the same run to the byte. What they
send is recorded as frames from outside: a replay needs no client.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from hilbridge.base.common.units import SECOND
from hilbridge.base.common.words import counted
from hilbridge.boundary.fmu.opening import start
from hilbridge.boundary.links.embedded import EmbeddedLink
from hilbridge.boundary.links.input_port import InputPort
from hilbridge.boundary.links.link import Link, LinkStatistics
from hilbridge.boundary.links.serial_output import OutputPort
from hilbridge.boundary.lockstep.client import ClientError, LockstepPeer, SocketClient
from hilbridge.boundary.lockstep.opening import accept, listen, start_firmware, start_program, start_python
from hilbridge.boundary.lockstep.pins import Pins
from hilbridge.boundary.lockstep.program import Said
from hilbridge.files.settings import PORT_INPUTS, BenchSettings, BoardInput
from hilbridge.files.settings.boards import LOCKSTEP
from hilbridge.files.settings.common import in_whole_ticks
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import Frame


class _Place(NamedTuple):
    """A client, its bus, and the ticks from one of its turns to the next."""

    client: LockstepPeer
    bus: str
    ticks: int


class _Watch:
    """How long a client may be silent: `since` [ns] it has been."""

    def __init__(self, limit: int) -> None:
        """`limit` in ticks."""
        self.limit: Final = limit
        self.since = 0
        self.driven = 0


class Lockstep:
    """The clients of a bench, and the links of their buses.

    `failure`: why one is lost, with which the run ends; `said`: what firmware has printed since its owner took it.
    """

    def __init__(
        self,
        places: Iterable[_Place] = (),
        settings: BenchSettings | None = None,
        said: list[Said] | None = None,
        pins: Mapping[str, Pins] = MappingProxyType({}),
    ) -> None:
        """`pins`: of clients, by the name of their board."""
        self.failure: ClientError | None = None
        self.said: Final = [] if said is None else said
        self._places: Final = sorted(places, key=lambda place: place.client.name)
        self._period: Final = 1 if settings is None else settings.period
        self._pins: Final = pins
        inputs = () if settings is None else (one for one in settings.inputs if isinstance(one, PORT_INPUTS))
        self._inputs: Final = [one.board if isinstance(one, BoardInput) else None for one in inputs]
        self._settings: Final = settings
        self._before_fmus: Final = len(self._inputs) + (0 if settings is None else len(settings.lines))
        clients = {} if settings is None else settings.lockstep
        self._watches: Final = {name: _Watch(one.silence) for name, one in clients.items() if one.silence is not None}
        self._of_clients: Final = {name: pins[one.board] for name, one in clients.items() if one.board is not None}
        self._links: Final[dict[str, LockstepLink]] = {}
        self._t = -1
        self._closed = False

    @classmethod
    def open(cls, settings: BenchSettings, folder: Path) -> "Lockstep":
        """Start the clients of a bench file in `folder`, and wait for those that another program starts.

        ConfigurationError, with the key path: one cannot be started, or has not come.
        """
        with ExitStack() as stack:
            listening = {}
            for name, one in settings.lockstep.items():
                if one.socket is not None:
                    listening[name] = stack.enter_context(listen(name, one))
                    stack.callback(Path(one.socket).unlink, missing_ok=True)
            said: list[Said] = []
            with ExitStack() as started:
                places = []
                pins = {board: Pins(board, one) for board, one in settings.boards.items() if one.port == LOCKSTEP}
                for name, one in sorted(settings.lockstep.items()):
                    clients: Sequence[LockstepPeer]
                    own = None if one.board is None else pins[one.board]
                    if one.python is not None:
                        clients = [start_python(name, one)]
                    elif one.program is not None:
                        clients = [start_program(name, one, folder, own)]
                    elif one.firmware is not None:
                        clients = start_firmware(name, one, folder, said, own)
                    else:
                        clients = [accept(name, one, listening[name], own)]
                    ticks = 1 if one.every is None else in_whole_ticks(one.every, settings.period) // settings.period
                    for client, bus in zip(clients, one.buses, strict=True):
                        started.callback(client.close)
                        if isinstance(client, SocketClient):
                            client.greet(bus, ticks * settings.period)
                        places.append(_Place(client, bus, ticks))
                started.pop_all()
        return cls(places, settings, said, pins)

    def link(self, bus: Bus) -> Link:
        """Make the link of a bus: an embedded one without a way in, where no client is."""
        clients = [place.client for place in self._places if place.bus == bus.name]
        if not clients:
            return EmbeddedLink(bus)
        self._links[bus.name] = link = LockstepLink(bus, clients, self.take_turns, self.close)
        return link

    def input_port(self, number: int) -> InputPort | None:
        """Return the port of input `number`, counted among those with a port, if it reads what a client drives."""
        board = self._inputs[number] if number < len(self._inputs) else None
        if board is not None and board in self._pins:
            return self._pins[board].input
        return self._fmu_port(number - self._before_fmus)

    def _fmu_port(self, number: int) -> InputPort | None:
        """Start FMU `number`, and wait for its answers from then on. ConfigurationError, LinkError: as of `start`."""
        if self._settings is None or number < 0:
            return None
        port = start([*self._settings.fmu][number], self._settings, waits=True)
        port.lost = lambda verdict, words: self._fail(ClientError(verdict, words), self._when(self._t))
        return port

    def output_port(self, name: str) -> OutputPort | None:
        """Return the port of a board, if it is the pins of a client."""
        return self._pins[name].board if name in self._pins else None

    def take_turns(self, t: int) -> None:
        """Have the turns that are due at `t` [ns], once; a client that is lost is the `failure`, and no frame comes."""
        if t == self._t or self.failure is not None:
            return
        self._t = t
        due = [place for place in self._places if t // self._period % place.ticks == 0]
        try:
            for place in due:
                place.client.begin(t)
            sent = [(place, place.client.finish()) for place in due]
        except ClientError as error:
            self._fail(error, self._when(t))
            return
        for place, frames in sent:
            for frame in frames:
                self._links[place.bus].arrive(t, frame, place.client)
        if self._watches:
            self._watch(t, {place.client.name for place, frames in sent if frames})

    def _watch(self, t: int, heard: Collection[str]) -> None:
        """Look for clients that have been silent for too long; `heard`: those that have sent a frame."""
        for name, watch in self._watches.items():
            driven = self._of_clients[name].driven if name in self._of_clients else 0
            if name in heard or driven != watch.driven:
                watch.since, watch.driven = t, driven
            elif t - watch.since >= watch.limit * self._period:
                words = f"lockstep client {name} has been silent for {counted(watch.limit, 'tick')}"
                self._fail(ClientError("hung", words), self._when(t))
                return

    def _when(self, t: int) -> str:
        return f"in tick {t // self._period:,} at {t / SECOND:.9g} s"

    def close(self) -> None:
        """End all clients; one that does not end well is the `failure`, if there is none yet."""
        if not self._closed:
            self._closed = True
            for place in self._places:
                error = place.client.close()
                if error is not None and self.failure is None:
                    self._fail(error, "after the end of the run")

    def _fail(self, error: ClientError, when: str) -> None:
        words = "; ".join([f"{error}, {when}", *filter(None, [error.last])])
        self.failure = ClientError(error.verdict, words)
        for link in self._links.values():
            link.trouble = words


class LockstepLink:
    """The wire of a bus with lockstep clients: they hear the bench and each other."""

    descriptor: Final = None

    def __init__(
        self, bus: Bus, clients: list[LockstepPeer], take_turns: Callable[[int], None], close: Callable[[], None]
    ) -> None:
        self.statistics = LinkStatistics(connected=len(clients))
        self.trouble = ""
        self.close: Final = close
        self._bus: Final = bus
        self._clients: Final = clients
        self._take_turns: Final = take_turns
        self._arrived: list[Frame] = []

    def accepts(self, can_id: int) -> bool:
        return True

    def arrive(self, t: int, frame: Frame, sender: LockstepPeer) -> None:
        """Take a frame of a client: for the bench, and for the other clients of this bus in their next turns."""
        self._arrived.append(frame)
        for client in self._clients:
            if client is not sender:
                client.hear(t, frame)

    def poll(self, t: int) -> None:
        self._take_turns(t)
        self.statistics.received += len(self._arrived)
        for frame in self._arrived:
            self._bus.transmit(frame, self)
        self._arrived.clear()

    def receive(self, frame: Frame, t: int) -> None:
        self.statistics.sent += len(self._clients)
        for client in self._clients:
            client.hear(t, frame)

    def flush(self, t: int) -> None:
        """Do nothing: what was on the bus is told with the next turn."""

    def describe(self) -> str:
        return f"in lockstep with {', '.join(client.name for client in self._clients)}"
