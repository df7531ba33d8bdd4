"""How long a source is fresh, when it counts again after a loss, and how paddles are counted."""

import pytest

from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.inputs.binding import bind, build_conditioner
from hilbridge.bench.inputs.source import REPORT_INTERVAL, Source
from hilbridge.files.settings import InputSignal


class Board(Source):
    """Says what a test makes it say."""

    def __init__(self, recovery: float = 0.0, **signals: InputSignal) -> None:
        bindings = bind(signals, ())
        super().__init__("board", bindings, list(map(build_conditioner, bindings)), timeout=500.0, recovery=recovery)

    def say(self, *readings: float | None, t: int = 0) -> None:
        self._accept(readings, t)

    def garble(self, t: int) -> None:
        self._reject("garbled", t)


def test_a_control_is_fresh_until_its_last_good_sample_is_older_than_the_time_out() -> None:
    board = Board(Throttle=InputSignal(), Brake=InputSignal())
    assert (board.fresh, board.due) == ([False, False], None)
    board.say(0.5, 0.0, t=100 * MILLISECOND)
    board.say(0.5, None, t=200 * MILLISECOND)
    assert board.due == 600 * MILLISECOND + 1
    board.expire(600 * MILLISECOND)
    assert board.fresh == [True, True]
    board.expire(600 * MILLISECOND + 1)
    assert (board.fresh, board.due) == ([True, False], 700 * MILLISECOND + 1)


def test_a_lost_control_counts_again_when_it_has_been_back_for_the_recovery_time() -> None:
    """Lost at 501 ms; samples from 600 ms on, so it counts from 700 ms. The first time it counts at once."""
    board = Board(recovery=100.0, Throttle=InputSignal())
    board.say(0.5, t=0)
    assert board.fresh == [True]
    board.expire(501 * MILLISECOND)
    for t in range(600, 700, 10):
        board.say(0.6, t=t * MILLISECOND)
        assert board.fresh == [False]
    board.news = False
    board.say(0.6, t=700 * MILLISECOND)
    assert (board.fresh, board.news) == ([True], True)


def test_a_gap_during_the_recovery_begins_it_anew() -> None:
    """A loose plug: one sample every 600 ms with a time-out of 500 ms never counts again."""
    board = Board(recovery=100.0, Throttle=InputSignal())
    board.say(0.5, t=0)
    board.expire(600 * MILLISECOND)
    for t in range(600, 60_000, 600):
        board.expire(t * MILLISECOND)
        board.say(0.5, t=t * MILLISECOND)
        assert board.fresh == [False]


def test_one_reading_that_cannot_be_spoils_the_whole_sample() -> None:
    board = Board(Throttle=InputSignal(), Key=InputSignal())
    board.say(0.5, 5.0)
    board.say(float("inf"), 0.0)
    assert (board.accepted, board.rejections, board.fresh) == (0, {"out_of_range": 2}, [False, False])


def test_a_filter_begins_anew_after_a_silence() -> None:
    board = Board(Throttle=InputSignal(smoothing=1000.0))
    board.say(0.5, t=0)
    board.expire(600 * MILLISECOND)
    board.say(0.1, t=600 * MILLISECOND)
    assert board.values == [1000]


def test_bad_samples_keep_no_source_alive() -> None:
    board = Board(Throttle=InputSignal())
    board.say(0.5, t=0)
    board.garble(t=400 * MILLISECOND)
    board.expire(501 * MILLISECOND)
    assert board.fresh == [False]


def test_the_same_sample_again_is_no_news() -> None:
    board = Board(Throttle=InputSignal())
    board.say(0.5)
    board.news = False
    board.say(0.5, t=1)
    assert (board.news, board.heard, board.accepted) == (False, 1, 2)


@pytest.mark.parametrize(
    ("levels", "steps"),
    [
        ([0, 1, 1, 1, 0], 1),
        ([0, 1, 0, 1, 0], 2),
        ([0, -1, -1, 0], -1),
        ([0, 1, 0, -1], 0),
        ([0, 1, -1, -1], 0),
        ([1, 1, 1], 0),
        ([1, 0, 1], 1),
    ],
)
def test_each_turn_of_a_paddle_to_one_side_is_one_step(levels: list[int], steps: int) -> None:
    """However often the level is repeated; a level that is there from the start is none."""
    board = Board(GearShift=InputSignal())
    for level in levels:
        board.say(level)
    assert board.steps == steps


def test_a_paddle_that_is_pressed_when_its_source_comes_back_is_no_step() -> None:
    board = Board(GearShift=InputSignal())
    board.say(0, t=0)
    board.expire(600 * MILLISECOND)
    board.say(1, t=700 * MILLISECOND)
    assert board.steps == 0


def test_all_bad_samples_are_counted_but_one_in_ten_seconds_is_reported() -> None:
    board = Board(Throttle=InputSignal())
    complaints = []
    for t in range(0, 2 * REPORT_INTERVAL, REPORT_INTERVAL // 50):
        board.garble(t)
        complaints.append(board.complaint)
        board.complaint = None
    assert board.rejected == 100
    assert [i for i, complaint in enumerate(complaints) if complaint == "garbled"] == [0, 50]
