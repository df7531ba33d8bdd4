"""What every source of driver inputs has in common: the controls it sets, what it said last, and when."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from hilbridge.errors import ConfigurationError, KeyPath
from hilbridge.frames.database import unknown
from hilbridge.inputs.calibration import calibrate
from hilbridge.inputs.controls import CONTROL_NAMES, Control, find_control
from hilbridge.settings import InputSignal

MILLISECOND: Final = 1_000_000
"""[ns]"""

COMPLAINT_INTERVAL: Final = 10_000_000_000
"""[ns] between two reports that a source sends what cannot be used."""


class Binding(NamedTuple):
    """A control of the driver, the field of the source that sets it, and what the bench file says about it."""

    control: Control
    field: str
    settings: InputSignal
    place: KeyPath

    def after_loss(self, value: int) -> int:
        """The safe value, from the last `value`: what the bench file says, else what the control's kind does."""
        safe = self.settings.safe
        if safe is None:
            return self.control.after_loss(value)
        return value if safe == "hold" else round(safe * self.control.resolution)


def bind(signals: Mapping[str, InputSignal], place: KeyPath) -> tuple[Binding, ...]:
    """The bindings of one source; `place` is its key path in the bench file.

    ConfigurationError: no such control, the same one twice, a calibration for a control without travel, or a safe
    value outside the control's range.
    """
    bindings: list[Binding] = []
    for name, signal in signals.items():
        here = (*place, "signals", name)
        control = find_control(name)
        if control is None:
            raise unknown("input", name, CONTROL_NAMES, here)
        if any(binding.control == control for binding in bindings):
            raise ConfigurationError(f"{control.name} is set twice", here)
        if signal.minimum is not None and not control.travel:
            raise ConfigurationError(f"{control.name} has positions, not a travel: no minimum and maximum", here)
        if isinstance(signal.safe, float) and not control.lowest <= signal.safe <= control.highest:
            raise ConfigurationError(
                f"safe value {signal.safe:g} of {control.name} is not within {control.lowest:g}..{control.highest:g}",
                (*here, "safe"),
            )
        if signal.safe == control.highest and control.cranks:
            raise ConfigurationError("the starter must not stay on when its source falls silent", (*here, "safe"))
        if signal.safe is not None and control.is_paddle:
            raise ConfigurationError(f"{control.name} takes steps: it has no safe value", (*here, "safe"))
        bindings.append(Binding(control, signal.field or name.rpartition(".")[2], signal, here))
    return tuple(bindings)


class Source:
    """One origin of driver inputs, as the arbiter sees it.

    `values[i]` is the bus integer for `bindings[i]`, and `fresh[i]` says whether it counts: from a good sample that
    held it until `timeout` [ns] after the last such sample. `news` is set when the arbiter has something to do; the
    arbiter clears it.
    """

    def __init__(
        self, name: str, bindings: tuple[Binding, ...], factors: Sequence[float], timeout: float, reasons: Sequence[str]
    ) -> None:
        """`factors`: from the unit of each field to that of its control. `timeout` [ms]. `reasons`: of refusals."""
        self.name = name
        self.bindings = bindings
        self.timeout = round(timeout * MILLISECOND)
        self.values = [binding.control.rest for binding in bindings]
        self.fresh = [False] * len(bindings)
        self.news = False
        self.steps = 0  # of the gear paddle, not yet handed on
        self.heard: int | None = None  # [ns] when the last good sample came
        self.complaint: str | None = None  # why a sample was refused, until the arbiter reports it
        self.accepted = 0
        self.rejections = dict.fromkeys(reasons, 0)
        self._heard = [0] * len(bindings)  # [ns], of each control
        self._complained: int | None = None
        self._calibrations = tuple(
            calibrate(binding.control, binding.settings, factor)
            for binding, factor in zip(bindings, factors, strict=True)
        )
        self._paddle = next((i for i, binding in enumerate(bindings) if binding.control.is_paddle), None)

    @property
    def rejected(self) -> int:
        """Samples that could not be used."""
        return sum(self.rejections.values())

    @property
    def due(self) -> int | None:
        """[ns] when the next control is stale unless the source speaks before; None while none is fresh."""
        times = [heard for heard, fresh in zip(self._heard, self.fresh, strict=True) if fresh]
        return min(times) + self.timeout + 1 if times else None

    def expire(self, t: int) -> None:
        """Ends the freshness of what was last heard longer ago than the time-out."""
        for i, heard in enumerate(self._heard):
            if t - heard > self.timeout:
                self.fresh[i] = False

    def _accept(self, readings: Sequence[float | None], t: int) -> None:
        """Takes over a good sample: one finite reading per binding, None for what the sample does not hold."""
        self.accepted += 1
        self.heard = t
        for i, reading in enumerate(readings):
            if reading is not None:
                self._set(i, self._calibrations[i].to_bus(reading), t)

    def _set(self, i: int, value: int, t: int) -> None:
        if i == self._paddle:
            self._count_step(self.values[i], value, self.fresh[i])
        if value != self.values[i] or not self.fresh[i]:
            self.values[i] = value
            self.fresh[i] = True
            self.news = True
        self._heard[i] = t

    def _reject(self, reason: str, t: int, count: int = 1, what: str = "") -> None:
        """Counts samples that cannot be used; one in ten seconds is reported."""
        self.rejections[reason] += count
        if self._complained is None or t - self._complained >= COMPLAINT_INTERVAL:
            self._complained = t
            self.complaint = f"{reason}: {what}" if what else reason
            self.news = True

    def _count_step(self, before: int, level: int, fresh: bool) -> None:
        """A paddle's level that turns to +1 or -1 is one step; the first level after a silence is only noted.

        From one direction straight to the other counts too: the rest position between them was missed.
        """
        if fresh and level not in (0, before):
            self.steps += level
            self.news = True
