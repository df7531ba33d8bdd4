"""The controls that may be set from outside: their ranges, and their values when no source holds them.

A control is an entry of the data bus: of the Input channel under its own name (`Throttle`), of the Settings, Request,
Road, Fault and Body channels with the channel in front (`request.EngineTorqueLimit`), and so are those that a bench
declares by itself. What an entry means is said in vehiclesim.channels.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from hilbridge.codec.database import unknown
from hilbridge.common.errors import KeyPath
from vehiclesim.channels import (
    BODY,
    CUSTOM,
    ENTRIES,
    FAULT,
    INPUT,
    NAN,
    REQUEST,
    ROAD,
    SETTINGS,
    STANDARD,
    BodyData,
    Entries,
    Entry,
    InputData,
)


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


_HIGHEST_GEAR: Final = 125.0
"""SAE J1939-71 counts gears from -125 to 125; the gearbox decides which of them exist."""

_NEUTRAL: Final = 3
"""AutomaticGear: N."""

_OFF: Final = -1
"""Key: ignition off."""

#        name             lowest           highest        rest      holds
_INPUTS: Final[dict[str, tuple[float, float, int, bool]]] = {
    "Steer":         (-1.0,           1.0,           0,        False),
    "Throttle":      (0.0,            1.0,           0,        False),
    "Brake":         (0.0,            1.0,           0,        False),
    "Handbrake":     (0.0,            1.0,           0,        False),
    "Clutch":        (0.0,            1.0,           0,        False),
    "ManualGear":    (-_HIGHEST_GEAR, _HIGHEST_GEAR, 0,        True),
    "AutomaticGear": (0.0,            9.0,           _NEUTRAL, True),
    "GearShift":     (-1.0,           1.0,           0,        False),
    "Retarder":      (0.0,            255.0,         0,        False),
    "Key":           (-1.0,           1.0,           _OFF,     True),
}  # fmt: skip

_HIGHEST_SPEED: Final = 100_000.0
"""[rpm]"""

_RANGES: Final[dict[str, tuple[float, float]]] = {
    "settings.MinGearOverride": (-_HIGHEST_GEAR, _HIGHEST_GEAR),
    "settings.MaxGearOverride": (-_HIGHEST_GEAR, _HIGHEST_GEAR),
    "request.EngineTorque": (-100_000.0, 100_000.0),
    "request.EngineTorqueLimit": (-100_000.0, 100_000.0),
    "request.EngineRpm": (0.0, _HIGHEST_SPEED),
    "request.EngineRpmLimit": (0.0, _HIGHEST_SPEED),
    "request.TcsRpm": (0.0, _HIGHEST_SPEED),
    "road.Slope": (-1.0, 1.0),
    "road.Friction": (0.0, 2.0),
    "road.HeadWind": (-100.0, 100.0),
    "road.AmbientTemperature": (-90.0, 100.0),
    "road.AirPressure": (30.0, 120.0),
    "road.FrictionFrontLeft": (0.0, 2.0),
    "road.FrictionFrontRight": (0.0, 2.0),
    "road.FrictionRearLeft": (0.0, 2.0),
    "road.FrictionRearRight": (0.0, 2.0),
    "body.CruiseSpeed": (0.0, 150.0),
}
"""In the entry's unit. Every other ratio goes from 0 to 1, and every other entry over its codes."""

_RATIO: Final = (0.0, 1.0)


def _input(index: int, entry: Entry) -> Control:
    return Control(entry, entry.name, INPUT, index, *_INPUTS[entry.name])


def _other(channel: int, index: int, entry: Entry) -> Control:
    lowest, highest = entry.limits or _RANGES.get(entry.path) or (_span(entry) if entry.codes else _RATIO)
    return Control(entry, entry.path, channel, index, lowest, highest, entry.rest, holds=channel in (BODY, CUSTOM))


def _span(entry: Entry) -> tuple[float, float]:
    codes = [code for code, _ in entry.codes]
    return float(min(codes)), float(max(codes))


INPUT_CONTROLS: Final = tuple(_input(index, entry) for index, entry in enumerate(ENTRIES[INPUT]))
"""The Input channel by id."""

CONTROLS: Final = INPUT_CONTROLS + tuple(
    _other(channel, index, entry)
    for channel in (SETTINGS, REQUEST, ROAD, FAULT, BODY)
    for index, entry in enumerate(ENTRIES[channel])
    if channel != BODY or index < BodyData.LEFT_TURN
)
"""Everything that may be set from outside on any bench."""


def controls_of(entries: Entries) -> tuple[Control, ...]:
    """Return everything that may be set from outside, with the entries that a bench declares."""
    declared = (_other(CUSTOM, index, entry) for index, entry in enumerate(entries.custom) if entry.limits is not None)
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
        return None if entry.limits is None else _other(*place, entry)
    return _BY_PLACE.get(place)


def require_control(name: str, entries: Entries = STANDARD, place: KeyPath = (), what: str = "entry") -> Control:
    """Return the control of a name. ConfigurationError, at the key path `place`: there is none, or it cannot be set."""
    control = find_control(name, entries)
    if control is None:
        raise unknown(what, name, control_names(controls_of(entries)), place)
    return control
