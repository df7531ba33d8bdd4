"""Run time, engine hours and revolutions."""

import pytest

from vehiclesim.auxiliary.run_time import RunTime


def test_the_run_time_begins_with_the_key_and_stands_while_the_engine_does() -> None:
    """SAE J1979, PID 1F: it freezes when the engine stalls, and starts anew when the key is switched on."""
    clock = RunTime()
    for _ in range(1000):
        clock.step(True, True, 1000.0, 0.01)
    for _ in range(500):
        clock.step(True, False, 0.0, 0.01)
    assert clock.since_start.count == 10_000
    clock.step(False, False, 0.0, 0.01)
    assert clock.since_start.count == 10_000
    clock.step(True, False, 0.0, 0.01)
    assert clock.since_start.count == 0


def test_hours_and_revolutions_outlast_the_key() -> None:
    """An hour at 1800/min in two drives is 108,000 turns."""
    clock = RunTime()
    for _ in range(2):
        for _ in range(18_000):
            clock.step(True, True, 1800.0, 0.1)
        clock.step(False, False, 0.0, 0.1)
    assert clock.hours.count == pytest.approx(1_000_000, abs=1)
    assert clock.revolutions.count == pytest.approx(108_000, abs=1)


def test_an_engine_that_is_cranked_or_towed_turns_without_running() -> None:
    clock = RunTime()
    for _ in range(60):
        clock.step(True, False, 250.0, 1.0)
    assert clock.hours.count == 0
    assert clock.revolutions.count == pytest.approx(250, abs=1)
