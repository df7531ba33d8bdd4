"""`hilbridge vss`: the values of a running bench at the paths of VSS, for a databroker of Eclipse KUKSA."""

import argparse
import asyncio
import signal
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.terminal import printable_json, printable_lines
from hilbridge.base.common.words import counted
from hilbridge.commands.argument_types import positive
from hilbridge.commands.table import print_table
from hilbridge.faces.vss.signals import Signal, entries_without_path, signals_of
from hilbridge.faces.vss.target import PORT, Target, target
from hilbridge.files.configuration.vss import VssFile, load_vss

_RATE: Final = 10.0
_COLUMNS: Final = ("path", "type", "unit", "conversion", "note", "value")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "bench", nargs="?", metavar="BENCH", help="which, if several run: its name, or the path of a control socket"
    )
    parser.add_argument("--list", action="store_true", help="print paths, values and conversions instead")
    parser.add_argument("--json", action="store_true", help="with --list: as an object")
    parser.add_argument("--table", metavar="FILE", default="vss", help="another table than the shipped one")
    parser.add_argument(
        "--broker", metavar="HOST:PORT", default=f"127.0.0.1:{PORT}", help=f"the databroker (127.0.0.1:{PORT})"
    )
    parser.add_argument("--rate", type=positive, default=_RATE, metavar="HZ", help="messages per second (10; most: 20)")
    parser.add_argument("--duration", type=positive, metavar="S", help="end by itself; default: until Ctrl-C")
    parser.add_argument("--remote", action="store_true", help="a databroker of another machine")
    parser.add_argument("--tls", type=Path, metavar="FILE", help="by TLS; root certificates (PEM) of its certificate")
    parser.add_argument("--tls-name", metavar="HOST", help="the name in its certificate, if it is another")
    parser.add_argument("--token", type=Path, metavar="FILE", help="file with the token (JWT) that lets a provider in")


def run(options: argparse.Namespace) -> int:
    """List, or provide until the end is asked for; exit status 0."""
    table = load_vss(options.table)
    signals = signals_of(table)
    if options.list:
        _list(table, signals, as_json=options.json)
        return 0
    found = target(options.broker, remote=options.remote, root=options.tls, name=options.tls_name, token=options.token)
    if find_spec("kuksa_client") is None:
        raise ConfigurationError("a databroker needs kuksa-client: pip install 'hilbridge[vss]'")
    asyncio.run(_provide(options, found, signals))
    return 0


async def _provide(options: argparse.Namespace, found: Target, signals: list[Signal]) -> None:
    from hilbridge.client.async_client import AsyncClient
    from hilbridge.faces.vss.provider import HIGHEST_RATE, Provider

    if options.rate > HIGHEST_RATE:
        raise ConfigurationError(f"--rate {options.rate:g}: the most are {HIGHEST_RATE:g} messages per second")
    stop, loop = asyncio.Event(), asyncio.get_running_loop()

    def end() -> None:
        stop.set()
        for each in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(each)  # a second one ends at once

    for each in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(each, end)
    async with AsyncClient(options.bench) as bench:
        provider = Provider(bench, found, signals, options.rate, _say)
        await provider.run(stop, options.duration)
    _say(provider.summary())


def _say(text: str) -> None:
    print(printable_lines(text), flush=True)


def _list(table: VssFile, signals: list[Signal], *, as_json: bool) -> None:
    """Print the signals, then how many paths and entries there are beside them."""
    missing, release = entries_without_path(signals), table.settings.release
    if as_json:
        rows = [dict(zip(_COLUMNS, _row(one), strict=True)) | {"states": one.settings.states} for one in signals]
        facts = {"release": release, "leaves": table.settings.leaves, "signals": rows, "entries_without_path": missing}
        print(printable_json(facts, indent=2))
        return
    print_table(_COLUMNS, map(_row, signals))
    without = max(table.settings.leaves - len(signals), 0)
    print(f"\n{len(signals)} of the {table.settings.leaves} signals of VSS {release} have a value; {without} have none")
    print(f"{counted(len(missing), 'entry')} of the data bus have no path: {', '.join(missing)}")


def _row(signal: Signal) -> tuple[str, ...]:
    settings = signal.settings
    value = " ".join(settings.value.split())
    return (signal.path, settings.type, settings.unit, signal.conversion_text(), settings.note, value)
