"""Which monitors have completed."""

from hilbridge.diagnostics.dtc.readiness import OTHERS, Readiness, bits

MONITORS = {"misfire": "misfire", "lean": "fuel-system", "rich": "fuel-system", "catalyst": "catalyst"}


def test_a_group_is_complete_when_each_of_its_monitors_is() -> None:
    readiness = Readiness(MONITORS)
    readiness.complete("lean")
    assert readiness.incomplete() == {"misfire", "fuel-system", "catalyst"}
    readiness.complete("rich")
    assert readiness.incomplete() == {"misfire", "catalyst"}


def test_a_new_cycle_begins_with_nothing_but_what_was_completed_stays() -> None:
    readiness = Readiness(MONITORS)
    readiness.complete("misfire")
    readiness.begin_cycle()
    assert readiness.incomplete() == {"fuel-system", "catalyst"}
    assert readiness.incomplete_this_cycle() == {"misfire", "fuel-system", "catalyst"}
    readiness.clear()
    assert readiness.incomplete() == readiness.supported


def test_only_the_first_verdict_is_news_and_only_of_a_monitor_that_runs() -> None:
    readiness = Readiness(MONITORS)
    assert [readiness.complete(one) for one in ("misfire", "misfire", "unknown")] == [True, False, False]


def test_bits_are_those_of_pid_01() -> None:
    """Catalyst 0, oxygen sensor 5, EGR 7; misfire has its bit in another byte."""
    assert bits({"catalyst", "oxygen-sensor", "egr", "misfire"}, OTHERS) == 0b1010_0001
