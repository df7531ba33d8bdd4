"""Stands in for a module of POSIX that no browser has: `web/build.py` copies it under each of their names.

Constants are 0, so that modules which use them can be imported. A function raises OSError: nothing pretends to work.
"""

import errno
from typing import Any


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    if name == "error":
        return OSError
    if name[0].isupper():
        return 0

    def absent(*_given: object, **_named: object) -> None:
        raise OSError(errno.ENOSYS, f"a browser has no {__name__}.{name}")

    return absent
