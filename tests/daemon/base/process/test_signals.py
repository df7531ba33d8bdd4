"""Ctrl-C while a long command is under way."""

import os
import signal

import pytest

from hilbridge.base.process.signals import EXIT_INTERRUPTED, interruption


def test_the_first_is_a_wish_the_second_an_order() -> None:
    """Afterwards Ctrl-C is again what it was before."""
    before = signal.getsignal(signal.SIGINT)
    with interruption() as stop:
        assert not stop.requested
        os.kill(os.getpid(), signal.SIGINT)
        assert stop.requested
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_the_exit_status_is_that_of_a_shell() -> None:
    """128 + the number of the signal, which is 2."""
    assert EXIT_INTERRUPTED == 130
