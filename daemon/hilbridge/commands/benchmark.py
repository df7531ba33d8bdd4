"""`hilbridge benchmark`: measure speed and lateness of the daemon on this machine."""

import argparse

from hilbridge.base.process.signals import EXIT_INTERRUPTED
from hilbridge.runs.benchmarks.report import measure
from hilbridge.runs.benchmarks.rig import FULL, QUICK
from hilbridge.runs.benchmarks.suite import MEASUREMENTS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Define effort and form of the report."""
    parser.add_argument("--quick", action="store_true", help="rough, in a fraction of the time")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Measure and print; Ctrl-C ends it with the results until then, and exit status 130."""
    complete = measure(MEASUREMENTS, QUICK if args.quick else FULL, as_json=args.json)
    return 0 if complete else EXIT_INTERRUPTED
