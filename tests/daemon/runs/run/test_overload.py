"""When a run counts as overloaded, what is said of it, and that a gap is none."""

from types import SimpleNamespace
from typing import Any, cast

from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.runs.loop import CatchUp
from hilbridge.runs.run.overload import Overload, OverloadRow


class Run:
    """A run at 1 kHz: seconds that go well or badly, and what is logged of them."""

    def __init__(self) -> None:
        self.told: list[tuple[float, str]] = []
        self.fields: dict[str, Any] = {}
        self.reporter = SimpleNamespace(ticks=0, missed=0, overload=0, warning=self._log, info=self._log)
        self.catch_up = CatchUp(MILLISECOND)
        self.overload = Overload(cast(Any, self.reporter), self.catch_up, MILLISECOND)
        self._t = -MILLISECOND

    def ticks(self, count: int, missed: int = 0) -> "Run":
        """So many ticks, each after so many missed ones."""
        for _ in range(count):
            self._t += (1 + missed) * MILLISECOND
            self.reporter.ticks += 1
            self.reporter.missed += missed
            if missed:
                self.overload.note_late_tick()
                self.catch_up.take(missed, self._t)
            self.overload.judge(self._t)
        return self

    def _log(self, t: int, event: str, **fields: Any) -> None:
        self.told.append((t / SECOND, event))
        self.fields = fields


def test_a_few_missed_ticks_are_counted_and_nothing_else() -> None:
    """4 % of each second."""
    run = Run()
    for _ in range(50):
        run.ticks(191).ticks(4, missed=1)
    assert (run.told, run.reporter.overload) == ([], 0)
    assert run.overload.status() == OverloadRow(percent=0, times=0, seconds=0.0, left_out_ms=0.0)


def test_a_single_gap_is_a_time_jump_and_no_overload() -> None:
    """A process that was stopped for five seconds; the model makes up for 20 ms of them."""
    run = Run().ticks(500).ticks(1, missed=5000)
    assert (run.told, run.fields) == ([(5.5, "time jump")], {"skipped_ms": 4980.0})
    run.ticks(3000)
    assert (len(run.told), run.reporter.overload) == (1, 0)


def test_a_second_in_which_ticks_are_missed_time_and_again_is_an_overload() -> None:
    """It is logged once, shows its share as long as it lasts, and ends with a second on time; all of it is counted."""
    run = Run().ticks(1001).ticks(1500, missed=1)
    assert [event for _, event in run.told] == ["overloaded"]
    assert (run.reporter.overload, run.fields["missed_percent"]) == (50, 50)
    assert run.overload.status().percent == 50
    run.ticks(5000)
    assert [event for _, event in run.told] == ["overloaded", "on time again", "time jump"]
    status = run.overload.status()
    assert (status.percent, status.times, status.left_out_ms) == (0, 1, 1480.0)
    assert 3.0 <= status.seconds <= 4.0
    assert run.reporter.overload == 0


def test_ticks_of_more_than_a_second_each_are_an_overload_too() -> None:
    """Though each second has one of them at most: the third in turn is seen."""
    run = Run().ticks(3, missed=1999)
    assert [event for _, event in run.told] == ["time jump", "time jump", "overloaded"]
    assert run.reporter.overload == 100


def test_an_overload_lasts_while_more_than_one_tick_of_a_hundred_is_missed() -> None:
    """So that a run at the edge does not come and go in the log."""
    run = Run().ticks(1001).ticks(1000, missed=1)
    for _ in range(30):
        run.ticks(98).ticks(1, missed=2)
    assert (run.told[1:], run.reporter.overload) == ([], 2)
