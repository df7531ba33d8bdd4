"""The memory between tick and process: samples by number, cells for what is wanted and counted."""

import errno
import mmap
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from hilbridge.base.common.errors import LinkError
from hilbridge.bench.xcp.memory_map import encode_sample, time_and_image
from hilbridge.bench.xcp.sample_memory import CELLS, SLOTS, SampleMemory
from vehiclesim.databus import DataBus

CHANNELS = DataBus().channels


@pytest.fixture
def ends() -> Iterator[tuple[SampleMemory, SampleMemory]]:
    """The memory as its two processes see it."""
    tick = SampleMemory.create()
    process = SampleMemory(os.dup(tick.descriptor))
    yield tick, process
    tick.close()
    process.close()


def test_a_sample_is_found_by_its_number_until_it_is_overwritten(ends: tuple[SampleMemory, SampleMemory]) -> None:
    tick, process = ends
    assert process.ring.newest == 0
    for number in range(1, SLOTS + 3):
        tick.ring.put(encode_sample(number, CHANNELS))
    assert process.ring.newest == SLOTS + 2
    assert [process.ring.at(number) for number in (1, 2)] == [None, None]
    for number in (3, SLOTS, SLOTS + 2):
        sample = process.ring.at(number)
        assert sample is not None
        assert time_and_image(sample)[0] == number
    assert process.ring.at(SLOTS + 3) is None


def test_cells_are_seen_by_the_other_end(ends: tuple[SampleMemory, SampleMemory]) -> None:
    tick, process = ends
    for number, cell in enumerate(CELLS, 1):
        process.write(cell, number)
    process.count("sent", 10)
    assert [tick.read(cell) for cell in CELLS] == [n + 10 * (cell == "sent") for n, cell in enumerate(CELLS, 1)]
    assert tick.is_wanted
    tick.reset()
    assert not tick.is_wanted
    assert tick.ring.newest == 0


def test_no_one_changes_its_size(ends: tuple[SampleMemory, SampleMemory]) -> None:
    """A process that shortened it would end the tick with SIGBUS."""
    _, process = ends
    for size in (0, 1 << 30):
        with pytest.raises(PermissionError):
            os.ftruncate(process.descriptor, size)


def test_a_memory_that_cannot_be_mapped_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_arguments: object, **_keys: object) -> None:
        raise OSError(errno.ENOMEM, "no room")

    monkeypatch.setattr(mmap, "mmap", fails)
    before = set(Path("/proc/self/fd").iterdir())
    with pytest.raises(LinkError, match="no room"):
        SampleMemory.create()
    assert set(Path("/proc/self/fd").iterdir()) == before
