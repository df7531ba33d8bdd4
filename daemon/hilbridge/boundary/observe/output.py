"""Output of text that never blocks and never fails.

A stopped terminal, a pipe that is not read, a reader that has ended and a full disk are all the same to the caller:
text waits in a bounded queue, what does not fit is dropped and counted, and the run continues.

Non-blocking mode belongs to the open file, which this process shares with its parent and perhaps with a shell. So
terminals and pipes are opened a second time for this process alone; sockets (the journal) have a flag for each send;
files do not block.
"""

import contextlib
import errno
import os
import select
import socket
import stat
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Final

QUEUE: Final = 1 << 18
"""[byte] Size of the queue."""

_PIECE: Final = 1 << 16
_LATER: Final = (errno.EAGAIN, errno.EINTR)
_GONE: Final = (errno.EPIPE, errno.ECONNRESET, errno.EIO, errno.EBADF)
_DEFAULT_WIDTH: Final = 80


class Output:
    """A queue of text in front of a descriptor.

    `dropped` counts the pieces of text that were not written; `gone` is the reason why the descriptor cannot be
    written to any more, empty while it can. `announce` is called once with that reason.
    """

    def __init__(self, descriptor: int, announce: Callable[[str], None] | None = None) -> None:
        self.dropped = 0
        self._announce = announce
        self.gone = ""
        self.is_terminal = False
        self.is_journal = is_journal(descriptor)
        self._queue: deque[bytes] = deque()
        self._waiting = 0
        self._descriptor = descriptor
        self._socket: socket.socket | None = None
        self._own = contextlib.ExitStack()
        try:
            self._open(descriptor)
        except OSError as error:
            self._give_up(error)

    @property
    def width(self) -> int:
        """Number of columns of the terminal."""
        try:
            return os.get_terminal_size(self._descriptor).columns or _DEFAULT_WIDTH
        except OSError:
            return _DEFAULT_WIDTH

    def write(self, text: str) -> None:
        """Queue a piece of text, and write as much as the other end takes at once."""
        data = text.encode(errors="replace")
        if self.gone or self._waiting + len(data) > QUEUE:
            self.dropped += 1
            return
        self._queue.append(data)
        self._waiting += len(data)
        self.flush()

    def flush(self) -> bool:
        """Write as much as the other end takes at once; return whether the queue is empty."""
        while self._queue:
            data = self._queue[0]
            try:
                taken = self._send(data[:_PIECE])
            except OSError as error:
                if error.errno not in _LATER:
                    self._give_up(error)
                break
            self._waiting -= taken
            if taken == len(data):
                self._queue.popleft()
            else:
                self._queue[0] = data[taken:]
        return not self._queue

    def close(self, seconds: float) -> None:
        """Give the other end some time to take the rest. The descriptor given to this object stays open."""
        deadline = time.monotonic() + seconds
        poll = select.poll()
        poll.register(self._descriptor, select.POLLOUT)
        while not self.flush() and time.monotonic() < deadline:
            poll.poll(50)
        self._own.close()

    def _open(self, descriptor: int) -> None:
        mode = os.fstat(descriptor).st_mode
        self.is_terminal = os.isatty(descriptor)
        if stat.S_ISSOCK(mode):
            self._socket = self._own.enter_context(socket.socket(fileno=os.dup(descriptor)))
        elif self.is_terminal or stat.S_ISFIFO(mode):
            # If it may not be opened a second time, the shared descriptor is used; it may block, but it does not fail.
            with contextlib.suppress(OSError):
                flags = os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
                self._descriptor = os.open(f"/proc/self/fd/{descriptor}", flags)
                self._own.callback(os.close, self._descriptor)

    def _send(self, data: bytes) -> int:
        if self._socket is not None:
            return self._socket.send(data, socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL)
        return os.write(self._descriptor, data)

    def _give_up(self, error: OSError) -> None:
        if error.errno in _GONE and not self.gone:
            self.gone = os.strerror(error.errno or 0)
            if self._announce is not None:
                self._announce(f"hilbridge: nothing more is printed: {self.gone}\n")
        self.dropped += len(self._queue)
        self._queue.clear()
        self._waiting = 0


def is_journal(descriptor: int, environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether a descriptor leads to the journal: $JOURNAL_STREAM has its device and inode (systemd.exec(5))."""
    try:
        status = os.fstat(descriptor)
    except OSError:
        return False
    return environment.get("JOURNAL_STREAM") == f"{status.st_dev}:{status.st_ino}"
