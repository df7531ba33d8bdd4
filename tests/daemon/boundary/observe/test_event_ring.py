"""The event ring: everything in order, and nothing lost unnoticed."""

import mmap
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.boundary.observe.event_ring import (
    CHUNK,
    GAP,
    GAP_LAYOUT,
    LARGEST,
    MOST_UNFINISHED,
    EventCells,
    EventReader,
    EventWriter,
    RingEvent,
)

OVERHEAD = 17
"""[byte] of a record around its payload: length and checksum (4 + 4), time (8), kind (1)."""


class Memory:
    """A ring's memory, shared with children."""

    def __init__(self, capacity: int, start: int = 0) -> None:
        view = memoryview(mmap.mmap(-1, 24 + capacity))
        self.cells = EventCells(view[:8].cast("Q"), view[8:16].cast("Q"), view[16:24].cast("Q"))
        self.events = view[24:]
        self.cells.written[0] = self.cells.released[0] = start

    def writer(self) -> EventWriter:
        return EventWriter(self.events, self.cells)

    def reader(self) -> EventReader:
        return EventReader(self.events, self.cells)


def take(reader: EventReader) -> list[RingEvent]:
    """Everything that is there; released at once."""
    taken: list[RingEvent] = []
    while events := reader.read():
        taken += events
        reader.release(reader.position)
    return taken


def contents(events: list[RingEvent]) -> list[tuple[int, int, bytes]]:
    return [(event.kind, event.t, event.payload) for event in events]


records = st.tuples(st.integers(1, 255), st.integers(-(2**63), 2**63 - 1), st.binary(max_size=60))


@given(st.lists(st.lists(records, max_size=6), max_size=30), st.integers(77, 300), st.integers(0, 2**40))
def test_what_is_put_is_read(batches: list[list[tuple[int, int, bytes]]], capacity: int, start: int) -> None:
    """Records of any size come out as they went in, in order, wherever they wrap around; those left out are counted.

    Holds for any capacity that has room for the largest record, and far into a run.
    """
    memory = Memory(capacity, start)
    writer, reader = memory.writer(), memory.reader()
    for batch in batches:
        kept = [record for record in batch if writer.put(*record)]
        taken = take(reader)
        assert [record for record in contents(taken) if record[0] != GAP] == kept
    writer.put(1, 0, b"")
    assert contents(take(reader))[-1] == (1, 0, b"")
    assert reader.lost == writer.lost


@given(st.lists(st.binary(max_size=60), min_size=1, max_size=60), st.integers(100, 300))
def test_gaps_account_for_every_record(payloads: list[bytes], capacity: int) -> None:
    """Numbers of records read + numbers in the GAP records = records put; a GAP stands where they are missing.

    Its time is the time of the first record left out.
    """
    memory = Memory(capacity)
    writer, reader = memory.writer(), memory.reader()
    taken: list[RingEvent] = []
    for t, payload in enumerate(payloads):
        writer.put(1, t, payload)
        if t % 7 == 6:
            taken += take(reader)
    taken += take(reader)
    assert writer.put(1, len(payloads), b"")
    taken += take(reader)
    expected = missing = 0
    for event in taken:
        assert event.t == expected
        left_out = GAP_LAYOUT.unpack(event.payload)[0] if event.kind == GAP else 0
        missing += left_out
        expected += left_out or 1
    assert expected == len(payloads) + 1
    assert missing == writer.lost == reader.lost


def test_full_ring_drops_the_new_and_keeps_the_old() -> None:
    """Without room the writer says so at once, and what the reader has not taken stays untouched."""
    memory = Memory(4 * (OVERHEAD + 10))
    writer, reader = memory.writer(), memory.reader()
    accepted = [writer.put(1, t, bytes(10)) for t in range(6)]
    assert accepted == [True] * 4 + [False] * 2
    assert writer.lost == 2
    assert [event.t for event in take(reader)] == [0, 1, 2, 3]


def test_unreleased_records_are_not_overwritten() -> None:
    """Reading alone gives no room; releasing does."""
    memory = Memory(2 * (OVERHEAD + 10))
    writer, reader = memory.writer(), memory.reader()
    writer.put(1, 0, bytes(10))
    writer.put(1, 1, bytes(10))
    first, second = reader.read()
    assert not writer.put(1, 2, bytes(10))
    reader.release(second.position)
    assert contents(memory.reader().read()) == [(1, 1, bytes(10))]
    assert first.position == 0


def test_new_reader_begins_at_the_released_position() -> None:
    """What a reader took but did not release, its successor reads again."""
    memory = Memory(1000)
    writer, reader = memory.writer(), memory.reader()
    for t in range(5):
        writer.put(1, t, b"")
    events = reader.read()
    reader.release(events[2].position)
    assert [event.t for event in memory.reader().read()] == [2, 3, 4]


