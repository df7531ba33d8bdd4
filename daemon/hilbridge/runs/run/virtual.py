"""The stages of a tick on the virtual clock: those of the bench, and at the end no more than such a run can need.

Nothing is late there, no port is open, no one sends commands, and no file is read anew: what a run does for these
(runs/run/run.py) is left out, and the rest is compiled.
"""

from collections.abc import Callable
from typing import Final

from hilbridge.base.clock import Clock, StopRequest
from hilbridge.base.process.signals import Signals
from hilbridge.bench.bench import Bench
from hilbridge.boundary.observe.reporter import Reporter


class VirtualStages:
    """The stages of a run that no scenario plays, and for which nothing outside takes turns, are these alone."""

    def __init__(
        self,
        bench: Bench,
        reporter: Reporter,
        stop: StopRequest,
        signals: Signals,
        attend: Callable[[int], None],
        play: Callable[[int], None] | None,
    ) -> None:
        """`attend` acts on signals at time `t` [ns], `play` is called at the end of each tick, before it."""
        self.sample: Final = bench.sample
        self.step: Final = bench.step
        self.serve: Final = bench.serve
        self.publish: Final = bench.publish
        self._bench: Final = bench
        self._reporter: Final = reporter
        self._stop: Final = stop
        self._signals: Final = signals
        self._attend: Final = attend
        self._play: Final = play

    def write(self, clock: Clock) -> None:
        """End the tick: observe it, and stop when the run is over."""
        self._reporter.tick(clock)
        t = clock.t
        if self._play is not None:
            self._play(t)
        if self._signals.noted:
            self._attend(t)
        if self._bench.is_shut_down(t):
            self._stop.requested = True
