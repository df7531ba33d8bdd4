"""The tests that a change need not wait for: `nightly.txt` lists them, and `.ci/nightly` runs them.

With HILBRIDGE_TESTS=merge, as in `.ci/run`, they are left out. Each of them takes long, and a shorter test of the same
kind stays: another guide, another car, the same command with fewer runs. A line is a test as pytest writes it: a file,
a function, or a function with its parameters; what follows a # is for people.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

LIST: Final = Path(__file__).with_name("nightly.txt")
VARIABLE: Final = "HILBRIDGE_TESTS"


def listed(text: str) -> list[str]:
    """Return the tests of a list, without comments."""
    lines = (line.partition(" #")[0].strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def is_listed(test: str, names: Sequence[str]) -> bool:
    """Return whether a test is listed by itself, or by its function, class or file."""
    return any(test == name or test.startswith((f"{name}[", f"{name}::")) for name in names)


def left_out() -> list[str]:
    """Return the names of the tests that this run leaves out."""
    chosen = os.environ.get(VARIABLE, "all")
    if chosen not in ("all", "merge"):
        raise ValueError(f"{VARIABLE} is all or merge, not {chosen!r}")
    return listed(LIST.read_text(encoding="utf-8")) if chosen == "merge" else []
