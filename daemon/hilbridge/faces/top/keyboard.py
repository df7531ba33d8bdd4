"""Keyboard input key by key, without waiting for the end of a line."""

import os
import select
import sys
import termios
import tty
from types import TracebackType
from typing import Final, Self

UP: Final = "up"
DOWN: Final = "down"
PAGE_UP: Final = "page up"
PAGE_DOWN: Final = "page down"

_SEQUENCES: Final = {
    b"\x1b[A": UP,
    b"\x1bOA": UP,
    b"\x1b[B": DOWN,
    b"\x1bOB": DOWN,
    b"\x1b[5~": PAGE_UP,
    b"\x1b[6~": PAGE_DOWN,
}
"""Sequences that terminals send for keys without a character: those of xterm, which all others follow."""

_LONGEST: Final = 64


class Keyboard:
    """The terminal at standard input, its lines unbuffered and its echo off until `with` is left."""

    def __init__(self) -> None:
        self._descriptor: Final = sys.stdin.fileno()
        self._before: Final = termios.tcgetattr(self._descriptor)

    def __enter__(self) -> Self:
        tty.setcbreak(self._descriptor)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        termios.tcsetattr(self._descriptor, termios.TCSADRAIN, self._before)

    def wait(self, seconds: float) -> list[str]:
        """Return the keys pressed within that time, as soon as there is one. EOFError: the terminal is gone."""
        if not select.select([self._descriptor], [], [], seconds)[0]:
            return []
        pressed = os.read(self._descriptor, _LONGEST)
        if not pressed:
            raise EOFError
        return parse(pressed)


def parse(pressed: bytes) -> list[str]:
    """Return the names of keys, or their characters; unknown sequences are left out."""
    keys = []
    while pressed:
        sequence = next((one for one in _SEQUENCES if pressed.startswith(one)), b"")
        if sequence:
            keys.append(_SEQUENCES[sequence])
        elif pressed[:1] == b"\x1b":
            break
        else:
            keys.append(chr(pressed[0]))
        pressed = pressed[len(sequence) or 1 :]
    return keys
