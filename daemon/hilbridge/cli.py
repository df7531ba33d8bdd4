"""The command line: `hilbridge COMMAND`. The module of a command is imported only when the command is run."""

import argparse
import errno
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Final

from hilbridge import __version__, model_build
from hilbridge.common.errors import ConfigurationError, InvalidFileError
from hilbridge.common.lean_imports import without_asammdf
from hilbridge.process.signals import EXIT_INTERRUPTED

COMMANDS: Final = {
    "run": "start a bench (the packaged demo when none is named)",
    "new": "write a bench file to start from, out of a database or another bench",
    "check": "report what a bench would send and receive, without starting it",
    "top": "watch a running bench on this terminal",
    "ctl": "talk to a running bench: status, get, watch, set, arm, fault, record, scenario, reload, stop",
    "replay": "feed the inputs of a recording to its bench again, and compare every frame",
    "export": "write the frames or the values of a recording for other tools: BLF, ASC, candump, MF4, CSV, Parquet",
    "plot": "draw values of a recording over time",
    "drive": "follow a speed trace: time, distance, fuel, energy",
    "engine": "show specifications and curves of a vehicle's engine",
    "fit": "find the engine that meets a published data sheet",
    "values": "list the values of the data bus: unit, range, meaning, codes",
    "presets": "list the makers' counters and checksums that a bench file can name",
    "schema": "print the JSON Schema of the configuration files",
    "doctor": "report what is missing on this machine",
    "benchmark": "measure step, encode, tick and lateness on this machine",
}

EXIT_CONFIGURATION: Final = 2


def _open_standard_streams() -> None:
    """Open the standard streams that are closed, so that no socket of ours takes the number of one."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free number, which is this one


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return 0, 1 for a failure, 2 for wrong usage or configuration, 130 for Ctrl-C."""
    _open_standard_streams()
    words = list(sys.argv[1:] if arguments is None else arguments)
    top = argparse.ArgumentParser(
        prog="hilbridge",
        description="A virtual engine on a real bus: a vehicle model at a fixed rate, as CAN frames and OBD-II.",
        epilog="\n".join(f"  {name:<10} {text}" for name, text in COMMANDS.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"hilbridge {__version__}")
    top.add_argument("command", choices=COMMANDS, metavar="COMMAND", help="one of those below")
    if not words:
        top.print_help()
        return 0
    name = top.parse_args(words[:1]).command

    model_build.honour_environment()
    if name != "export":
        without_asammdf()
    try:
        module = importlib.import_module(f"hilbridge.commands.{name}")
        parser = argparse.ArgumentParser(prog=f"hilbridge {name}", description=COMMANDS[name])
        module.add_arguments(parser)
        status: int = module.run(parser.parse_args(words[1:]))
        print(end="", flush=True)
    except InvalidFileError as error:
        print(error, file=sys.stderr)  # lines of `file:line: key: reason`, as editors read them
        return EXIT_CONFIGURATION
    except ConfigurationError as error:
        print(f"hilbridge: {error}", file=sys.stderr)
        return EXIT_CONFIGURATION
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except OSError as error:
        if error.errno not in (errno.EPIPE, errno.ENOSPC):
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # discards what is still buffered
        return 1
    return status
