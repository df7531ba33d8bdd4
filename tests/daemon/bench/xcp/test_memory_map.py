"""Addresses of entries: the same for ever, and none beside them."""

import struct

import pytest

from hilbridge.bench.xcp.memory_map import MemoryMap, address_of, encode_sample, time_and_image
from vehiclesim import INPUT, VEHICLE, InputData, VehicleData
from vehiclesim.channels import CUSTOM, NAN
from vehiclesim.databus import DataBus
from vehiclesim.entries import STANDARD, Entries, Entry


@pytest.mark.parametrize(
    ("path", "address"),
    [
        ("input.Steer", 0x10000),
        ("input.Throttle", 0x10004),
        ("vehicle.Speed", 0x20000),
        ("vehicle.EngineRpm", 0x20004),
        ("body.TurnSignal", 0x90000 + 4 * [entry.name for entry in STANDARD.channels[8]].index("TurnSignal")),
    ],
)
def test_addresses_never_change(path: str, address: int) -> None:
    """(channel + 1) * 10000h + 4 * id: these are in the A2L files that people have."""
    assert {entry.path: one for one, entry in MemoryMap(STANDARD).addresses()}[path] == address


def test_an_address_leads_to_the_value_of_its_entry() -> None:
    data = DataBus()
    for channel, values in enumerate(data.channels):
        values[:] = [100 * channel + index - 500 for index in range(len(values))]
    t, image = time_and_image(encode_sample(7_000_000, data.channels))
    assert t == 7_000_000
    memory = MemoryMap(STANDARD)
    for channel, entries in enumerate(STANDARD.channels):
        for index in range(len(entries)):
            place = memory.place(address_of(channel, index), 4)
            assert place is not None
            assert struct.unpack_from("<i", image, place.offset) == (100 * channel + index - 500,)


def test_there_is_nothing_beside_the_entries() -> None:
    memory = MemoryMap(STANDARD)
    end = address_of(INPUT, len(STANDARD.channels[INPUT]))
    assert memory.place(end - 1, 1) is not None
    for address, length in ((end, 1), (end - 2, 4), (0, 1), (0xFFFF, 1), (0x1000_0000, 4), (address_of(CUSTOM, 0), 4)):
        assert memory.place(address, length) is None


def test_entries_that_a_bench_declares_follow_in_its_order() -> None:
    own = tuple(Entry("custom", name, 1, "", "", "") for name in ("One", "Two"))
    assert MemoryMap(Entries(own)).entries_at(address_of(CUSTOM, 1), 4) == [own[1]]


def test_what_is_written_are_whole_entries() -> None:
    memory = MemoryMap(STANDARD)
    both = memory.entries_at(address_of(VEHICLE, VehicleData.SPEED), 8)
    assert both is not None
    assert [entry.path for entry in both] == ["vehicle.Speed", "vehicle.EngineRpm"]
    start = address_of(INPUT, InputData.THROTTLE)
    for address, length in ((start, 0), (start, 2), (start + 2, 4), (start, 4 * 64)):
        assert memory.entries_at(address, length) is None


@pytest.mark.parametrize(
    ("path", "integer", "shown"),
    [
        ("clock.Elapsed", 2**31, 2**31 - 1),
        ("clock.Elapsed", 2**31 - 1, 2**31 - 1),
        ("auxiliary.Odometer", 3_000_000_000, 2**31 - 1),  # 3000 km in mm
        ("vehicle.Speed", -(2**31), -(2**31) + 2),
        ("vehicle.Speed", -(2**40), -(2**31) + 2),
        ("vehicle.Speed", NAN, NAN),
        ("vehicle.Speed", NAN + 1, NAN + 1),
    ],
)
def test_what_has_more_than_32_bits_is_shown_as_the_end_of_the_range(path: str, integer: int, shown: int) -> None:
    """It is sampled as it is, so that no tick fails; -2147483647, which says `not available`, is nothing else."""
    data = DataBus()
    place = STANDARD.find(path)
    assert place is not None
    data.channels[place[0]][place[1]] = integer
    _, image = time_and_image(encode_sample(0, data.channels))
    found = MemoryMap(STANDARD).place(address_of(*place), 4)
    assert found is not None
    assert struct.unpack_from("<i", image, found.offset) == (shown,)
