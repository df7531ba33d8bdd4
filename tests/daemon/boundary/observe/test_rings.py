"""The memory between the two processes."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.observe.carried_frames import SIZE
from hilbridge.boundary.observe.rings import Rings


@pytest.fixture
def rings() -> Iterator[Rings]:
    made = Rings.create(b"what the run is", snapshot=64, capacity=4096)
    yield made
    made.close()


def other_side(rings: Rings) -> Rings:
    return Rings(os.dup(rings.descriptor))


def test_both_sides_see_the_same(rings: Rings) -> None:
    """What one side writes the other finds: about, snapshots, events, histograms, bookmarks."""
    other = other_side(rings)
    rings.snapshots.put(bytes(range(64)))
    rings.carried.put(bytes((1,)).ljust(SIZE, b"\0"))
    rings.event_writer().put(1, 2, b"three")
    rings.lateness.record(1000)
    rings.step_time.record(2000)
    rings.answer_time.record(3000)
    rings.origin[0] = 5
    other.bookmarks.seen[0] = 7
    assert other.about == b"what the run is"
    assert other.snapshots.get() == bytes(range(64))
    assert (other.carried.get() or b"")[:2] == b"\x01\x00"
    assert [event[1:] for event in other.event_reader().read()] == [(2, 1, b"three")]
    assert [histogram.maximum for histogram in other.durations] == [1000, 2000, 3000]
    assert other.origin[0] == 5
    assert rings.bookmarks.seen[0] == 7
    other.close()


@pytest.mark.parametrize("about", [b"", b"x" * 10_000])
def test_no_part_overlaps_another(about: bytes) -> None:
    """Every part filled to the brim leaves the others as they were, whatever the length of `about`."""
    rings = Rings.create(about, snapshot=60, capacity=4096)
    writer = rings.event_writer()
    while writer.put(1, 0, b"\xff" * 50):
        pass
    for _ in range(9):
        rings.snapshots.put(b"\xff" * 60)
    for bookmark in rings.bookmarks:
        bookmark[0] = 2**64 - 1
    rings.lateness.record(2**50)
    rings.step_time.record(0)
    rings.answer_time.record(2**50)
    rings.origin[0] = 2**64 - 1
    assert rings.about == about
    assert rings.snapshots.get() == b"\xff" * 60
    assert (rings.lateness.count, rings.lateness.maximum) == (1, 2**50)
    assert (rings.step_time.count, rings.step_time.maximum) == (1, 0)
    assert (rings.answer_time.count, rings.origin[0]) == (1, 2**64 - 1)
    assert {event.payload for event in rings.event_reader().read()} == {b"\xff" * 50}
    rings.close()


def test_memory_is_allocated_in_advance(rings: Rings) -> None:
    """No page has to be found later, when there may be none."""
    status = os.fstat(rings.descriptor)
    assert status.st_blocks * 512 >= status.st_size


def test_memory_cannot_be_cut_short(rings: Rings) -> None:
    """A truncated mapping would end a reader with SIGBUS; nobody can truncate it."""
    with pytest.raises(PermissionError):
        os.ftruncate(rings.descriptor, 0)


def test_descriptor_is_no_standard_stream_and_not_inherited(rings: Rings) -> None:
    """Also a process that was started without standard streams does not print into its rings."""
    assert rings.descriptor > 2
    assert not os.get_inheritable(rings.descriptor)


def test_other_memory_is_refused() -> None:
    """A descriptor that leads elsewhere is no ring."""
    descriptor = os.memfd_create("other")
    os.truncate(descriptor, 4096)
    with pytest.raises(ValueError, match="rings"):
        Rings(descriptor)
    os.close(descriptor)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        ("posix_fallocate", errno.ENOSPC),  # the memory of the machine, or of its control group
        ("memfd_create", errno.EMFILE),  # descriptors of the process
    ],
)
def test_a_machine_without_room_for_the_rings_is_told_so(
    monkeypatch: pytest.MonkeyPatch, call: str, error: int
) -> None:
    """In words, with the size; no descriptor stays open."""

    def refuse(*_: object) -> None:
        raise OSError(error, os.strerror(error))

    before = len(list(Path("/proc/self/fd").iterdir()))
    monkeypatch.setattr(os, call, refuse)
    with pytest.raises(ConfigurationError, match=rf"no 4\.\d MB of shared memory: {os.strerror(error)}"):
        Rings.create(b"", snapshot=64)
    assert len(list(Path("/proc/self/fd").iterdir())) == before
