"""`hilbridge ctl watch`: entries of the data bus, live."""

import argparse
import sys
import time
from itertools import count

from hilbridge.base.common.terminal import printable_json
from hilbridge.client.sync_client import AnyClient
from hilbridge.client.talks import EntryValue, UnreachableError, Values
from hilbridge.commands.ctl_status import value_row


def watch(bench: AnyClient, options: argparse.Namespace) -> int:
    """Show the entries until the run is over or `--count` looks are done: a table that stands still on a terminal.

    In a pipe: a line for each value that has changed, with the time of the run [s], the entry, its value and its unit.
    """
    stands = sys.stdout.isatty() and not options.json
    shown: dict[str, EntryValue] = {}
    for look in count():
        try:
            values = bench.values(*options.entries)
        except UnreachableError:
            if look == 0:
                raise
            return 0
        if stands:
            _draw(values, again=look > 0)
        else:
            for path, one in values.entries.items():
                if shown.get(path) != one:
                    _print_line(values.time, path, one, as_json=options.json)
            shown = values.entries
        if look + 1 == options.count:
            return 0
        time.sleep(options.interval)
    return 0


def _draw(values: Values, *, again: bool) -> None:
    """Print the table, over the one before."""
    rows = [
        ("time", f"{values.time:.3f}", "s"),
        *(value_row(path, one._asdict()) for path, one in values.entries.items()),
    ]
    width = max(len(name) for name, _, _ in rows)
    up = f"\x1b[{len(rows)}F" if again else ""
    print(
        up + "".join(f"{name:<{width}}  {number:>14}  {unit}\x1b[K\n" for name, number, unit in rows),
        end="",
        flush=True,
    )


def _print_line(moment: float, path: str, one: EntryValue, *, as_json: bool) -> None:
    if as_json:
        print(printable_json({"time": moment, "entry": path, **one._asdict()}), flush=True)
    else:
        print(f"{moment:.3f}", *filter(None, value_row(path, one._asdict())), flush=True)
