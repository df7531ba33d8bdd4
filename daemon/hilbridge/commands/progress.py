"""A progress bar for long commands on a terminal, removed at their end."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

Show = Callable[[float], None]
"""Function that takes how much is done, in the unit of the whole."""

_TIMES: Final = 100
"""Number of times that a bar is drawn; the working thread draws it, since a second one would cost time."""


@contextmanager
def progress_bar(what: str, whole: float, *, unit: str | None = None) -> Iterator[Show]:
    """Show a bar on stderr, where that is a terminal; the amount is shown in `unit` or, without one, in percent."""
    console = Console(stderr=True)
    amount = TaskProgressColumn() if unit is None else TextColumn(f"{{task.completed:.0f}} {unit}")
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), amount)
    with Progress(
        *columns, console=console, transient=True, auto_refresh=False, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task(what, total=whole)
        drawn = 0.0

        def show(done: float) -> None:
            nonlocal drawn
            if done >= drawn + whole / _TIMES:
                drawn = done
                bar.update(task, completed=done, refresh=True)

        yield show
