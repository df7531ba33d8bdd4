"""`hilbridge drive VEHICLE`: follows a speed trace, as fast as the machine can."""

import argparse
import json
from dataclasses import replace
from pathlib import Path

from hilbridge.base.common.console import make_console
from hilbridge.base.plots.style import check_plot
from hilbridge.base.process.signals import EXIT_INTERRUPTED, interruption
from hilbridge.bench.drive.cycles import NAMES, find_cycle
from hilbridge.bench.drive.report import figures, plot, print_figures
from hilbridge.bench.drive.series import check_series, write_series
from hilbridge.bench.drive.simulation import drive
from hilbridge.commands.progress import progress_bar
from hilbridge.files.configuration.vehiclefile import load_vehicle


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the vehicle, the trace and the form of the answer."""
    parser.add_argument("vehicle", metavar="VEHICLE", help="name of a vehicle, or path of a vehicle file")
    parser.add_argument(
        "--cycle",
        default="NEDC",
        metavar="NAME|FILE",
        help=f"{', '.join(NAMES)}, or a CSV file with time and speed (default: NEDC)",
    )
    parser.add_argument(
        "--warm",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="begin with a warm engine, or with one as cold as the air; default: as the cycle does, a CSV file cold",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write the time series, ten samples a second: .csv")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw speed, engine, pedals and fuel: .svg or .png")


def run(args: argparse.Namespace) -> int:
    """Drive and print the result, after Ctrl-C that of the way so far; exit status 0, after Ctrl-C 130."""
    if args.plot is not None:
        check_plot(args.plot)
    if args.csv is not None:
        check_series(args.csv)
    vehicle = load_vehicle(args.vehicle)
    trace = find_cycle(args.cycle)
    if args.warm is not None:
        trace = replace(trace, warm=args.warm)
    with interruption() as stop, progress_bar(trace.name, trace.duration, unit="s") as progress:
        driven = drive(vehicle.build(), trace, progress=progress, stopped=lambda: stop.requested)
    if args.plot is not None:
        plot(driven, f"{vehicle.settings.name}, {trace.name}", args.plot)
    if args.csv is not None:
        write_series({trace.name: driven.series}, args.csv)
    if args.json:
        print(json.dumps(figures(driven, vehicle.settings), indent=2))
    else:
        print_figures(driven, vehicle.settings, make_console())
    return 0 if driven.interrupted_at is None else EXIT_INTERRUPTED
