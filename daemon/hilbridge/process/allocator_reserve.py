"""Room for small objects in one piece, taken before the program is loaded.

Python takes the memory of small objects by the arena of 1 MiB, wherever the kernel finds room at the time. While a
program is loaded that is between its libraries, so that many arenas fit no huge page (huge_pages.py); and while
it runs arenas come and go, each by a system call that waits for whoever looks into this process (mmap(2), munmap(2)).

`reserve` fills arenas that lie side by side, and empties them but for an object here and there: those keep them. What
the program needs then comes out of them (CPython, Objects/obmalloc.c).
"""

import sys
from typing import Final

RESERVED: Final = 24 << 20
"""[byte]; a bench of medium size has about as much in small objects."""

_OBJECT: Final = 512
"""[byte] of the largest small object."""
_HEADER: Final = sys.getsizeof(b"")
_KEPT: Final = 512
"""One of so many is kept: four for each arena."""

_keepers: list[bytes] = []


def reserve(size: int = RESERVED) -> None:
    """Takes `size` bytes; in the first lines of a program, or they lie in pieces too."""
    filled = [bytes(_OBJECT - _HEADER) for _ in range(size // _OBJECT)]
    _keepers.extend(filled[::_KEPT])
