"""`hilbridge manual`: the manual page, roff for man(1), of what the commands say of themselves."""

import argparse
import os
import re
from typing import Final

from hilbridge import __version__
from hilbridge.commands import COMMANDS, SUMMARY, every_parser, whole_parser
from hilbridge.resources import documents

_BEGIN: Final = """\
.TH HILBRIDGE 1 "" "hilbridge {version}" "User Commands"
.SH NAME
hilbridge \\- a virtual engine on a real bus
.SH SYNOPSIS
.B hilbridge
.I COMMAND
[...]
.SH DESCRIPTION
{summary}
.SH COMMANDS
"""

_END: Final = """\
.SH EXIT STATUS
0: it has worked. 1: it has failed. 2: wrong usage, or a file with an error. 130: ended by Ctrl\\-C.
.SH FILES
.TP
.I /etc/hilbridge
benches, vehicles, scenarios and databases of this machine
.TP
.I {documents}
the reference of every key (README.md), of every value (VALUES.md) and of the presets (PRESETS.md)
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add nothing: there is one page."""


def run(_: argparse.Namespace) -> int:
    """Print the page; exit status 0."""
    os.environ["COLUMNS"] = "80"  # argparse wraps for the terminal
    print(_BEGIN.format(version=__version__, summary=SUMMARY), end="")
    for name, text in COMMANDS.items():
        print(f".TP\n.B {name}\n{_roff(text)}")
    print(".SH OPTIONS")
    parsers = list(every_parser(whole_parser()))[1:]
    for parser in parsers:
        print(f".SS {_roff(parser.prog)}\n.nf\n{_roff(parser.format_help().rstrip())}\n.fi")
    print(_END.format(documents=documents()), end="")
    return 0


def _roff(text: str) -> str:
    """Return text as roff takes it: a backslash or a hyphen as itself, and no line that looks like a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^(?=[.'])", r"\\&", text, flags=re.MULTILINE)
