"""The whole loop on one screen."""

from typing import Protocol

from hilbridge.clock import CATCH_UP, Clock


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


class StopRequest:
    """A request to end the loop: set by a signal handler, read before each tick."""

    def __init__(self) -> None:
        self.requested = False


def integrated(missed: int, period: int) -> int:
    """Return how many of `missed` ticks of `period` [ns] the model integrates: up to 20 ms of them, one at least."""
    return min(missed, max(1, CATCH_UP // period))


def run(clock: Clock, stages: Stages, stop: StopRequest) -> None:
    """Tick until the duration is over or a stop is requested.

    Missed ticks: the model integrates them, up to 20 ms; frames that were due in them go once; nothing bursts. While
    the clock waits, diagnostic requests are answered (run/idle_time.py).
    """
    while not stop.requested and clock.wait():
        t = clock.t
        stages.sample(t)
        stages.step()
        if clock.missed:
            for _ in range(integrated(clock.missed, clock.period)):
                stages.step()
        stages.serve(t)
        stages.publish(t)
        stages.write(clock)
