"""`hilbridge benchmark`: measure speed and lateness of the daemon on this machine, or the speed of benches."""

import argparse
import json
import sys

from hilbridge.base.process.signals import EXIT_INTERRUPTED
from hilbridge.base.resources import Kind, names
from hilbridge.commands.table import print_table
from hilbridge.runs.benchmarks.benches import DEMO, STAGES, Refused, Speed, speeds
from hilbridge.runs.benchmarks.report import measure
from hilbridge.runs.benchmarks.rig import FULL, QUICK
from hilbridge.runs.benchmarks.suite import MEASUREMENTS

_SECONDS = 60
_QUICK_SECONDS = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Define effort and form of the report."""
    parser.add_argument("--quick", action="store_true", help="rough, in a fraction of the time")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--benches", nargs="*", metavar="BENCH",
        help="in place of that: times real time on the virtual clock of these benches (default: all that have a name)",
    )  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Measure and print; Ctrl-C ends it with the results until then, and exit status 130."""
    if args.benches is not None:
        return _benches(
            args.benches or names(Kind.BENCH), _QUICK_SECONDS if args.quick else _SECONDS, as_json=args.json
        )
    complete = measure(MEASUREMENTS, QUICK if args.quick else FULL, as_json=args.json)
    return 0 if complete else EXIT_INTERRUPTED


def _benches(benches: list[str], seconds: int, *, as_json: bool) -> int:
    """Measure benches between two measurements of the demo; return the exit status."""
    found: list[Speed | Refused] = []
    order = [DEMO, *(one for one in benches if one != DEMO), DEMO]
    try:
        for number, one in enumerate(speeds(order, seconds), 1):
            found.append(one)
            sys.stderr.write(f"{number} of {len(order)}: {one.bench}\n")
        status = 0
    except KeyboardInterrupt:
        status = EXIT_INTERRUPTED
    demos = [one for one in found if isinstance(one, Speed) and one.bench == DEMO]
    demo = sum(one.times for one in demos) / len(demos) if demos else float("nan")
    measured = [one for one in found if isinstance(one, Speed) and one.bench != DEMO]
    if demos:
        measured.append(demos[0]._replace(times=demo))
    refused = [one for one in found if isinstance(one, Refused)]
    measured.sort(key=lambda one: (one.times, one.bench))
    if as_json:
        rows = [one._asdict() | {"of_demo": one.times / demo} for one in measured]
        print(json.dumps({"benches": rows, "refused": {one.bench: one.reason for one in refused}}, indent=2))
    else:
        print_table(("bench", "× real time", "of demo", *STAGES), (_row(one, demo) for one in measured))
        for one in refused:
            print(f"{one.bench}: not measured: {one.reason}")
    return status or int(bool(refused))


def _row(one: Speed, demo: float) -> list[str]:
    shares = (f"{one.shares[stage]:.0%}" for stage in STAGES)
    return [one.bench, f"{one.times:.3g}", f"{one.times / demo:.2f}", *shares]
