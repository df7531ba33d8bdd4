"""`hilbridge drive VEHICLE --cycle NAME|FILE`: follows a speed trace, as fast as the machine can."""

import argparse
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from hilbridge.configuration.vehiclefile import load_vehicle
from hilbridge.drive.cycles import NAMES, find_cycle
from hilbridge.drive.plot import plot
from hilbridge.drive.report import figures, print_figures
from hilbridge.drive.simulation import drive
from hilbridge.drive.trace import Trace
from hilbridge.plots.style import check_plot


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The vehicle, what it follows, and the form of the answer."""
    parser.add_argument("vehicle", metavar="VEHICLE", help="name of a vehicle, or path of a vehicle file")
    parser.add_argument(
        "--cycle", required=True, metavar="NAME|FILE", help=f"{', '.join(NAMES)}, or a CSV file with time and speed"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw speed, engine, pedals and fuel: .svg or .png")


def run(args: argparse.Namespace) -> int:
    """Drives, and prints what came of it; exit status 0."""
    if args.plot is not None:
        check_plot(args.plot)
    vehicle = load_vehicle(args.vehicle)
    trace = find_cycle(args.cycle)
    with _progress_bar(trace) as progress:
        driven = drive(vehicle.build(), trace, progress=progress)
    if args.plot is not None:
        plot(driven, f"{vehicle.settings.name}, {trace.name}", args.plot)
    if args.json:
        print(json.dumps(figures(driven, vehicle.settings), indent=2))
    else:
        print_figures(driven, vehicle.settings, Console(highlight=False))
    return 0


@contextmanager
def _progress_bar(trace: Trace) -> Iterator[Callable[[float], None] | None]:
    """A bar on a terminal's stderr, drawn a hundred times and then taken away; nothing elsewhere."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TextColumn("{task.completed:.0f} s"))
    with Progress(*columns, console=console, transient=True, auto_refresh=False) as bar:
        task = bar.add_task(trace.name, total=trace.duration)
        step = trace.duration / 100
        drawn = 0.0

        def show(t: float) -> None:
            nonlocal drawn
            if t >= drawn + step:
                drawn = t
                bar.update(task, completed=t, refresh=True)

        yield show
