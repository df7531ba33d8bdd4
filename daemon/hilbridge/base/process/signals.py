"""The signals of a process: noted by a handler, acted on by the code that reads the note.

run        SIGINT, SIGTERM    the end in good order; a second one: the end at once
SIGHUP             a reload, where the run can; the end where the terminal of the run has gone; nothing
under nohup
SIGUSR1            the statistics
SIGXCPU            by the kernel: a tick of the real-time class never sleeps (runs/run/realtime.py)
others     SIGINT             the end at the next good moment, with what the command has by then; a second one: the
end at once
"""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from hilbridge.base.clock import StopRequest

EXIT_INTERRUPTED: Final = 128 + signal.SIGINT
"""The exit status of a command that Ctrl-C ended, as a shell would give it."""

_TERMINAL: Final = "/dev/tty"


class Signals:
    """The signals of a run. `stops` counts those that ask for the end; the flags stay set until they are cleared.

    `noted`: one has come since the beginning of the run.
    """

    def __init__(self) -> None:
        self.noted = False
        self.stops = 0
        self.reload = False
        self.statistics = False
        self.sleepless = False

    def catch(self, *, reloads: bool) -> None:
        """Note signals from now on. `reloads`: SIGHUP asks for a reload."""

        def stop(_number: int, _frame: FrameType | None) -> None:
            self.stops += 1
            self.noted = True

        def statistics(_number: int, _frame: FrameType | None) -> None:
            self.statistics = self.noted = True

        def sleepless(_number: int, _frame: FrameType | None) -> None:
            self.sleepless = self.noted = True

        had_terminal = _has_terminal()

        def hang_up(number: int, frame: FrameType | None) -> None:
            if not reloads or (had_terminal and not _has_terminal()):
                stop(number, frame)
            else:
                self.reload = self.noted = True

        signal.signal(signal.SIGINT, stop)
        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGUSR1, statistics)
        signal.signal(signal.SIGXCPU, sleepless)
        if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # set by nohup
            signal.signal(signal.SIGHUP, hang_up)


@contextmanager
def interruption() -> Iterator[StopRequest]:
    """Note Ctrl-C in the request that is returned, instead of raising KeyboardInterrupt; a second one raises it."""
    stop = StopRequest()

    def note(_number: int, _frame: FrameType | None) -> None:
        stop.requested = True
        signal.signal(signal.SIGINT, signal.default_int_handler)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


def _has_terminal() -> bool:
    """Return whether this process has a controlling terminal at present."""
    try:
        os.close(os.open(_TERMINAL, os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return False
    return True
