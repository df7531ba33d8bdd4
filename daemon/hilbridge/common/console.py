"""The console that commands print to: coloured and as wide as the terminal, or plain lines of any length in a pipe."""

from typing import Final

from rich.console import Console

_UNLIMITED: Final = 10_000
"""Characters of a line where there is no terminal: a pipe has no width, and `grep` finds whole lines."""


def make_console(*, markup: bool = False) -> Console:
    """Return the console of the standard output; `markup`: texts in brackets are styles."""
    console = Console(highlight=False, markup=markup)
    if not console.is_terminal:
        console.width = _UNLIMITED
    return console
