"""`hilbridge learn`: a log becomes a bench file, and a report of how sure each finding is."""

import argparse
import json
from pathlib import Path

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.lasting_files import is_there, write_output
from hilbridge.base.process.signals import EXIT_INTERRUPTED, interruption
from hilbridge.commands.progress import progress_bar
from hilbridge.commands.table import print_table
from hilbridge.desk.draft.draft import bench_name
from hilbridge.desk.draft.lines import BusAccess
from hilbridge.desk.learn.bench_writer import write_bench
from hilbridge.desk.learn.known_values import read_known
from hilbridge.desk.learn.learn import Learned, learn
from hilbridge.desk.learn.log import read_frames
from hilbridge.desk.learn.report import COLUMNS, facts, notes, rows, signal_words, totals


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Find out from a log of a bus which frames are sent and when, which of their bits are counters and checksums, "
        "how these are made, and which select pages; with known values beside the log also where these lie. The "
        "report says how sure each finding is, and why. Ctrl-C ends it with what it has by then."
    )
    parser.add_argument(
        "log", type=Path, metavar="LOG", help="a log of any program of docs/log-formats.md; may be packed"
    )
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write a bench file: .yaml")
    parser.add_argument("--channel", help="the bus of a log of several, as the file calls it")
    parser.add_argument(
        "--against", type=Path, metavar="CSV", help="known values: a column 'time', others such as 'speed [km/h]'"
    )
    parser.add_argument(
        "--rest-bus", action="store_true", help="write only the frames whose content never changes, for a rest bus"
    )
    parser.add_argument("--bus", default="can", metavar="NAME", help="name of the bus in the bench (default: can)")
    parser.add_argument(
        "--interface", default="embedded", help="socketcan, or another of python-can (default: embedded)"
    )
    parser.add_argument("--json", action="store_true", help="the report as one JSON object")
    parser.add_argument("--force", action="store_true", help="write FILE even if there is one")


def run(options: argparse.Namespace) -> int:
    if options.rest_bus and options.output is None:
        raise ConfigurationError("--rest-bus is of the bench: name a file for it with --output")
    if options.output is not None and is_there(options.output) and not options.force:
        raise ConfigurationError(f"{options.output} is there already; --force overwrites it")
    size = options.log.stat().st_size if options.log.is_file() else 0
    with interruption() as stop:
        with progress_bar("reading", size) as progress:
            log = read_frames(options.log, options.channel, progress, lambda: stop.requested)
        known = read_known(options.against, log.first, log.last) if options.against is not None else []
        with progress_bar("learning", log.frames) as progress:
            learned = learn(log, known, progress, lambda: stop.requested)
    if options.output is not None:
        _write(
            options.output,
            write_bench(
                learned,
                bench_name(options.output),
                options.bus,
                BusAccess(options.interface),
                rest_bus=options.rest_bus,
            ),
        )
    if options.json:
        print(json.dumps(facts(learned), indent=2))
    else:
        _print(learned, options.output)
    return EXIT_INTERRUPTED if learned.unread or log.interrupted else 0


def _print(learned: Learned, file: Path | None) -> None:
    print("\n".join(notes(learned)))
    print()
    print_table(COLUMNS, rows(learned))
    for frame in learned.frames:
        for signal in frame.signals:
            print(f"{frame.series.name}: {signal_words(signal)}")
    print(f"\n{totals(learned)}")
    if file is not None:
        print(f"written: {file}; `hilbridge check {file}` shows what it sends")


def _write(file: Path, text: str) -> None:
    try:
        write_output(file, text)
    except OSError as error:
        raise ConfigurationError(f"cannot write {file}: {error.strerror}") from None
