"""The date of a run: from its start with the ticks."""

import calendar
import time
from datetime import UTC, datetime, timedelta

import pytest
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


def test_a_date_that_is_set_goes_on_from_there() -> None:
    """From 1970 to today, and back by an hour: with the tick after, whatever was written before."""
    data = DataBus()
    date = RunDate(data, datetime.fromisoformat("1970-01-01T00:00:00"))
    date.write(5 * SECOND)
    date.set(5 * SECOND, datetime.fromisoformat("2026-10-25T03:00:00"), smoothly=True)
    date.write(5 * SECOND + 1)
    assert shown(data) == (2026, 10, 25, 7, 3, 0, 0, 298)
    date.set(6 * SECOND, datetime.fromisoformat("2026-10-25T02:00:01"), smoothly=False)
    date.write(7 * SECOND)
    assert shown(data) == (2026, 10, 25, 7, 2, 0, 2, 298)


@given(st.integers(-60_000, 60_000), st.integers(1, 100))
def test_a_date_that_is_set_smoothly_never_jumps(by: int, tick: int) -> None:
    """Each second of the date lasts 10/11 to 10/9 of one; after ten times the difference it is right."""
    data = DataBus()
    begin = datetime.fromisoformat("2026-01-01T08:00:00")
    date = RunDate(data, begin)
    date.set(0, begin + timedelta(milliseconds=by), smoothly=True)
    before, changed = 0, 0
    for t in range(0, 20 * 1000, tick):
        date.write(t * SECOND // 1000)
        now = data.clock[4] * 3600 + data.clock[5] * 60 + data.clock[6] - 8 * 3600
        if now != before:
            assert now - before in (1, -1) if t == 0 else now - before == 1
            if changed:
                assert 1000 * 10 / 11 - tick <= t - changed <= 1000 * 10 / 9 + tick
            before, changed = now, t
    end = (abs(by) * 10 + 1) * SECOND // 1000
    assert date.at(end) == begin + timedelta(milliseconds=by, microseconds=end // 1000)
    assert not date.is_slewing(end)


def test_a_bench_says_how_its_date_follows() -> None:
    """At once by default, and not at all where it names its own date; the zone must be one of this machine."""
    file = load_bench("demo")
    assert file.settings.follows_clock
    assert not file.altered(clock="2020-02-29T12:00:00").settings.follows_clock
    assert file.altered(clock="2020-02-29T12:00:00", clock_follows="smoothly").settings.follows_clock
    assert not file.altered(clock_follows="no").settings.follows_clock
    started = settled(file.altered(time_zone="Pacific/Kiritimati"), RunOptions()).settings
    ahead = started.begin - datetime.now(UTC).replace(tzinfo=None)
    assert abs(ahead - timedelta(hours=14)) < timedelta(minutes=1)
    assert started.follows_clock
    with pytest.raises(ValueError, match="no time zone"):
        file.altered(time_zone="Europe/Atlantis")
