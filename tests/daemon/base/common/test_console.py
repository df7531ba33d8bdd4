"""What commands print is plain lines where no terminal is."""

import pytest
from rich.table import Table
from rich.text import Text

from hilbridge.base.common.console import make_console


def test_a_pipe_has_no_width(capsys: pytest.CaptureFixture[str]) -> None:
    """A row of a table is a line, however long, and brackets are text."""
    table = Table(box=None, show_header=False)
    table.add_row("[first]" + "x" * 300, "second")
    make_console().print(table)
    (line,) = capsys.readouterr().out.splitlines()
    assert line.split() == ["[first]" + "x" * 300, "second"]


def test_text_acts_on_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Plain, in a table, and with a style; styles of our own still do."""
    table = Table(box=None)
    table.add_column("\x9b2Jcolumn")
    table.add_row(Text("\x1b]0;owned\x07 \u202egnirts", "red"))
    console = make_console()
    console.print(table)
    console.print("\x1b[31mplain", style="bold")
    printed = capsys.readouterr().out
    assert r"\x1b]0;owned" in printed  # a cell is as wide as it was without the escapes
    assert r"\x1b[31mplain" in printed
    assert r"\x9b2Jcolumn" in printed
    assert not set(printed) & set("\x1b\x07\x9b\u202e")
