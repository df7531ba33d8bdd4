"""Time that a turn of a lockstep client takes: a frame and the time to it, a frame and the end of its turn from it.

The client does nothing else. Once it is a class in the same process, once a process behind a socket, as firmware is;
beside it the same bytes between two processes, without any of our code: what the change of processes costs here.
"""

import os
import socket
from collections.abc import Callable, Iterator
from functools import partial
from timeit import Timer
from typing import Final

from hilbridge.boundary.lockstep.client import LockstepPeer, PythonClient, SocketClient
from hilbridge.frames.codec.frame import Frame
from hilbridge.runs.benchmarks.child import Samples
from hilbridge.runs.benchmarks.result import Aim, Quantity, Result
from hilbridge.runs.benchmarks.rig import Measurement, Rig

_TURNS: Final = 200
"""In a batch."""

_PATIENCE: Final = 10.0
_HEARD: Final = Frame(0x100, bytes(8))
_SENT: Final = Frame(0x5A0, bytes(1))
_TURN: Final = b"0 t10080000000000000000\ndone 1000000\n"
_ANSWER: Final = b"t5A0100\ndone\n"
_QUANTITIES: Final = {
    "class": Quantity("lockstep_turn_class", "class in Python", "µs"),
    "program": Quantity("lockstep_turn_program", "program behind a socket", "µs", Aim("at most", 30.0)),
    "bare": Quantity("lockstep_turn_bare", "the same bytes, bare", "µs"),
}


class _Unit:
    """Answers each frame with another."""

    def receive(self, _frame: Frame, _t: float) -> list[Frame]:
        return [_SENT]

    def tick(self, _t: float) -> list[Frame]:
        return []


def _answer(connection: socket.socket) -> None:
    """Answer each turn, which comes in one piece, until the other end hangs up."""
    while connection.recv(4096):
        connection.sendall(_ANSWER)


def _take_turn(client: LockstepPeer) -> None:
    client.hear(0, _HEARD)
    client.begin(1_000_000)
    client.finish()


def _exchange(ours: socket.socket) -> None:
    ours.sendall(_TURN)
    ours.recv(4096)


def _durations(call: Callable[[], None], batches: int) -> list[float]:
    return [1e6 * duration / _TURNS for duration in Timer(call).repeat(batches, _TURNS)]


def sample(batches: int) -> Samples:
    """Return the duration of a turn [µs], the mean of each batch."""
    ours, theirs = socket.socketpair()
    process = os.fork()
    if process == 0:
        ours.close()
        try:
            _answer(theirs)
        finally:
            os._exit(0)
    theirs.close()
    program = SocketClient("program", ours, _PATIENCE)
    durations = {
        "class": _durations(partial(_take_turn, PythonClient("class", _Unit())), batches),
        "program": _durations(partial(_take_turn, program), batches),
        "bare": _durations(partial(_exchange, ours), batches),
    }
    ours.close()
    os.waitpid(process, 0)
    return durations


def _measure(rig: Rig) -> Iterator[Result]:
    durations = rig.sample(__file__, rig.effort.batches, rig.default)
    for name, quantity in _QUANTITIES.items():
        yield quantity.median(durations[name], _TURNS * len(durations[name]))


MEASUREMENT: Final = Measurement("turn of a lockstep client", tuple(_QUANTITIES.values()), _measure)
