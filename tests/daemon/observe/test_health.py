"""Healthy is who ticks, ready is who is open too."""

from hilbridge.observe.events import Snapshot
from hilbridge.observe.health import ProcessHealth

SECOND = 1_000_000_000
MILLISECOND = 1_000_000


def snapshot(ticks: int, missed: int = 0) -> Snapshot:
    return Snapshot(0, ticks, missed, 0, 0, 0, ())


def test_before_the_first_tick_a_run_is_neither() -> None:
    signs = ProcessHealth(0, MILLISECOND)
    signs.look(0, None)
    assert signs.ailments() == signs.obstacles({}) == ["no tick was done yet"]
    signs.look(1, snapshot(1))
    assert signs.ailments() == []


def test_a_run_that_stands_still_is_ill_after_a_second_and_well_when_it_goes_on() -> None:
    signs = ProcessHealth(0, MILLISECOND)
    signs.look(0, snapshot(5))
    for now in (SECOND // 2, SECOND - 1):
        signs.look(now, snapshot(5))
        assert signs.ailments() == []
    signs.look(3 * SECOND, snapshot(5))
    assert signs.ailments() == ["no tick for 3 s"]
    signs.look(4 * SECOND, snapshot(1005))
    signs.look(5 * SECOND, snapshot(2005))
    assert signs.ailments() == []


def test_a_run_that_misses_more_than_it_does_is_ill() -> None:
    """Of what was due since the last judgement, a second before."""
    signs = ProcessHealth(0, MILLISECOND)
    signs.look(SECOND, snapshot(1000))
    signs.look(2 * SECOND, snapshot(1400, missed=600))
    assert signs.ailments() == ["fewer than half of the ticks are done"]
    signs.look(3 * SECOND, snapshot(2000, missed=1000))
    assert signs.ailments() == []


def test_slow_ticks_are_waited_for() -> None:
    """A bench that ticks once in two seconds of the clock stands still after six."""
    signs = ProcessHealth(0, 2 * SECOND)
    signs.look(0, snapshot(1))
    signs.look(5 * SECOND, snapshot(1))
    assert signs.ailments() == []
    signs.look(6 * SECOND, snapshot(1))
    assert signs.ailments() == ["no tick for 6 s"]


def test_what_is_not_open_stands_in_the_way() -> None:
    """By name and reason; the run is healthy all the same."""
    signs = ProcessHealth(0, MILLISECOND)
    signs.look(0, snapshot(1))
    tally = {"buses": {"a": {"trouble": ""}, "b": {"trouble": "down"}}, "ports": {"pedal port 1": {"trouble": "gone"}}}
    assert signs.obstacles(tally) == ["bus b: down", "pedal port 1: gone"]
    assert signs.ailments() == []
