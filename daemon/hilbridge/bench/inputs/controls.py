"""The controls that may be set from outside: their ranges, and their values when no source holds them.

A control is an entry of the data bus: of the Input channel under its own name (`Throttle`), of the Settings, Request,
Road, Fault and Body channels with the channel in front (`request.EngineTorqueLimit`), and so are those that a bench
declares by itself. What an entry means is said in vehiclesim.channels.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.frames.codec.database import unknown
from vehiclesim.channels import BODY, CUSTOM, FAULT, INPUT, NAN, REQUEST, ROAD, SETTINGS, InputData
from vehiclesim.entries import ENTRIES, STANDARD, Entries, Entry


@dataclass(frozen=True, slots=True)
class Control:
    """`lowest`…`highest`: the range in the entry's unit. `rest`: the bus integer before any source has spoken.

    `holds`: stays where it is when its source falls silent; all others go back to rest. A request rests at NAN:
    nothing is asked for. Two of one entry are equal wherever it is: a reload may move those that a bench declares.
    """

    entry: Entry = field(hash=False)
    name: str
    channel: int
    index: int = field(compare=False)
    lowest: float
    highest: float
    rest: int
    holds: bool = False

    @property
    def resolution(self) -> int:
        return self.entry.resolution

    @property
    def travel(self) -> bool:
        """Moves steadily between two ends, so that a raw sensor can be calibrated to it."""
        return self.entry.unit == "1"

    @property
    def has_positions(self) -> bool:
        """A lever or switch: what lies outside its range does not exist, where a quantity would stay at the end."""
        return not self.entry.unit

    @property
    def is_paddle(self) -> bool:
        """A gear paddle: its bus entry takes steps, not a position."""
        return self.channel == INPUT and self.index == InputData.GEAR_SHIFT

    @property
    def is_key(self) -> bool:
        """The ignition key: its highest position turns the starter."""
        return self.channel == INPUT and self.index == InputData.KEY

    def after_loss(self, value: int) -> int:
        """Return the value after the last source falls silent, from the last `value`."""
        return self.hold(value) if self.holds else self.rest

    def hold(self, value: int) -> int:
        """Return the value that stays without a source, which was last at `value`: the starter is let go."""
        return min(value, 0) if self.is_key else value

    def to_bus(self, value: float) -> int:
        """Return the bus integer of a finite value in the entry's unit, held inside the range."""
        return round(min(max(value, self.lowest), self.highest) * self.resolution)

    def to_value(self, raw: int) -> float:
        """Return a bus integer in the entry's unit; NaN for no request."""
        return float("nan") if raw == NAN else raw / self.resolution


_NEUTRAL: Final = 3
"""AutomaticGear: N."""

_OFF: Final = -1
"""Key: ignition off."""

_HOLDING: Final = (InputData.MANUAL_GEAR, InputData.AUTOMATIC_GEAR, InputData.KEY)
"""Controls of the Input channel that stay where they are."""

_RESTS: Final = {InputData.AUTOMATIC_GEAR: _NEUTRAL, InputData.KEY: _OFF}
"""Where controls of the Input channel rest that a bench does not leave as the model has them."""


def _control(channel: int, index: int, entry: Entry) -> Control:
    if entry.limits is None:
        raise ValueError(f"{entry.path} is computed")
    lowest, highest = entry.limits
    if channel == INPUT:
        rest = _RESTS.get(index, entry.rest)
        return Control(entry, entry.name, INPUT, index, lowest, highest, rest, holds=index in _HOLDING)
    return Control(entry, entry.path, channel, index, lowest, highest, entry.rest, holds=channel in (BODY, CUSTOM))


INPUT_CONTROLS: Final = tuple(_control(INPUT, index, entry) for index, entry in enumerate(ENTRIES[INPUT]))
"""The Input channel by id."""

CONTROLS: Final = INPUT_CONTROLS + tuple(
    _control(channel, index, entry)
    for channel in (SETTINGS, REQUEST, ROAD, FAULT, BODY)
    for index, entry in enumerate(ENTRIES[channel])
    if entry.limits is not None
)
"""Everything that may be set from outside on any bench."""


def controls_of(entries: Entries) -> tuple[Control, ...]:
    """Return everything that may be set from outside, with the entries that a bench declares."""
    declared = (
        _control(CUSTOM, index, entry) for index, entry in enumerate(entries.custom) if entry.limits is not None
    )
    return (*CONTROLS, *declared)


def control_names(controls: Sequence[Control] = CONTROLS) -> list[str]:
    """Return the names of controls as bench files may write them: Throttle is input.Throttle too."""
    return [*dict.fromkeys(name for control in controls for name in (control.name, control.entry.path))]


_BY_PLACE: Final = {(control.channel, control.index): control for control in CONTROLS}


def find_control(name: str, entries: Entries = STANDARD) -> Control | None:
    """Return the control that a bench file calls `Throttle`, `input.Throttle` or `settings.AbsOverride`, or None."""
    place = entries.find(name if "." in name else f"input.{name}")
    if place is None:
        return None
    if place[0] == CUSTOM:
        entry = entries.at(place)
        return None if entry.limits is None else _control(*place, entry)
    return _BY_PLACE.get(place)


def require_control(name: str, entries: Entries = STANDARD, place: KeyPath = (), what: str = "entry") -> Control:
    """Return the control of a name. ConfigurationError, at the key path `place`: there is none, or it cannot be set."""
    control = find_control(name, entries)
    if control is None:
        if entries.find(name) is not None:
            raise ConfigurationError(f"{name} is a result: it can be read, and not set", place)
        raise unknown(what, name, control_names(controls_of(entries)), place)
    return control
