"""`hilbridge completion`: what completes commands, options, entries and names of files in a shell."""

import argparse
from itertools import chain
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.remedies import extra_remedy
from hilbridge.base.resources import Kind, names
from hilbridge.commands import every_parser, whole_parser
from vehiclesim.entries import ENTRIES

SHELLS: Final = ("bash", "zsh", "fish")

_NAMED: Final = {"BENCH": Kind.BENCH, "VEHICLE": Kind.VEHICLE, "TARGETS": Kind.ENGINE, "PROFILE": Kind.PROFILE}
"""Words of the usage that stand for a name or a file."""

_FILES: Final = ("DIR", "FILE", "FOLDER", "NAME|FILE")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the shell."""
    parser.add_argument("shell", choices=SHELLS, help='e.g. in ~/.bashrc: eval "$(hilbridge completion bash)"')


def run(args: argparse.Namespace) -> int:
    """Print the script; exit status 0."""
    print(scripts(args.shell)[0])
    return 0


def scripts(*shells: str) -> list[str]:
    """Return the script for each of these shells, or raise ConfigurationError where shtab is not installed."""
    try:
        import shtab
    except ImportError:
        raise ConfigurationError(f"completion needs the package shtab: {extra_remedy('completion')}") from None
    parser = whole_parser()
    for action in chain.from_iterable(each._actions for each in every_parser(parser)):
        if completer := shtab.FILE if action.metavar in _FILES else _completer(str(action.metavar)):
            action.complete = completer  # type: ignore[attr-defined]  # where shtab looks for it
    return [shtab.complete(parser, shell=shell) for shell in shells]


def _completer(word: str) -> dict[str, Any] | None:
    """Return the code that offers names for a word of the usage, in the language of each shell."""
    if word == "ENTRY":
        text = " ".join(entry.path for entries in ENTRIES for entry in entries)
        code = {"bash": "", "zsh": f"({text})", "fish": ""}
    elif word in _NAMED:
        text = " ".join(names(_NAMED[word]))
        code = {
            "bash": '; compgen -f -- "$1"',
            "zsh": f"{{_alternative 'names:name:({text})' 'files:file:_files'}}",
            "fish": "; __fish_complete_path (commandline -ct)",
        }
    else:
        return None
    return {
        "bash": f"_hilbridge_{word}",
        "zsh": code["zsh"],
        "fish": f"(printf '%s\\n' {text}{code['fish']})",
        "preamble": {"bash": f"_hilbridge_{word}() {{ compgen -W '{text}' -- \"$1\"{code['bash']}; }}"},
    }
