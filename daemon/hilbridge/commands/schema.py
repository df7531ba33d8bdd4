"""`hilbridge schema`: JSON Schema of the configuration files, or the reference page made from it."""

import argparse
import json

from hilbridge.configuration.benchfile import bench_schema
from hilbridge.configuration.reference import reference
from hilbridge.configuration.vehiclefile import vehicle_schema


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which file's schema, or the page."""
    parser.add_argument("file", nargs="?", choices=("bench", "vehicle"), default="bench", help="default: bench")
    parser.add_argument("--reference", action="store_true", help="print config/README.md instead, for both files")


def run(args: argparse.Namespace) -> int:
    """Prints it; exit status 0."""
    if args.reference:
        print(reference(), end="")
        return 0
    schema = bench_schema() if args.file == "bench" else vehicle_schema()
    print(json.dumps(schema, indent=2, ensure_ascii=False))
    return 0
