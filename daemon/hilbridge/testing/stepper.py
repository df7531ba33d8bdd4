"""The ticks of a virtual bench: as many as are asked for, or until something is true."""

from collections.abc import Callable
from typing import Final

from hilbridge import loop
from hilbridge.bench.bench import Bench
from hilbridge.clock import Clock, VirtualClock


class Stepper:
    """The stages of a tick are the bench's; before them, `prepare` puts on the wires what is due at a time [ns].

    It is the host of the bench's commands too.
    """

    def __init__(self, bench: Bench, prepare: Callable[[int], None]) -> None:
        self.step = bench.step
        self.serve = bench.serve
        self.publish = bench.publish
        self._bench: Final = bench
        self._prepare: Final = prepare
        self._clock: Final = VirtualClock(bench.settings.period)
        self._stop: Final = loop.StopRequest()
        self._left = 0
        self._goal: Callable[[], bool] | None = None

    @property
    def t(self) -> int:
        """[ns] of the last tick that was done; negative before the first."""
        return self._clock.t

    @property
    def elapsed(self) -> int:
        """[ns] that went by."""
        return self._clock.t + self._clock.period

    def run(self, duration: int, goal: Callable[[], bool] | None = None) -> bool:
        """As many ticks as are in `duration` [ns], one at least, or fewer if the goal is reached; whether it is."""
        self._left = max(1, round(duration / self._clock.period))
        self._goal = goal
        self._stop.requested = False
        loop.run(self._clock, self, self._stop)
        return goal is not None and goal()

    def sample(self, t: int) -> None:
        """Begins the tick."""
        self._prepare(t)
        self._bench.sample(t)

    def write(self, clock: Clock) -> None:
        """Ends the tick."""
        self._left -= 1
        if self._left == 0 or (self._goal is not None and self._goal()):
            self._stop.requested = True

    def request_stop(self) -> None:
        """No more ticks for now."""
        self._stop.requested = True

    def request_reload(self) -> None:
        """A test makes another bench of another file."""
