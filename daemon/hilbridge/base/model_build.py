"""The build that this process runs: model and tick compiled by mypyc, or interpreted from the same source files.

A compiled wheel carries both: `engine.cpython-….so` lies beside `engine.py`, and Python prefers the extension. The two
give the same bits; a bench measures one against the other, a test compares their states, and a debugger can only step
through the interpreted one. HILBRIDGE_INTERPRETED=1 chooses it.
"""

import importlib
import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from types import ModuleType
from typing import Final

MODEL: Final = "vehiclesim"

_COMPILED: Final = (f"{MODEL}.", "hilbridge.")
"""Beginnings of the names of modules that a compiled wheel has as extensions; hatch_build.py lists them."""

VARIABLE: Final = "HILBRIDGE_INTERPRETED"
"""Environment variable: 1 runs the source files even where compiled modules lie beside them."""


class _SourceFinder(MetaPathFinder):
    """An import finder for the modules of vehiclesim and hilbridge as source files only."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if path is None or not fullname.startswith(_COMPILED):
            return None
        for folder in path:
            spec = FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES)).find_spec(fullname, target)
            if spec is not None:
                return spec
        return None


def import_interpreted() -> None:
    """Make this process, and the processes it starts, use the source files; RuntimeError when it is too late."""
    if MODEL in sys.modules and is_compiled():
        raise RuntimeError(f"{MODEL} is already imported in its compiled form")
    os.environ[VARIABLE] = "1"
    if not any(isinstance(finder, _SourceFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _SourceFinder())


def honour_environment() -> None:
    """Use the source files where HILBRIDGE_INTERPRETED=1 asks for it; call this before the model is imported."""
    if os.environ.get(VARIABLE) == "1":
        import_interpreted()


def is_compiled() -> bool:
    """Return whether the model of this process is the compiled one."""
    solver = importlib.import_module(f"{MODEL}.solver")
    return not str(solver.__file__).endswith(".py")


def describe() -> str:
    """Return `compiled` or `interpreted`: for the log, the benchmark report and the manifest of a recording."""
    return "compiled" if is_compiled() else "interpreted"
