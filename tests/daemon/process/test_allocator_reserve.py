"""Small objects find their room in what was reserved: nothing is mapped for them, nothing given back."""

import subprocess
import sys

PROGRAM = """
from hilbridge.process import allocator_reserve


def mapped():
    total = 0
    for line in open("/proc/self/maps"):
        addresses, permissions, _, _, inode, *name = line.split()
        if permissions == "rw-p" and inode == "0" and not name:
            begin, end = (int(one, 16) for one in addresses.split("-"))
            total += end - begin
    return total


before = mapped()
allocator_reserve.reserve(16 << 20)
reserved = mapped()
objects = [bytes(size % 480) for size in range(20_000)]
while_full = mapped()
del objects
print(before, reserved, while_full, mapped())
"""


def test_objects_of_any_small_size_come_out_of_it_and_go_back_into_it() -> None:
    run = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 0, run.stderr
    before, reserved, while_full, after = map(int, run.stdout.split())
    assert reserved - before >= 16 << 20
    assert while_full == reserved == after
