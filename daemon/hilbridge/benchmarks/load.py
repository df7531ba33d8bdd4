"""All that a full bench hears from outside, at the same time: a driver on CAN, a tester, a pedal board.

The driver starts the engine and then drives: a frame every 10 ms. The tester asks for engine speed and vehicle speed by
turns, by OBD-II, 200 times a second. The board says every 10 ms how the pedals are. While the daemon stands still, what
the kernel has no room for is not sent.
"""

import os
import socket
import threading
import time
from contextlib import ExitStack, suppress
from types import TracebackType
from typing import Final, Self

from hilbridge.benchmarks.daemon import Daemon

BUS: Final = "powertrain"

_TURN: Final = 0.005
"""[s]"""

_PATIENCE: Final = 10.0
"""[s]"""

_CRANKING: Final = 3.0
"""[s] with the key at start."""

_REQUESTS: Final = (b"t7DF802010C0000000000\r", b"t7DF802010D0000000000\r")
_ANSWER: Final = b"t7E8"


class Load:
    """Comes with the `with` statement's begin, and leaves at its end; turns are taken by a thread of its own.

    `asked` and `answered` count the tester's requests and the answers to them.
    """

    def __init__(self, daemon: Daemon) -> None:
        self.asked = 0
        self.answered = 0
        self._resources: Final = ExitStack()
        with ExitStack() as on_failure:
            on_failure.callback(self._resources.close)
            self._client = socket.create_connection(("127.0.0.1", daemon.slcan_port(BUS)), timeout=_PATIENCE)
            self._resources.callback(self._client.close)
            self._client.sendall(b"O\r")
            self._client.setblocking(False)
            flags = os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK
            self._board: Final = os.open(daemon.pedal_port(), flags)
            self._resources.callback(os.close, self._board)
            on_failure.pop_all()
        self._ended: Final = threading.Event()
        self._thread: Final = threading.Thread(target=self._run, name="load")
        self._unsent = b""
        self._rest = b""

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()
        self._resources.close()

    def _run(self) -> None:
        begun, turn = time.monotonic(), 0
        with suppress(ConnectionError):  # the daemon has ended
            while not self._ended.wait(_TURN):
                turn += 1
                self._listen()
                if self._unsent:
                    self._send(b"")
                    continue
                self._send(_REQUESTS[turn % len(_REQUESTS)])
                self.asked += 1
                if turn % 2:
                    cranking = time.monotonic() - begun < _CRANKING
                    self._send(driver_frame(0 if cranking else 20 + turn // 2 % 60, key=int(cranking)))
                    with suppress(BlockingIOError):
                        os.write(self._board, b"throttle=%d clutch=0 key=0\n" % (turn % 1024))

    def _send(self, line: bytes) -> None:
        self._unsent += line
        with suppress(BlockingIOError):
            self._unsent = self._unsent[self._client.send(self._unsent) :]

    def _listen(self) -> None:
        with suppress(BlockingIOError):
            while data := self._client.recv(1 << 16):
                *lines, self._rest = (self._rest + data).split(b"\r")
                self.answered += sum(line.startswith(_ANSWER) for line in lines)


def driver_frame(throttle: int, *, key: int) -> bytes:
    """The line of a DriverInputs frame of powertrain.dbc; `throttle` [%]; in first gear."""
    return b"t1808%02X%014X\r" % (throttle * 5 // 2, (key << 6 | 1) << 8)
