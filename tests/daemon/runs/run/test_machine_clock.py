"""The date of a run follows the clock of the machine, by commands that a recording has; the machine is the test's.

Daylight saving is that of the time zone database: Europe/Berlin, 2027-03-28 and 2027-10-31 (directive 2000/84/EC).
"""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from hilbridge.base.common.units import SECOND
from hilbridge.bench.bench import Bench
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.runs.run.machine_clock import MachineClock


class Machine:
    """A machine whose clock shows `begin` (UTC) at t = 0, and a bench on it."""

    def __init__(self, begin: str, **settings: Any) -> None:
        self.begin = datetime.fromisoformat(begin).replace(tzinfo=UTC)
        self.t, self.synchronised = 0, True
        self.late = 0  # [ns] of the machine, behind which the ticks are
        first = self.now(settings.get("time_zone")).isoformat()
        self.bench = Bench(load_bench("demo").altered(clock=first, **{"clock_follows": "at-once"} | settings))
        self.commands: list[tuple[str, bool]] = []
        self.log: list[str] = []
        self.clock = MachineClock(
            self.bench, self, self.set, self.now, lambda: self.synchronised, lambda: self.t + self.late
        )

    def info(self, t: int, event: str, **fields: Any) -> None:
        self.log.append(event)

    warning = info

    def now(self, zone: str | None) -> datetime:
        date = self.begin + timedelta(microseconds=(self.t + self.late) // 1000)
        return date.astimezone(ZoneInfo(zone or "UTC")).replace(tzinfo=None)

    def set(self, date: str, smoothly: bool) -> None:
        self.commands.append((date, smoothly))
        self.bench.set_date(datetime.fromisoformat(date), self.t, smoothly=smoothly)

    def run(self, seconds: int) -> datetime:
        """Ten looks a second; the date that the bench shows afterwards."""
        for _ in range(10 * seconds):
            self.t += SECOND // 10
            self.clock.poll(self.t)
        return self.bench.date.at(self.t)


def test_a_clock_that_goes_on_is_no_input() -> None:
    machine = Machine("2026-11-27T10:00:00")
    assert machine.run(30) == datetime.fromisoformat("2026-11-27T10:00:30")
    assert machine.commands == []


def test_a_late_tick_is_no_change_of_the_clock() -> None:
    machine = Machine("2026-11-27T10:00:00")
    machine.run(3)
    machine.late = 2 * SECOND
    machine.run(3)
    machine.late = 0
    assert machine.run(3) == datetime.fromisoformat("2026-11-27T10:00:09")
    assert machine.commands == []


@pytest.mark.parametrize("by", [timedelta(days=20_000), timedelta(seconds=-3), timedelta(seconds=0.2)])
def test_a_clock_that_is_set_is_followed_at_once(by: timedelta) -> None:
    """A machine without a battery that gets its time, and one that was set back; one command each."""
    machine = Machine("1970-01-01T00:00:10")
    machine.run(5)
    machine.begin += by
    assert machine.run(2) == machine.now(None)
    assert len(machine.commands) == 1
    assert machine.log == ["date follows the machine"]


def test_a_small_step_is_made_up_for_smoothly_where_the_bench_says_so() -> None:
    """Three seconds in thirty; while that goes on nothing new begins. An hour is a step in any case."""
    machine = Machine("2026-11-27T10:00:00", clock_follows="smoothly")
    machine.begin += timedelta(seconds=3)
    assert machine.run(10) < machine.now(None)
    assert machine.run(30) == machine.now(None)
    machine.begin += timedelta(hours=1)
    assert machine.run(2) == machine.now(None)
    assert [smoothly for _, smoothly in machine.commands] == [True, True]


@pytest.mark.parametrize(
    ("utc", "shows"),
    [("2027-03-28T00:59:58", "2027-03-28T03:00:01"), ("2027-10-31T00:59:58", "2027-10-31T02:00:01")],
)
def test_daylight_saving_begins_and_ends(utc: str, shows: str) -> None:
    """In the zone of the bench, whatever that of the machine is."""
    machine = Machine(utc, time_zone="Europe/Berlin")
    assert machine.run(3) == datetime.fromisoformat(shows)
    assert len(machine.commands) == 1


def test_a_date_of_its_own_is_not_moved() -> None:
    machine = Machine("2026-11-27T10:00:00", clock_follows="no")
    machine.begin += timedelta(days=1)
    machine.run(5)
    assert machine.commands == []


def test_a_clock_that_is_not_synchronised_is_told_until_it_is() -> None:
    """In the log once, and in the line of the service."""
    machine = Machine("1970-01-01T00:00:00")
    machine.synchronised = False
    machine.run(65)
    assert machine.log == ["clock not synchronised"]
    assert "NOT SYNCHRONISED" in machine.clock.trouble
    machine.synchronised = True
    machine.run(31)
    assert (machine.log[1:], machine.clock.trouble) == (["clock synchronised"], "")
