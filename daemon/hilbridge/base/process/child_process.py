"""Starts child processes without an ordinary program delaying the tick by that, and ends them.

A process that starts another one waits until its program is loaded (vfork(2)), and a child in the ordinary class may
wait long for a processor on a loaded machine. So a child of a real-time process loads its program in the real-time
class too, at the lowest priority, so that the tick continues first as soon as it can; then the tick puts it into the
ordinary class.
"""

import ctypes
import fcntl
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from functools import partial
from math import inf
from typing import BinaryIO, Final

DAEMON_SIGNALS: Final = (
    signal.SIGINT,
    signal.SIGTERM,
    signal.SIGHUP,
    signal.SIGQUIT,
    signal.SIGUSR1,
    signal.SIGUSR2,
    signal.SIGTTOU,
)
"""Signals that a terminal or a service manager sends to the whole group and that are for the daemon alone. A child
begins with them blocked, so that none reaches it before its first line runs."""

_IGNORED_BY_PYTHON: Final = (signal.SIGPIPE, signal.SIGXFSZ)
_STANDARD: Final = (0, 1, 2)
_OUTPUTS: Final = _STANDARD[1:]
_POLL_INTERVAL: Final = 0.001
_PR_SET_PDEATHSIG: Final = 1


class Child:
    """A child process, with the method names of `subprocess.Popen`. `stdin`: our end of the pipe, if any."""

    def __init__(self, pid: int, stdin: BinaryIO | None = None) -> None:
        self.pid: Final = pid
        self.stdin: Final = stdin
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return None while it runs, then its exit status, or the negative number of the signal that ended it."""
        if self.returncode is None:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            if ended:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def wait(self, timeout: float = inf) -> int:
        """Wait until it has ended and return its exit status; subprocess.TimeoutExpired after `timeout` [s]."""
        until = time.monotonic() + timeout
        while (code := self.poll()) is None:
            if time.monotonic() > until:
                raise subprocess.TimeoutExpired(str(self.pid), timeout)
            time.sleep(_POLL_INTERVAL)
        return code

    def end(self, patience: float) -> None:
        """Wait so long [s] for its end, then kill it."""
        try:
            self.wait(patience)
        except subprocess.TimeoutExpired:
            self.kill()
            self.wait()

    def kill(self) -> None:
        """End it at once, without waiting for that."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)


def spawn(
    module: str,
    descriptors: Sequence[int],
    *arguments: object,
    held: Sequence[int] = (),
    inherit_output: bool = True,
    pipe_input: bool = False,
) -> Child:
    """Run a module in a process of its own, which inherits `descriptors` and gets their numbers as first arguments.

    `held`: descriptors that it inherits without being told; `inherit_output`: it has our standard output and standard
    error; `pipe_input`: its standard input is a pipe, else it is empty. OSError when it cannot be started.
    """
    words = [sys.executable, "-P", "-m", module, *map(str, (*descriptors, *arguments))]
    with ExitStack() as ours, ExitStack() as on_failure:
        nothing = _kept(ours, os.open(os.devnull, os.O_RDWR))
        standard, pipe = [nothing, *(each if inherit_output and _is_open(each) else nothing for each in _OUTPUTS)], None
        if pipe_input:
            reading, writing = os.pipe()
            standard[0], pipe = _kept(ours, reading), _kept(on_failure, writing)
        pid = _spawn(words, standard, (*descriptors, *held))
        on_failure.pop_all()
    return Child(pid, None if pipe is None else os.fdopen(pipe, "wb"))


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def _kept(stack: ExitStack, descriptor: int) -> int:
    """Move a descriptor beyond the numbers of the standard streams; the stack closes it."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 3)
    os.close(descriptor)
    stack.callback(os.close, moved)
    return moved


def _spawn(words: list[str], standard: Sequence[int], descriptors: Sequence[int]) -> int:
    """Start a process and return its number. `standard`: the descriptors of its standard input, output and error."""
    # dup2 of a descriptor onto itself lets it be inherited
    actions = [(os.POSIX_SPAWN_DUP2, ours, theirs) for ours, theirs in zip(standard, _STANDARD, strict=True)]
    actions += [(os.POSIX_SPAWN_DUP2, each, each) for each in descriptors]
    start = partial(
        os.posix_spawn,
        words[0],
        words,
        os.environ,
        file_actions=actions,
        setsigmask=DAEMON_SIGNALS,
        setsigdef=_IGNORED_BY_PYTHON,
    )
    policy = os.sched_getscheduler(0)
    if policy not in (os.SCHED_FIFO, os.SCHED_RR):  # or one with SCHED_RESET_ON_FORK: a child is ordinary then
        return start()
    pid = start(scheduler=(policy, os.sched_param(os.sched_get_priority_min(policy))))
    with suppress(OSError):  # a child that is refused this does it itself, in its first line
        os.sched_setscheduler(pid, os.SCHED_OTHER, os.sched_param(0))
    return pid


def die_with(parent: int, number: int) -> None:
    """Request signal `number` for the end of the thread that started this process (prctl(2)): a child's first line."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, number)
    if os.getppid() != parent:  # the parent died before that
        sys.exit(1)
