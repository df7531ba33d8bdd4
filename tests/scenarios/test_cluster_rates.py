"""The shipped benches of clusters tick as often as their frames need, and each frame keeps the period of its table."""

from itertools import pairwise

import pytest

from hilbridge.base.resources import Kind, names
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.testing import VirtualBench

from ..clusters.catalogue import CLUSTERS
from ..clusters.recording import Heard, Recorder

SOME = ("bmw-e46", "ford-focus-mk3", "mazda-rx8", "psa-aee2004", "toyota-gt86", "vw-mqb", "vw-pq")


@pytest.mark.parametrize("name", SOME)
def test_each_frame_comes_as_often_as_published_and_without_jitter(name: str) -> None:
    """Eight seconds with the key on; the tables are written from publications, not from the profiles."""
    heard: list[Heard] = []
    with VirtualBench(f"cluster-{name}") as bench:
        assert bench.parts.settings.rate in (100, 200, 500)
        for bus in bench.parts.buses:
            bench.attach(bus, Recorder(bench, bus, heard))
        bench.set("input.Key", 1)
        bench.advance(8.0)
    judged = 0
    for frame in CLUSTERS[name].frames:
        times = [round(one.t * 1e6) for one in heard if one.can_id == frame.id]
        if frame.event or frame.once or len(times) < 3:
            continue
        gaps = {later - earlier for earlier, later in pairwise(times)}
        assert max(gaps) <= round(frame.period * 1000), frame.name
        judged += len(gaps) == 1  # no jitter; the others are sent on a change too
    assert judged >= 3


def test_the_bench_of_the_first_try_ticks_as_often_as_that_of_its_profile() -> None:
    """`cluster` is the bench of vw-mqb with more words; no frame of it is faster than 10 ms."""
    rates = {name: load_bench(name).settings.rate for name in ("cluster", "cluster-vw-mqb")}
    assert rates == dict.fromkeys(rates, 200)


def test_every_shipped_bench_of_a_cluster_has_its_own_rate() -> None:
    """Where 1000 ticks would buy nothing, a small machine has none to give."""
    assert all(load_bench(name).settings.rate <= 500 for name in names(Kind.BENCH) if name.startswith("cluster"))
