"""`hilbridge schema`: JSON Schema of the configuration files and of the control protocol, or the reference from it."""

import argparse
import json
from pathlib import Path
from typing import Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.lasting_files import write_output
from hilbridge.bench.words import words
from hilbridge.boundary.control.commands import command_schema
from hilbridge.boundary.control.protocol import protocol_schema
from hilbridge.commands.file_kinds import KINDS
from hilbridge.desk.fit.targets import targets_schema
from hilbridge.files.configuration.completion import completed
from hilbridge.files.configuration.reference import reference

_CONTROL: Final = "control"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the kind of file, or the reference."""
    parser.add_argument("file", nargs="?", choices=(*KINDS, _CONTROL), default="bench", help="default: bench")
    parser.add_argument(
        "--reference",
        nargs="?",
        const="",
        metavar="PAGE|FOLDER",
        help="print the reference instead, a page of it (frames, vehicle), or write all pages into a folder",
    )


def run(args: argparse.Namespace) -> int:
    """Print the schema, or print or write the pages; exit status 0."""
    if args.reference is not None:
        _reference(args.reference)
        return 0
    control = args.file == _CONTROL
    schema = protocol_schema() if control else completed(KINDS[args.file].schema(), words())
    print(json.dumps(schema, indent=2, ensure_ascii=False))
    return 0


def _reference(wanted: str) -> None:
    """Print the page of a name, all without one, or write them into a folder. ConfigurationError: there is neither."""
    pages = {Path(path): text for path, text in reference(targets_schema(), command_schema()).items()}
    if wanted and (folder := Path(wanted)).is_dir():
        for path, text in pages.items():
            (folder / path).parent.mkdir(exist_ok=True)
            write_output(folder / path, text)
        return
    chosen = {path.stem: text for path, text in pages.items()}
    if wanted and wanted not in chosen:
        raise ConfigurationError(f"is no folder, and no page of {', '.join(chosen)}", ("--reference",))
    print("\n".join([chosen[wanted]] if wanted else chosen.values()), end="")
