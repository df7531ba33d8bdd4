"""`hilbridge page`: prints the address of a running bench's page, and opens it in a browser."""

import argparse
import sys
import time
import webbrowser
from typing import Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.remedies import extra_remedy
from hilbridge.base.process.phone import qr_code, reachable
from hilbridge.client.sync_client import Client
from hilbridge.client.talks import UnreachableError
from hilbridge.commands.argument_types import positive

_AGAIN: Final = 0.2
"""[s] between two looks."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add which bench, and what is done with its address."""
    parser.add_argument("bench", nargs="?", metavar="BENCH", help="name of a running bench, if several run")
    parser.add_argument("--qr", action="store_true", help="above it as a QR code, for a phone in the same network")
    parser.add_argument("--open", action="store_true", help="open it in this machine's browser")
    parser.add_argument("--wait", type=positive, metavar="S", help="for a bench that is about to start")


def run(options: argparse.Namespace) -> int:
    """Print the address alone, so that it can be copied or piped; exit status 0.

    ConfigurationError: no bench runs, it has no page, or there is no browser.
    """
    address = _await(options.bench, time.monotonic() + (options.wait or 0.0))
    if options.qr:
        address = _for_phone(address)
    print(address, flush=True)
    if options.open and not webbrowser.open(address):
        raise ConfigurationError("there is no browser that can be opened from here: open the address above")
    return 0


def _for_phone(address: str) -> str:
    """Print the QR code of an address; return it as a phone reaches it. ConfigurationError: a phone does not."""
    if not sys.stdout.isatty() or "utf" not in (sys.stdout.encoding or "").lower():
        raise ConfigurationError("a QR code needs a terminal that knows UTF-8")
    outside = reachable(address)
    if outside is None:
        raise ConfigurationError(
            f"{address.partition('?')[0]} is for this machine alone; for a phone in its network the bench file needs "
            "cockpit: {address: 0.0.0.0, token: ...}"
        )
    code = qr_code(outside)
    if code is None:
        raise ConfigurationError(f"a QR code needs the package segno: {extra_remedy('cockpit')}")
    print(code, end="")
    return outside


def _await(bench: str | None, until: float) -> str:
    """Return the address of the page once there is one. ConfigurationError: there is none in time."""
    while True:
        try:
            return _address(bench)
        except (ConfigurationError, UnreachableError):
            if time.monotonic() > until:
                raise
        time.sleep(_AGAIN)


def _address(bench: str | None) -> str:
    with Client(bench) as client:
        address = client.status("page")["page"]
    if address is None:
        raise ConfigurationError("the bench has no page: `hilbridge ctl status` or its log says why", may_pass=True)
    return str(address)