def test_too_large_a_record_is_left_out() -> None:
    """A record above LARGEST is refused and counted, also when there is room for it."""
    memory = Memory(4 * LARGEST)
    writer, reader = memory.writer(), memory.reader()
    assert writer.put(1, 0, bytes(LARGEST - OVERHEAD))
    assert not writer.put(1, 1, bytes(LARGEST - OVERHEAD + 1))
    assert writer.put(1, 2, b"")
    assert [(event.t, event.kind) for event in take(reader)] == [(0, 1), (1, GAP), (2, 1)]


def test_waiting_writer_asks_for_room() -> None:
    """With `make_room` set the writer asks until the record fits, and loses nothing."""
    memory = Memory(3 * OVERHEAD)
    writer, reader = memory.writer(), memory.reader()
    taken: list[RingEvent] = []

    def make_room() -> bool:
        taken.extend(take(reader))
        return True

    writer.make_room = make_room
    assert all(writer.put(1, t, b"") for t in range(50))
    taken += take(reader)
    assert [event.t for event in taken] == list(range(50))
    assert writer.lost == 0


def test_waiting_writer_gives_up_when_told() -> None:
    """`make_room` answers False: the record counts as left out."""
    memory = Memory(OVERHEAD)
    writer = memory.writer()
    writer.make_room = lambda: False
    assert writer.put(1, 0, b"")
    assert not writer.put(1, 1, b"")
    assert writer.lost == 1


@given(st.integers(0, 3 * (OVERHEAD + 8) - 1), st.integers(1, 255))
def test_damage_is_never_taken_for_a_record(offset: int, bits: int) -> None:
    """Whatever byte changes, only records before it are read; then one GAP of unknown length, and reading goes on."""
    memory = Memory(1000)
    writer, reader = memory.writer(), memory.reader()
    for t in range(3):
        writer.put(1, t, b"12345678")
    memory.events[offset] ^= bits
    whole = offset // (OVERHEAD + 8)
    got: list[RingEvent] = []
    for _ in range(MOST_UNFINISHED + 2):
        got += reader.read()
    assert [event.t for event in got[:whole]] == list(range(whole))
    assert contents(got[whole:]) == [(GAP, max(whole - 1, 0), GAP_LAYOUT.pack(0))]
    writer.put(2, 9, b"on")
    assert contents(reader.read()) == [(2, 9, b"on")]


def test_unfinished_record_is_waited_for() -> None:
    """A record that is announced before it can be seen (another processor's stores) is read when it is there."""
    memory = Memory(1000)
    writer, reader = memory.writer(), memory.reader()
    writer.put(1, 5, b"late")
    late = memory.events[20:21].tobytes()
    memory.events[20] = 0
    assert reader.read() == []
    memory.events[20:21] = late
    assert contents(reader.read()) == [(1, 5, b"late")]


def test_record_of_an_earlier_lap_is_not_taken() -> None:
    """The same bytes at the same place are no record when they were written one lap ago."""
    size = OVERHEAD + 8
    memory = Memory(2 * size)
    writer, reader = memory.writer(), memory.reader()
    for t in range(2):
        writer.put(1, t, b"12345678")
    take(reader)
    memory.cells.written[0] += size
    assert reader.read() == []


def test_concurrent_writer_and_reader() -> None:
    """A process that writes as fast as it can and one that reads: what arrives is whole and in order, with its gaps."""
    memory = Memory(20_000)
    records = 30_000
    child = os.fork()
    if child == 0:
        writer = memory.writer()
        for t in range(records):
            writer.put(1, t, t.to_bytes(8, "little") * (t % 9))
        while not writer.put(2, records, b""):
            os.sched_yield()
        os._exit(0)
    reader = memory.reader()
    expected = 0
    while expected <= records:
        for event in take(reader):
            if event.kind == GAP:
                assert event.t == expected
                expected += GAP_LAYOUT.unpack(event.payload)[0]
            elif event.kind == 1:
                assert event.t == expected
                assert event.payload == event.t.to_bytes(8, "little") * (event.t % 9)
                expected += 1
            else:
                expected = records + 1
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.parametrize("count", [1, 2000])
def test_batches_are_bounded(count: int) -> None:
    """One read hands over about CHUNK bytes at most, so that a reader stays responsive behind a fast writer."""
    memory = Memory(1 << 20)
    writer, reader = memory.writer(), memory.reader()
    for t in range(count):
        writer.put(1, t, bytes(100))
    assert len(reader.read()) <= CHUNK // (100 + OVERHEAD)
