"""Rates and courses from one status to the next."""

import pytest

from hilbridge.faces.top.top_view import HISTORY, TopView

from .statuses import status


def test_rates_are_frames_per_second_of_the_run() -> None:
    """500 ticks at 1 kHz are half a second: 30 frames more are 60 in a second."""
    watch = TopView()
    watch.take(status(ticks=1000, received=5, transmitted=100))
    watch.take(status(ticks=1500, received=5, transmitted=130))
    assert watch.rates["powertrain"] == pytest.approx((0.0, 60.0, 0.0))


def test_missed_ticks_belong_to_the_time_of_the_run() -> None:
    watch = TopView()
    watch.take(status(ticks=990, missed=10))
    assert watch.seconds == pytest.approx(1.0)
    assert watch.missed == 0
    watch.take(status(ticks=1980, missed=20))
    assert watch.seconds == pytest.approx(2.0)
    assert watch.missed == 10


def test_a_bench_that_was_started_anew_begins_a_new_course() -> None:
    watch = TopView()
    watch.take(status(ticks=5000, rpm=3000.0))
    watch.take(status(ticks=10, rpm=0.0))
    assert list(watch.courses["EngineRpm"]) == [0.0]
    assert watch.rates == {}


def test_what_was_known_stays_when_the_daemon_is_gone() -> None:
    watch = TopView()
    watch.take(status(ticks=10))
    watch.lose("no daemon")
    assert watch.trouble == "no daemon"
    assert watch.status["ticks"] == 10
    watch.take(status(ticks=20))
    assert watch.trouble == ""


def test_a_course_is_bounded() -> None:
    watch = TopView()
    for tick in range(HISTORY + 10):
        watch.take(status(ticks=tick))
    assert len(watch.courses["Speed"]) == HISTORY
