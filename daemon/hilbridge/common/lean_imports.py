"""What a process need not import: python-can loads asammdf where it is installed, which brings pandas and a second."""

import sys


def without_asammdf() -> None:
    """Let python-can, which is imported later, believe that asammdf is missing, in a process that writes no MF4."""
    sys.modules.setdefault("asammdf", None)  # type: ignore[arg-type]  # None: an import of it fails
