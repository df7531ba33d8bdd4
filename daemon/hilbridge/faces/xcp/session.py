"""The session of the slave: one peer at a time has it, its DAQ lists are served, all others are refused politely.

A refused CONNECT is answered by ERR_RESOURCE_TEMPORARY_NOT_ACCESSIBLE; whatever else a peer without a session sends has
no answer, as the standard has it, and is counted.
"""

from typing import Final, Protocol

from hilbridge.bench.xcp.sample_memory import SLOTS, SampleMemory
from hilbridge.faces.xcp.packets import (
    EV,
    EV_DAQ_OVERLOAD,
    EV_SESSION_TERMINATED,
    FIRST_COMMAND,
    Command,
    Error,
    negative,
)
from hilbridge.faces.xcp.samples import Samples
from hilbridge.faces.xcp.slave import Slave

AT_ONCE: Final = 256
"""Samples that are served before commands have their turn again."""


class Peer(Protocol):
    """One end of the transport."""

    @property
    def name(self) -> str:
        """Its address, for people."""

    @property
    def host(self) -> str:
        """The IP address of its machine."""

    @property
    def has_room(self) -> bool:
        """Whether packets of DAQ lists may be sent."""

    def gives_way_to(self, other: "Peer") -> bool:
        """Return whether another peer may take its session over: it is not known to be there any more."""

    def send(self, packet: bytes) -> bool:
        """Send a packet; return False if it is lost."""


class Session:
    """The slave and its master, if there is one."""

    def __init__(self, slave: Slave, memory: SampleMemory, samples: Samples) -> None:
        self.master: Peer | None = None
        self._slave: Final = slave
        self._memory: Final = memory
        self._samples: Final = samples
        self._next = 0  # number of the sample that is served next
        self._overloaded = False

    @property
    def is_measuring(self) -> bool:
        """Whether DAQ lists run."""
        return self.master is not None and self._slave.lists.running > 0

    def take(self, peer: Peer, packet: bytes) -> None:
        """Take a packet, which is not empty, of a peer."""
        if packet[0] == Command.CONNECT:
            self._connect(peer)
        elif peer is not self.master:
            self._memory.count("ignored")
        elif packet[0] < FIRST_COMMAND:
            self._slave.stimulate(packet)
        else:
            was_measuring = self.is_measuring
            peer.send(self._slave.answer(packet))
            if self.is_measuring and not was_measuring:
                self._next, self._overloaded = self._memory.ring.newest + 1, False
            if not self._slave.connected:
                self.master = None
            self._show()

    def left(self, peer: Peer) -> None:
        """End the session of a peer that is gone, if it has one."""
        if peer is self.master:
            self._slave.end()
            self.master = None
            self._show()

    def give_back(self, peer: Peer) -> None:
        """Give back what a peer has written, if it has the session, which goes on."""
        if peer is self.master:
            self._slave.give_back()

    def renew(self) -> None:
        """Hold what the master has written; called once a second."""
        self._slave.renew()

    def serve(self) -> bool:
        """Send what DAQ lists have sampled since the last call; return whether more waits."""
        ring = self._memory.ring
        newest = ring.newest
        until = min(newest, self._next + AT_ONCE - 1)
        while self.master is not None and self.is_measuring and self._next <= until:
            sample = ring.at(self._next)
            if sample is None and ring.newest - self._next < SLOTS - 1:
                return False  # its number was seen before its content: not yet
            if sample is None:  # the tick has gone round: this process had no processor for that long
                fresh = max(self._next + 1, ring.newest - SLOTS // 2)
                self._lose((fresh - self._next) * self._slave.lists.running)
                self._next = fresh
                continue
            self._next += 1
            self._send_lists(self.master, sample)
        return self.is_measuring and self._next <= newest

    def _send_lists(self, master: Peer, sample: bytes) -> None:
        for packets in self._slave.sample(sample):
            if not master.has_room:
                self._lose(1)
                continue
            if self._overloaded:
                self._overloaded = not master.send(bytes((EV, EV_DAQ_OVERLOAD)))
            if all(map(master.send, packets)):
                self._memory.count("sent")
            else:
                self._lose(1)
        for packet in self._slave.news():
            master.send(packet)

    def _lose(self, samples: int) -> None:
        """Count samples that the master does not get; it is told by an event as soon as it has room."""
        self._memory.count("overruns", samples)
        self._overloaded = True

    def _connect(self, peer: Peer) -> None:
        before = self.master
        if before is not None and peer is not before:
            if not before.gives_way_to(peer):
                self._memory.count("refused")
                peer.send(negative(Error.RESOURCE_TEMPORARY_NOT_ACCESSIBLE))
                return
            before.send(bytes((EV, EV_SESSION_TERMINATED)))
        answer = self._slave.connect(peer.name)
        self.master = peer
        self._samples.begin()
        self._show()
        self._samples.await_next()
        peer.send(answer)

    def _show(self) -> None:
        self._memory.write("wanted", int(self.master is not None))
        self._memory.write("lists", self._slave.lists.running)
