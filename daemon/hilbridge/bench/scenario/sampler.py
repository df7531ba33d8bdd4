"""Sampling of the values that the steps of a scenario name, for a plot.

A signal has the value of its newest frame; a value that is not available, or before the first frame, is NaN. There is
a sample every 10 ms; when there are too many, every 20, 40, ... ms, so that memory is bounded.
"""

import math
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable
from functools import partial
from itertools import chain
from typing import Final

from hilbridge.base.common.units import SECOND
from hilbridge.base.plots.courses import SampledQuantity
from hilbridge.bench.scenario.context import ScenarioContext
from hilbridge.bench.scenario.limits import named
from hilbridge.files.settings.scenario import StepSettings
from hilbridge.frames.bus.frame_listener import NewestSignals
from hilbridge.frames.codec.codec import compile_message

ALWAYS: Final = ("vehicle.EngineRpm", "vehicle.Speed", "input.Throttle", "input.Brake", "input.Clutch")
"""Values that are sampled in every scenario."""

_PERIOD: Final = 10_000_000
"""[ns] Shortest sampling period."""

_MOST: Final = 6000
"""Samples: several for each pixel of a plot's width."""


class Sampler:
    """Samples the values that the steps name, from the bench on which they are played."""

    def __init__(self, steps: Iterable[StepSettings], context: ScenarioContext) -> None:
        self.quantities: Final[dict[str, SampledQuantity]] = {}
        self._times: Final = array("q")
        self._read: Final[list[Callable[[], float]]] = []
        self._messages: Final[dict[tuple[str, str], NewestSignals]] = {}
        self._decisive: Final[dict[int, dict[str, float]]] = {}
        self._period = _PERIOD
        self._due = 0
        entries = context.data.entries
        for path in dict.fromkeys(chain(ALWAYS, *(named(step, entries) for step in steps))):
            place = entries.find(path)
            if place is None:
                self._listen(path, context)
            else:
                self._follow(path, entries.at(place).unit, partial(context.data.read, *place))

    def _listen(self, path: str, context: ScenarioContext) -> None:
        bus, message, signal = path.split(".")
        if (bus, message) not in self._messages:
            newest = NewestSignals(compile_message(context.databases[bus].message(message)))
            context.listener(bus).receivers.append(newest.receive)
            self._messages[bus, message] = newest
        newest = self._messages[bus, message]
        self._follow(path, newest.codec.signals[signal].unit or "", partial(newest.value, signal))

    def _follow(self, path: str, unit: str, read: Callable[[], float]) -> None:
        self.quantities[path] = SampledQuantity(path, unit, array("d"))
        self._read.append(read)

    @property
    def times(self) -> list[float]:
        """The times of the samples, in seconds of the run."""
        return [t / SECOND for t in self._times]

    def value(self, path: str, t: int) -> float:
        """Return the value of a quantity when a step was decided, at time `t` [ns]."""
        if t in self._decisive:
            return self._decisive[t][path]
        sample = bisect_right(self._times, t)
        return self.quantities[path].values[sample - 1] if sample else math.nan

    def advance(self, t: int, *, decisive: bool = False) -> None:
        """Sample the end of the tick of time `t` [ns], after the scenario. `decisive`: a step ended in this tick."""
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
        """Remove every second sample, and double the period."""
        del self._times[1::2]
        for quantity in self.quantities.values():
            del quantity.values[1::2]
        self._period = self._times[1] - self._times[0]
        self._due = self._times[-1] + self._period
