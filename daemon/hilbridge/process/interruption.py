"""Ctrl-C as a wish: a long command ends at its next good moment, and tells what it has.

A second one, of whoever cannot wait for that moment, ends it where it is.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from hilbridge.loop import StopRequest

EXIT_INTERRUPTED: Final = 128 + signal.SIGINT
"""The exit status, as a shell would give it."""


@contextmanager
def interruption() -> Iterator[StopRequest]:
    """Within it Ctrl-C is noted."""
    stop = StopRequest()

    def note(_number: int, _frame: FrameType | None) -> None:
        stop.requested = True
        signal.signal(signal.SIGINT, signal.default_int_handler)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)
