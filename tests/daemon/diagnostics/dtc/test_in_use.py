"""In-use performance."""

from hilbridge.diagnostics.dtc.in_use import InUsePerformance


def test_a_group_counts_once_a_cycle() -> None:
    performance = InUsePerformance()
    assert [performance.complete("catalyst") for _ in range(3)] == [True, False, False]
    performance.begin_cycle()
    performance.complete("catalyst")
    assert performance.completions["catalyst"] == 2


def test_continuous_monitors_are_not_tracked() -> None:
    assert not InUsePerformance().complete("misfire")


def test_counters_stay_at_65535() -> None:
    performance = InUsePerformance()
    performance.ignitions = performance.general = performance.completions["egr"] = 0xFFFF
    performance.ignite()
    performance.complete_general()
    performance.complete("egr")
    assert (performance.ignitions, performance.general, performance.completions["egr"]) == (0xFFFF,) * 3
