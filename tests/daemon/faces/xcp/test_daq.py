"""DAQ lists: allocated, filled and sampled as ASAM MCD-1 XCP says."""

import struct

import pytest

from .rig import OK, RPM, SPEED, THROTTLE, Rig

MS = 1_000_000


def test_a_packet_has_its_numbers_its_time_and_its_values() -> None:
    """Number of the ODT, number of the list, time stamp [µs] in the first ODT, then the entries."""
    rig = Rig()
    rig.samples.data.vehicle[0:2] = [11, 22]
    rig.samples.data.input[1] = 33
    rig.allocate([SPEED, RPM], [THROTTLE])
    rig.ask(0xDE, "BH", 1, 0)
    first, second = rig.tick(7 * MS)[0]
    assert first == bytes((0, 0)) + struct.pack("<Iii", 7000, 11, 22)
    assert second == bytes((1, 0)) + struct.pack("<i", 33)


def test_time_stamps_are_left_out_where_none_are_wanted() -> None:
    rig = Rig()
    rig.allocate([SPEED], mode=0)
    rig.ask(0xDE, "BH", 1, 0)
    assert len(rig.tick(0)[0][0]) == 6


@pytest.mark.parametrize(
    ("event", "prescaler", "expected"),
    [(0, 1, range(40)), (0, 7, range(0, 40, 7)), (1, 1, (0, 10, 20, 30)), (1, 3, (0, 30)), (2, 1, (0,))],
)
def test_events_occur_in_their_time(event: int, prescaler: int, expected: range) -> None:
    """Tick, 10 ms and 100 ms, of which each `prescaler`-th is sampled, beginning with the first."""
    rig = Rig()
    rig.allocate([SPEED], event=event, prescaler=prescaler)
    rig.ask(0xDE, "BH", 1, 0)
    assert [number for number in range(40) if rig.tick(number * MS)] == list(expected)


def test_an_event_after_missed_ticks_is_late_and_not_lost() -> None:
    rig = Rig()
    rig.allocate([SPEED], event=1)
    rig.ask(0xDE, "BH", 1, 0)
    assert [t for t in (0, 8, 13, 19, 20, 21, 47, 50) if rig.tick(t * MS)] == [0, 13, 20, 47, 50]


def test_lists_start_and_stop_together() -> None:
    rig = Rig()
    rig.allocate([SPEED])
    assert not rig.tick(0)
    assert rig.ask(0xDE, "BH", 2, 0) == OK + b"\0"
    assert not rig.tick(1 * MS)
    assert rig.ask(0xDD, "B", 1) == OK
    assert rig.tick(2 * MS)
    assert rig.ask(0xDF, "BH", 0, 0)[1] & 0x40
    assert rig.ask(0xDD, "B", 0) == OK
    assert not rig.tick(3 * MS)


def test_the_processor_says_what_it_can() -> None:
    rig = Rig()
    assert rig.ask(0xDA) == bytes.fromhex("FF 93 4000 0300 00 40")
    assert rig.ask(0xD9) == bytes.fromhex("FF 01 FF 01 00 34 0100")
    assert rig.ask(0xD7, "BH", 0, 0) == bytes.fromhex("FF 84 40 04 01 06 00")
    assert rig.ask(0xF5, "B", 4) == OK + b"tick"
    assert rig.ask(0xD7, "BH", 0, 3) == bytes.fromhex("FE22")
    rig.samples.t = 5 * MS
    assert rig.ask(0xDC) == OK + bytes(3) + struct.pack("<I", 5000)


def test_the_order_of_allocation_is_kept() -> None:
    """FREE_DAQ, ALLOC_DAQ, ALLOC_ODT, ALLOC_ODT_ENTRY."""
    rig = Rig()
    sequence = bytes.fromhex("FE29")
    assert rig.ask(0xD6) == OK
    assert rig.ask(0xD4, "BHB", 0, 0, 1) == sequence
    assert rig.ask(0xD5, "BH", 0, 1) == OK
    assert rig.ask(0xD3, "BHBB", 0, 0, 0, 1) == sequence
    assert rig.ask(0xE1, "BBBI", 0xFF, 4, 0, SPEED) == sequence


def test_what_is_allocated_is_bounded() -> None:
    rig = Rig()
    overflow = bytes.fromhex("FE30")
    rig.ask(0xD6)
    assert rig.ask(0xD5, "BH", 0, 65) == overflow
    assert rig.ask(0xD5, "BH", 0, 64) == OK
    assert rig.ask(0xD4, "BHB", 0, 0, 253) == overflow
    assert rig.ask(0xD4, "BHB", 0, 0, 252) == OK
    assert rig.ask(0xD4, "BHB", 0, 1, 1) == overflow
    assert {rig.ask(0xD3, "BHBB", 0, 0, odt, 255) for odt in range(8)} == {OK}
    assert rig.ask(0xD3, "BHBB", 0, 0, 8, 255) == overflow


