"""The XCP process: serves one master at a time from the samples of the tick.

    python -m hilbridge.faces.xcp.server MEMORY PORT TICK SETUP

The first three are descriptors: of the samples (bench/xcp/sample_memory.py), of the socket, and of one to the tick
process, whose end ends this one. What a master writes goes through the bench's own control socket.
"""

import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from hilbridge.base.common.errors import quoted
from hilbridge.base.process.child_process import DAEMON_SIGNALS
from hilbridge.base.process.scheduling import become_ordinary
from hilbridge.base.trust.kinds import KEY
from hilbridge.base.trust.user_function import import_function
from hilbridge.bench.xcp.event_channels import event_channels
from hilbridge.bench.xcp.memory_map import MemoryMap
from hilbridge.bench.xcp.sample_memory import SampleMemory
from hilbridge.desk.a2l.file import ENCODING, a2l_of
from hilbridge.desk.a2l.interface import place_of
from hilbridge.faces.xcp.access import KeyFunction
from hilbridge.faces.xcp.calibration import RENEWAL, Calibration
from hilbridge.faces.xcp.samples import Samples
from hilbridge.faces.xcp.session import Session
from hilbridge.faces.xcp.setup import Setup
from hilbridge.faces.xcp.slave import Identity, Slave
from hilbridge.faces.xcp.tcp_port import TcpPort
from hilbridge.faces.xcp.udp_port import UdpPort

_LONGEST_WORDS: Final = 300
_ROUND: Final = 0.5
_MEASURING: Final = 0.001
"""[s] between two looks at the samples: a tick is no shorter."""


class Server:
    """The slave of one bench, until the tick process ends."""

    def __init__(self, memory: SampleMemory, port: socket.socket, tick: socket.socket, setup: Setup) -> None:
        samples = Samples(memory, 1.0 / (setup.rate * setup.pace))
        memory_map = MemoryMap(setup.entries)
        self._tick: Final = tick
        tick.setblocking(False)
        slave = Slave(
            memory_map,
            samples,
            event_channels(setup.rate),
            Identity(setup.bench, lambda: _a2l(setup, port)),
            memory,
            calibration=_calibration(setup),
            key=_key_function(setup.unlock, self._say),
            say=self._say,
        )
        self._session: Final = Session(slave, memory, samples)
        transport = TcpPort if setup.transport == "tcp" else UdpPort
        self._port: Final[TcpPort | UdpPort] = transport(port, setup.masters, self._session, memory)
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


def _a2l(setup: Setup, port: socket.socket) -> bytes:
    place = place_of(setup.transport, setup.address, port.getsockname()[1])
    text = a2l_of(setup.bench, setup.entries, setup.rate, place, write=setup.control is not None)
    return text.encode(ENCODING, "replace")


def _calibration(setup: Setup) -> Calibration | None:
    """Return what writes; None where nothing may be written."""
    if setup.control is None:
        return None
    from hilbridge.client.sync_client import Client  # what a slave that is read-only does not need

    return Calibration(Client(Path(setup.control)), setup.pace)


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
    memory, port, tick, setup = words
    Server(
        SampleMemory(int(memory)),
        socket.socket(fileno=int(port)),
        socket.socket(fileno=int(tick)),
        Setup.decode(setup),
    ).run()


if __name__ == "__main__":
    main(sys.argv[1:])
