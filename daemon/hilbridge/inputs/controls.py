"""The driver's controls: which there are, how far each one goes, and where it stands when nobody holds it.

A control is an entry of the data bus's Input channel under its own name (`Throttle`), or of the Settings channel
with the channel in front (`settings.AbsOverride`). What an entry means is said in vehiclesim.databus.
"""

from dataclasses import dataclass
from typing import Final

from vehiclesim.channels import ENTRIES, INPUT, SETTINGS, InputData, find


@dataclass(frozen=True, slots=True)
class Control:
    """`lowest`…`highest`: the range in the entry's unit. `rest`: the bus integer before any source has spoken.

    `travel`: moves steadily between two ends, so that a raw sensor can be calibrated to it; all others have
    positions. `holds`: stays where it is when its source falls silent; all others go back to 0.
    """

    name: str
    channel: int
    index: int
    lowest: float
    highest: float
    rest: int
    travel: bool
    holds: bool

    @property
    def resolution(self) -> int:
        return ENTRIES[self.channel][self.index].resolution

    @property
    def is_paddle(self) -> bool:
        """A gear paddle: its bus entry takes steps, not a position."""
        return self.channel == INPUT and self.index == InputData.GEAR_SHIFT

    @property
    def cranks(self) -> bool:
        """The ignition key: its highest position turns the starter."""
        return self.channel == INPUT and self.index == InputData.KEY

    def after_loss(self, value: int) -> int:
        """Where the control goes from `value` when its last source falls silent: nobody holds the starter."""
        if not self.holds:
            return 0
        return min(value, 0) if self.cranks else value


_HIGHEST_GEAR: Final = 125.0
"""SAE J1939-71 counts gears from -125 to 125; which of them exist is the gearbox's business."""

_NEUTRAL: Final = 3
"""AutomaticGear: N."""

_OFF: Final = -1
"""Key: ignition off."""

#        name             lowest           highest        rest      travel holds
_INPUTS: Final[dict[str, tuple[float, float, int, bool, bool]]] = {
    "Steer":         (-1.0,           1.0,           0,        True,  False),
    "Throttle":      (0.0,            1.0,           0,        True,  False),
    "Brake":         (0.0,            1.0,           0,        True,  False),
    "Handbrake":     (0.0,            1.0,           0,        True,  False),
    "Clutch":        (0.0,            1.0,           0,        True,  False),
    "ManualGear":    (-_HIGHEST_GEAR, _HIGHEST_GEAR, 0,        False, True),
    "AutomaticGear": (0.0,            9.0,           _NEUTRAL, False, True),
    "GearShift":     (-1.0,           1.0,           0,        False, False),
    "Retarder":      (0.0,            255.0,         0,        False, False),
    "Key":           (-1.0,           1.0,           _OFF,     False, True),
}  # fmt: skip

_GEAR_OVERRIDES: Final = ("MinGearOverride", "MaxGearOverride")
"""Their value is a gear; every other override is 0 (none), 1 (forced on) or 2 (forced off)."""


def _override(name: str, index: int) -> Control:
    lowest, highest = (-_HIGHEST_GEAR, _HIGHEST_GEAR) if name in _GEAR_OVERRIDES else (0.0, 2.0)
    return Control(f"settings.{name}", SETTINGS, index, lowest, highest, rest=0, travel=False, holds=False)


INPUT_CONTROLS: Final = tuple(
    Control(entry.name, INPUT, index, *_INPUTS[entry.name]) for index, entry in enumerate(ENTRIES[INPUT])
)
"""The Input channel by id."""

_OVERRIDES: Final = tuple(_override(entry.name, index) for index, entry in enumerate(ENTRIES[SETTINGS]))

CONTROL_NAMES: Final = tuple(control.name for control in (*INPUT_CONTROLS, *_OVERRIDES))
"""As bench files write them."""


def find_control(name: str) -> Control | None:
    """The control that a bench file calls `Throttle`, `input.Throttle` or `settings.AbsOverride`, or None."""
    place = find(name if "." in name else f"input.{name}")
    if place is None:
        return None
    channel, index = place
    if channel == INPUT:
        return INPUT_CONTROLS[index]
    return _OVERRIDES[index] if channel == SETTINGS else None
