"""The control process: reads what clients of the control socket send, and hands on what the tick has to do.

    python -m hilbridge.boundary.control.server TICK LISTENER PATH MODE DEVICE NUMBER

The first two are descriptors: of a connection to the tick process (exchange.py), and of the socket that listens. The
others say which file that has: where it is gone, it is made again (socket_file.py). A line is
parsed and checked here, however long that takes, and a refusal is answered from here; the tick gets a command in its
shortest form, of LONGEST_COMMAND bytes at most. The steps of a scenario are a line each, so that a tick reads one of
them. Commands that take long whatever their lines are, such as the change of an engine, are handed on a few at a time.
The process ends when the tick process does.
"""

import json
import select
import signal
import socket
import sys
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.token_bucket import TokenBucket
from hilbridge.base.common.units import SECOND
from hilbridge.base.process.child_process import DAEMON_SIGNALS
from hilbridge.base.process.scheduling import become_ordinary
from hilbridge.boundary.control.exchange import ANSWER, COUNTER, LONGEST_PIECE, NOTICE, REQUEST
from hilbridge.boundary.control.lines import worded
from hilbridge.boundary.control.socket_file import WatchedFile
from hilbridge.boundary.links.control_socket import ControlSocket, Reply

if TYPE_CHECKING:
    from hilbridge.boundary.control.commands import Command

LONGEST_COMMAND: Final = 8 << 10
"""[bytes] of a command that is no scenario."""

_DEAR_AT_ONCE: Final = 8
_DEAR_INTERVAL: Final = SECOND // 4
"""[ns] after which one more of the dear commands is handed on."""

_SLOW_READER: Final = 0.005
"""[s] between two attempts to write to a client that does not take its answer."""

_REPORT_EVERY: Final = SECOND // 2
"""[ns] between two reports of clients that were turned away."""


_LOOK: Final = SECOND
"""[ns] between two looks at the file of the socket."""

_LONGEST_NEWS: Final = 1000
"""[bytes]"""


class _Awaited(Reply):
    """An answer that the tick process makes to a request; `is_question`: it changes nothing."""

    __slots__ = ("is_question", "number", "request", "unwanted")

    def __init__(self, number: int, line: bytes, *, is_question: bool) -> None:
        super().__init__()
        self.number: Final = number
        self.request: Final = REQUEST.pack(number) + line
        self.is_question: Final = is_question
        self.unwanted = False

    def abandon(self) -> None:
        self.unwanted = True


