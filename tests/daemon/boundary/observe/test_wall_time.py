"""The time of day of what happened, whatever becomes of the clocks. One that the test turns stands for all three."""

from hilbridge.base.common.units import SECOND
from hilbridge.boundary.observe.events import LogLevel, LogRecord
from hilbridge.boundary.observe.wall_time import Clocks, WallTime, read_clocks

NOON = 1_700_000_000 * SECOND
"""[ns since 1970] when the run is being prepared; the machine has been up for 1000 s."""


class Turned:
    """The clocks of a machine."""

    def __init__(self) -> None:
        self.wall, self.monotonic, self.boot = NOON, 1000 * SECOND, 1000 * SECOND

    def read(self) -> Clocks:
        return Clocks(self.wall, self.monotonic, self.boot)

    def pass_by(self, time: int) -> None:
        self.wall += time
        self.monotonic += time
        self.boot += time

    def sleep(self, time: int) -> None:
        """The machine is suspended: CLOCK_MONOTONIC stands still (clock_gettime(2))."""
        self.wall += time
        self.boot += time


def cell(value: int = 0) -> memoryview:
    memory = memoryview(bytearray(8)).cast("Q")
    memory[0] = value
    return memory


def test_run_time_counts_from_the_first_tick() -> None:
    """It was 300 ms after the run was being prepared; before it is known, the preparation stands for it."""
    clocks, origin = Turned(), cell()
    wall = WallTime(NOON, origin, read=clocks.read)
    assert wall.at(0) == NOON
    origin[0] = clocks.monotonic + 300_000_000
    assert wall.at(2 * SECOND) == NOON + 2_300_000_000


def test_a_faster_run_takes_less_of_the_day() -> None:
    """At pace 4 a second of the run is a quarter of one."""
    assert WallTime(NOON, cell(), pace=4.0, read=Turned().read).at(SECOND) == NOON + SECOND // 4


def test_a_wall_clock_that_is_set_is_followed_and_told() -> None:
    """NTP sets it back by an hour: what happens from then on has the new time; nothing is said twice."""
    clocks = Turned()
    wall = WallTime(NOON, cell(clocks.monotonic), read=clocks.read)
    clocks.pass_by(10 * SECOND)
    assert list(wall.changes()) == []
    clocks.wall -= 3600 * SECOND
    assert list(wall.changes()) == [LogRecord(LogLevel.WARNING, "wall clock stepped", {"by_s": -3600.0})]
    assert wall.at(10 * SECOND) == clocks.wall
    clocks.pass_by(SECOND)
    assert list(wall.changes()) == []
    assert wall.at(11 * SECOND) == clocks.wall


def test_a_machine_that_slept_is_told_as_such() -> None:
    """Run time stood still meanwhile; the wall clock did not step."""
    clocks = Turned()
    wall = WallTime(NOON, cell(clocks.monotonic), read=clocks.read)
    clocks.sleep(8 * 3600 * SECOND)
    assert list(wall.changes()) == [LogRecord(LogLevel.WARNING, "the machine slept", {"seconds": 28800.0})]
    assert wall.at(0) == clocks.wall


def test_a_clock_that_was_wrong_after_sleep_is_told_too() -> None:
    """Only by how much it was wrong."""
    clocks = Turned()
    wall = WallTime(NOON, cell(clocks.monotonic), read=clocks.read)
    clocks.sleep(60 * SECOND)
    clocks.wall += 5 * SECOND
    assert [record.fields for record in wall.changes()] == [{"seconds": 60.0}, {"by_s": 5.0}]
    assert wall.at(0) == clocks.wall


def test_who_was_interrupted_between_two_clocks_has_seen_no_step() -> None:
    """Some milliseconds of difference are not followed; many small steps that add up are."""
    clocks = Turned()
    wall = WallTime(NOON, cell(clocks.monotonic), read=clocks.read)
    clocks.wall += 6_000_000
    assert list(wall.changes()) == []
    clocks.wall += 6_000_000
    assert [record.event for record in wall.changes()] == ["wall clock stepped"]


def test_the_clocks_of_this_machine_go_on() -> None:
    """Boot time is not behind monotonic time, and neither goes back."""
    first, second = read_clocks(), read_clocks()
    assert second.monotonic >= first.monotonic > 0
    assert second.boot >= second.monotonic - 10_000_000
