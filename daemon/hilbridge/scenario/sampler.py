"""How a scenario went: what its steps name, sampled over time, so that a picture can be made of it afterwards.

Signals are sampled as the newest frame has them; what is not available, or was in no frame yet, is not-a-number.
A sample every 10 ms or, when that were too many, every 20, 40, ... ms: a long scenario takes no more memory.
"""

import math
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable
from functools import partial
from itertools import chain
from typing import Final, NamedTuple

from hilbridge.bus.frame_listener import NewestSignals
from hilbridge.codec.codec import compile_message
from hilbridge.common.units import SECOND
from hilbridge.scenario.build import ScenarioContext
from hilbridge.scenario.limits import named
from hilbridge.settings.scenario import StepSettings
from vehiclesim.channels import ENTRIES, find

ALWAYS: Final = ("vehicle.EngineRpm", "vehicle.Speed", "input.Throttle", "input.Brake", "input.Clutch")
"""What is followed in every scenario."""

_PERIOD: Final = 10_000_000
"""[ns]"""

_MOST: Final = 6000
"""Samples: some for each pixel of a picture's width."""


class SampledQuantity(NamedTuple):
    """`path`: as limits.py calls it. `values` in the `unit`, one for each sample."""

    path: str
    unit: str
    values: "array[float]"


class Sampler:
    """Follows what the steps name, on the stage on which they are played."""

    def __init__(self, steps: Iterable[StepSettings], stage: ScenarioContext) -> None:
        self.quantities: Final[dict[str, SampledQuantity]] = {}
        self._times: Final = array("q")
        self._read: Final[list[Callable[[], float]]] = []
        self._messages: Final[dict[tuple[str, str], NewestSignals]] = {}
        self._decisive: Final[dict[int, dict[str, float]]] = {}
        self._period = _PERIOD
        self._due = 0
        for path in dict.fromkeys(chain(ALWAYS, *map(named, steps))):
            place = find(path)
            if place is None:
                self._listen(path, stage)
            else:
                self._follow(path, ENTRIES[place[0]][place[1]].unit, partial(stage.data.read, *place))

    def _listen(self, path: str, stage: ScenarioContext) -> None:
        bus, message, signal = path.split(".")
        if (bus, message) not in self._messages:
            newest = NewestSignals(compile_message(stage.databases[bus].message(message)))
            stage.listener(bus).receivers.append(newest.receive)
            self._messages[bus, message] = newest
        newest = self._messages[bus, message]
        self._follow(path, newest.codec.signals[signal].unit or "", partial(newest.value, signal))

    def _follow(self, path: str, unit: str, read: Callable[[], float]) -> None:
        self.quantities[path] = SampledQuantity(path, unit, array("d"))
        self._read.append(read)

    @property
    def times(self) -> list[float]:
        """[s] of the run, of the samples."""
        return [t / SECOND for t in self._times]

    def value(self, path: str, t: int) -> float:
        """What a quantity was when a step was decided at time `t` [ns]."""
        if t in self._decisive:
            return self._decisive[t][path]
        sample = bisect_right(self._times, t)
        return self.quantities[path].values[sample - 1] if sample else math.nan

    def advance(self, t: int, *, decisive: bool = False) -> None:
        """At the end of the tick of time `t` [ns], behind the scenario. `decisive`: a step was over with this tick."""
        if decisive:
            self._decisive[t] = {path: read() for path, read in zip(self.quantities, self._read, strict=True)}
        if t < self._due:
            return
        self._due = t + self._period
        self._times.append(t)
        for quantity, read in zip(self.quantities.values(), self._read, strict=True):
            quantity.values.append(read())
        if len(self._times) == _MOST:
            self._thin_out()

    def _thin_out(self) -> None:
        """Every second sample is enough."""
        del self._times[1::2]
        for quantity in self.quantities.values():
            del quantity.values[1::2]
        self._period = self._times[1] - self._times[0]
        self._due = self._times[-1] + self._period
