"""Distances and times, with the indicator on and since the codes were cleared."""

from hilbridge.diagnostics.dtc.mil_counters import MilCounters
from vehiclesim.channels import AuxiliaryData
from vehiclesim.databus import DataBus

MILLISECOND = 1_000_000


def test_distances_are_those_of_the_odometer_and_times_those_of_the_engine() -> None:
    data = DataBus()
    history = MilCounters(data)
    for odometer, run_time in ((5_000_000, 700), (5_000_700, 800), (5_001_000, 800), (5_001_000, 950)):
        data.auxiliary[AuxiliaryData.ODOMETER] = odometer
        data.auxiliary[AuxiliaryData.RUN_TIME] = run_time
        history.advance(indicator=False)
    assert (history.distance_since_clear, history.time_since_clear) == (1000, 250 * MILLISECOND)
    assert (history.distance_with_indicator, history.time_with_indicator) == (0, 0)


def test_with_the_indicator_on_it_counts_until_the_indicator_comes_on_anew() -> None:
    data = DataBus()
    history = MilCounters(data)
    history.indicate()
    for odometer, run_time in ((0, 0), (400, 200)):
        data.auxiliary[AuxiliaryData.ODOMETER] = odometer
        data.auxiliary[AuxiliaryData.RUN_TIME] = run_time
        history.advance(indicator=True)
    assert (history.distance_with_indicator, history.time_with_indicator) == (400, 200 * MILLISECOND)
    data.auxiliary[AuxiliaryData.RUN_TIME] = 300
    history.advance(indicator=False)
    assert history.time_with_indicator == 200 * MILLISECOND
    history.indicate()
    assert (history.distance_with_indicator, history.time_with_indicator) == (0, 0)


def test_a_counter_that_is_set_back_takes_nothing_away() -> None:
    """An odometer by a stored state, the run time by the key."""
    data = DataBus()
    history = MilCounters(data)
    for count in (1000, 500, 700):
        data.auxiliary[AuxiliaryData.ODOMETER] = data.auxiliary[AuxiliaryData.RUN_TIME] = count
        history.advance(indicator=False)
    assert (history.distance_since_clear, history.time_since_clear) == (200, 200 * MILLISECOND)


def test_warm_ups_stay_at_255() -> None:
    history = MilCounters(DataBus())
    for _ in range(300):
        history.warm_up()
    assert history.warm_ups_since_clear == 255
