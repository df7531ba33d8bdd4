"""What commands print is plain lines where no terminal is."""

import pytest
from rich.table import Table

from hilbridge.common.console import make_console


def test_a_pipe_has_no_width(capsys: pytest.CaptureFixture[str]) -> None:
    """A row of a table is a line, however long, and brackets are text."""
    table = Table(box=None, show_header=False)
    table.add_row("[first]" + "x" * 300, "second")
    make_console().print(table)
    (line,) = capsys.readouterr().out.splitlines()
    assert line.split() == ["[first]" + "x" * 300, "second"]
