"""The whole loop on one screen."""

from typing import Final, Protocol

from hilbridge.base.clock import CATCH_UP, Clock, StopRequest


class Stages(Protocol):
    """The stages of a tick. `t` [ns] is the time of the tick; no stage reads a clock."""

    def sample(self, t: int) -> None:
        """Drain CAN and serial ports; decide between the sources; write the Input channel."""

    def step(self) -> None:
        """Advance the vehicle by one period and publish the Vehicle channel."""

    def serve(self, t: int) -> None:
        """Answer the diagnostic requests that came in."""

    def publish(self, t: int) -> None:
        """Send the frames that are due."""

    def write(self, clock: Clock) -> None:
        """Hand the state and the timing of the tick to the observer."""


class CatchUp:
    """The missed ticks that the model makes up for: 20 ms of them (one at least), less what was made up for lately.

    Each tick that comes on time gives one back. So a model that is itself too slow takes half of the ticks at worst;
    if it made up for all that it delays, each late tick would delay the next one by more, down to some twenty ticks a
    second. `left_out` counts the missed ticks that it does not make up for.
    """

    def __init__(self, period: int) -> None:
        """`period` of a tick [ns]."""
        self.left_out = 0
        self._period: Final = period
        self._most: Final = max(1, CATCH_UP // period)
        self._budget = self._most
        self._t = -period  # [ns] of the last tick that was late

    def take(self, missed: int, t: int) -> int:
        """Return how many of the `missed` ticks before that of time `t` [ns] the model makes up for."""
        on_time = (t - self._t) // self._period - missed - 1
        self._t = t
        self._budget = min(self._most, self._budget + on_time)
        made_up = min(missed, self._budget)
        self._budget -= made_up
        self.left_out += missed - made_up
        return made_up


def run(clock: Clock, stages: Stages, stop: StopRequest, catch_up: CatchUp | None = None) -> None:
    """Tick until the duration is over or a stop is requested. The stages are looked up once, before the first tick.

    Missed ticks: the model makes up for 20 ms of them; frames that were due in them go once; nothing bursts. While
    the clock waits, diagnostic requests are answered (runs/run/idle_time.py).
    """
    catch_up = catch_up or CatchUp(clock.period)
    sample, step, serve, publish, write = stages.sample, stages.step, stages.serve, stages.publish, stages.write
    while not stop.requested and clock.wait():
        t = clock.t
        sample(t)
        step()
        if clock.missed:
            for _ in range(catch_up.take(clock.missed, t)):
                step()
        serve(t)
        publish(t)
        write(clock)
