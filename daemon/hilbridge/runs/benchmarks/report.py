"""The run of a suite of measurements, and its report: a table for people, or one JSON object for programs."""

import json
import os
import platform
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from hilbridge import __version__
from hilbridge.base.common.console import make_console
from hilbridge.runs.benchmarks.result import Result
from hilbridge.runs.benchmarks.rig import QUICK, Effort, Measurement, Rig

_NOISE: Final = (
    "A result is the median or the percentile of all samples; half of its repetitions lie within the middle half. "
    "The times contain the other load of this machine. Ratios compare what took turns in one run, and suffer least."
)


class Finished(NamedTuple):
    """A measurement with a result for each of its quantities."""

    measurement: Measurement
    results: tuple[Result, ...]


def measure(measurements: Sequence[Measurement], effort: Effort, *, as_json: bool) -> bool:
    """Measure and print; return False when Ctrl-C ended it, after the results until then."""
    for ending in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ending, signal.default_int_handler)
    machine = _machine()
    finished: list[Finished] = []
    with Rig(effort) as rig, _progress() as progress, suppress(KeyboardInterrupt):
        bar = progress.add_task("", total=len(measurements))
        for number, measurement in enumerate(measurements):
            progress.update(bar, completed=number, description=measurement.title, refresh=True)
            finished.append(Finished(measurement, measurement.results(rig)))
    complete = len(finished) == len(measurements)
    if as_json:
        results = {one.quantity.name: one.fields() for each in finished for one in each.results}
        report = {"machine": machine, "quick": effort is QUICK, "complete": complete, "results": results}
        sys.stdout.write(json.dumps(report, indent=2) + "\n")
    else:
        show(machine, finished, complete=complete, console=make_console())
    return complete


def show(machine: dict[str, Any], finished: Sequence[Finished], *, complete: bool, console: Console) -> None:
    """Print the table."""
    console.print(
        f"hilbridge {machine['hilbridge']}, Python {machine['python']}, Linux {machine['kernel']},"
        f" {machine['processors']} processors ({machine['processor'] or machine['architecture']}),"
        f" load average {machine['load_average']}"
    )
    console.print()
    console.print(_table(finished))
    for measurement, results in finished:
        for note in dict.fromkeys(each.note for each in results if each.note):
            console.print(Text(f"{measurement.title}: {note}", style="dim"))
    console.print(_NOISE if complete else "interrupted: the remaining measurements were not made")


def _progress() -> Progress:
    """Return a bar for a terminal that is drawn between measurements: a drawing thread would disturb them."""
    console = Console(stderr=True)
    columns = BarColumn(), TextColumn("{task.completed}/{task.total} {task.description}")
    return Progress(*columns, console=console, transient=True, auto_refresh=False, disable=not console.is_terminal)


def _machine() -> dict[str, Any]:
    """Describe the machine for which the results hold."""
    return {
        "hilbridge": __version__,
        "python": platform.python_version(),
        "kernel": platform.release(),
        "architecture": platform.machine(),
        "processor": _processor(),
        "processors": len(os.sched_getaffinity(0)),
        "load_average": round(os.getloadavg()[0], 2),
    }


def _processor() -> str | None:
    """Return the model of the processor, if the kernel has a name for it."""
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            return value.strip()
    return None


def _table(finished: Sequence[Finished]) -> Table:
    """Return a row for each result, below the heading of its measurement."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for heading in ("", "result", "middle half", "unit", "aim", "samples"):
        table.add_column(heading, justify="right" if heading in {"result", "middle half", "samples"} else "left")
    for measurement, results in finished:
        table.add_row(Text(measurement.title, style="bold"))
        for result in results:
            table.add_row(*_row(result))
        table.add_row()
    return table


def _row(result: Result) -> Iterator[str | Text]:
    quantity, spread = result.quantity, result.spread
    yield f"  {quantity.title}"
    yield _number(result.value)
    yield f"{_number(spread.low)} … {_number(spread.high)}" if spread else ""
    yield quantity.unit
    if result.is_met is None:
        yield str(quantity.aim or "")
    else:
        style, word = ("green", "met") if result.is_met else ("yellow", "missed")
        yield Text(f"{quantity.aim} {word}", style=style)
    yield str(result.samples or "")


def _number(value: float | None) -> str:
    """Format a value with three significant digits."""
    return "-" if value is None else f"{value:.0f}" if value >= 100 else f"{value:#.3g}"