def test_a_packet_is_no_longer_than_was_said() -> None:
    """MAX_DTO: 1400 bytes."""
    rig = Rig()
    rig.allocate([SPEED])
    rig.ask(0xD6)
    rig.ask(0xD5, "BH", 0, 1)
    rig.ask(0xD4, "BHB", 0, 0, 1)
    rig.ask(0xD3, "BHBB", 0, 0, 0, 60)
    rig.ask(0xE2, "BHBB", 0, 0, 0, 0)
    answers = [rig.ask(0xE1, "BBBI", 0xFF, 24 * 4, 0, SPEED) for _ in range(15)]
    assert answers == [OK] * 14 + [bytes.fromhex("FE2A")]


def test_an_entry_has_a_size() -> None:
    rig = Rig()
    rig.allocate([SPEED])
    rig.ask(0xE2, "BHBB", 0, 0, 0, 0)
    assert rig.ask(0xE1, "BBBI", 0xFF, 0, 0, SPEED) == bytes.fromhex("FE22")


def test_a_time_stamp_that_no_longer_fits_is_refused_and_changes_nothing() -> None:
    """2 bytes of numbers, 1396 of entries: without the stamp's four 1398 of 1400, with them too many."""
    rig = Rig()
    rig.ask(0xD6)
    rig.ask(0xD5, "BH", 0, 1)
    rig.ask(0xD4, "BHB", 0, 0, 1)
    rig.ask(0xD3, "BHBB", 0, 0, 0, 15)
    rig.ask(0xE2, "BHBB", 0, 0, 0, 0)
    answers = [rig.ask(0xE1, "BBBI", 0xFF, size, 0, SPEED) for size in [24 * 4] * 14 + [13 * 4]]
    assert answers == [OK] * 15
    assert rig.ask(0xE0, "BHHBB", 0, 0, 0, 1, 0) == OK
    assert rig.ask(0xE0, "BHHBB", 0x10, 0, 1, 2, 0) == bytes.fromhex("FE2A")
    assert rig.ask(0xDF, "BH", 0, 0) == bytes.fromhex("FF 00 0000 0000 01 00")
    assert rig.ask(0xDE, "BH", 1, 0) == OK + b"\0"


def test_an_event_that_is_none_is_refused() -> None:
    """Events are numbered from 0: of three the last one has the number 2."""
    rig = Rig()
    rig.allocate([SPEED], event=2)
    assert rig.ask(0xE0, "BHHBB", 0, 0, 3, 1, 0) == bytes.fromhex("FE22")
    assert rig.ask(0xE0, "BHHBB", 0, 0, 2, 0, 0) == bytes.fromhex("FE22")


def test_a_list_that_is_not_whole_does_not_start() -> None:
    rig = Rig()
    config = bytes.fromhex("FE2A")
    rig.ask(0xD6)
    rig.ask(0xD5, "BH", 0, 1)
    assert rig.ask(0xDE, "BH", 1, 0) == config
    rig.ask(0xD4, "BHB", 0, 0, 1)
    rig.ask(0xD3, "BHBB", 0, 0, 0, 2)
    rig.ask(0xE2, "BHBB", 0, 0, 0, 0)
    rig.ask(0xE1, "BBBI", 0xFF, 4, 0, SPEED)
    rig.ask(0xE0, "BHHBB", 0, 0, 0, 1, 0)
    assert rig.ask(0xDE, "BH", 1, 0) == config
    assert rig.ask(0xE1, "BBBI", 0xFF, 4, 0, RPM) == OK
    assert rig.ask(0xDE, "BH", 1, 0) == OK + b"\0"
    assert rig.ask(0xE0, "BHHBB", 0, 0, 0, 1, 0) == bytes.fromhex("FE11")


def test_several_entries_are_written_by_one_command() -> None:
    rig = Rig()
    rig.samples.data.vehicle[0:2] = [5, 6]
    rig.allocate([SPEED, SPEED], mode=0)
    rig.ask(0xE2, "BHBB", 0, 0, 0, 0)
    assert rig.ask(0xC7, "BBBIBBBBIBB", 2, 0xFF, 4, RPM, 0, 0, 0xFF, 4, SPEED, 0, 0) == OK
    assert rig.ask(0xC7, "B", 2) == bytes.fromhex("FE21")
    rig.ask(0xDE, "BH", 1, 0)
    assert rig.tick(0)[0][0][2:] == struct.pack("<ii", 6, 5)


def test_the_first_odt_has_entries() -> None:
    """It has the time of all; without it samples would have none."""
    rig = Rig()
    rig.ask(0xD6)
    rig.ask(0xD5, "BH", 0, 1)
    rig.ask(0xD4, "BHB", 0, 0, 2)
    rig.ask(0xD3, "BHBB", 0, 0, 1, 1)
    rig.ask(0xE2, "BHBB", 0, 0, 1, 0)
    assert rig.ask(0xE1, "BBBI", 0xFF, 4, 0, SPEED) == OK
    assert rig.ask(0xE0, "BHHBB", 0x10, 0, 0, 1, 0) == OK
    assert rig.ask(0xDE, "BH", 1, 0) == bytes.fromhex("FE2A")
