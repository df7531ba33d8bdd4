"""Starts the processes that stand beside the tick, and lets no ordinary program delay the tick by that. How they end.

Whoever starts a process waits until its program is loaded (vfork(2)). A child in the ordinary class may not get a
processor for long: on a fully loaded machine this was 4 ms of every tenth start, and 84 ms once. So a child of a
real-time process loads its program in the real-time class too, at the lowest priority, which the tick overtakes as soon
as it can go on; then the tick puts it into the ordinary class. That takes 0.3 to 0.5 ms, at any load.
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

KEPT_AWAY: Final = (
    signal.SIGINT,
    signal.SIGTERM,
    signal.SIGHUP,
    signal.SIGQUIT,
    signal.SIGUSR1,
    signal.SIGUSR2,
    signal.SIGTTOU,
)
"""Signals that a terminal or a service manager sends to the whole group and that are for the daemon alone. A child
begins with them blocked, so that none can reach it before its first line runs."""

_IGNORED_BY_PYTHON: Final = (signal.SIGPIPE, signal.SIGXFSZ)
_STANDARD: Final = (0, 1, 2)
_OUTPUTS: Final = _STANDARD[1:]
_NAP: Final = 0.001
_PR_SET_PDEATHSIG: Final = 1


class Child:
    """A process that was started here, with the names of `subprocess.Popen`. `stdin`: our end of the pipe, if any."""

    def __init__(self, pid: int, stdin: BinaryIO | None = None) -> None:
        self.pid: Final = pid
        self.stdin: Final = stdin
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """None while it runs; then its exit status, or the number of the signal that ended it, negative."""
        if self.returncode is None:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            if ended:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def wait(self, timeout: float = inf) -> int:
        """The same, when it has ended; subprocess.TimeoutExpired when it has not after `timeout` [s]."""
        until = time.monotonic() + timeout
        while (code := self.poll()) is None:
            if time.monotonic() > until:
                raise subprocess.TimeoutExpired(str(self.pid), timeout)
            time.sleep(_NAP)
        return code

    def kill(self) -> None:
        """It is to end at once, wherever it is; nobody waits here."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)


def spawn(
    module: str, descriptors: Sequence[int], *arguments: object, talks: bool = True, listens: bool = False
) -> Child:
    """Runs a module in a process of its own, which inherits `descriptors` and is told their numbers first.

    `talks`: it has our standard output and standard error; `listens`: its standard input is a pipe, else there is
    nothing to read. OSError when it cannot be started.
    """
    words = [sys.executable, "-P", "-m", module, *map(str, (*descriptors, *arguments))]
    with ExitStack() as ours, ExitStack() as on_failure:
        nothing = _kept(ours, os.open(os.devnull, os.O_RDWR))
        standard, pipe = [nothing, *(each if talks and _is_open(each) else nothing for each in _OUTPUTS)], None
        if listens:
            reading, writing = os.pipe()
            standard[0], pipe = _kept(ours, reading), _kept(on_failure, writing)
        pid = _spawn(words, standard, descriptors)
        on_failure.pop_all()
    return Child(pid, None if pipe is None else os.fdopen(pipe, "wb"))


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def _kept(stack: ExitStack, descriptor: int) -> int:
    """The same beyond the three of the standard streams, whose places are not free for it; closed by the stack."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 3)
    os.close(descriptor)
    stack.callback(os.close, moved)
    return moved


def _spawn(words: list[str], standard: Sequence[int], descriptors: Sequence[int]) -> int:
    """`standard`: what becomes of standard input, output and error. The number of the process."""
    # dup2 of a descriptor onto itself lets it be inherited
    actions = [(os.POSIX_SPAWN_DUP2, ours, theirs) for ours, theirs in zip(standard, _STANDARD, strict=True)]
    actions += [(os.POSIX_SPAWN_DUP2, each, each) for each in descriptors]
    start = partial(
        os.posix_spawn,
        words[0],
        words,
        os.environ,
        file_actions=actions,
        setsigmask=KEPT_AWAY,
        setsigdef=_IGNORED_BY_PYTHON,
    )
    policy = os.sched_getscheduler(0)
    if policy not in (os.SCHED_FIFO, os.SCHED_RR):  # or either with SCHED_RESET_ON_FORK: a child is ordinary then
        return start()
    pid = start(scheduler=(policy, os.sched_param(os.sched_get_priority_min(policy))))
    with suppress(OSError):  # a child that is refused this does it itself, in its first line
        os.sched_setscheduler(pid, os.SCHED_OTHER, os.sched_param(0))
    return pid


def die_with(parent: int, number: int) -> None:
    """For the first line of a child: it gets signal `number` when the thread that started it ends (prctl(2))."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, number)
    if os.getppid() != parent:  # it died before it could be watched
        sys.exit(1)
