"""The calibration segment that an XCP master sees: the parameters of the engine that may change while it runs.

    address = 1000000h + 4 * cell        32 bits, least significant byte first

A number is a float of IEEE 754, a count or a state (its place in the list of states) a signed integer, a table as many
floats as the vehicle file gives it, one after the other. Cells follow each other in the order of the reference of the
section `engine`, so an address stays as long as vehicle file and version of hilbridge do. A vehicle without an engine
has none of them.
"""

import struct
import zlib
from collections.abc import Mapping
from enum import Enum
from typing import Any, Final, Literal, NamedTuple

from vehiclesim.parameters import EngineSettings, Quantity, VehicleSettings, quantities
from vehiclesim.parameters.electric import ElectricTopology

BASE: Final = 0x100_0000
SIZE: Final = 4
"""[byte] of a cell."""

EPK_ADDRESS: Final = 0xF0_0000
"""The address of the EPK, by which a tool knows whether its A2L file has the cells as the bench has them."""

AXES: Final = {
    "indicated_efficiency": "efficiency_rpm",
    "table_torque": "table_rpm",
    "table_resistive_torque": "table_rpm",
}
"""The table of speeds over which each other table is a curve."""

_DIGITS: Final = range(6, 10)
"""Decimal digits that may do for a float of 32 bits; nine always do."""


class Parameter(NamedTuple):
    """A parameter: `cells` values from cell `first` on, as an array where it `is_table`; or one of `states`."""

    name: str
    kind: Literal["number", "integer", "state"]
    first: int
    cells: int
    is_table: bool
    note: Quantity
    states: tuple[bool | str, ...] = ()

    @property
    def address(self) -> int:
        """The address of its first cell."""
        return BASE + SIZE * self.first

    @property
    def format(self) -> str:
        """Its cells as `struct` has them."""
        return f"{self.cells}{'f' if self.kind == 'number' else 'i'}"


def engine_values(vehicle: VehicleSettings) -> dict[str, Any]:
    """Return the parameters of a vehicle's engine as a vehicle file has them; none where it has no engine."""
    if vehicle.electric.topology is ElectricTopology.BATTERY_ELECTRIC:
        return {}
    return {entry.name: _plain(getattr(vehicle.engine, entry.name)) for entry, *_ in quantities(EngineSettings)}


class ParameterMap:
    """The segment of one bench. `reference`: its content as the vehicle file has it; `epk`: the mark of its layout."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        """`values`: see `engine_values`."""
        self._values: Final = values
        self.parameters: Final = _laid_out(values)
        self._layout: Final = struct.Struct("<" + "".join(one.format for one in self.parameters))
        self.reference: Final = self._layout.pack(*(cell for one in self.parameters for cell in _cells(one, values)))

        layout = ",".join(f"{one.name}:{one.format}:{one.states}" for one in self.parameters)
        self.epk: Final = f"hilbridge-{zlib.crc32(layout.encode()):08x}"

    def __len__(self) -> int:
        """Return the length [byte] of the segment."""
        return self._layout.size

    def offset(self, address: int, length: int) -> int | None:
        """Return where so many bytes from an address on begin in the segment; None: not all of them are in it."""
        offset = address - BASE
        return offset if offset >= 0 and offset + length <= len(self) else None

    def is_whole(self, offset: int, length: int) -> bool:
        """Return whether a range consists of whole cells."""
        return length > 0 and not (offset % SIZE or length % SIZE)

    def changes(self, image: bytes) -> dict[str, Any]:
        """Return the parameters that differ from the vehicle file in a content of the segment.

        ValueError: one of them is beyond its bounds. A float of 32 bits is the shortest decimal number that makes it.
        """
        cells = self._layout.unpack(image)
        before = self._layout.unpack(self.reference)
        changes = {}
        for one in self.parameters:
            part = slice(one.first, one.first + one.cells)
            if image[SIZE * part.start : SIZE * part.stop] == self.reference[SIZE * part.start : SIZE * part.stop]:
                continue
            own = self._values[one.name] if one.is_table else [self._values[one.name]]
            values = [
                mine if cell == old else _value(one, cell)
                for cell, old, mine in zip(cells[part], before[part], own, strict=True)
            ]
            changes[one.name] = values if one.is_table else values[0]
        return changes

    def image_of(self, changes: Mapping[str, Any]) -> tuple[bytes, list[str]]:
        """Return the content with some parameters in place of those of the file, and which of them it cannot show."""
        values, strange = dict(self._values), []
        known = {one.name: one for one in self.parameters}
        for name, value in changes.items():
            one = known.get(name)
            if one is None or isinstance(value, list) != one.is_table or (one.is_table and len(value) != one.cells):
                strange.append(name)
            else:
                values[name] = value
        return self._layout.pack(*(cell for one in self.parameters for cell in _cells(one, values))), strange


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, Enum) else list(value) if isinstance(value, tuple) else value


def _laid_out(values: Mapping[str, Any]) -> tuple[Parameter, ...]:
    parameters: list[Parameter] = []
    first = 0
    for entry, kind, note in quantities(EngineSettings):
        if entry.name not in values or kind == tuple[int, ...]:  # an order of cylinders is no number to turn at
            continue
        value = values[entry.name]
        is_table = isinstance(value, list)
        cells = len(value) if is_table else 1
        if not cells:
            continue
        quantity = note if isinstance(note, Quantity) else Quantity("", str(note))
        if kind is bool:
            one = Parameter(entry.name, "state", first, cells, is_table, quantity, (False, True))
        elif isinstance(kind, type) and issubclass(kind, Enum):
            one = Parameter(entry.name, "state", first, cells, is_table, quantity, tuple(each.value for each in kind))
        else:
            one = Parameter(entry.name, "integer" if kind is int else "number", first, cells, is_table, quantity)
        parameters.append(one)
        first += cells
    return tuple(parameters)


def _cells(one: Parameter, values: Mapping[str, Any]) -> list[float]:
    value = values[one.name]
    if one.states:
        return [one.states.index(value)]
    return value if one.is_table else [value]


def _value(one: Parameter, cell: float) -> Any:
    """Return the value of a cell. ValueError: it is beyond its bounds."""
    if one.states:
        if not 0 <= cell < len(one.states):
            raise ValueError(f"{one.name}: there is no state {cell}")
        return one.states[int(cell)]
    value = cell if one.kind == "integer" else _shortest(cell)
    if problem := one.note.problem(value):
        raise ValueError(f"{one.name}: {problem}")
    return value


def _shortest(cell: float) -> float:
    for digits in _DIGITS:
        value = float(f"{cell:.{digits}g}")
        if struct.pack("<f", value) == struct.pack("<f", cell):
            return value
    return cell
