"""`hilbridge export LOG FILE --dbc DATABASE`: the signals of a log, decoded by databases, as a table."""

import argparse
import sys
from collections.abc import Iterator
from typing import Final

import numpy as np

from hilbridge.codec.database import load_database, merged
from hilbridge.codec.frame import EXTENDED_MASK
from hilbridge.commands.progress import progress_bar
from hilbridge.common.errors import ConfigurationError
from hilbridge.common.words import counted, listed
from hilbridge.logs.frames import Block
from hilbridge.logs.reading import OneBus
from hilbridge.logs.signals import SignalDecoder
from hilbridge.logs.signals_file import SignalsFile
from hilbridge.process.signals import EXIT_INTERRUPTED, interruption

_MOST_CELLS: Final = 16_000_000
"""Rows times columns that are in memory: 130 MB."""

_MOST_ROWS: Final = 200_000
_MOST_NAMED: Final = 8


def run(options: argparse.Namespace) -> int:
    """Decode a log block by block; what it has, what was left out and what no database knows is said on stderr."""
    if not options.dbc:
        raise ConfigurationError(f"{options.directory} is a log: name databases for its signals with --dbc")
    if options.file is None:
        raise ConfigurationError("FILE is missing: hilbridge export LOG FILE.parquet --dbc DATABASE")
    database = merged([load_database(path) for path in options.dbc])
    decoder = SignalDecoder(database.messages)
    if not decoder.columns:
        raise ConfigurationError(f"{database.name} has no signal that can be read")
    rows = 0
    with interruption() as stop, progress_bar(options.file.name, options.directory.stat().st_size) as progress:
        bus = OneBus(options.directory, options.channel, progress, lambda: stop.requested)
        with SignalsFile(options.file, list(decoder.columns.values())) as file:
            for block in _larger(bus.blocks(), min(_MOST_ROWS, _MOST_CELLS // len(decoder.columns) + 1)):
                rows += _write(block, decoder, file)
    print(f"{options.file}: {counted(rows, 'row')} of {counted(len(decoder.columns), 'signal')}")
    for line in _remarks(bus, decoder, database.warnings):
        print(line, file=sys.stderr)
    return EXIT_INTERRUPTED if bus.interrupted else 0


def _write(block: Block, decoder: SignalDecoder, file: SignalsFile) -> int:
    """Write the rows of a block that have a message; return their number."""
    found: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {}
    known = np.zeros(len(block.times), np.bool_)
    for rows, name, values in decoder.decode(block):
        found.setdefault(name, []).append((rows, values))
        known[rows] = True
    places = np.cumsum(known) - 1
    parts = {name: [(places[rows], values) for rows, values in some] for name, some in found.items()}
    count = int(known.sum())
    if count:
        file.write(block.times[known], parts)
    return count


def _larger(blocks: Iterator[Block], rows: int) -> Iterator[Block]:
    """Join blocks of one channel to such of about so many rows, or cut them to these."""
    waiting: list[Block] = []
    for block in blocks:
        waiting.append(block)
        if sum(len(one.times) for one in waiting) >= rows:
            yield from _cut(_joined(waiting), rows)
            waiting = []
    if waiting:
        yield from _cut(_joined(waiting), rows)


def _joined(blocks: list[Block]) -> Block:
    if len(blocks) == 1:
        return blocks[0]
    parts = [np.concatenate(some) for some in zip(*(one[:6] for one in blocks), strict=True)]
    return Block._make([*parts, blocks[-1].names, blocks[-1].position])


def _cut(block: Block, rows: int) -> Iterator[Block]:
    if len(block.times) <= 2 * rows:
        yield block
        return
    ends = np.append(block.offsets, len(block.data))
    for begin in range(0, len(block.times), rows):
        end = min(begin + rows, len(block.times))
        parts = [one[begin:end] for one in block[:5]]
        yield Block._make([*parts, block.data[ends[begin] : ends[end]], block.names, block.position])


def _remarks(bus: OneBus, decoder: SignalDecoder, warnings: list[str]) -> Iterator[str]:
    yield f"the log: {bus.account.summary()}"
    yield from warnings
    if decoder.unknown:
        names = [f"0x{can_id & EXTENDED_MASK:X}" for can_id in sorted(decoder.unknown)]
        frames = counted(sum(decoder.unknown.values()), "frame")
        yield f"no message of the databases: {frames} ({listed(names, _MOST_NAMED)})"
    for can_id, count in decoder.short.items():
        yield f"shorter than the database says: {counted(count, 'frame')} 0x{can_id:X}; signals beyond are empty"
    for name, why in decoder.left_out.items():
        yield f"{name} is left out: {why}"
    if bus.interrupted:
        yield "interrupted: the file is whole, but later frames are not in it"
