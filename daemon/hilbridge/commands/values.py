"""`hilbridge values`: the entries of the data bus with unit, range, meaning, writer and codes."""

import argparse
import json
import re
from typing import Final

from hilbridge.base.common.errors import ConfigurationError, nearest
from hilbridge.bench.value_list import entry_facts, entry_row, find_entries, values_page
from hilbridge.commands.table import print_table
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.frames.codec.custom import entries_of
from vehiclesim.entries import STANDARD, Entry

_COLUMNS: Final = ("entry", "unit", "range", "written by", "meaning")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "word",
        nargs="*",
        metavar="WORD",
        help="only entries that have it, or each of several words, in path or meaning",
    )
    parser.add_argument("--bench", metavar="FILE", help="with the entries that this bench declares by itself")
    style = parser.add_mutually_exclusive_group()
    style.add_argument("--json", action="store_true", help="as a list of objects")
    style.add_argument("--reference", action="store_true", help="print config/VALUES.md instead")


def run(options: argparse.Namespace) -> int:
    if options.reference:
        print(values_page(), end="")
        return 0
    known = STANDARD if options.bench is None else entries_of(load_bench(options.bench).settings.custom)
    sought = " ".join(options.word)
    entries = find_entries(sought, known)
    if not entries:
        meant = nearest(sought, (word for entry in known.all() for word in _words(entry)))
        hint = f": did you mean {meant}?" if meant else ""
        raise ConfigurationError(f"no entry has {sought!r} in its path or meaning{hint}")
    if options.json:
        print(json.dumps([*map(entry_facts, entries)], indent=2, ensure_ascii=False))
    else:
        print_table(_COLUMNS, map(entry_row, entries))  # the meaning is last, and of any length
    return 0


def _words(entry: Entry) -> list[str]:
    """Return the words by which an entry is found: its path, its name, and those of its meaning."""
    return [entry.path, entry.name, *re.findall(r"\w+", entry.meaning)]
