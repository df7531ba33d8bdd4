"""When a row of values is taken, and in which blocks rows are handed on."""

import pytest

from hilbridge.boundary.record.values_file import Integers, Times
from hilbridge.runs.run.value_sampler import ValueSampler
from vehiclesim.channels import VEHICLE, VehicleData
from vehiclesim.databus import DataBus
from vehiclesim.entries import ENTRIES

MS = 1_000_000


@pytest.mark.parametrize(
    ("interval", "expected"),
    [
        (0, [0, 3, 6, 9, 12, 15, 33, 36]),
        (10, [0, 12, 33]),
        (6, [0, 6, 12, 33, 36]),
    ],
)
def test_the_first_tick_from_each_multiple_on(interval: int, expected: list[int]) -> None:
    """Ticks of 3 ms, of which five are missed: rows have the time of their tick, and none is made up."""
    seen: list[float] = []
    sampler = ValueSampler([ENTRIES[VEHICLE][0]], interval * MS, lambda times, _: seen.extend(times.tolist()))
    for t in (0, 3, 6, 9, 12, 15, 33, 36):
        sampler.sample(DataBus(), t * MS)
    sampler.flush()
    assert seen == [t / 1000 for t in expected]
    assert sampler.rows == len(expected)


def test_blocks_are_bounded_and_lose_nothing() -> None:
    """A hundred thousand rows arrive in order, at most some thousand at a time, as the integers of the data bus."""
    data, blocks = DataBus(), list[list[list[int]]]()

    def take(_times: Times, integers: Integers) -> None:
        blocks.append(integers.tolist())

    entries = [ENTRIES[VEHICLE][VehicleData.ENGINE_RPM], ENTRIES[VEHICLE][VehicleData.SPEED]]
    sampler = ValueSampler(entries, 0, take)
    for number in range(100_000):
        data.vehicle[VehicleData.ENGINE_RPM], data.vehicle[VehicleData.SPEED] = number, -number
        sampler.sample(data, number)
    sampler.flush()
    assert max(map(len, blocks)) < 10_000
    assert [row for block in blocks for row in block] == [[number, -number] for number in range(100_000)]
