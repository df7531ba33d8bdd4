"""How a scenario went: what its steps name, sampled over time, so that a picture can be made of it afterwards.

Entries are kept as the integers of the data bus; signals as the newest frame has them, not-a-number before the first.
A sample every 10 ms or, when that were too many, every 20, 40, ... ms: a long scenario takes no more memory.
"""

import math
from array import array
from collections.abc import Iterable
from itertools import chain
from typing import Final, NamedTuple

from hilbridge.frames.codec import CompiledMessage, compile_message
from hilbridge.frames.frame import Frame
from hilbridge.scenario.build import Stage
from hilbridge.scenario.limits import named
from hilbridge.settings.common import NANOSECONDS
from hilbridge.settings.scenario import StepSettings
from vehiclesim.channels import ENTRIES, NAN, find

ALWAYS: Final = ("vehicle.EngineRpm", "vehicle.Speed", "input.Throttle", "input.Brake", "input.Clutch")
"""What is followed in every scenario."""

_PERIOD: Final = 10_000_000
"""[ns]"""

_MOST: Final = 6000
"""Samples: some for each pixel of a picture's width."""


class Quantity(NamedTuple):
    """`path`: as limits.py calls it. `values` in the `unit`, one for each sample."""

    path: str
    unit: str
    values: list[float]


class _Followed(NamedTuple):
    """An entry of the data bus, and its integers so far."""

    path: str
    channel: int
    index: int
    values: "array[int]"


class _Heard:
    """The signals of a message, as the newest of its frames has them."""

    def __init__(self, codec: CompiledMessage) -> None:
        codec.prepare()
        self.codec: Final = codec
        self.signals: Final[dict[str, tuple[str, array[float]]]] = {}  # path and values, by the name of the signal
        self._newest: bytes | None = None

    def hear(self, frame: Frame, t: int) -> None:
        if frame.can_id & self.codec.mask == self.codec.matched and len(frame.data) >= self.codec.length:
            self._newest = frame.data

    def sample(self) -> None:
        known = {} if self._newest is None else self.codec.decode_available(self._newest)
        for signal, (_, values) in self.signals.items():
            values.append(known.get(signal, math.nan))


class Course:
    """Follows what the steps name, on the stage on which they are played."""

    def __init__(self, steps: Iterable[StepSettings], stage: Stage) -> None:
        self._channels: Final = stage.data.channels
        self._times: Final = array("q")
        self._followed: Final[list[_Followed]] = []
        self._heard: Final[dict[tuple[str, str], _Heard]] = {}
        self._period = _PERIOD
        self._due = 0
        for path in dict.fromkeys(chain(ALWAYS, *map(named, steps))):
            place = find(path)
            if place is not None:
                self._followed.append(_Followed(path, *place, array("q")))
            else:
                self._listen(path, stage)

    def _listen(self, path: str, stage: Stage) -> None:
        bus, message, signal = path.split(".", 2)
        if (bus, message) not in self._heard:
            self._heard[bus, message] = _Heard(compile_message(stage.databases[bus].message(message)))
            stage.ear(bus).listening.append(self._heard[bus, message])
        self._heard[bus, message].signals[signal] = (path, array("d"))

    def advance(self, t: int) -> None:
        """At the end of the tick of time `t` [ns], behind the scenario."""
        if t < self._due:
            return
        self._due = t + self._period
        self._times.append(t)
        for _, channel, index, values in self._followed:
            values.append(self._channels[channel][index])
        for message in self._heard.values():
            message.sample()
        if len(self._times) == _MOST:
            self._thin_out()

    def _thin_out(self) -> None:
        """Every second sample is enough."""
        self._period *= 2
        heard = (values for message in self._heard.values() for _, values in message.signals.values())
        for values in (self._times, *(one.values for one in self._followed), *heard):
            del values[1::2]

    @property
    def times(self) -> list[float]:
        """[s] of the run, of the samples."""
        return [t / NANOSECONDS for t in self._times]

    def quantities(self) -> list[Quantity]:
        """Everything that was followed; what was not available is not-a-number."""
        entries = [
            Quantity(path, entry.unit, [math.nan if raw == NAN else raw / entry.resolution for raw in values])
            for path, channel, index, values in self._followed
            for entry in (ENTRIES[channel][index],)
        ]
        signals = [
            Quantity(path, message.codec.signals[name].unit or "", list(values))
            for message in self._heard.values()
            for name, (path, values) in message.signals.items()
        ]
        return entries + signals
