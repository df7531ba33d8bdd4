"""The time between two ticks: a request of a tester is answered when it comes, not in the next tick.

The answer shows the values of the last tick, as it would if the tester had asked a little earlier. What was heard is
recorded with the time of the next tick, before all else of that tick, so a replay hears and answers it there. It works
on embedded buses and SocketCAN; on other interfaces, and through an ELM327, a request waits for the next tick.
"""

import select
import time
from typing import Final

from hilbridge.base.common.statistics import Histogram
from hilbridge.bench.bench import Bench
from hilbridge.boundary.links.doorbell import Doorbell

_MOST: Final = 8
"""Times that arriving frames wake it between two ticks; a flood is read in the ticks."""

_HIGHEST: Final = 1 << 10
"""FD_SETSIZE: select(2) takes no descriptor from here on."""


class IdleTime:
    """The work of a run while its clock waits; `update` begins it. Where no request can come, there is none."""

    def __init__(self, bench: Bench, answer_time: Histogram) -> None:
        """`answer_time` takes the time [ns] from waking up for a request to its answer."""
        self._bench: Final = bench
        self._answer_time: Final = answer_time
        self._doorbells: Final[list[Doorbell]] = []
        self._waiting: list[int] = []

    def update(self) -> None:
        """Wait for the requests of the control units that the bench has now."""
        self.close()
        for name, identifiers in self._bench.wiring.control_units.asked_on.items():
            settings = self._bench.settings.buses[name]
            if settings.interface == "socketcan":
                self._doorbells.append(Doorbell(str(settings.channel), identifiers))
            elif (descriptor := self._bench.links[name].descriptor) is not None:
                self._waiting.append(descriptor)
        self._waiting = [one for one in self._waiting if one < _HIGHEST]

    def poll(self) -> None:
        """Open again what was lost; called some ten times a second."""
        for doorbell in self._doorbells:
            doorbell.renew()

    def spend(self, t: int, duration: int) -> None:
        """Answer testers for `duration` [ns] of the wall clock, before the tick of time `t` [ns]."""
        end = time.monotonic_ns() + duration
        for _ in range(_MOST):
            rings = [one for bell in self._doorbells if (one := bell.descriptor) is not None and one < _HIGHEST]
            waiting = self._waiting + rings
            left = end - time.monotonic_ns()
            if left <= 0 or not waiting or not select.select(waiting, (), (), left * 1e-9)[0]:
                return
            begun = time.monotonic_ns()
            for doorbell in self._doorbells:
                doorbell.quieten()
            for _ in range(self._bench.answer(t)):
                self._answer_time.record(time.monotonic_ns() - begun)

    def close(self) -> None:
        """Wait for no request any more."""
        for doorbell in self._doorbells:
            doorbell.close()
        self._doorbells.clear()
        self._waiting = []
