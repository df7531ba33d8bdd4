"""The room that a recording leaves on its disk; statvfs(3) is the test's."""

from os import statvfs_result
from pathlib import Path

import pytest

from hilbridge.boundary.observe.room import Room

BLOCK = 4096
GIGABYTE = 1_000_000_000


class Disk:
    """A file system of so many bytes of which so many are free for users; each second is a look."""

    def __init__(self, size: int, free: int) -> None:
        self.size, self.free, self.second, self.looks = size, free, 0.0, 0
        self.room = Room(Path("/"), self.look, lambda: self.second)

    def look(self, folder: Path) -> statvfs_result:
        self.looks += 1
        blocks, free = self.size // BLOCK, self.free // BLOCK
        # bsize, frsize, blocks, bfree with those of root, bavail, files, ffree, favail, flag, namemax
        return statvfs_result((BLOCK, BLOCK, blocks, free + 100_000, free, 0, 0, 0, 0, 255))

    def after(self, free: int) -> str:
        self.free, self.second = free, self.second + 1
        return self.room.refusal()


def test_a_large_disk_keeps_half_a_gigabyte_and_says_so_in_time() -> None:
    disk = Disk(64 * GIGABYTE, 10 * GIGABYTE)
    assert (disk.room.refusal(), disk.room.left) == ("", 0)
    assert disk.after(19 * GIGABYTE // 10) == ""
    assert disk.room.left == pytest.approx(1.9 * GIGABYTE, abs=BLOCK)
    assert "500 MB of the disk are left, of which 500 MB are kept free" in disk.after(499_999_744)
    assert (disk.after(10 * GIGABYTE), disk.room.left) == ("", 0)


def test_a_small_disk_keeps_a_twentieth() -> None:
    """A tmpfs of 3 MB."""
    disk = Disk(3_000_320, 140_000)
    assert "are kept free" in disk.room.refusal()
    assert disk.after(160_000) == ""
    assert disk.room.left > 0
    assert disk.after(0) != ""
    assert disk.room.left == 1


def test_the_disk_is_asked_once_a_second() -> None:
    disk = Disk(GIGABYTE, GIGABYTE)
    for _ in range(100):
        disk.room.refusal()
    assert disk.looks == 1


def test_a_file_system_that_cannot_be_asked_has_room() -> None:
    """The writing finds out."""
    room = Room(Path("/there is no such folder"))
    assert (room.refusal(), room.left) == ("", 0)
