"""`hilbridge top`: watch a running daemon on a terminal."""

import argparse
import sys
from collections.abc import Callable
from typing import Final

from rich.console import Console
from rich.live import Live

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.client.sync_client import AnyClient, Client
from hilbridge.faces.top import keyboard
from hilbridge.faces.top.keyboard import Keyboard
from hilbridge.faces.top.screen import render
from hilbridge.faces.top.top_view import TopView

_PERIOD: Final = 0.5
"""[s] Interval of the answers."""
_PAGE: Final = 10
_STEPS: Final = {keyboard.UP: -1, keyboard.DOWN: 1, keyboard.PAGE_UP: -_PAGE, keyboard.PAGE_DOWN: _PAGE}
"""Rows that Page Up and Page Down scroll by."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "bench", nargs="?", metavar="BENCH", help="which, if several run: its name, or the path of a control socket"
    )


def run(options: argparse.Namespace) -> int:
    return follow(lambda: Client(options.bench))


def follow(connect: Callable[[], AnyClient]) -> int:
    """Show a bench until a key ends it. ConfigurationError: there is no terminal, or the bench does not answer."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ConfigurationError("top needs a terminal; `hilbridge ctl status` prints how a bench is")
    bench = connect()
    watch = TopView()
    watch.take(bench.status(*watch.parts))  # a bench that does not answer is reported before the screen opens
    console = Console(highlight=False)
    chosen, offset = "1", 0
    with Keyboard() as keys, Live(console=console, screen=True, auto_refresh=False) as live:
        while True:
            live.update(render(watch, chosen, offset, console.size), refresh=True)
            try:
                pressed = keys.wait(_PERIOD)
            except EOFError:
                return 0
            for key in pressed:
                if key in ("q", "Q"):
                    return 0
                if key in watch.lists:
                    chosen, offset = key, 0
                last = max(len(watch.lists[chosen].rows(watch.status)) - 1, 0) if chosen in watch.lists else 0
                offset = min(max(offset + _STEPS.get(key, 0), 0), last)
            if not pressed:
                try:
                    watch.take(bench.status(*watch.parts))
                except ConfigurationError as error:
                    watch.lose(str(error))
