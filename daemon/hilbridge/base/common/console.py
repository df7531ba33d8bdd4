"""The console that commands print to: coloured and as wide as the terminal, or plain lines of any length in a pipe."""

from collections.abc import Iterable
from typing import Final

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from hilbridge.base.common.terminal import printable_lines

_UNLIMITED: Final = 10_000
"""Characters of a line where there is no terminal: a pipe has no width, and `grep` finds whole lines."""


class _Console(Console):
    """A console on which text acts on nothing: names and comments of files, what a device or a bench calls itself."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else printable_lines(text), style, control)


def make_console(*, markup: bool = False) -> Console:
    """Return the console of the standard output; `markup`: texts in brackets are styles."""
    console = _Console(highlight=False, markup=markup)
    if not console.is_terminal:
        console.width = _UNLIMITED
    return console
