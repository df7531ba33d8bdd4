"""What signals ask of a run: noted by a handler, done by the tick that reads it.

SIGINT, SIGTERM    the end in good order; a second one: the end at once
SIGHUP             reload, where the run can; the end where the terminal of the run has gone; nothing under nohup
SIGUSR1            the statistics
SIGXCPU            of the kernel: a tick of the real-time class lets nobody else work (realtime.py)
"""

import os
import signal
from types import FrameType
from typing import Final

_TERMINAL: Final = "/dev/tty"


class Signals:
    """`stops` counts those that ask for the end; the others are set until somebody clears them."""

    def __init__(self) -> None:
        self.stops = 0
        self.reload = False
        self.statistics = False
        self.sleepless = False

    def catch(self, *, reloads: bool) -> None:
        """From now on signals are noted. `reloads`: SIGHUP asks for a reload."""

        def stop(_number: int, _frame: FrameType | None) -> None:
            self.stops += 1

        def statistics(_number: int, _frame: FrameType | None) -> None:
            self.statistics = True

        def sleepless(_number: int, _frame: FrameType | None) -> None:
            self.sleepless = True

        had_terminal = _has_terminal()

        def hang_up(number: int, frame: FrameType | None) -> None:
            if not reloads or (had_terminal and not _has_terminal()):
                stop(number, frame)
            else:
                self.reload = True

        signal.signal(signal.SIGINT, stop)
        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGUSR1, statistics)
        signal.signal(signal.SIGXCPU, sleepless)
        if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # nohup means it
            signal.signal(signal.SIGHUP, hang_up)


def _has_terminal() -> bool:
    """Whether this process has a controlling terminal (at present)."""
    try:
        os.close(os.open(_TERMINAL, os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return False
    return True
