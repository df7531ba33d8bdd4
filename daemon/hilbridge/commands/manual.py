"""`hilbridge manual`: the manual page, roff for man(1), of what the commands say of themselves."""

import argparse
import os
import re
from pathlib import Path
from typing import Final

from hilbridge import __version__
from hilbridge.base.resources import documents
from hilbridge.commands import COMMANDS, SUMMARY, every_parser, whole_parser
from hilbridge.commands.completion import scripts

PLACES: Final = {
    "bash": "bash-completion/completions/hilbridge",
    "zsh": "zsh/site-functions/_hilbridge",
    "fish": "fish/vendor_completions.d/hilbridge.fish",
}
"""Where each shell looks below a share folder for what completes the words of a command."""

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
the reference of every key (README.md), of every value (VALUES.md), of the presets (PRESETS.md) and of the
status (STATUS.md)
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the folder of an installation."""
    text = "write the page, and what completes words in each shell, to their places below FOLDER, such as /usr/share"
    parser.add_argument("--share", metavar="FOLDER", type=Path, help=text)


def run(args: argparse.Namespace) -> int:
    """Print the page, or write the files of an installation; exit status 0."""
    os.environ["COLUMNS"] = "80"  # argparse wraps for the terminal
    if args.share is None:
        print(_page(), end="")
        return 0
    files = {"man/man1/hilbridge.1": _page()} | dict(zip(PLACES.values(), scripts(*PLACES), strict=True))
    for place, text in files.items():
        file = args.share / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return 0


def _page() -> str:
    """Return the manual page."""
    lines = [_BEGIN.format(version=__version__, summary=SUMMARY)]
    lines += [f".TP\n.B {name}\n{_roff(text)}\n" for name, text in COMMANDS.items()]
    lines.append(".SH OPTIONS\n")
    parsers = list(every_parser(whole_parser()))[1:]
    lines += [f".SS {_roff(parser.prog)}\n.nf\n{_roff(parser.format_help().rstrip())}\n.fi\n" for parser in parsers]
    return "".join(lines) + _END.format(documents=documents())


def _roff(text: str) -> str:
    """Return text as roff takes it: a backslash or a hyphen as itself, and no line that looks like a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^(?=[.'])", r"\\&", text, flags=re.MULTILINE)
