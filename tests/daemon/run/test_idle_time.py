"""What a run does between two ticks: it waits for testers, answers them, and is back in time."""

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from hilbridge.common.statistics import Histogram
from hilbridge.run.idle_time import IdleTime

LONG = 60_000_000_000


@dataclass
class Link:
    """A link on a pipe."""

    arrivals: int | None


@dataclass
class Bench:
    """A bench that reads a byte of its link at each call, and has an answer to it if it is `?`."""

    link: Link
    asked: list[tuple[int, bytes]] = field(default_factory=list)
    most: int = 1

    def testers_links(self) -> list[Link]:
        return [] if len(self.asked) >= self.most else [self.link]

    def answer(self, t: int) -> int:
        assert self.link.arrivals is not None
        data = os.read(self.link.arrivals, 1)
        self.asked.append((t, data))
        return int(data == b"?")


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    ends = os.pipe()
    yield ends
    for end in ends:
        os.close(end)


def test_it_wakes_for_what_arrives_and_measures_answers_alone(pipe: tuple[int, int]) -> None:
    bench, times = Bench(Link(pipe[0]), most=2), Histogram()
    os.write(pipe[1], b"x?")
    IdleTime(bench, times).spend(7, LONG)  # type: ignore[arg-type]  # a bench of two functions
    assert bench.asked == [(7, b"x"), (7, b"?")]
    assert times.count == 1


def test_a_flood_is_left_to_the_ticks(pipe: tuple[int, int]) -> None:
    """Eight rounds, then the clock sleeps."""
    bench = Bench(Link(pipe[0]), most=1000)
    os.write(pipe[1], b"x" * 100)
    IdleTime(bench, Histogram()).spend(7, LONG)  # type: ignore[arg-type]
    assert len(bench.asked) == 8


@pytest.mark.parametrize("arrivals", [None, 1 << 10])
def test_a_link_that_cannot_be_waited_for_is_no_reason_to_wait(arrivals: int | None) -> None:
    """It is lost, or its descriptor is too high for select(2)."""
    bench = Bench(Link(arrivals))
    IdleTime(bench, Histogram()).spend(7, LONG)  # type: ignore[arg-type]
    assert bench.asked == []


def test_it_is_back_in_time(pipe: tuple[int, int]) -> None:
    """After the duration, and no earlier, when nobody asks."""
    bench = Bench(Link(pipe[0]))
    begun = time.monotonic_ns()
    IdleTime(bench, Histogram()).spend(7, 2_000_000)  # type: ignore[arg-type]
    assert time.monotonic_ns() - begun >= 1_900_000
    assert bench.asked == []
