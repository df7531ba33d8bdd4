"""Load of a full bench from outside: a driver on CAN, a tester, and a pedal board at the same time.

The driver starts the engine and then drives: a frame every 10 ms. The tester requests engine speed and vehicle speed by
turns, by OBD-II, 200 times a second. The board sends the pedals every 10 ms. While the daemon is stopped, what the
kernel does not buffer is not sent.
"""

import os
import socket
import threading
import time
from contextlib import ExitStack, suppress
from types import TracebackType
from typing import Final, Self

from hilbridge.runs.benchmarks.daemon import Daemon

from .ports import pedal_port, slcan_port

BUS: Final = "powertrain"

_TURN: Final = 0.005
"""[s]"""

_TIMEOUT: Final = 10.0
"""[s]"""

_CRANKING: Final = 3.0
"""[s] with the key at start."""

_REQUESTS: Final = (b"t7DF802010C0000000000\r", b"t7DF802010D0000000000\r")


class Load:
    """A thread that loads the bench for the duration of a `with` statement."""

    def __init__(self, daemon: Daemon) -> None:
        self._resources: Final = ExitStack()
        with ExitStack() as on_failure:
            on_failure.callback(self._resources.close)
            self._client = socket.create_connection(("127.0.0.1", slcan_port(daemon, BUS)), timeout=_TIMEOUT)
            self._resources.callback(self._client.close)
            self._client.sendall(b"O\r")
            self._client.setblocking(False)
            flags = os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK
            self._board: Final = os.open(pedal_port(daemon), flags)
            self._resources.callback(os.close, self._board)
            on_failure.pop_all()
        self._ended: Final = threading.Event()
        self._thread: Final = threading.Thread(target=self._run, name="load")
        self._unsent = b""

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
                self._discard_received()
                if self._unsent:
                    self._send(b"")
                    continue
                self._send(_REQUESTS[turn % len(_REQUESTS)])
                if turn % 2:
                    cranking = time.monotonic() - begun < _CRANKING
                    self._send(driver_frame(0 if cranking else 20 + turn // 2 % 60, key=int(cranking)))
                    with suppress(BlockingIOError):
                        os.write(self._board, b"throttle=%d clutch=0 key=0\n" % (turn % 1024))

    def _send(self, line: bytes) -> None:
        self._unsent += line
        with suppress(BlockingIOError):
            self._unsent = self._unsent[self._client.send(self._unsent) :]

    def _discard_received(self) -> None:
        with suppress(BlockingIOError):
            while self._client.recv(1 << 16):
                pass


def driver_frame(throttle: int, *, key: int) -> bytes:
    """Return the SLCAN line of a DriverInputs frame of powertrain.dbc in first gear; `throttle` [%]."""
    return b"t1808%02X%014X\r" % (throttle * 5 // 2, (key << 6 | 1) << 8)
