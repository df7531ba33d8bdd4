"""`hilbridge benchmark`: how fast and how punctual the daemon is on this machine."""

import argparse
import json
import os
import platform
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from hilbridge import __version__
from hilbridge.benchmarks.result import Result
from hilbridge.benchmarks.rig import FULL, QUICK, Rig
from hilbridge.benchmarks.suite import MEASUREMENTS, Finished, take
from hilbridge.process.interruption import EXIT_INTERRUPTED

_NOISE: Final = (
    "A result is the median or the percentile of all samples; half of its repetitions lie within the middle half. "
    "Whatever else runs on this machine is in the times. Ratios compare what took turns in one run, and suffer least."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How long, and the form of the answer."""
    parser.add_argument("--quick", action="store_true", help="rough, in a fraction of the time")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Measures and prints; Ctrl-C ends it with what was found until then, and exit status 130."""
    for ending in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ending, signal.default_int_handler)
    machine = _machine()
    finished: list[Finished] = []
    with Rig(QUICK if args.quick else FULL) as rig, _progress() as progress, suppress(KeyboardInterrupt):
        bar = progress.add_task("", total=len(MEASUREMENTS))
        for number, measurement in enumerate(MEASUREMENTS):
            progress.update(bar, completed=number, description=measurement.title, refresh=True)
            finished.append(take(measurement, rig))
    complete = len(finished) == len(MEASUREMENTS)
    if args.json:
        results = {one.quantity.name: one.fields() for each in finished for one in each.results}
        print(json.dumps({"machine": machine, "quick": args.quick, "complete": complete, "results": results}, indent=2))
    else:
        _print(machine, finished, complete)
    return 0 if complete else EXIT_INTERRUPTED


def _progress() -> Progress:
    """On a terminal, drawn only when told to: a thread that draws would disturb what is measured."""
    console = Console(stderr=True)
    columns = BarColumn(), TextColumn("{task.completed}/{task.total} {task.description}")
    return Progress(*columns, console=console, transient=True, auto_refresh=False, disable=not console.is_terminal)


def _machine() -> dict[str, Any]:
    """Where the results hold."""
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
    """The model, where the kernel knows a name for it."""
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            return value.strip()
    return None


def _print(machine: dict[str, Any], finished: list[Finished], complete: bool) -> None:
    console = Console(highlight=False, soft_wrap=True)
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


def _table(finished: list[Finished]) -> Table:
    """A line for each result, below the heading of its measurement."""
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
    """Three significant digits."""
    return "-" if value is None else f"{value:.0f}" if value >= 100 else f"{value:#.3g}"
