"""The second half of `make benchmark`: load, full benches, and comparisons with other programs.

    python -m tests.bench [--quick] [--json]

Other programs are measured where they are installed; otherwise the reason is printed in place of the figure.
"""

import argparse
import sys

from hilbridge.base.process.signals import EXIT_INTERRUPTED
from hilbridge.runs.benchmarks.report import measure
from hilbridge.runs.benchmarks.rig import FULL, QUICK

from .suite import MEASUREMENTS


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="load, and comparisons")
    parser.add_argument("--quick", action="store_true", help="rough, in a fraction of the time")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    args = parser.parse_args()
    return 0 if measure(MEASUREMENTS, QUICK if args.quick else FULL, as_json=args.json) else EXIT_INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
