"""`hilbridge export LOG FOLDER --dbc DATABASE`: the signals of a log, a table for each message of the databases."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.words import counted, listed
from hilbridge.base.process.signals import EXIT_INTERRUPTED, interruption
from hilbridge.boundary.logs.reading import OneBus
from hilbridge.boundary.logs.signals import SignalDecoder
from hilbridge.boundary.logs.signals_folder import SignalsFolder
from hilbridge.commands.progress import progress_bar
from hilbridge.frames.codec.database import load_database, merged
from hilbridge.frames.codec.frame import EXTENDED_MASK

_MOST_NAMED: Final = 8


def run(options: argparse.Namespace) -> int:
    """Decode a log block by block; what it has, what was left out and what no database knows is said on stderr."""
    if not options.dbc:
        raise ConfigurationError(f"{options.directory} is a log: name databases for its signals with --dbc")
    if options.values is not None or options.interval is not None:
        raise ConfigurationError(f"--values and --interval are of a recording, and {options.directory} is a log")
    if options.file is None:
        raise ConfigurationError("FILE is missing: hilbridge export LOG FOLDER.parquet --dbc DATABASE")
    database = merged([load_database(path) for path in options.dbc])
    decoder = SignalDecoder([*database.messages, *database.contained])
    if not decoder.can_decode:
        raise ConfigurationError(f"{database.name} has no message that can be read")
    with interruption() as stop, progress_bar(options.file.name, options.directory.stat().st_size) as progress:
        bus = OneBus(options.directory, options.channel, progress, lambda: stop.requested)
        try:
            rows, tables = _written(bus, decoder, options.file)
        except OSError as error:
            raise ConfigurationError(f"cannot write {options.file}: {error.strerror}") from error
    print(f"{options.file}: {counted(rows, 'row')} in {counted(tables, 'table')}, one for each message")
    for line in _remarks(bus, decoder, database.warnings):
        print(line, file=sys.stderr)
    return EXIT_INTERRUPTED if bus.interrupted else 0


def _written(bus: OneBus, decoder: SignalDecoder, path: Path) -> tuple[int, int]:
    """Write the folder; return how many rows and tables it has."""
    with SignalsFolder(path) as folder:
        before = 0
        for block in bus.blocks():
            for message, rows, table in decoder.decode(block):
                folder.take(message, (before + rows, block.times[rows], table))
            before += len(block.times)
    return folder.rows, folder.tables


def _remarks(bus: OneBus, decoder: SignalDecoder, warnings: list[str]) -> Iterator[str]:
    yield f"the log: {bus.account.summary()}"
    yield from warnings
    if decoder.unknown:
        names = [f"0x{can_id & EXTENDED_MASK:X}" for can_id in sorted(decoder.unknown)]
        frames = counted(sum(decoder.unknown.values()), "frame")
        yield f"no message of the databases: {frames} ({listed(names, _MOST_NAMED)})"
    for can_id, count in decoder.short.items():
        frames = f"{counted(count, 'frame')} 0x{can_id & EXTENDED_MASK:X}"
        yield f"shorter than the database says: {frames}; signals beyond are empty"
    if decoder.incomplete:
        yield f"packets of J1939 are missing: {counted(decoder.incomplete, 'message')}"
    for name, why in decoder.left_out.items():
        yield f"{name} is left out: {why}"
    if bus.interrupted:
        yield "interrupted: the file is whole, but later frames are not in it"
