"""The command line: `hilbridge COMMAND`. The module of a command is imported only when the command is run."""

import argparse
import atexit
import errno
import gc
import importlib
import mmap
import os
import re
import sys
from collections.abc import Sequence
from typing import Final, NoReturn

from hilbridge import __version__
from hilbridge.base import model_build
from hilbridge.base.common.errors import ConfigurationError, InvalidFileError, hint, is_lack_of_memory, nearest, quoted
from hilbridge.base.common.lean_imports import lean_imports
from hilbridge.base.common.terminal import printable_lines
from hilbridge.base.process.signals import EXIT_INTERRUPTED
from hilbridge.base.resources import documents
from hilbridge.boundary.observe.output import is_journal
from hilbridge.commands import COMMANDS, GROUPS, SUMMARY
from hilbridge.commands.consent import with_consent
from hilbridge.commands.examples import examples

EXIT_CONFIGURATION: Final = 2
"""The command line or a file is wrong: the same start fails again."""
EXIT_FAILURE: Final = 1

_ROOM: Final = 48 << 20
"""[byte] that a command needs at least: some libraries abort the process where memory ends in their lines."""

_BEGINNING: Final = f"""\
hilbridge {__version__}: {SUMMARY[0].lower()}{SUMMARY[1:]}

  hilbridge demo                          a car drives on this machine, and its page opens
  hilbridge profiles golf                 is my instrument cluster there?
  hilbridge new --profile vw-pq my.yaml   a bench for it
  hilbridge new --from car.dbc my.yaml    a bench out of a database
  hilbridge run my.yaml                   run it
  hilbridge doctor                        what is missing on this machine
  hilbridge --help                        all commands"""


def _open_standard_streams() -> None:
    """Open the standard streams that are closed, so that no socket of ours takes the number of one."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free number, which is this one


def _discard(descriptor: int) -> None:
    """Let nothing more be written to a standard stream."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


def _refuse(error: ConfigurationError, prefix: str) -> int:
    """Print why nothing is done, for the journal with the priority of an error; return the exit status."""
    text = prefix + printable_lines(str(error))
    if is_journal(2):
        text = "\n".join(f"<3>{line}" for line in text.splitlines())  # sd-daemon(3)
    print(text, file=sys.stderr)
    return EXIT_FAILURE if error.may_pass else EXIT_CONFIGURATION


class _Parser(argparse.ArgumentParser):
    """A parser that asks what was meant by a word that it does not know, in place of listing all."""

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is None or value in action.choices:
            return
        known = hint(str(value), [str(choice) for choice in action.choices]) or f"{self.prog} --help lists them"
        raise argparse.ArgumentError(action, f"unknown: {quoted(str(value))}; {known}")

    def error(self, message: str) -> NoReturn:
        """Refuse the command line; a service's, as in a drop-in, also for who looks at its status and the journal."""
        if unknown := re.match(r"unrecognized arguments: (--?[\w-]+)", message):
            meant = nearest(unknown[1], self._option_string_actions)
            message += f"; did you mean '{meant}'?" if meant else ""
        if address := os.environ.get("NOTIFY_SOCKET"):
            from hilbridge.base.process.notify import leave_word  # no other command line needs sockets

            leave_word(f"not started: {message}", address)
        if is_journal(2):
            print(f"<3>{self.prog}: error: {message}", file=sys.stderr)
            raise SystemExit(EXIT_CONFIGURATION)
        super().error(message)


def _begin() -> int:
    """Print where to begin; return 0, also where its reader ends early."""
    try:
        print(_BEGINNING, flush=True)
    except BrokenPipeError:
        _discard(1)
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return 0, 1 for a failure that may pass, 2 for wrong usage or configuration, 130 for Ctrl-C."""
    _open_standard_streams()
    words = list(sys.argv[1:] if arguments is None else arguments)
    top = _Parser(
        prog="hilbridge",
        description=SUMMARY,
        epilog="\n\n".join(
            "\n".join([f"{title}:", *(f"  {name:<10} {text}" for name, text in group.items())])
            for title, group in GROUPS.items()
        )
        + f"\n\n'hilbridge COMMAND --help' has options and examples; reference of keys and values: {documents()}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"hilbridge {__version__}")
    top.add_argument("command", choices=COMMANDS, metavar="COMMAND", help="one of those below")
    if not words:
        return _begin()
    name = top.parse_args(words[:1]).command

    gc.set_threshold(200_000)  # in place of 700: a start makes up to 160,000 objects that stay
    atexit.register(gc.freeze)  # the exit has no need to look through them either
    model_build.honour_environment()
    lean_imports(asammdf=name in ("clone", "export", "learn"))
    try:
        mmap.mmap(-1, _ROOM).close()
        module = importlib.import_module(f"hilbridge.commands.{name}")
        parser = _Parser(
            prog=f"hilbridge {name}",
            description=COMMANDS[name],
            epilog=examples(name),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(parser)
        rewritten = getattr(module, "rewritten", None)
        given = words[1:] if rewritten is None else rewritten(words[1:], parser)
        status = with_consent(module.run, parser.parse_args(given))
        print(end="", flush=True)
    except InvalidFileError as error:
        return _refuse(error, "")  # lines of `file:line: key: reason`, as editors read them
    except ConfigurationError as error:
        return _refuse(error, "hilbridge: ")
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except Exception as error:
        if is_lack_of_memory(error):
            error.__traceback__ = error.__context__ = None  # what the work held
            print(f"hilbridge: there is not enough memory for {name!r} here", file=sys.stderr, flush=True)
            if arguments is None:
                _discard(2)  # what the interpreter has no memory for at its end
            return 1
        if not isinstance(error, OSError) or error.errno not in (errno.EPIPE, errno.ENOSPC):
            raise
        _discard(1)  # what is still buffered
        return 1
    return status
