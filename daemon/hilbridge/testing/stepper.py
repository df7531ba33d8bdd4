"""The ticks of a virtual bench: a number of them, or until a condition is true."""

from collections.abc import Callable
from typing import Final

from hilbridge.base.clock import Clock, StopRequest, VirtualClock
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.bench import Bench
from hilbridge.runs import loop


class Stepper:
    """Runs ticks with the stages of the bench.

    Before each tick `prepare` puts due frames on the wires, at a time [ns]; after it `conclude` looks at the values.
    It is also the host of the bench's commands.
    """

    def __init__(self, bench: Bench, prepare: Callable[[int], None], conclude: Callable[[int], None]) -> None:
        self.step = bench.step
        self.serve = bench.serve
        self.publish = bench.publish
        self._bench: Final = bench
        self._prepare: Final = prepare
        self._conclude: Final = conclude
        self._clock: Final = VirtualClock(bench.settings.period)
        self._stop: Final = StopRequest()
        self._left = 0
        self._goal: Callable[[], bool] | None = None

    @property
    def t(self) -> int:
        """Time [ns] of the last completed tick; negative before the first one."""
        return self._clock.t

    @property
    def elapsed(self) -> int:
        """Elapsed time [ns]."""
        return self._clock.t + self._clock.period

    def run(self, duration: int, goal: Callable[[], bool] | None = None) -> bool:
        """Run the ticks of `duration` [ns], at least one, or fewer if the goal is reached; return whether it is."""
        self._left = max(1, round(duration / self._clock.period))
        self._goal = goal
        self._stop.requested = False
        loop.run(self._clock, self, self._stop)
        return goal is not None and goal()

    def sample(self, t: int) -> None:
        """Begin the tick."""
        self._prepare(t)
        self._bench.sample(t)

    def write(self, clock: Clock) -> None:
        """End the tick."""
        self._conclude(clock.t)
        self._left -= 1
        if self._left == 0 or (self._goal is not None and self._goal()):
            self._stop.requested = True

    def request_stop(self) -> None:
        """Stop after this tick."""
        self._stop.requested = True

    def request_reload(self) -> int:
        """Refuse: a test makes another bench from another file."""
        raise ConfigurationError("a virtual bench reads its file once; make another one")
