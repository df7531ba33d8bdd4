"""The history of a run that a page gets when it is opened."""

from itertools import pairwise

from hilbridge.boundary.observe.events import SNAPSHOT_LAYOUT, Snapshot
from hilbridge.faces.cockpit.history import MOST, History
from vehiclesim.channels import NAN, VEHICLE, VehicleData
from vehiclesim.entries import SIZES


def snapshot(number: int, speed: int) -> bytes:
    channels = [[0] * size for size in SIZES]
    channels[VEHICLE][VehicleData.SPEED] = speed
    return Snapshot(number, number, 0, 0, 0, 0, 0, 0, 0, channels).encode()


def kept(speeds: list[int]) -> list[tuple[int, int]]:
    """Number and speed of the snapshots that are kept."""
    history = History()
    for number, speed in enumerate(speeds):
        history.offer(snapshot(number, speed))
    data = history.to_bytes()
    found = [Snapshot.decode(data[at : at + SNAPSHOT_LAYOUT.size]) for at in range(0, len(data), SNAPSHOT_LAYOUT.size)]
    return [(one.t, one.vehicle[VehicleData.SPEED]) for one in found]


def test_a_short_run_is_kept_whole() -> None:
    speeds = [*range(MOST - 1)]
    assert kept(speeds) == list(zip(range(MOST - 1), speeds, strict=True))


def test_a_long_run_is_kept_coarser_from_its_first_snapshot_on() -> None:
    """At even intervals but for its newest ones, in bounded memory."""
    numbers = [number for number, _ in kept([0] * (3 * MOST))]
    assert numbers[0] == 0
    steps = [after - before for before, after in pairwise(numbers)]
    assert set(steps[:-8]) == {4}
    assert steps == sorted(steps, reverse=True)
    assert MOST // 2 <= len(numbers) < MOST


def test_peaks_stay() -> None:
    """A single snapshot of 3 * MOST is seen, up or down; a value that rises rises in what is kept, too."""
    speeds = [100 + number for number in range(3 * MOST)]
    speeds[777], speeds[1501] = 9000, -9000
    found = [speed for _, speed in kept(speeds)]
    assert found.count(9000) == found.count(-9000) == 1
    usual = [speed for speed in found if abs(speed) != 9000]
    assert usual == sorted(usual)


def test_what_is_not_available_hides_nothing() -> None:
    """And is no value itself."""
    speeds = [NAN] * (MOST + 3)
    speeds[6] = 50
    assert {speed for _, speed in kept(speeds)[:4]} == {NAN, 50}
