"""The time between two ticks: a request of a tester is answered when it comes, not in the next tick.

The answer shows the values of the last tick, as it would if the tester had asked a little earlier. What was heard is
recorded with the time of the next tick, before all else of that tick, so a replay hears and answers it there.
"""

import select
import time
from typing import Final

from hilbridge.bench.bench import Bench
from hilbridge.common.statistics import Histogram

_MOST: Final = 8
"""Times that arriving frames wake it between two ticks; a flood is read in the ticks."""

_HIGHEST: Final = 1 << 10
"""FD_SETSIZE: select(2) takes no descriptor from here on."""


class IdleTime:
    """What a run does while its clock waits. Without control units on a link it does nothing."""

    def __init__(self, bench: Bench, answer_time: Histogram) -> None:
        """`answer_time` takes the time [ns] from the arrival of a request to its answer."""
        self._bench: Final = bench
        self._answer_time: Final = answer_time

    def spend(self, t: int, duration: int) -> None:
        """Answer testers for `duration` [ns] of the wall clock, before the tick of time `t` [ns]."""
        end = time.monotonic_ns() + duration
        for _ in range(_MOST):
            arrivals = [link.arrivals for link in self._bench.testers_links()]
            waiting = [one for one in arrivals if one is not None and one < _HIGHEST]
            left = end - time.monotonic_ns()
            if left <= 0 or not waiting or not select.select(waiting, (), (), left * 1e-9)[0]:
                return
            begun = time.monotonic_ns()
            for _ in range(self._bench.answer(t)):
                self._answer_time.record(time.monotonic_ns() - begun)
