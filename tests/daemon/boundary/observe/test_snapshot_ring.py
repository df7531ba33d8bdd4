"""The snapshot ring: the newest state, whole or not at all."""

import mmap
import os
import struct

import pytest

from hilbridge.boundary.observe.snapshot_ring import SLOTS, SnapshotRing, size_of

CONTENT = 480


class Memory:
    """A ring's memory, shared with children."""

    def __init__(self) -> None:
        self.map = mmap.mmap(-1, 8 + size_of(CONTENT))
        view = memoryview(self.map)
        self.number = view[:8].cast("Q")
        self.slots = view[8:]

    def ring(self) -> SnapshotRing:
        return SnapshotRing(self.slots, self.number, CONTENT)


def content(number: int) -> bytes:
    return struct.pack("<Q", number) * (CONTENT // 8)


def test_nothing_was_written() -> None:
    """A ring without a record answers None."""
    assert Memory().ring().get() is None


@pytest.mark.parametrize("count", [1, 2, SLOTS, SLOTS + 1, 10 * SLOTS])
def test_newest_wins(count: int) -> None:
    """After any number of records a reader finds the last one, as often as it looks."""
    memory = Memory()
    writer, reader = memory.ring(), memory.ring()
    for number in range(count):
        writer.put(content(number))
    assert reader.get() == reader.get() == content(count - 1)


@pytest.mark.parametrize("offset", [0, 4, 12, CONTENT // 2, CONTENT + 11])
def test_half_written_record_is_not_taken(offset: int) -> None:
    """A slot in which any byte is not (yet) what was announced is refused."""
    memory = Memory()
    writer = memory.ring()
    writer.put(content(1))
    slot = 1 % SLOTS * (12 + CONTENT)
    memory.slots[slot + offset] ^= 0xFF
    assert memory.ring().get() is None


def test_record_of_another_lap_is_not_taken() -> None:
    """A slot that was overwritten meanwhile holds a valid record of another number; the announced one is gone."""
    memory = Memory()
    writer = memory.ring()
    for number in range(1, SLOTS + 2):
        writer.put(content(number))
    memory.number[0] = 1
    assert memory.ring().get() is None


def test_writer_goes_on_with_the_numbers() -> None:
    """A second writer's end (after a crash of the first) announces higher numbers than the first."""
    memory = Memory()
    memory.ring().put(content(1))
    memory.ring().put(content(2))
    assert memory.number[0] == 2
    assert memory.ring().get() == content(2)


def test_concurrent_reader_sees_whole_records_in_order() -> None:
    """While another process writes without a pause, what a reader gets is never mixed and never older than before."""
    memory = Memory()
    records = 20_000
    child = os.fork()
    if child == 0:
        writer = memory.ring()
        for number in range(1, records + 1):
            writer.put(content(number))
        os._exit(0)
    reader = memory.ring()
    last = 0
    while last < records:
        got = reader.get()
        if got is not None:
            (number,) = struct.unpack_from("<Q", got)
            assert got == content(number)
            assert number >= last
            last = number
    assert os.waitpid(child, 0)[1] == 0
