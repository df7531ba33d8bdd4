"""The table of `hilbridge benchmark`."""

from io import StringIO

from rich.console import Console

from hilbridge.runs.benchmarks.report import Finished, show
from hilbridge.runs.benchmarks.result import Aim, Quantity
from hilbridge.runs.benchmarks.suite import MEASUREMENTS

MACHINE = {
    **dict.fromkeys(("hilbridge", "python", "kernel", "architecture", "load_average"), "1"),
    "processors": 2,
    "processor": "a processor with a long name " * 4,
}
AIM = Aim("at most", 1234.5)


def test_a_table_that_goes_into_a_file_has_one_line_for_each_result() -> None:
    """However narrow the terminal is said to be: nothing is broken, and the columns are aligned."""
    finished = [
        Finished(each, tuple(Quantity(*one[:3], AIM).median([1e5, 2e5, 3e5, 4e5]) for one in each.quantities))
        for each in MEASUREMENTS
    ]
    output = StringIO()
    show(MACHINE, finished, complete=True, console=Console(file=output, width=80))
    lines = output.getvalue().splitlines()
    rows = [line for line in lines if "missed" in line]
    assert len(rows) == sum(len(each.results) for each in finished)
    assert len({line.index("≤ 1234.5 missed") for line in rows}) == 1
    assert max(map(len, rows)) <= 100
