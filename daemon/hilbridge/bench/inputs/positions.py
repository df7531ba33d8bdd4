"""Levers and switches by the names of their positions: P R N D of a selector, off on start of a key.

The names are those of the entry's codes (`left`, `sport plus`), and some that people use besides; case does not count.

A map of the bench file (`values: {0: P, 1: R}`) says what each value of the sender stands for; any other value says
nothing, as a lever does on its way from one position to the next. Without a map, the names that a database gives to
the values decide if at least one of them is a name of the control's own; values without a name are positions then.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Final

from hilbridge.base.common.errors import ConfigurationError, KeyPath, quoted
from hilbridge.bench.inputs.controls import Control
from hilbridge.bench.inputs.signal_conditioner import GARBAGE, OUT_OF_RANGE, Reading, Refused, check_number
from hilbridge.files.configuration.number_texts import number_meant
from hilbridge.frames.codec.database import unknown
from vehiclesim.channels import INPUT, InputData

_OTHER_NAMES: Final[dict[int, dict[str, int]]] = {
    InputData.AUTOMATIC_GEAR: {"manual": 0, "park": 1, "reverse": 2, "neutral": 3, "drive": 4},
    InputData.MANUAL_GEAR: {"r": -1, "n": 0, "reverse": -1, "neutral": 0},
    InputData.GEAR_SHIFT: {"rest": 0},
    InputData.KEY: {"lock": -1, "acc": -1, "run": 0, "crank": 1},
}
"""Beside the codes, by id of the Input channel. Accessory (acc) is terminal R: the ignition is off."""

_SWITCH: Final = {"off": 0, "on": 1}
"""Positions of a control without codes that goes from 0 to 1."""

_TERMINAL_ON: Final = 0.5
"""From this reading on a terminal is on: flags are 0 or 1."""

_KEY_START: Final = 1
_KEY_ON: Final = 0
_KEY_OFF: Final = -1


class Positions:
    """A lever or switch; `table`: the bus integer by the sender's reading, words in lower case.

    `numbers`: if true, a reading that is not in the table is taken as the position itself; else it gives no value.
    """

    def __init__(self, control: Control, table: Mapping[Reading, int], *, numbers: bool = False) -> None:
        self._control: Final = control
        self._table: Final = table
        self._numbers: Final = numbers

    def evaluate(self, readings: Sequence[Reading | None]) -> int | None:
        """Return the position. Refused: a number that is no position, where numbers are positions."""
        (reading,) = readings
        if reading is None:
            return None
        position = self._table.get(reading.lower() if isinstance(reading, str) else reading)
        if position is None and self._numbers:
            return self._control.to_bus(check_number(self._control, reading))
        return position

    def to_bus(self, value: int, _t: int) -> int:
        """Return the position."""
        return value

    def reset(self) -> None:
        """Do nothing: no state is kept."""


def mapped(
    control: Control, values: Mapping[str, float | str], named: Mapping[str, float] | None, place: KeyPath
) -> Positions:
    """Return the positions of a map; `named`: the database's names, None for a sender whose words need no database.

    ConfigurationError: a name that the database or the control does not have, a position outside the range.
    """
    table: dict[Reading, int] = {}
    numbers = {name.lower(): number for name, number in (named or {}).items()}
    for text, position in values.items():
        reading: Reading = numbers.get(text.lower(), text.lower())
        if isinstance(reading, str):
            try:
                reading = float(text)
            except ValueError:
                if named is not None:
                    raise unknown("value", text, named, (*place, "values", text)) from None
        table[reading] = position_of(control, position, (*place, "values", text))
    return Positions(control, table)


def by_names(control: Control, named: Mapping[str, float]) -> Positions | None:
    """Return the positions of a database's names, or None where none of them is known."""
    own = names_of(control)
    known: dict[Reading, int] = {number: own[name.lower()] for name, number in named.items() if name.lower() in own}
    if not known:
        return None
    return _Named(control, known, frozenset(named.values()))


def by_own_names(control: Control) -> Positions:
    """Return the positions of a sender that may write their names or their numbers."""
    known: dict[Reading, int] = {}
    known.update(names_of(control))
    return Positions(control, known, numbers=True)


class _Named(Positions):
    """Numbers without a name are positions; numbers with a name that the control does not have give no value."""

    def __init__(self, control: Control, table: Mapping[Reading, int], named: frozenset[float]) -> None:
        super().__init__(control, table, numbers=True)
        self._others: Final = named - table.keys()

    def evaluate(self, readings: Sequence[Reading | None]) -> int | None:
        """Return the position, None for a name of something else."""
        return None if readings[0] in self._others else super().evaluate(readings)


def names_of(control: Control) -> dict[str, int]:
    """Return the bus integer by the name of a position, in lower case."""
    names = {name.lower(): code * control.resolution for code, name in control.entry.codes}
    if control.channel == INPUT:
        names |= _OTHER_NAMES.get(control.index, {})
    if not names and control.lowest <= 0.0 and control.highest >= 1.0:
        names = {name: position * control.resolution for name, position in _SWITCH.items()}
    return names


def position_of(control: Control, position: float | str, place: KeyPath = ()) -> int:
    """Return the bus integer of a value in the entry's unit, or of the name of a position.

    ConfigurationError, at the key path `place`: the control has no such position, or the value is beyond its range.
    """
    if isinstance(position, str):
        own = names_of(control)
        if position.lower() not in own:
            if (number := number_meant(position, unit=control.entry.unit)) is not None:
                raise ConfigurationError(f"{quoted(position)} of {control.name}: write {number}", place)
            raise unknown(f"position of {control.name}", position, own, place)
        return own[position.lower()]
    if not control.lowest <= position <= control.highest:
        unit = f" {control.entry.unit}" if control.entry.unit not in ("", "1") else ""
        limits = f"{control.lowest:g}..{control.highest:g}{unit}"
        raise ConfigurationError(f"{position:g} of {control.name} is not within {limits}", place)
    return control.to_bus(position)


class KeyFromTerminals:
    """The ignition key from terminals (DIN 72552): S key inserted, R accessories, 15 ignition, 50 starter.

        50 and 15 → start (1)        15 → on (0)        else off (-1)

    `terminals`: in the order of the readings. A starter relay without ignition is a fault of the wiring, not a wish to
    start. All terminals must be in one sample: S and R are read for that reason alone, they do not move the key.
    """

    def __init__(self, terminals: Sequence[str]) -> None:
        self._ignition: Final = terminals.index("15")
        self._starter: Final = terminals.index("50") if "50" in terminals else None

    def evaluate(self, readings: Sequence[Reading | None]) -> int | None:
        """Return the key's position, None if a terminal is missing. Refused: a word, or no finite number."""
        if any(isinstance(reading, str) for reading in readings):
            raise Refused(GARBAGE)
        numbers = [reading for reading in readings if isinstance(reading, float | int)]
        if not all(map(math.isfinite, numbers)):
            raise Refused(OUT_OF_RANGE)
        if len(numbers) < len(readings):
            return None
        if numbers[self._ignition] < _TERMINAL_ON:
            return _KEY_OFF
        return _KEY_START if self._starter is not None and numbers[self._starter] >= _TERMINAL_ON else _KEY_ON

    def to_bus(self, value: int, _t: int) -> int:
        """Return the position."""
        return value

    def reset(self) -> None:
        """Do nothing: no state is kept."""
