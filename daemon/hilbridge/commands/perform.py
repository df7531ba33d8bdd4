"""`hilbridge perform VEHICLE`: measures what a data sheet says of a vehicle, beside what is published.

With `--assumed` also what fuel hangs on values that the file only assumes.
"""

import argparse
import json
from pathlib import Path

from hilbridge.base.common.console import make_console
from hilbridge.base.plots.style import check_plot
from hilbridge.base.process.signals import EXIT_INTERRUPTED, interruption
from hilbridge.bench.drive.cycles import NAMES, find_cycle, installed_cycles
from hilbridge.bench.drive.series import check_series, write_series
from hilbridge.commands.progress import progress_bar
from hilbridge.desk.perform.assumptions import Sensitivity, assumptions, sensitivity
from hilbridge.desk.perform.measurement import measure
from hilbridge.desk.perform.report import figures, plot, print_figures, print_sensitivity
from hilbridge.files.configuration.vehiclefile import load_vehicle


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the vehicle, the cycles and the form of the answer."""
    parser.add_argument("vehicle", metavar="VEHICLE", help="name of a vehicle, or path of a vehicle file")
    parser.add_argument(
        "--cycle",
        action="append",
        metavar="NAME|FILE",
        help=f"cycle to drive, any number of times: none, {', '.join(NAMES)}, or a CSV file with time and speed "
        "(default: those that are installed)",
    )
    parser.add_argument(
        "--assumed",
        action="store_true",
        help="also drive each cycle with every value that the file's comments call assumed lower and higher: "
        "two drives for each of them",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write the time series of all runs: .csv")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the runs: .svg or .png")


def run(args: argparse.Namespace) -> int:
    """Measure and print, after Ctrl-C what there is by then; exit status 0, after Ctrl-C 130."""
    if args.plot is not None:
        check_plot(args.plot)
    if args.csv is not None:
        check_series(args.csv)
    file = load_vehicle(args.vehicle)
    names = installed_cycles() if args.cycle is None else [name for name in args.cycle if name != "none"]
    cycles = [find_cycle(name) for name in names]
    with interruption() as stop, progress_bar(file.settings.name, 1.0) as progress:
        measured = measure(file.build, file.settings, cycles, progress=progress, stopped=lambda: stop.requested)
        found: list[Sensitivity] = []
        assumed = assumptions(file)
        for cycle in cycles if args.assumed and measured.complete else ():
            each = sensitivity(file, cycle, assumed, stopped=lambda: stop.requested)
            found += [] if each is None else [each]
    if args.plot is not None:
        plot(measured, file.settings, args.plot)
    if args.csv is not None:
        write_series(measured.runs, args.csv)
    if args.json:
        print(json.dumps(figures(measured, file.settings, found), indent=2))
    else:
        console = make_console()
        print_figures(measured, file.settings, console)
        for each in found:
            print_sensitivity(each, console)
        if assumed and cycles and not args.assumed:
            console.print(f"\nassumed in this file: {len(assumed)} values; --assumed shows what fuel hangs on them")
    return 0 if measured.complete and all(each.complete for each in found) else EXIT_INTERRUPTED
