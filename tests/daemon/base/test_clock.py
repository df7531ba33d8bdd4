"""Absolute deadlines: a late tick never moves the next one, and missed ticks are counted."""

import gc
import weakref

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.clock import RealClock, Timer, VirtualClock
from hilbridge.base.common.units import MILLISECOND


class FakeTime:
    """A clock that only moves when somebody sleeps or works."""

    def __init__(self) -> None:
        self.now = 5_000_000_000
        self.slept: list[float] = []

    def read(self) -> int:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += round(seconds * 1e9)


def clock_of(time: FakeTime, period: int = MILLISECOND, duration: int | None = None, pace: float = 1.0) -> RealClock:
    return RealClock(period, duration, pace, timer=Timer(time.read, time.sleep))


def test_ticks_follow_one_another_at_the_period() -> None:
    """Without work in between, tick k begins k periods after the first, on time."""
    time = FakeTime()
    clock = clock_of(time)
    seen = []
    for _ in range(5):
        assert clock.wait()
        seen.append((clock.t, time.now - 5_000_000_000, clock.missed, clock.lateness))
    assert seen == [(k * MILLISECOND, k * MILLISECOND, 0, 0) for k in range(5)]


def test_a_slow_tick_does_not_move_the_deadlines_after_it() -> None:
    """A tick that takes 0.9 periods leaves 0.1 to sleep."""
    time = FakeTime()
    clock = clock_of(time)
    clock.wait()
    time.now += 900_000
    clock.wait()
    assert time.slept == [0.0001]
    assert clock.lateness == 0


def test_missed_ticks_are_counted_and_the_tick_number_follows_the_wall_time() -> None:
    """After 3.4 periods of work: the first tick at hand is number 3, two were missed, it is 0.4 periods late."""
    time = FakeTime()
    clock = clock_of(time)
    clock.wait()
    time.now += 3_400_000
    clock.wait()
    assert (clock.t, clock.missed, clock.lateness) == (3 * MILLISECOND, 2, 400_000)
    clock.wait()
    assert (clock.t, clock.missed, clock.lateness) == (4 * MILLISECOND, 0, 0)


@given(st.lists(st.integers(0, 50 * MILLISECOND), max_size=40))
def test_no_tick_is_lost_or_done_twice(work: list[int]) -> None:
    """Ticks done plus ticks missed are all ticks up to the wall time, whatever the work took."""
    time = FakeTime()
    clock = clock_of(time)
    clock.wait()
    done, missed = 1, 0
    for duration in work:
        time.now += duration
        before = clock.t
        assert clock.wait()
        done += 1
        missed += clock.missed
        assert clock.t == before + (1 + clock.missed) * MILLISECOND
        assert 0 <= clock.lateness < MILLISECOND
        assert clock.t + clock.lateness == time.now - 5_000_000_000
    assert clock.t == (done + missed - 1) * MILLISECOND


def test_pace_scales_the_wall_time_only() -> None:
    """At pace 4 a millisecond of the run takes a quarter of one."""
    time = FakeTime()
    clock = clock_of(time, pace=4.0)
    for _ in range(9):
        clock.wait()
    assert clock.t == 8 * MILLISECOND
    assert time.now - 5_000_000_000 == 2 * MILLISECOND


def test_the_duration_ends_both_clocks_at_the_same_tick() -> None:
    """A run of 5 ms at 1 kHz has the ticks 0 to 4."""
    real, virtual = clock_of(FakeTime(), duration=5 * MILLISECOND), VirtualClock(MILLISECOND, 5 * MILLISECOND)
    assert [clock.t for clock in (real, virtual) for _ in iter(clock.wait, False)] == [
        k * MILLISECOND for k in range(5)
    ] * 2


@pytest.mark.parametrize("duration", [5_000_000, 4_600_000])
@pytest.mark.parametrize("late", [0, 1, 3, 40])
def test_the_last_ticks_count_as_missed_when_the_run_ends_late(duration: int, late: int) -> None:
    """Of a run's five ticks, those done and those missed are five, however late the machine comes back."""
    time = FakeTime()
    clock = clock_of(time, duration=duration)
    done = missed = 0
    while clock.wait():
        done += 1
        missed += clock.missed
        if done == 3:
            time.now += late * MILLISECOND + 100_000
    assert done + missed + clock.missed == 5


def test_busy_is_the_time_that_the_last_tick_worked() -> None:
    """Sleeping does not count."""
    time = FakeTime()
    clock = clock_of(time)
    clock.wait()
    assert clock.busy == 0
    time.now += 300_000
    clock.wait()
    assert clock.busy == 300_000
    clock.wait()
    assert clock.busy == 0


def test_idle_time_is_given_away_but_for_the_last_tenth_of_a_millisecond() -> None:
    """With the time of the next tick; neither for a tick that is due, nor after the last one."""
    time = FakeTime()
    clock = clock_of(time, duration=3 * MILLISECOND)
    given: list[tuple[int, int]] = []

    def idle(t: int, left: int) -> None:
        given.append((t, left))
        time.now += left

    clock.idle = idle
    clock.wait()
    time.now += 300_000
    clock.wait()
    time.now += 950_000
    clock.wait()
    assert not clock.wait()
    assert given == [(MILLISECOND, 600_000)]
    assert clock.lateness == 0


def test_garbage_is_collected_to_the_last_generation_where_it_is_not_collected_unasked() -> None:
    """A cycle that has become old is gone a second later; with automatic collection on, the clock leaves it alone."""

    class Node:
        itself: "Node"

    def forgotten() -> "weakref.ref[Node]":
        node = Node()
        node.itself = node
        gc.collect()  # by now it belongs to the oldest generation
        return weakref.ref(node)

    clock = clock_of(FakeTime(), period=1_000_000_000)
    automatic = gc.isenabled()
    try:
        for enabled in (True, False):
            gc.disable()
            old = forgotten()
            if enabled:
                gc.enable()
            for _ in range(3):
                clock.wait()
            assert (old() is not None) == enabled
    finally:
        (gc.enable if automatic else gc.disable)()


@pytest.mark.parametrize("period", [200_000, MILLISECOND])
def test_garbage_is_collected_even_where_there_is_never_time_for_it(
    period: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every ten seconds: at a period below the slack that it wants, and while every tick takes longer than its period.

    In thirty seconds two or three times (the first one a second or so after the start).
    """
    time = FakeTime()
    clock = clock_of(time, period=period, duration=30_000_000_000)
    collected: list[int] = []
    monkeypatch.setattr(gc, "isenabled", lambda: False)
    monkeypatch.setattr(gc, "collect", lambda: collected.append(clock.t))
    while clock.wait():
        time.now += period * 11 // 10 if period == MILLISECOND else 0
    assert 2 <= len(collected) <= 4
