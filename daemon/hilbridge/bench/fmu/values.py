"""The values of one FMU on the data bus: which it takes, which it gives, and when in a tick.

| in tick n | what |
|---|---|
| before the controls are decided | its answer to the values of the exchange before, which the port gives when due |
| with the controls | outputs whose entries may be set: a source above those of `inputs`, below commands and faults |
| before the step of the vehicle | it reads the entries that may be set, before the vehicle takes a gear step back |
| after the step of the vehicle | its outputs replace computed entries; then the bench's own expressions are computed |
| at the end | it reads computed entries, and is asked for the next step |

So what it gives is one exchange late: one tick, where `step` is a tick. While an answer is late, the last values stay,
and the ticks are counted; it is asked again with the answer, for the steps that were missed, up to CATCH_UP. Once it is
lost, what it held is released, and its computed entries are not available.
"""

import struct
from collections.abc import Sequence
from math import isfinite
from typing import Final, Protocol

from hilbridge.base.common.errors import ConfigurationError, ErrorCollector, KeyPath
from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.inputs.controls import Control, find_control
from hilbridge.bench.inputs.internal import DirectSource
from hilbridge.files.settings.common import in_whole_ticks
from hilbridge.files.settings.fmu import FmuSettings
from hilbridge.frames.codec.database import unknown
from vehiclesim.channels import CUSTOM
from vehiclesim.databus import DataBus
from vehiclesim.entries import WRITERS

CATCH_UP: Final = 20 * MILLISECOND
"""[ns] of steps that were missed which an FMU makes up for at once, as the vehicle does; what is beyond is skipped."""

_FOREIGN: Final = (WRITERS["run"], WRITERS["troubles"])
_HIGHEST: Final = 2147483647


class AskedPort(Protocol):
    """The process of an FMU."""

    def ask(self, steps: int, values: Sequence[float], t: int, due: int) -> None:
        """Have it make steps with these inputs, at `t` [ns]; the answer is fed when it is `due` [ns]."""


class HeldOutputs(DirectSource):
    """The outputs whose entries may be set: a source that never falls silent, until its FMU is lost."""

    def __init__(self, name: str, controls: list[Control]) -> None:
        super().__init__(f"FMU {name}", controls, timeout=None)
        self.limited = 0

    def hold(self, i: int, value: float, t: int) -> None:
        """Hold control `i` at a value in its unit, limited to its range; what is no number releases it."""
        if not isfinite(value):
            self._release(i)
            return
        control = self.bindings[i].control
        self.limited += not control.lowest <= value <= control.highest
        self._set(i, control.to_bus(value), t)

    def release(self) -> None:
        """Give all back."""
        for i in range(len(self.fresh)):
            self._release(i)


