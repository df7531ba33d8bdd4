"""`hilbridge fit TARGETS`: finds the engine that meets what is published about it."""

import argparse
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, TaskProgressColumn, TextColumn
from rich.progress import Progress as Bar

from hilbridge.base.common.console import make_console
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.plots.style import check_plot
from hilbridge.base.process.signals import EXIT_INTERRUPTED
from hilbridge.desk.fit.output import plot, write_engine
from hilbridge.desk.fit.report import figures, print_result
from hilbridge.desk.fit.result import fit
from hilbridge.desk.fit.solver import Progress, check_solver
from hilbridge.desk.fit.targets import load_targets


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the targets, the form of the answer, and the file for the engine."""
    parser.add_argument("targets", metavar="TARGETS", help="name of a targets file in config/engines, or its path")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the engine and its targets: .svg or .png")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write the engine as a vehicle file: .yaml")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the starts of the search (default: 0)")


def run(args: argparse.Namespace) -> int:
    """Fit and print; exit status 0, 1 when targets contradict each other, 130 for the best found until Ctrl-C."""
    check_solver()
    if args.plot is not None:
        check_plot(args.plot)
    if args.output is not None and not args.output.parent.is_dir():
        raise ConfigurationError(f"there is no folder {args.output.parent} for the engine")
    targets = load_targets(args.targets)
    with _progress_bar() as progress:
        result = fit(targets, args.seed, progress)
    if args.plot is not None:
        plot(result, args.plot)
    if args.output is not None and result.sound:
        write_engine(result, args.output)
    if args.json:
        print(json.dumps(figures(result), indent=2))
    else:
        print_result(result, make_console())
    if result.interrupted:
        return EXIT_INTERRUPTED
    return 0 if result.good else 1


@contextmanager
def _progress_bar() -> Iterator[Progress | None]:
    """Show a progress bar on a terminal's stderr, removed at the end; nothing elsewhere."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn())
    with Bar(*columns, console=console, transient=True, auto_refresh=False) as bar:
        task = bar.add_task("", total=1.0)
        yield lambda what, done: bar.update(task, description=what, completed=done, refresh=True)
