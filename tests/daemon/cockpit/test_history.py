"""The history of a run that a page gets when it is opened."""

from itertools import pairwise

from hilbridge.cockpit.history import MOST, History


def kept(offered: int) -> list[int]:
    """The numbers that are kept of so many snapshots, each of which is its number."""
    history = History()
    for number in range(offered):
        history.offer(number.to_bytes(4, "little"))
    data = history.to_bytes()
    return [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]


def test_a_short_run_is_kept_whole() -> None:
    assert kept(MOST - 1) == [*range(MOST - 1)]


def test_a_long_run_is_kept_coarser_from_its_first_snapshot_on() -> None:
    """At even intervals, in bounded memory."""
    numbers = kept(10 * MOST)
    assert numbers[0] == 0
    assert {after - before for before, after in pairwise(numbers)} == {16}
    assert MOST // 2 <= len(numbers) < MOST
