"""The states of a fault, and the random selection of the frames that it hits."""

from random import Random

import pytest

from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.faults.fault import HitSelector, InjectedFault

from .rig import fault


class Log:
    """An effect that records its calls."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def begin(self) -> None:
        self.told.append("begin")

    def end(self) -> None:
        self.told.append("end")


def life(one: InjectedFault, ticks: range) -> list[tuple[int, str]]:
    """The ticks in which the state changed, and to what."""
    return [(tick, one.state) for tick in ticks if one.advance(tick * MILLISECOND)]


def made(effect: Log, draw: HitSelector | None = None, t: int = 0, **times: float) -> InjectedFault:
    settings = fault(kind="link", bus="can", effect="down", **times)
    return InjectedFault(1, settings, effect, draw or HitSelector(Random(0)), t * MILLISECOND)


def test_times_are_counted_from_when_it_was_added() -> None:
    """Added at 100, at: 5 ms, for: 20 ms; active from 105 to before 125."""
    effect = Log()
    assert life(made(effect, t=100, at=0.005, lasts=0.02), range(100, 200)) == [(105, "active"), (125, "over")]
    assert effect.told == ["begin", "end"]


def test_without_a_time_it_stays() -> None:
    assert life(made(Log()), range(10**5)) == [(0, "active")]


def test_a_short_one_is_active_for_a_tick() -> None:
    """Though it is over before the tick that begins it."""
    one = made(Log(), at=0.0001, lasts=0.0001)
    assert life(one, range(5)) == [(1, "active"), (2, "over")]


def test_it_is_over_when_all_its_frames_are_hit() -> None:
    draw = HitSelector(Random(0), most=3)
    one = made(Log(), draw)
    life(one, range(2))
    assert [draw.selects() for _ in range(5)] == [True, True, True, False, False]
    assert life(one, range(2, 5)) == [(2, "over")]
    assert one.why_over == "all are hit"


def test_one_that_never_began_ends_nothing() -> None:
    effect = Log()
    one = made(effect, at=1)
    one.stop("cleared", 5)
    assert (one.state, effect.told) == ("over", [])


@pytest.mark.parametrize("probability", [0.1, 0.5, 0.9])
def test_each_frame_is_hit_with_the_probability(probability: float) -> None:
    """Of 10000, within five standard deviations of the binomial distribution."""
    draw = HitSelector(Random("1 1"), probability)
    hits = sum(draw.selects() for _ in range(10_000))
    assert draw.hits == hits
    assert hits == pytest.approx(10_000 * probability, abs=5 * (10_000 * probability * (1 - probability)) ** 0.5)


def test_certainty_draws_nothing() -> None:
    """What the effect itself draws does not depend on whether frames are limited."""
    random = Random(3)
    draw = HitSelector(random, most=10)
    assert all(draw.selects() for _ in range(10))
    assert random.getstate() == Random(3).getstate()
