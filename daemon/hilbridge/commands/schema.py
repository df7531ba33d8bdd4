"""`hilbridge schema`: JSON Schema of the configuration files, or the reference page made from it."""

import argparse
import json
from collections.abc import Callable
from typing import Final

from hilbridge.bench.words import words
from hilbridge.desk.fit.targets import targets_schema
from hilbridge.files.configuration.benchfile import bench_schema
from hilbridge.files.configuration.campaignfile import campaign_schema
from hilbridge.files.configuration.completion import completed
from hilbridge.files.configuration.layouts import layout_schema
from hilbridge.files.configuration.profiles import profile_schema
from hilbridge.files.configuration.reference import reference
from hilbridge.files.configuration.scenariofile import scenario_schema
from hilbridge.files.configuration.schema import Schema
from hilbridge.files.configuration.units import unit_schema
from hilbridge.files.configuration.vehiclefile import vehicle_schema

SCHEMAS: Final[dict[str, Callable[[], Schema]]] = {
    "bench": bench_schema,
    "vehicle": vehicle_schema,
    "scenario": scenario_schema,
    "targets": targets_schema,
    "profile": profile_schema,
    "unit": unit_schema,
    "layout": layout_schema,
    "campaign": campaign_schema,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the kind of file, or the page."""
    parser.add_argument("file", nargs="?", choices=tuple(SCHEMAS), default="bench", help="default: bench")
    parser.add_argument("--reference", action="store_true", help="print config/README.md instead, for all files")


def run(args: argparse.Namespace) -> int:
    """Print the schema or the page; exit status 0."""
    if args.reference:
        print(reference(targets_schema()), end="")
        return 0
    print(json.dumps(completed(SCHEMAS[args.file](), words()), indent=2, ensure_ascii=False))
    return 0
