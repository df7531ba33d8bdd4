"""The control process as seen from the tick process: opens its socket, starts it, and does what it hands on.

The control process (server.py) reads what clients send, checks it, and hands on commands that are well-formed and
short, one datagram each. So the tick pays for a command, never for a line of a client. The socket that listens
belongs to the tick process, which never reads it: clients that connect while the process is restarted wait.
"""

import socket
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, TypeAlias

from hilbridge.base.common.control_line import LONGEST_LINE
from hilbridge.base.process.child_process import Child, spawn
from hilbridge.base.process.supervised_process import SupervisedProcess
from hilbridge.boundary.control.exchange import ANSWER, COUNTER, LONGEST_PIECE, NOTICE, REQUEST
from hilbridge.boundary.links.client_server import ClientStatistics
from hilbridge.boundary.links.control_socket import SocketFile

Execute: TypeAlias = Callable[[bytes], bytes | Iterator[bytes]]
"""Returns the answer to a line, or the pieces of it, so that no tick has to make all of it."""

_FAREWELL: Final = 1.0
"""[s] Time for the process to write the last answers."""


class ControlProcess(SupervisedProcess):
    """The process that serves the control socket of a run."""

    def __init__(self, path: Path, mode: int) -> None:
        """Open the socket. LinkError when it cannot be made, or when another program serves it."""
        super().__init__()
        self._file: Final = SocketFile(path, mode)
        self._mode: Final = mode
        self.news: Final[deque[str]] = deque(maxlen=16)
        """Events of the socket's file, for the log."""
        self.statistics: Final = ClientStatistics()
        self._ours, self._theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        for one in (self._ours, self._theirs):
            one.setblocking(False)
        self.descriptor: Final = self._ours.fileno()
        """Readable when the process has handed on something."""
        self._answers: Final[deque[tuple[int, Iterator[bytes]]]] = deque()
        self._unsent: Final[deque[bytes]] = deque()
        self._owes_piece = False  # the last turn was that of a command
        self._turned_away = 0  # by earlier processes

    @property
    def path(self) -> Path:
        """Where clients connect."""
        return self._file.path

    @property
    def is_busy(self) -> bool:
        """Answers are still to be made or sent: `serve` has something to do although nothing was handed on."""
        return bool(self._answers or self._unsent)

    def serve(self, execute: Execute, turns: int = 1) -> None:
        """Carry out commands and make answers: each takes a turn, and so does each piece of an answer.

        Commands and answers under way take turns with each other.
        """
        for _ in range(turns):
            if not self._send():
                return
            if self._answers and self._owes_piece:
                self._continue()
            elif self._take(execute):
                self._owes_piece = True
            elif self._answers:
                self._continue()
            else:
                return

    def close(self) -> None:
        """Let the process write the last answers, end it, and remove the socket."""
        self._send()
        self._ours.close()
        self._theirs.close()
        if self._process is not None:
            self._process.end(_FAREWELL)
            self._process = None
        self._file.close()

    def _spawn(self) -> Child:
        descriptors = [self._theirs.fileno(), self._file.listener.fileno()]
        return spawn("hilbridge.boundary.control.server", descriptors, self.path, self._mode, *self._file.identity)

    def _ended(self, process: Child, code: int) -> None:
        """Forget what the process had handed on, whose clients have gone with it."""
        for end in (self._ours, self._theirs):
            while _receive(end) is not None:
                pass
        self._answers.clear()
        self._unsent.clear()
        self._turned_away = self.statistics.turned_away

    def _take(self, execute: Execute) -> bool:
        """Carry out the next command; return whether anything was handed on."""
        datagram = _receive(self._ours)
        if not datagram:
            return False
        (number,) = REQUEST.unpack_from(datagram)
        line = datagram[REQUEST.size :]
        if number == NOTICE:
            self.statistics.turned_away = self._turned_away + COUNTER.unpack_from(line)[0]
            if len(line) > COUNTER.size:
                self.news.append(line[COUNTER.size :].decode(errors="replace"))
        elif line:
            answer = execute(line)
            if isinstance(answer, bytes):
                self._put(number, answer, last=True)
            else:
                self._answers.append((number, answer))
        else:
            for one in [one for one in self._answers if one[0] == number]:
                self._answers.remove(one)
        return True

    def _continue(self) -> None:
        """Make a piece of an answer; that client waits behind the others then."""
        self._owes_piece = False
        number, pieces = self._answers.popleft()
        piece = next(pieces, None)
        if piece is None:
            self._put(number, b"", last=True)
        else:
            if piece:
                self._put(number, piece, last=False)
            self._answers.append((number, pieces))

    def _put(self, number: int, content: bytes, *, last: bool) -> None:
        """Send a piece of an answer, in several datagrams where it is long."""
        starts = range(0, max(1, len(content)), LONGEST_PIECE)
        for start in starts:
            piece = content[start : start + LONGEST_PIECE]
            self._unsent.append(ANSWER.pack(number, last and start == starts[-1]) + piece)
        self._send()

    def _send(self) -> bool:
        """Send what waits; return whether that was all."""
        while self._unsent:
            try:
                self._ours.send(self._unsent[0])
            except OSError:  # its buffer is full, or we are about to learn that it has ended
                return False
            self._unsent.popleft()
        return True


def _receive(end: socket.socket) -> bytes | None:
    try:
        return end.recv(LONGEST_LINE + REQUEST.size)
    except OSError:
        return None
