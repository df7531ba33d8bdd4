"""`hilbridge clone`: a log of a tester's talk with a real car becomes a bench file, and a report of what is unknown."""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.lasting_files import is_there, write_output
from hilbridge.base.process.signals import EXIT_INTERRUPTED, interruption
from hilbridge.commands.progress import progress_bar
from hilbridge.commands.table import print_table
from hilbridge.desk.clone.bench_writer import write_bench
from hilbridge.desk.clone.clone import Cloned, clone
from hilbridge.desk.clone.names import take_names
from hilbridge.desk.clone.play import Played, mark, play
from hilbridge.desk.clone.report import COLUMNS, facts, notes, rows, unequal, unknown
from hilbridge.desk.draft.draft import bench_name
from hilbridge.desk.draft.lines import BusAccess


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Find the control units that answer a tester in logs of a bus, and write them as a bench that answers the same "
        "requests the same way: addresses, identifiers with their bytes, sessions, calibrations, trouble codes. The "
        "report says what is unknown or contradictory. Secrets are not cloned: seeds, keys, and what lies behind them."
    )
    parser.add_argument(
        "logs",
        type=Path,
        nargs="+",
        metavar="LOG",
        help="logs of any program of docs/log-formats.md; may be packed",
    )
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write a bench file: .yaml")
    parser.add_argument("--channel", help="the bus of logs of several, as the files call it")
    parser.add_argument("--bus", default="can", metavar="NAME", help="name of the bus in the bench (default: can)")
    parser.add_argument(
        "--interface", default="embedded", help="socketcan, or another of python-can (default: embedded)"
    )
    parser.add_argument(
        "--odx",
        action="append",
        default=[],
        metavar="[UNIT=]FILE[#VARIANT]",
        help="take names of requests, and texts of trouble codes, from a PDX package or an ODX document",
    )
    parser.add_argument("--json", action="store_true", help="the report as one JSON object")
    parser.add_argument("--force", action="store_true", help="write FILE even if there is one")


def run(options: argparse.Namespace) -> int:
    if options.output is not None and is_there(options.output) and not options.force:
        raise ConfigurationError(f"{options.output} is there already; --force overwrites it")
    size = sum(path.stat().st_size for path in options.logs if path.is_file())
    with interruption() as stop, progress_bar("reading", size) as progress:
        cloned = clone(options.logs, options.channel, progress, lambda: stop.requested)
    named = take_names(cloned.units, options.odx)
    name = "clone" if options.output is None else bench_name(options.output)
    played = _play(cloned, write_bench(cloned, name, options.bus, BusAccess("embedded")))
    if options.output is not None:
        try:
            write_output(options.output, write_bench(cloned, name, options.bus, BusAccess(options.interface)))
        except OSError as error:
            raise ConfigurationError(f"cannot write {options.output}: {error.strerror}") from None
    if options.json:
        print(json.dumps(facts(cloned, played), indent=2))
    else:
        _print(cloned, played, named, options.output)
    return EXIT_INTERRUPTED if any(reading.interrupted for _, reading in cloned.logs) else 0


def _play(cloned: Cloned, text: str) -> dict[str, list[Played]]:
    """Play the log against the clone: what it answers otherwise is not sure. A bench that is refused plays nothing."""
    try:
        played = play(cloned, text)
    except ConfigurationError as error:
        print(f"hilbridge: not played, for the bench is refused: {error}", file=sys.stderr)
        return {unit.name: [] for unit in cloned.units}
    for unit in cloned.units:
        mark(unit, played[unit.name])
    return played


def _print(cloned: Cloned, played: Mapping[str, Sequence[Played]], named: Sequence[str], file: Path | None) -> None:
    print("\n".join((*notes(cloned), *named)))
    print()
    print_table(COLUMNS, rows(cloned, played))
    for unit in cloned.units:
        for line in (*unknown(unit), *unequal(unit, played[unit.name])):
            print(f"{unit.name}: {line}")
    verdicts = [one.is_equal for several in played.values() for one in several]
    print(f"\nplayed against this clone: {sum(verdicts)} of {len(verdicts)} answers equal")
    if file is not None:
        print(f"\nwritten: {file}; `hilbridge check {file}` shows what it answers")
