"""Tables of commands as plain lines: a cell is never wrapped or cut, so that a pipe finds it whole."""

from collections.abc import Iterable, Sequence

from hilbridge.base.common.terminal import printable


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a line for the names of the columns and one for each row; the last column may be of any width."""
    lines = [columns, *(list(map(printable, row)) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        print("  ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)).rstrip())
