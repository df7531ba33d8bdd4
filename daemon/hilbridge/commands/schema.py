"""`hilbridge schema`: JSON Schema of the configuration files, or the reference page made from it."""

import argparse
import json

from hilbridge.bench.words import words
from hilbridge.commands.file_kinds import KINDS
from hilbridge.desk.fit.targets import targets_schema
from hilbridge.files.configuration.completion import completed
from hilbridge.files.configuration.reference import reference


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the kind of file, or the page."""
    parser.add_argument("file", nargs="?", choices=tuple(KINDS), default="bench", help="default: bench")
    parser.add_argument("--reference", action="store_true", help="print config/README.md instead, for all files")


def run(args: argparse.Namespace) -> int:
    """Print the schema or the page; exit status 0."""
    if args.reference:
        print(reference(targets_schema()), end="")
        return 0
    print(json.dumps(completed(KINDS[args.file].schema(), words()), indent=2, ensure_ascii=False))
    return 0
