"""What a run does between two ticks: it waits for testers, answers them, and is back in time."""

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest

from hilbridge.base.common.statistics import Histogram
from hilbridge.runs.run.idle_time import IdleTime

LONG = 60_000_000_000


@dataclass
class Bench:
    """A bench that reads a byte of its link at each call, and has an answer to it if it is `?`; one bus has units."""

    descriptor: int | None
    asked: list[tuple[int, bytes]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.links = {"a": SimpleNamespace(descriptor=self.descriptor), "b": SimpleNamespace(descriptor=0)}
        self.settings = SimpleNamespace(buses=dict.fromkeys("ab", SimpleNamespace(interface="embedded")))
        self.wiring = SimpleNamespace(control_units=SimpleNamespace(asked_on={"a": {0x7E0}}))

    def answer(self, t: int) -> int:
        assert self.descriptor is not None
        data = os.read(self.descriptor, 1)
        self.asked.append((t, data))
        return int(data == b"?")


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    ends = os.pipe()
    yield ends
    for end in ends:
        os.close(end)


def spend(bench: Bench, duration: int, *, update: bool = True) -> Histogram:
    """The times of answers that began in idle time."""
    times = Histogram()
    idle_time = IdleTime(bench, times)  # type: ignore[arg-type]  # a bench of few parts
    if update:
        idle_time.update()
    idle_time.spend(7, duration)
    return times


def test_it_wakes_for_what_arrives_and_measures_answers_alone(pipe: tuple[int, int]) -> None:
    bench = Bench(pipe[0])
    os.write(pipe[1], b"x?")
    times = spend(bench, 2_000_000)
    assert bench.asked == [(7, b"x"), (7, b"?")]
    assert times.count == 1


def test_a_flood_is_left_to_the_ticks(pipe: tuple[int, int]) -> None:
    """Eight rounds, then the clock sleeps."""
    bench = Bench(pipe[0])
    os.write(pipe[1], b"x" * 100)
    spend(bench, LONG)
    assert len(bench.asked) == 8


@pytest.mark.parametrize("descriptor", [None, 1 << 10])
def test_a_link_that_cannot_be_waited_for_is_no_reason_to_wait(descriptor: int | None) -> None:
    """It has none, or one too high for select(2)."""
    bench = Bench(descriptor)
    spend(bench, LONG)
    assert bench.asked == []


def test_before_it_begins_it_leaves_everything_to_the_clock(pipe: tuple[int, int]) -> None:
    bench = Bench(pipe[0])
    os.write(pipe[1], b"?")
    spend(bench, LONG, update=False)
    assert bench.asked == []


def test_it_is_back_in_time(pipe: tuple[int, int]) -> None:
    """After the duration, and no earlier, when nobody asks."""
    begun = time.monotonic_ns()
    spend(Bench(pipe[0]), 2_000_000)
    assert time.monotonic_ns() - begun >= 1_900_000
