"""The date of a run: from its start with the ticks."""

import calendar
import time
from datetime import datetime

from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.units import SECOND
from hilbridge.bench.run_date import RunDate
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.configuration.bundle import BENCH, bundle
from hilbridge.runs.run.preparation import RunOptions, settled
from hilbridge.testing import VirtualBench
from vehiclesim.channels import CLOCK
from vehiclesim.databus import DataBus
from vehiclesim.entries import ENTRIES


def shown(data: DataBus) -> tuple[int, ...]:
    return tuple(data.clock[:8])


@given(st.integers(0, 4_000_000_000), st.lists(st.integers(1, 40_000_000), min_size=1, max_size=20))
def test_the_date_is_that_of_the_calendar(begin: int, steps: list[int]) -> None:
    """The C library's calendar says the same, in every second, across days and leap years."""
    data = DataBus()
    date = RunDate(data, datetime.fromisoformat(time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(begin))))
    seconds = 0
    for step in steps:
        seconds += step
        date.write(seconds * SECOND)
        known = time.gmtime(begin + seconds)
        assert shown(data) == (*known[:3], known.tm_wday + 1, *known[3:6], known.tm_yday)
        assert calendar.timegm(known) == begin + seconds


def test_a_second_begins_in_its_tick() -> None:
    """Half a second before midnight, ticks of 1 ms: the year changes in tick 500."""
    data = DataBus()
    date = RunDate(data, datetime.fromisoformat("2027-12-31T23:59:59.5"))
    date.write(499_999_999)
    assert shown(data) == (2027, 12, 31, 5, 23, 59, 59, 365)
    date.write(500_000_000)
    assert shown(data) == (2028, 1, 1, 6, 0, 0, 0, 1)
    assert data.read(CLOCK, 8) == 0.5


def test_a_run_on_the_virtual_clock_begins_at_the_same_date() -> None:
    """That of the bench file, else a fixed one, in which the entries rest."""
    with VirtualBench("demo") as bench:
        assert shown(bench.data) == tuple(entry.rest for entry in ENTRIES[CLOCK][:8])
        bench.advance(61)
        assert (bench.read("clock.Hour"), bench.read("clock.Minute")) == (8, 1)


def test_a_run_in_real_time_has_its_date_in_what_is_recorded() -> None:
    """The bench file of the recording names the date, unless its owner has: a replay begins at the same."""
    file = load_bench("demo")
    started = settled(file, RunOptions())
    assert f"clock: {started.settings.clock}" in bundle(started)[BENCH].decode().replace("'", "").replace('"', "")
    given_date = file.altered(clock="2020-02-29T12:00:00")
    assert settled(given_date, RunOptions()) is given_date
    assert settled(file, RunOptions(pace=None)) is file
    assert given_date.settings.begin == datetime.fromisoformat("2020-02-29T12:00")
