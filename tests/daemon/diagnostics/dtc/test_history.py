"""Distances and times, with the indicator on and since the codes were cleared."""

from hilbridge.diagnostics.dtc.history import History
from vehiclesim.channels import AuxiliaryData
from vehiclesim.databus import DataBus


def test_distances_are_those_of_the_odometer_and_times_those_of_the_engine() -> None:
    data = DataBus()
    history = History(data)
    for odometer, running in ((5_000_000, True), (5_000_700, True), (5_001_000, False), (5_001_000, True)):
        data.auxiliary[AuxiliaryData.ODOMETER] = odometer
        history.advance(100, indicator=False, running=running)
    assert (history.distance_since_clear, history.time_since_clear) == (1000, 300)
    assert (history.distance_with_indicator, history.time_with_indicator) == (0, 0)


def test_with_the_indicator_on_it_counts_until_the_indicator_comes_on_anew() -> None:
    data = DataBus()
    history = History(data)
    history.indicate()
    for odometer in (0, 400):
        data.auxiliary[AuxiliaryData.ODOMETER] = odometer
        history.advance(100, indicator=True, running=True)
    assert (history.distance_with_indicator, history.time_with_indicator) == (400, 200)
    history.advance(100, indicator=False, running=True)
    assert history.time_with_indicator == 200
    history.indicate()
    assert (history.distance_with_indicator, history.time_with_indicator) == (0, 0)


def test_an_odometer_that_is_set_back_takes_nothing_away() -> None:
    data = DataBus()
    history = History(data)
    for odometer in (1000, 500, 700):
        data.auxiliary[AuxiliaryData.ODOMETER] = odometer
        history.advance(1, indicator=False, running=True)
    assert history.distance_since_clear == 200


def test_warm_ups_stay_at_255() -> None:
    history = History(DataBus())
    for _ in range(300):
        history.warm_up()
    assert history.warm_ups_since_clear == 255
