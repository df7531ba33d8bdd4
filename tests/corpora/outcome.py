"""A command of the program in a process of its own, with a limit of processor time, and what it printed."""

import gc
import importlib
import os
import resource
import sys
import traceback
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

PRELOADED = tuple(f"hilbridge.commands.{name}" for name in ("check", "export", "export_log", "learn", "new", "run"))

LIMIT = 10
"""[s] of processor time for a command on a file."""


class Verdict(StrEnum):
    """What came of a file."""

    RIGHT = "right"
    REFUSED = "refused with a message"
    LOSS = "told loss"
    WRONG = "wrong"


class Outcome(NamedTuple):
    """What a command printed, and its exit status; a negative one is that of a signal."""

    text: str
    status: int

    @property
    def is_wrong(self) -> bool:
        """A traceback, a hang, or a refusal in the words of Python."""
        words = ("Traceback", "NoneType", "list index", "KeyError", "object has no attribute")
        return self.status not in (0, 2) or any(word in self.text for word in words)


def preload() -> None:
    """Import what commands import, which takes a command longer than a small file."""
    for name in PRELOADED:
        importlib.import_module(name)
    gc.freeze()  # a collection in a child would copy every page of what was imported


def run(words: Sequence[str], folder: Path) -> Outcome:
    """Run a command of the command line in a forked process."""
    from hilbridge.commands.cli import main

    preload()
    output = folder / "output"
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 1))
        descriptor = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(descriptor, 1)
        os.dup2(descriptor, 2)
        status = 70
        try:
            status = main(list(words))
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 2
        except BaseException:  # noqa: BLE001
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
    _, ended = os.waitpid(child, 0)
    return Outcome(output.read_text(encoding="utf-8", errors="replace"), os.waitstatus_to_exitcode(ended))


def print_table(found: dict[str, tuple[Verdict, str]]) -> int:
    """Print the verdicts, each wrong one with its reason; return the exit status."""
    for name, (verdict, reason) in sorted(found.items()):
        if verdict is not Verdict.RIGHT:
            print(f"{verdict}: {name}: {reason}")
    counts = Counter(verdict for verdict, _ in found.values())
    print("".join(f"\n{verdict:24} {counts[verdict]}" for verdict in Verdict))
    return 1 if counts[Verdict.WRONG] else 0
