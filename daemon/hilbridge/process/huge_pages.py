"""Memory in few large pages: a tick that begins with cold caches looks up fewer addresses.

A processor keeps the places of some hundred pages at hand. What a tick touches lies on many more pages of 4 KiB than
that, and other programs take the places between two ticks; of pages of 2 MiB (x86-64) there are a few dozen at most.
`collapse` asks for the exchange once (madvise(2), MADV_COLLAPSE: Linux 6.1 and later, whatever
/sys/kernel/mm/transparent_hugepage/enabled says).
"""

import ctypes
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

PAGE_SIZE: Final = Path("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size")

_MAPS: Final = Path("/proc/self/maps")
_MADV_COLLAPSE: Final = 25
_ATTEMPTS: Final = 3
_ANONYMOUS: Final = "0"  # the inode of memory without a file
_UNNAMED: Final = ("", "[heap]")

_libc: Final = ctypes.CDLL(None, use_errno=True)
_libc.madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)


class Collapsed(NamedTuple):
    """How much memory lies on huge pages now, how much was refused [byte], and why."""

    collapsed: int
    refused: int
    reason: str


def collapse() -> Collapsed:
    """Moves what this process has of ordinary memory onto huge pages, as far as whole ones fit in.

    Every byte is copied, once. Memory that nobody has touched yet is passed over. OSError: the kernel has no
    transparent huge pages, or cannot be asked for them.
    """
    size = int(PAGE_SIZE.read_text(encoding="ascii"))
    collapsed = refused = untouched = 0
    reason = ""
    for begin, end in _ordinary_memory(_MAPS.read_text(encoding="utf-8")):
        first, last = -(-begin // size) * size, end // size * size
        for place in range(first, last, size):
            error = _collapse(place, size)
            if error == 0:
                collapsed += size
            elif error == errno.EINVAL:
                untouched += size
            else:
                refused += size
                reason = os.strerror(error)
    if untouched and not collapsed + refused:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
    return Collapsed(collapsed, refused, reason)


def _collapse(place: int, size: int) -> int:
    """The error number, 0 for none; memory that the kernel is just busy with (EAGAIN) is tried again."""
    for _ in range(_ATTEMPTS):
        if _libc.madvise(place, size, _MADV_COLLAPSE) == 0:
            return 0
        if ctypes.get_errno() != errno.EAGAIN:
            break
    return ctypes.get_errno()


def _ordinary_memory(maps: str) -> Iterator[tuple[int, int]]:
    """Beginning and end of what is private, writable and of no file; not stacks (format: proc(5))."""
    for line in maps.splitlines():
        addresses, permissions, _, _, inode, *name = line.split(maxsplit=5)
        if permissions.startswith("rw-p") and inode == _ANONYMOUS and "".join(name) in _UNNAMED:
            begin, end = (int(one, 16) for one in addresses.split("-"))
            yield begin, end
