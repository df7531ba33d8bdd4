"""Memory on huge pages, as the kernel tells it in smaps."""

import ctypes
import errno
import os
import re
import subprocess
import sys

import pytest

from hilbridge.process import huge_pages

there = pytest.mark.skipif(not huge_pages.PAGE_SIZE.exists(), reason="this kernel has no transparent huge pages")

PROGRAM = """
from pathlib import Path
from hilbridge.process import huge_pages

kept = [bytes(1000) for _ in range(40_000)]
told = huge_pages.collapse()
print(told.collapsed, told.refused)
print(Path("/proc/self/smaps_rollup").read_text())
"""


@there
def test_memory_that_is_told_to_be_on_huge_pages_is() -> None:
    """What smaps says (AnonHugePages), in a process with 40 MB of its own."""
    run = subprocess.run([sys.executable, "-c", PROGRAM], check=False, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    collapsed, refused = map(int, run.stdout.splitlines()[0].split())
    found = re.search(r"AnonHugePages: +(\d+) kB", run.stdout)
    assert found is not None
    assert int(found[1]) << 10 >= collapsed
    assert collapsed + refused >= 30 << 20


@there
def test_a_kernel_that_cannot_be_asked_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before Linux 6.1 madvise knows no MADV_COLLAPSE, and says EINVAL, as it does for memory that nobody touched."""

    def madvise(*_: object) -> int:
        ctypes.set_errno(errno.EINVAL)
        return -1

    monkeypatch.setattr(huge_pages._libc, "madvise", madvise)
    with pytest.raises(OSError, match=os.strerror(errno.EINVAL)):
        huge_pages.collapse()


@there
def test_a_page_that_is_busy_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """EAGAIN: madvise(2) says that another attempt may do; one that stays busy is refused."""
    errors = iter([errno.EAGAIN, 0])

    def madvise(*_: object) -> int:
        error = next(errors, stays)
        ctypes.set_errno(error)
        return -1 if error else 0

    monkeypatch.setattr(huge_pages._libc, "madvise", madvise)
    stays = 0
    assert huge_pages.collapse().refused == 0
    stays = errno.EAGAIN
    told = huge_pages.collapse()
    assert told.collapsed == 0
    assert told.refused > 0
    assert told.reason == os.strerror(errno.EAGAIN)


def test_files_stacks_and_shared_memory_are_left_alone() -> None:
    """Of proc(5)'s own kinds of lines only the heap, and private memory without a name."""
    maps = """\
00400000-00452000 r-xp 00000000 08:02 173521      /usr/bin/dbus-daemon
00e03000-00e24000 rw-p 00000000 00:00 0           [heap]
35b1a21000-35b1a22000 rw-p 00000000 00:00 0
35b1a30000-35b1a31000 rw-s 00000000 00:01 77      /memfd:rings (deleted)
35b1a40000-35b1a41000 rw-p 00003000 08:02 135522  /usr/lib64/a library.so
7fffb2c0d000-7fffb2c2e000 rw-p 00000000 00:00 0   [stack]
"""
    found = list(huge_pages._ordinary_memory(maps))
    assert found == [(0xE03000, 0xE24000), (0x35B1A21000, 0x35B1A22000)]
