"""Leaves out imports that a process does not need: parts of libraries that nothing here uses."""

import sys
from types import ModuleType


def lean_imports(*, asammdf: bool = False) -> None:
    """Keep two packages from being imported later, by libraries which have them at hand for what nothing here does.

    cantools has a tester, the one part of it that needs python-can (0.1 s): an empty module takes its place. python-can
    loads asammdf where it is installed, which brings pandas and a second: unless this process may write MF4, as
    `asammdf` says, an import of it fails.
    """
    sys.modules.setdefault("cantools.tester", ModuleType("cantools.tester"))
    if not asammdf:
        sys.modules.setdefault("asammdf", None)  # type: ignore[arg-type]  # None: an import of it fails