class FmuValues:
    """One FMU in the tick. `port`: its process, without which it is asked nothing, as in a replay."""

    port_kind: Final = "FMU"

    def __init__(self, name: str, settings: FmuSettings, data: DataBus, period: int) -> None:
        """`period` [ns] of a tick. ConfigurationError, with the key path: no such entry, or it cannot write it."""
        self.name: Final = name
        self.settings: Final = settings
        self.port: AskedPort | None = None
        self.answers = self.late = self.skipped = 0
        self.lost = ""
        self.step: Final = period if settings.step is None else in_whole_ticks(settings.step, period)
        self._data: Final = data
        self._layout: Final = struct.Struct(f"<{len(settings.writes)}d")
        self._reached = 0  # [ns] that it has been asked for
        self._waiting = False
        errors = ErrorCollector()
        self._reads: Final[list[tuple[int, int, bool]]] = []  # channel, id, whether it may be set
        for place, path in _rows("inputs", settings):
            with errors.attempt():
                found = _find(path, data, ("fmu", name, *place))
                self._reads.append((*found, find_control(path, data.entries) is not None))
        self._read = [0.0] * len(self._reads)
        controls: dict[int, Control] = {}
        self.results: Final[dict[int, tuple[int, int]]] = {}
        for number, (place, path) in enumerate(_rows("outputs", settings)):
            with errors.attempt():
                found, control = _output(path, data, ("fmu", name, *place))
                if control is None:
                    self.results[number] = found
                else:
                    controls[number] = control
        errors.verdict()
        self.source: Final = HeldOutputs(name, [*controls.values()])
        self._held: Final = [*controls]
        self._unavailable: Final = {place: _unavailable(data, place) for place in self.results.values()}
        self._raw: dict[tuple[int, int], int] = {}

    def feed(self, data: bytes, t: int, trouble: str = "") -> None:
        """Take an answer of the port at `t` [ns], or why it has gone; both are recorded."""
        if trouble and not self.lost:
            self.lost = trouble
            self.source.release()
            self._raw = dict(self._unavailable)
        if len(data) == self._layout.size:
            self._take(self._layout.unpack(data), t)
            self._waiting = False
            self.answers += 1
        elif self._waiting and not self.lost and t >= self._reached:
            self.late += 1

    def _take(self, values: tuple[float, ...], t: int) -> None:
        self.source.accepted += 1
        for i, number in enumerate(self._held):
            self.source.hold(i, values[number], t)
        entries = self._data.entries
        for number, place in self.results.items():
            value = values[number] * entries.at(place).resolution
            raw = min(max(round(value), 1 - _HIGHEST), _HIGHEST) if isfinite(value) else self._unavailable[place]
            self._raw[place] = raw

    def read(self) -> None:
        """Read the entries that may be set, before the vehicle does."""
        for i, (channel, index, settable) in enumerate(self._reads):
            if settable:
                self._read[i] = self._data.read(channel, index)

    def write(self) -> None:
        """Replace computed entries, after the vehicle has written them."""
        for (channel, index), raw in self._raw.items():
            self._data.set(channel, index, raw)

    def publish(self, t: int) -> None:
        """Ask for the next step at the end of the tick of time `t` [ns], if it is due and the last one has come."""
        if t < self._reached or self._waiting or self.lost:
            return
        steps = (t - self._reached) // self.step + 1
        self._reached += steps * self.step
        most = max(1, CATCH_UP // self.step)
        self.skipped += max(0, steps - most)
        self._waiting = True
        if self.port is None:
            return
        for i, (channel, index, settable) in enumerate(self._reads):
            if not settable:
                self._read[i] = self._data.read(channel, index)
        self.port.ask(min(steps, most), self._read, t, self._reached)

    def take_over(self, before: "FmuValues") -> None:
        """Continue after a reload, which leaves the section as it was; the source is taken over with all others."""
        self.port, self.lost, self._raw = before.port, before.lost, before._raw
        self.answers, self.late, self.skipped = before.answers, before.late, before.skipped
        self._reached, self._waiting = before._reached, before._waiting
        self.source.limited = before.source.limited


def _rows(key: str, settings: FmuSettings) -> list[tuple[KeyPath, str]]:
    """Return place and entry of each row of a table."""
    table = settings.inputs if key == "inputs" else settings.outputs
    if isinstance(table, dict):
        return [((key, name), path) for name, path in table.items()]
    return [((key, number), path) for number, path in enumerate(table)]


def _find(path: str, data: DataBus, place: KeyPath) -> tuple[int, int]:
    found = data.entries.find(path)
    if found is None:
        raise unknown("entry", path, [entry.path for entry in data.entries.all()], place)
    return found


def _output(path: str, data: DataBus, place: KeyPath) -> tuple[tuple[int, int], Control | None]:
    """Return where an output goes. ConfigurationError: something else writes there, after the FMU or by steps."""
    found = _find(path, data, place)
    entry, control = data.entries.at(found), find_control(path, data.entries)
    if control is not None and control.is_paddle:
        raise ConfigurationError(f"{path} takes steps, and no position", place)
    if control is None and (found[0] == CUSTOM or entry.writer in _FOREIGN):
        raise ConfigurationError(f"{path} is written by the bench itself", place)
    return found, control


def _unavailable(data: DataBus, place: tuple[int, int]) -> int:
    """Return the integer of an entry that is not available."""
    before = data.get(*place)
    data.write(*place, float("nan"))
    raw = data.get(*place)
    data.set(*place, before)
    return raw
