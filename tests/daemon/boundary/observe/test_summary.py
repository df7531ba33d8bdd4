"""The end of a run, for people."""

from typing import Any

from hilbridge.boundary.observe.summary import summary


def statistics(**given: Any) -> dict[str, Any]:
    bus = {"received": 3, "transmitted": 45678, "lost": 0}
    return {
        "ticks": 80100,
        "missed_ticks": 3,
        "overload": {"seconds": 0.0},
        "buses": {"powertrain": bus},
        "gates": {"powertrain": {"passed": 45367, "unarmed": 311}},
        "frames_late": 0,
        "faults": {},
        "reload": {"count": 0, "refused": 0},
        "observer": {"restarts": 0, "events_lost": 0},
    } | given


def test_a_run_ends_in_a_few_lines() -> None:
    """How long, how late, and what each bus has carried; what was held back does not count as sent."""
    times = {"p50": 20.0, "p99": 1250.0, "p99_9": 1300.0, "max": 3000.0}
    assert summary("demo", 80.1, statistics(lateness_us=times, tick_us=times)) == [
        "demo ran for 0:01:20: 80,100 ticks, 3 missed",
        "late p50 20, p99 1,250, at most 3,000 µs; tick p50 20, p99 1,250, at most 3,000 µs",
        "powertrain: 3 frames in, 45,367 out, 311 held back",
    ]


def test_what_went_wrong_has_a_line() -> None:
    shown = summary("demo", 1.0, statistics(frames_late=7, observer={"restarts": 1, "events_lost": 0}))
    assert shown[-1] == "7 frames late, 1 restarts of the observer"
    assert summary("demo", 1.0, statistics(overload={"seconds": 12.0}))[-1] == "12 seconds overloaded"


def test_it_is_never_longer_than_six_lines() -> None:
    buses = {f"bus{number}": {"received": 0, "transmitted": 0, "lost": 2} for number in range(9)}
    shown = summary("demo", 1.0, statistics(buses=buses, gates={}, frames_late=1))
    assert len(shown) == 5
    assert "bus1: 0 frames in, 0 out, 0 held back, 2 lost" in shown
    assert "and 7 more buses" in shown
