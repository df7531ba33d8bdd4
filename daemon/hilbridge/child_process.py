"""Starts the processes that stand beside the tick: observer and cockpit.

posix_spawn, which subprocess uses when it need not close descriptors, takes 0.3 ms also from a locked real-time
process, about 1 ms on a fully loaded machine: what a tick pays when a child has died.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from typing import Final

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
inherits them blocked, so that none can reach it before its first line runs."""


def spawn(
    module: str, descriptors: Sequence[int], *arguments: object, stdin: int = subprocess.DEVNULL
) -> subprocess.Popen[bytes]:
    """Runs a module in a process of its own, which inherits `descriptors` and is told their numbers first.

    OSError when it cannot be started.
    """
    command = [sys.executable, "-P", "-m", module, *map(str, (*descriptors, *arguments))]
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, KEPT_AWAY)
    for descriptor in descriptors:
        os.set_inheritable(descriptor, True)
    try:
        return subprocess.Popen(command, stdin=stdin, close_fds=False)
    finally:
        for descriptor in descriptors:
            os.set_inheritable(descriptor, False)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
