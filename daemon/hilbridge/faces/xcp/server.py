"""The XCP process: serves one master at a time from the samples of the tick.

    python -m hilbridge.faces.xcp.server MEMORY TICK [PORT] SETUP

All but the last are descriptors: of the samples (bench/xcp/sample_memory.py), of a socket to the tick process, whose
end ends this one, and of the port; of XCP on CAN there is none. What a master writes goes through the bench's own
control socket.
"""

import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

from hilbridge.base.common.errors import quoted
from hilbridge.base.process.child_process import DAEMON_SIGNALS
from hilbridge.base.process.scheduling import become_ordinary
from hilbridge.base.trust.kinds import KEY
from hilbridge.base.trust.user_function import import_function
from hilbridge.bench.xcp.event_channels import event_channels
from hilbridge.bench.xcp.layout import CAN, ETHERNET
from hilbridge.bench.xcp.memory_map import MemoryMap
from hilbridge.bench.xcp.sample_memory import SampleMemory
from hilbridge.faces.xcp.access import KeyFunction
from hilbridge.faces.xcp.calibration import RENEWAL, Calibration
from hilbridge.faces.xcp.command_stream import CommandStream
from hilbridge.faces.xcp.daq import DaqLists
from hilbridge.faces.xcp.description import description_of
from hilbridge.faces.xcp.pages import Pages
from hilbridge.faces.xcp.samples import Samples
from hilbridge.faces.xcp.session import Session
from hilbridge.faces.xcp.setup import Setup
from hilbridge.faces.xcp.slave import Identity, Slave
from hilbridge.faces.xcp.tcp_port import TcpPort
from hilbridge.faces.xcp.udp_port import UdpPort
from hilbridge.faces.xcp.writing import Writing

_LONGEST_WORDS: Final = 300
_ROUND: Final = 0.5
_MEASURING: Final = 0.001
"""[s] between two looks at the samples: a tick is no shorter."""


class Server:
    """The slave of one bench, until the tick process ends."""

    def __init__(self, memory: SampleMemory, port: socket.socket | None, tick: socket.socket, setup: Setup) -> None:
        """`port`: none of XCP on CAN."""
        samples = Samples(memory, 1.0 / (setup.rate * setup.pace))
        memory_map = MemoryMap(setup.entries)
        writing = _writing(setup, self._say)
        self._tick: Final = tick
        tick.setblocking(False)
        slave = Slave(
            memory_map,
            samples,
            DaqLists(
                memory_map, event_channels(setup.rate), ETHERNET if setup.can is None else CAN, stim=writing is not None
            ),
            Identity(setup.bench, lambda: description_of(setup, 0 if port is None else port.getsockname()[1])),
            memory,
            writing=writing,
            key=_key_function(setup.unlock, self._say),
            say=self._say,
        )
        self._session: Final = Session(slave, memory, samples)
        self._port: Final = _opened(setup, port, self._session, memory, self._say)
        self._port.watch(tick)

    def run(self) -> None:
        """Serve until the tick process ends."""
        renewed, waits = time.monotonic(), False
        while self._is_wanted():
            timeout = 0.0 if waits else _MEASURING if self._session.is_measuring else _ROUND
            self._port.poll(timeout)
            waits = self._session.serve()
            self._port.flush()
            if time.monotonic() - renewed >= RENEWAL:
                renewed = time.monotonic()
                self._session.renew()
        self._port.close()

    def _say(self, words: str) -> None:
        """Have the tick process log something; where it has no room for that, it is not logged."""
        with suppress(OSError):
            self._tick.send(words.encode())

    def _is_wanted(self) -> bool:
        """Return whether the tick process is there: it says nothing until it ends."""
        try:
            return bool(self._tick.recv(1))
        except BlockingIOError:
            return True
        except OSError:
            return False


class Port(Protocol):
    """The transport of a slave."""

    def watch(self, other: socket.socket, /) -> None: ...
    def poll(self, timeout: float, /) -> None: ...
    def flush(self) -> None: ...
    def close(self) -> None: ...


def _opened(
    setup: Setup, port: socket.socket | None, session: Session, memory: SampleMemory, say: Callable[[str], None]
) -> Port:
    if setup.can is not None:
        from hilbridge.faces.xcp.can_port import CanPort  # brings python-can along

        return CanPort(setup.can, session, memory, say)
    if port is None:
        raise ValueError("XCP on Ethernet has a port")
    transport = TcpPort if setup.transport == "tcp" else UdpPort
    return transport(port, setup.masters, session, memory)


def _writing(setup: Setup, say: Callable[[str], None]) -> Writing | None:
    """Return what a master may change; None where nothing may be written."""
    if setup.control is None:
        return None
    from hilbridge.client.sync_client import Client  # what a slave that is read-only does not need

    bench, parameters = Client(Path(setup.control)), setup.parameters
    inputs = Calibration(bench, setup.pace, CommandStream(Path(setup.control)))
    return Writing(inputs, None if parameters is None else Pages(parameters, bench, say))


def _key_function(name: str | None, say: Callable[[str], None]) -> KeyFunction | None:
    """Return the function of the bench file; one that can no longer be had unlocks nothing, and that is said."""
    if name is None:
        return None
    try:
        return import_function(name, KEY, ("xcp", "unlock"))
    except BaseException as error:  # noqa: BLE001 - code of the user may raise anything, SystemExit too
        fault = quoted(f"{type(error).__name__}: {error}", _LONGEST_WORDS)
        say(f"key function cannot be had: {fault}")
        return lambda _resource, _seed: None


def main(words: Sequence[str]) -> None:
    """Serve until the daemon ends."""
    signal.pthread_sigmask(signal.SIG_BLOCK, DAEMON_SIGNALS)
    become_ordinary()
    *descriptors, setup = words
    memory, tick, *port = map(int, descriptors)
    Server(
        SampleMemory(memory),
        socket.socket(fileno=port[0]) if port else None,
        socket.socket(fileno=tick),
        Setup.decode(setup),
    ).run()


if __name__ == "__main__":
    main(sys.argv[1:])
