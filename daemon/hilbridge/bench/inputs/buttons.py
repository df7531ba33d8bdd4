"""A control that is set by buttons: by those that are held, by those that turn on and off, by those that select.

    buttons    the position while the button is held; of several the one that is named first
    toggles    a press sets the position, the next press of it ends that
    latches    a press sets the position, which stays until another button is pressed

A button that is held has priority over what was toggled or latched. Without any, the control is at `released`; but a
control that has toggles or latches is left to other sources until a first button is pressed, so that a wheel that is
plugged in turns no light off. A reading of a half or more is a pressed button.
"""

import math
from collections.abc import Sequence
from typing import Final, TypeAlias

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.bench.inputs.controls import Control
from hilbridge.bench.inputs.positions import position_of
from hilbridge.bench.inputs.signal_conditioner import GARBAGE, OUT_OF_RANGE, Reading, Refused
from hilbridge.files.settings import InputSignal

Pressed: TypeAlias = tuple[bool, ...]
"""Whether each button is pressed."""

_PRESSED: Final = 0.5


class Buttons:
    """The buttons of one control, in the order of `InputSignal.button_fields`."""

    def __init__(self, control: Control, settings: InputSignal, place: KeyPath = ()) -> None:
        """ConfigurationError, with the key path: a position that the control does not have."""
        self._held: Final = _positions(control, settings, "buttons", place)
        self._toggled: Final = _positions(control, settings, "toggles", place)
        self._latched: Final = _positions(control, settings, "latches", place)
        released = settings.released
        self._released: Final = (
            control.rest if released is None else position_of(control, released, (*place, "released"))
        )
        self._down: Pressed = (False,) * len(settings.button_fields)
        self._kept: int | None = None  # number of the button whose position was toggled or latched
        self._quiet = bool(self._toggled or self._latched)  # no button was pressed yet

    def evaluate(self, readings: Sequence[Reading | None]) -> Pressed | None:
        """Return which buttons are pressed, None while none has ever been where that says nothing."""
        for reading in readings:
            if isinstance(reading, str):
                raise Refused(GARBAGE)
            if reading is not None and not math.isfinite(reading):
                raise Refused(OUT_OF_RANGE)
        if all(reading is None for reading in readings):
            return None
        pressed = tuple(
            known if reading is None else float(reading) >= _PRESSED
            for known, reading in zip(self._down, readings, strict=True)
        )
        return None if self._quiet and not any(pressed) else pressed

    def to_bus(self, value: Pressed, _t: int) -> int:
        """Return the position."""
        self._quiet = False
        first, others = len(self._held), len(self._held) + len(self._toggled)
        for number in range(first, len(value)):
            if value[number] and not self._down[number]:
                self._kept = None if number == self._kept and number < others else number
        self._down = value
        for number, position in enumerate(self._held):
            if value[number]:
                return position
        if self._kept is None:
            return self._released
        return (self._toggled + self._latched)[self._kept - first]

    def reset(self) -> None:
        """Forget what was pressed: a device that is back begins anew."""
        self._down = (False,) * len(self._down)
        self._kept = None
        self._quiet = bool(self._toggled or self._latched)


def _positions(control: Control, settings: InputSignal, key: str, place: KeyPath) -> tuple[int, ...]:
    positions: dict[str, float | str] = getattr(settings, key)
    here = (*place, key)
    found = tuple(position_of(control, position, (*here, field)) for field, position in positions.items())
    if control.is_key and key != "buttons" and control.to_bus(control.highest) in found:
        raise ConfigurationError("the starter must not stay on: it belongs to 'buttons'", here)
    return found
