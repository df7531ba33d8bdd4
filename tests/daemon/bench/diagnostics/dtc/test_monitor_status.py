"""Readiness, in-use performance, and distances and times with the MIL on and since the codes were cleared."""

from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.diagnostics.dtc.monitor_status import OTHERS, InUsePerformance, MilCounters, Readiness, bits
from vehiclesim.channels import AuxiliaryData, ElectricData
from vehiclesim.databus import DataBus

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


def test_distances_are_those_of_the_odometer_and_times_those_of_the_engine() -> None:
    data = DataBus()
    history = MilCounters(data)
    for odometer, run_time in ((5_000_000, 700), (5_000_700, 800), (5_001_000, 800), (5_001_000, 950)):
        data.auxiliary[AuxiliaryData.ODOMETER] = odometer
        data.auxiliary[AuxiliaryData.RUN_TIME] = run_time
        history.advance(0, indicator=False)
    assert (history.distance_since_clear, history.time_since_clear) == (1000, 250 * MILLISECOND)
    assert (history.distance_with_indicator, history.time_with_indicator) == (0, 0)


def test_with_the_indicator_on_it_counts_until_the_indicator_comes_on_anew() -> None:
    data = DataBus()
    history = MilCounters(data)
    history.indicate()
    for odometer, run_time in ((0, 0), (400, 200)):
        data.auxiliary[AuxiliaryData.ODOMETER] = odometer
        data.auxiliary[AuxiliaryData.RUN_TIME] = run_time
        history.advance(0, indicator=True)
    assert (history.distance_with_indicator, history.time_with_indicator) == (400, 200 * MILLISECOND)
    data.auxiliary[AuxiliaryData.RUN_TIME] = 300
    history.advance(0, indicator=False)
    assert history.time_with_indicator == 200 * MILLISECOND
    history.indicate()
    assert (history.distance_with_indicator, history.time_with_indicator) == (0, 0)


def test_an_electric_drive_counts_while_it_is_ready() -> None:
    """SAE J1979, PIDs 4D and 4E: a hybrid's time goes on while its engine rests; an electric car has no other."""
    data = DataBus()
    history = MilCounters(data)
    for ready in (0, 1, 1, 0):
        data.electric[ElectricData.DRIVE_READY] = ready
        history.advance(100 * MILLISECOND, indicator=True)
    assert history.time_since_clear == history.time_with_indicator == 200 * MILLISECOND


def test_a_counter_that_is_set_back_takes_nothing_away() -> None:
    """An odometer by a stored state, the run time by the key."""
    data = DataBus()
    history = MilCounters(data)
    for count in (1000, 500, 700):
        data.auxiliary[AuxiliaryData.ODOMETER] = data.auxiliary[AuxiliaryData.RUN_TIME] = count
        history.advance(0, indicator=False)
    assert (history.distance_since_clear, history.time_since_clear) == (200, 200 * MILLISECOND)


def test_warm_ups_stay_at_255() -> None:
    history = MilCounters(DataBus())
    for _ in range(300):
        history.warm_up()
    assert history.warm_ups_since_clear == 255