class Server:
    """The server between the clients of a control socket and the tick process."""

    def __init__(self, listener: socket.socket, tick: socket.socket, file: WatchedFile | None = None) -> None:
        self._file: Final = file
        self._next_look = 0
        self._socket: Final = ControlSocket(listener)
        self._tick: Final = tick
        self._number = NOTICE
        self._awaited: Final[dict[int, _Awaited]] = {}
        self._unsent: Final[deque[bytes]] = deque()
        self._dear: Final[deque[bytes]] = deque()  # they wait until they may be sent
        self._allowance: Final = TokenBucket(_DEAR_AT_ONCE, 1, _DEAR_INTERVAL)
        self._reported = 0
        self._next_report = 0
        self._poll: Final = select.poll()
        self._poll.register(self._socket.descriptor, select.POLLIN)
        tick.setblocking(False)

    def run(self) -> None:
        """Serve until the tick process ends."""
        while self.serve(None if self._file is None else _LOOK / SECOND):
            self._watch_file()
        self._socket.close()
        if self._file is not None:
            self._file.close()

    def serve(self, patience: float | None) -> bool:
        """Do what is due, or comes within `patience` [s]; None: for however long. Return False: the tick has ended."""
        self._poll.register(self._tick, select.POLLIN | (select.POLLOUT if self._unsent else 0))
        if self._socket.has_line:
            patience = 0.0
        elif self._socket.is_sending:
            patience = _SLOW_READER
        elif self._dear:
            now = time.monotonic_ns()
            patience = (self._allowance.due(now) - now) / SECOND
        elif self._reported != self._socket.statistics.turned_away:
            patience = _REPORT_EVERY / SECOND
        self._poll.poll(None if patience is None else patience * 1000)
        going = self._receive()
        self._socket.poll(self._handle)
        for awaited in [one for one in self._awaited.values() if one.unwanted]:
            del self._awaited[awaited.number]
            if awaited.is_question:
                self._take_back(awaited)
        now = time.monotonic_ns()
        while self._dear and self._allowance.take(now):
            self._unsent.append(self._dear.popleft())
        self._report(now)
        self._send()
        return going

    def _watch_file(self) -> None:
        """Look now and then whether clients still find the socket."""
        now = time.monotonic_ns()
        if self._file is None or now < self._next_look:
            return
        self._next_look = now + _LOOK
        if (listener := self._file.look()) is not None:
            self._socket.exchange(listener)
        if self._file.news:
            notice = REQUEST.pack(NOTICE) + COUNTER.pack(self._socket.statistics.turned_away)
            self._unsent.append(notice + self._file.news.encode(errors="replace")[:_LONGEST_NEWS])
            self._file.news = ""

    def _handle(self, line: bytes, heard: bool) -> bytes | Reply:
        from hilbridge.boundary.control.commands import DEAR, Query, error_text, parse  # loaded for the first client

        try:
            command = parse(line)
            if isinstance(command, Query) and not heard:
                return b""
            short = _shortened(command, json.loads(line))
        except ConfigurationError as error:
            return json.dumps({"error": error_text(error)}).encode()
        self._number += 1
        awaited = self._awaited[self._number] = _Awaited(self._number, short, is_question=isinstance(command, Query))
        queue = self._dear if isinstance(command, DEAR) else self._unsent
        queue.append(awaited.request)
        return awaited

    def _take_back(self, question: _Awaited) -> None:
        """Let the tick not answer a question that no one waits for any more, or not even hear it."""
        if question.request in self._unsent:
            self._unsent.remove(question.request)
        else:
            self._unsent.append(REQUEST.pack(question.number))

    def _receive(self) -> bool:
        """Take the pieces of answers that have come; return False when the tick process has ended."""
        while True:
            try:
                datagram = self._tick.recv(ANSWER.size + LONGEST_PIECE)
            except BlockingIOError:
                return True
            except OSError:
                return False
            if not datagram:
                return False
            number, is_last = ANSWER.unpack_from(datagram)
            if (awaited := self._awaited.get(number)) is not None:
                awaited.pieces.extend(datagram[ANSWER.size :])
                if is_last:
                    if awaited.pieces.startswith(b'{"sought"'):
                        awaited.pieces[:] = json.dumps(worded(json.loads(awaited.pieces))).encode()
                    awaited.is_whole = True
                    del self._awaited[number]

    def _report(self, now: int) -> None:
        """Tell how many clients were turned away, now and then."""
        turned_away = self._socket.statistics.turned_away
        if turned_away != self._reported and now >= self._next_report:
            self._reported, self._next_report = turned_away, now + _REPORT_EVERY
            self._unsent.append(REQUEST.pack(NOTICE) + COUNTER.pack(turned_away))

    def _send(self) -> None:
        while self._unsent:
            try:
                self._tick.send(self._unsent[0])
            except OSError:  # its buffer is full: it takes the rest later, or it has ended
                return
            self._unsent.popleft()


def _shortened(command: "Command", data: dict[str, Any]) -> bytes:
    """Return a command as the tick gets it. ConfigurationError: it is too long for that."""
    from hilbridge.boundary.control.commands import ScenarioStart

    if isinstance(command, ScenarioStart):
        first, *further = data["scenario"]["steps"]
        return b"\n".join(map(_compact, (data | {"scenario": data["scenario"] | {"steps": [first]}}, *further)))
    line = _compact(data)
    if len(line) > LONGEST_COMMAND:
        raise ConfigurationError(f"a running bench takes commands of {LONGEST_COMMAND >> 10} KiB at most")
    return line


def _compact(data: Any) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode()


def main(words: Sequence[str]) -> None:
    """Serve until the daemon ends."""
    signal.pthread_sigmask(signal.SIG_BLOCK, DAEMON_SIGNALS)
    become_ordinary()
    tick, listener, path, mode, device, number = words
    file = WatchedFile(Path(path), int(mode), (int(device), int(number)))
    Server(socket.socket(fileno=int(listener)), socket.socket(fileno=int(tick)), file).run()


if __name__ == "__main__":
    main(sys.argv[1:])
