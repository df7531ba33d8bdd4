"""`hilbridge mcp`: a running bench for assistants, by the Model Context Protocol on standard input and output."""

import argparse
import sys

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.client.sync_client import Client
from hilbridge.faces.mcp.server import McpServer
from hilbridge.faces.mcp.tools import tools

_INSTRUCTIONS = """\
A hilbridge bench: a virtual vehicle whose data bus is mapped to CAN frames and OBD-II. Begin with `status` and
`find_values`. {rights} No tool arms a bus: hardware is armed by a person, with `hilbridge ctl arm`."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add which bench, and what may be done with it."""
    parser.add_argument(
        "bench", nargs="?", metavar="BENCH", help="which, if several run: its name, or the path of a control socket"
    )
    parser.add_argument(
        "--write",
        action="store_true",
        help="also hold values, add faults and play scenarios, each for a time; recorded",
    )


def run(options: argparse.Namespace) -> int:
    """Serve until the input ends; exit status 0. The bench is looked for at each call, so it may start later."""
    rights = (
        "Values may be held, faults added and scenarios played; all of it ends by itself."
        if options.write
        else "It is read-only."
    )
    choose = options.bench is None

    def connect(name: str | None) -> Client:
        if name is not None and "/" in name:
            raise ConfigurationError("a bench has a name here, and no path")
        return Client(name if choose else options.bench)

    server = McpServer(tools(connect, write=options.write, choose=choose), _INSTRUCTIONS.format(rights=rights))
    server.serve(sys.stdin.buffer, sys.stdout.buffer)
    return 0
