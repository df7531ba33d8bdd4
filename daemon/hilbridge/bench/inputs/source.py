"""The base of all sources of inputs: the controls that a source sets, their last values, and whether they count.

A control counts (is fresh) from a good sample that held it until `timeout` after the last such sample. One that was
lost counts again when its samples have come for `recovery` without a gap of `timeout`: a loose plug does not make the
pedal come and go.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any, ClassVar, Final, Protocol

from mypy_extensions import mypyc_attr

from hilbridge.base.common.units import MILLISECOND, NEVER, SECOND
from hilbridge.bench.inputs.binding import Binding
from hilbridge.bench.inputs.pedal_tracks import PedalTracks
from hilbridge.bench.inputs.rows import SourceRow
from hilbridge.bench.inputs.signal_conditioner import Reading, Refused, SignalConditioner

REPORT_INTERVAL: Final = 10 * SECOND
"""[ns] Least interval of the reports about a source."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Source:
    """One origin of inputs, as the arbiter sees it.

    `values[i]` is the bus integer for `bindings[i]`, and `fresh[i]` says whether it counts. `news` is set when the
    arbiter has something to do; the arbiter clears it.
    """

    overrides: ClassVar[bool] = False
    """Whether the source overrides the demo driver control by control; else a fresh source replaces it whole."""

    def __init__(
        self,
        name: str,
        bindings: Sequence[Binding],
        conditioners: Sequence[SignalConditioner[Any]],
        *,
        timeout: float | None,
        recovery: float = 0.0,
    ) -> None:
        """`timeout` (None: never) and `recovery` [ms]."""
        self.name = name
        self.bindings = tuple(bindings)
        self.timeout = NEVER if timeout is None else round(timeout * MILLISECOND)
        self.recovery = round(recovery * MILLISECOND)
        self.values = [binding.control.rest for binding in bindings]
        self.fresh = [False] * len(bindings)
        self.news = False
        self.steps = 0  # of the gear paddle, not yet handed on
        self.heard: int | None = None  # [ns] when the last good sample came
        self.complaint: str | None = None  # why a sample was refused, until the arbiter reports it
        self.warnings: list[str] = []  # for `hilbridge check`
        self.accepted = 0
        self.rejections: Counter[str] = Counter()  # samples that could not be used, by reason
        self.monitors = tuple(one for one in conditioners if isinstance(one, PedalTracks))
        self._readings: Sequence[Reading | None] = ()  # of the last sample, counted or not
        self._heard = [-NEVER] * len(bindings)  # [ns], of each control
        self._back = [0] * len(bindings)  # [ns] since when its samples have come without a gap
        self._wait = [0] * len(bindings)  # [ns] how long they must have come before it counts
        self._complained: int | None = None
        self._conditioners: Final = tuple(conditioners)
        self._spans: Final = tuple(pairwise(accumulate((len(one.fields) for one in bindings), initial=0)))
        self._paddle = next((i for i, binding in enumerate(bindings) if binding.control.is_paddle), None)

    @property
    def fields(self) -> list[str]:
        """The fields of all bindings, in the order of a sample's readings."""
        return [field for binding in self.bindings for field in binding.fields]

    @property
    def rejected(self) -> int:
        """Samples that could not be used."""
        return self.rejections.total()

    @property
    def due(self) -> int | None:
        """[ns] when the next control is stale unless the source speaks before; None while none is fresh."""
        times = [heard for heard, fresh in zip(self._heard, self.fresh, strict=True) if fresh]
        return min(times) + self.timeout + 1 if times else None

    def holder(self, i: int) -> str:
        """Return who sets control `i`, for people."""
        return self.name

    def status(self) -> SourceRow:
        """Return how many samples were accepted and rejected, and how often pedal tracks have disagreed."""
        return SourceRow(self.accepted, self.rejections, sum(monitor.failures for monitor in self.monitors))

    def raw(self) -> dict[str, Reading | None]:
        """Return the last reading of each field, as the sender gave it, whether or not its sample counted."""
        return dict(zip(self.fields, self._readings, strict=False))

    def take_over(self, before: "Source") -> None:
        """Continue from another source of the same name, control by control; a smoothed value begins anew."""
        self.heard, self.accepted, self.rejections = before.heard, before.accepted, before.rejections
        self._complained = before._complained
        positions = {binding.control: i for i, binding in enumerate(before.bindings)}
        for i, binding in enumerate(self.bindings):
            old = positions.get(binding.control)
            if old is not None:
                self.values[i], self.fresh[i] = before.values[old], before.fresh[old]
                self._heard[i], self._back[i], self._wait[i] = before._heard[old], before._back[old], before._wait[old]

    def expire(self, t: int) -> None:
        """End the freshness of what was last heard longer ago than the time-out."""
        for i, fresh in enumerate(self.fresh):
            if fresh and self.is_silent(i, t):
                self.fresh[i] = False
                self._wait[i] = self.recovery
                self._conditioners[i].reset()

    def is_silent(self, i: int, t: int) -> bool:
        """Return whether the time-out of control `i` is over; one that is neither silent nor fresh was released."""
        return t - self._heard[i] > self.timeout

    def _accept(self, readings: Sequence[Reading | None], t: int, what: str = "") -> None:
        """Accept a sample: one reading per field, None for what the sample does not hold.

        It counts as a whole or not at all: one reading that cannot be spoils it. `what`: the sample, for people.
        """
        self._readings = readings
        try:
            values = [
                conditioner.evaluate(readings[first:last])
                for conditioner, (first, last) in zip(self._conditioners, self._spans, strict=True)
            ]
        except Refused as refused:
            self._reject(refused.reason, t, what=what)
            return
        self.accepted += 1
        for i, value in enumerate(values):
            if value is not None:
                self._set(i, self._conditioners[i].to_bus(value, t), t)
        for monitor in self.monitors:
            if monitor.changed:
                monitor.changed = False
                self.news = True

    def _set(self, i: int, value: int, t: int) -> None:
        """Set the value of control `i` from a good sample."""
        fresh = self.fresh[i]
        if not fresh:
            if self.is_silent(i, t):
                self._back[i] = t
            fresh = t - self._back[i] >= self._wait[i]
        if i == self._paddle:
            self._count_step(self.values[i], value, self.fresh[i])
        if value != self.values[i] or fresh != self.fresh[i]:
            self.values[i] = value
            self.fresh[i] = fresh
            self.news = True
        self._heard[i] = self.heard = t

    def _reject(self, reason: str, t: int, count: int = 1, what: str = "") -> None:
        """Count samples that cannot be used; report one of them per REPORT_INTERVAL."""
        self.rejections[reason] += count
        if self._complained is None or t - self._complained >= REPORT_INTERVAL:
            self._complained = t
            self.complaint = f"{reason}: {what}" if what else reason
            self.news = True

    def _count_step(self, before: int, level: int, fresh: bool) -> None:
        """Count a step when a paddle's level turns to +1 or -1; only note the first level after a silence.

        From one direction straight to the other counts too: the rest position between them was missed.
        """
        if fresh and level not in (0, before):
            self.steps += level
            self.news = True


class Fed(Protocol):
    """A reader of the bytes of a port, which are recorded: what follows from them follows in a replay too."""

    @property
    def port_kind(self) -> str:
        """The kind of its port, for people."""

    def feed(self, data: bytes, t: int, trouble: str = "") -> None:
        """Take bytes in any portions at `t` [ns]; `trouble` says why the port does not work."""


@mypyc_attr(allow_interpreted_subclasses=True)
class PortSource(Source, ABC):
    """A source of the bytes of a port, which are recorded: what follows from them follows in a replay too."""

    port_kind: ClassVar[str] = "pedal port"
    """The kind of its port, for people."""

    @abstractmethod
    def feed(self, data: bytes, t: int, trouble: str = "") -> None:
        """Take bytes in any portions at `t` [ns]; `trouble` says why the port does not work.

        Without bytes, and while `trouble` stays as it was, nothing changes: a replay calls it more often.
        """
