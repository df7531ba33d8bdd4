"""The tests of what changed since the branch left origin/main, committed or not; since HEAD without such a branch.

    python -m tests.changed          prints a path for each, for pytest

Tests mirror the modules: `daemon/hilbridge/ROOM/NAME.py` has `tests/daemon/ROOM/test_NAME.py`, or else the tests of its
folder, or where there is none those beside it. Test files that changed are tests of what has changed. Data files have
the tests that read them.
"""

import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

CHECKOUT: Final = Path(__file__).parents[1]

ALWAYS: Final = ("tests/daemon/test_import_rules.py",)
"""Tests of every change: the rooms."""

ROOTS: Final = {"daemon/hilbridge": "tests/daemon", "sim/vehiclesim": "tests/sim"}
"""Tests by the package that they mirror."""

DATA: Final = {
    "config": ("tests/daemon/files/configuration", "tests/sim/test_shipped_vehicles.py"),
    "config/clusters": ("tests/scenarios/test_clusters.py", "tests/scenarios/test_dashes.py"),
    "config/STATUS.md": ("tests/daemon/bench/test_status_page.py", "tests/daemon/boundary/observe/test_metrics.py"),
    "config/VALUES.md": ("tests/daemon/commands/test_values.py",),
    "sim/vehiclesim/entries.csv": (
        "tests/sim/test_databus.py",
        "tests/sim/test_entries.py",
        "tests/daemon/commands/test_values.py",
        "tests/daemon/frames/codec/test_powertrain.py",
    ),
    "sim/vehiclesim/equipment": ("tests/sim/equipment",),
    "sim/vehiclesim/parameters": (
        "tests/sim/test_parameters.py",
        "tests/sim/test_compact.py",
        "tests/daemon/files/configuration",
    ),
    "daemon/hilbridge/bench": (
        "tests/daemon/bench/test_status_page.py",
        "tests/daemon/boundary/observe/test_metrics.py",
    ),
    "daemon/hilbridge/commands/__init__.py": ("tests/daemon/commands",),
    "dbc": ("tests/daemon/frames/codec",),
    "docs/guides": ("tests/scenarios/test_guides.py",),
    ".githooks": ("tests/habits",),
    "CONTRIBUTING.md": ("tests/habits/test_recipes.py",),
    "tests/clusters": ("tests/scenarios/test_clusters.py", "tests/habits/test_judged.py"),
    "tests/door_table.py": ("tests/habits/test_doors.py", "tests/habits/test_security_policy.py"),
    **dict.fromkeys(
        ("tests/judged.py", "tests/judged_dashes.py", "tests/judged_reasons.py", "docs/judged.md"),
        ("tests/habits/test_judged.py",),
    ),
    "tests/changed.py": ("tests/habits",),
}
"""Tests by the files, which are no modules, that they read."""

FOLDERS: Final = ("bench", "clients", "daemon", "examples", "fuzz", "habits", "scenarios", "sim", "typing")
"""Folders whose tests need no special kernel, browser or wheel, and end soon enough."""

TOO_LONG: Final = "tests/bench/test_ratios.py"


def changed_files() -> list[str]:
    """Return the changed and the new files, by their paths in the checkout."""
    base = _git("merge-base", "HEAD", "origin/main") or ["HEAD"]
    return [*_git("diff", "--name-only", *base), *_git("ls-files", "--others", "--exclude-standard")]


def selection(files: Iterable[str], checkout: Path = CHECKOUT) -> list[str]:
    """Return the tests of these files that are there, each once; a folder stands for all tests in it."""
    found = {path for file in files for path in _candidates(file, checkout) if (checkout / path).exists()}
    found.update(ALWAYS)
    return sorted(each for each in found if not any(str(folder) in found for folder in Path(each).parents))


def _candidates(file: str, checkout: Path) -> Iterator[str]:
    for prefix, tests in DATA.items():
        if file == prefix or file.startswith(f"{prefix}/"):
            yield from tests
    if (
        Path(file).name.startswith("test_")
        and file.startswith(tuple(f"tests/{folder}/" for folder in FOLDERS))
        and file != TOO_LONG
    ):
        yield file
    for root, tests_root in ROOTS.items():
        if file.startswith(f"{root}/") and file.endswith(".py"):
            module = Path(tests_root) / Path(file).relative_to(root)
            test = module.with_name(f"test_{module.name}")
            if (checkout / test).exists() or module.parent == Path(tests_root):
                yield str(test)
            elif (checkout / module.parent).exists():
                yield str(module.parent)
            else:
                beside = module.parent.parent
                yield from (str(beside / one.name) for one in (checkout / beside).glob("test_*.py"))


def _git(*words: str) -> list[str]:
    """Return the lines that git prints; none where it fails."""
    run = subprocess.run(["git", *words], cwd=CHECKOUT, capture_output=True, text=True, check=False)
    return run.stdout.splitlines() if run.returncode == 0 else []


if __name__ == "__main__":
    sys.stdout.write("\n".join(selection(changed_files())) + "\n")
