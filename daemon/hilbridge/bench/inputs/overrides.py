"""Entries of the data bus held by commands: over every other source and the demo driver, until they are released."""

from collections.abc import Mapping
from typing import Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import NEVER
from hilbridge.bench.inputs.controls import Control, controls_of, require_control
from hilbridge.bench.inputs.internal import DirectSource
from hilbridge.bench.inputs.positions import position_of
from hilbridge.bench.inputs.source import Source
from vehiclesim.entries import STANDARD, Entries


class Overrides(DirectSource):
    """The first of an arbiter's sources. To hold the gear paddle, which has steps and no position, makes one step."""

    overrides = True

    def __init__(self, name: str = "command", entries: Entries = STANDARD) -> None:
        """`entries`: of the bench, which may have declared some."""
        controls = controls_of(entries)
        super().__init__(name, controls, timeout=None)
        self._entries: Final = entries
        self._until: Final = [NEVER] * len(controls)  # [ns]
        self._by: Final[list[str | None]] = [None] * len(controls)

    def take_over(self, before: Source) -> None:
        """Continue to hold what another one holds, where the entry is still declared alike."""
        super().take_over(before)
        if isinstance(before, Overrides):
            for control, i in self._positions.items():
                old = before._positions.get(control)
                if old is not None:
                    self._until[i], self._by[i] = before._until[old], before._by[old]
            self.steps = before.steps

    def set(self, entry: str, value: float | str, until: int | None = None, by: str | None = None) -> None:
        """Hold an entry at a value, in its unit or by the name of a position, from the next decision until a time [ns].

        It belongs to `by` from then on, whatever held it before.

        ConfigurationError: no such entry, one that only the vehicle sets, a value outside its range.
        """
        self.set_all({entry: value}, until, by)

    def set_all(self, values: Mapping[str, float | str], until: int | None = None, by: str | None = None) -> None:
        """Hold several entries as `set` does. ConfigurationError: one of them cannot be held; none is then."""
        for control, raw in [holdable(entry, value, self._entries) for entry, value in values.items()]:
            i = self._positions[control]
            self.values[i] = raw
            if i == self._paddle:
                self.steps += self.values[i]
            self._until[i] = NEVER if until is None else until
            self._by[i] = by
            self.fresh[i] = True
            self.news = True
            self.accepted += 1

    def release(self, entry: str | None = None) -> None:
        """Give an entry back, or all of them. ConfigurationError: no such entry, or one that is not held."""
        if entry is None:
            for i in range(len(self.fresh)):
                self._release(i)
            return
        i = self._positions[require_control(entry, self._entries)]
        if not self.fresh[i]:
            raise ConfigurationError(f"{entry} is not held")
        self._release(i)

    def release_of(self, by: str) -> None:
        """Give back what someone holds."""
        for i, holder in enumerate(self._by):
            if holder == by:
                self._release(i)

    def holder(self, i: int) -> str:
        """Return who holds control `i`; the name of the source where no one gave one."""
        return self._by[i] or self.name

    @property
    def due(self) -> int | None:
        """[ns] when the next hold is over; a step is over as soon as it was taken."""
        if True not in self.fresh:
            return None
        ends = [0 if i == self._paddle else self._until[i] + 1 for i, held in enumerate(self.fresh) if held]
        return min(ends)

    def expire(self, t: int) -> None:
        """Release what was to be held until now."""
        if True not in self.fresh:
            return
        for i, held in enumerate(self.fresh):
            if held and (self.steps == 0 if i == self._paddle else t > self._until[i]):
                self._release(i)

    def is_silent(self, i: int, t: int) -> bool:
        """Return False: an entry that is no longer held was released."""
        return False


def holdable(entry: str, value: float | str, entries: Entries = STANDARD) -> tuple[Control, int]:
    """Return the control of an entry that can be held at a value, and the bus integer of the value.

    ConfigurationError: see `Overrides.set`.
    """
    control = require_control(entry, entries)
    return control, position_of(control, value)
