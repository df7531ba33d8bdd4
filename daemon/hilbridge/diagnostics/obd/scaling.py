"""Scaling of physical values to the data bytes of a PID, by the message ObdResponse of the database.

Its signals are named S01PIDxx_Name; values beyond the range of a PID saturate.
"""

from collections.abc import Callable, Mapping
from typing import Final

from hilbridge.codec.codec import compile_message
from hilbridge.codec.database import Database
from hilbridge.codec.layout import extent
from hilbridge.codec.sources import entry_source, find_entry, unit_of
from hilbridge.codec.units import convert
from vehiclesim.databus import DataBus

RESPONSE: Final = "ObdResponse"

_HEADER: Final = 3
"""Bytes before the data of a PID: length, service, PID."""

_POSITIVE_RESPONSE: Final = 0x41

Getter = Callable[[], float]
"""A function that returns the present value; NaN if it is not available."""

Origins = Mapping[str, str | Getter]
"""The origin of each signal of a PID, by its name after S01PIDxx_: a data bus entry, or a function."""


class PidScaling:
    """The codec of the message ObdResponse, shared by the PIDs of all control units."""

    def __init__(self, database: Database) -> None:
        """ConfigurationError: the database has no such message."""
        self.database: Final = database
        self.codec: Final = compile_message(database.message(RESPONSE))


class Pid:
    """One PID of service 01."""

    def __init__(self, number: int, origins: Origins, scaling: PidScaling, data: DataBus) -> None:
        """ConfigurationError: the database does not describe the PID."""
        layouts = {name: scaling.database.signal(RESPONSE, f"S01PID{number:02X}_{name}") for name in origins}
        self.number: Final = number
        self._codec: Final = scaling.codec
        self._size: Final = max(extent(layout)[1] // 8 + 1 for layout in layouts.values()) - _HEADER
        self._values: Final = {
            layout.name: _getter(origins[name], layout.unit, data) for name, layout in layouts.items()
        }
        self._header: Final = {
            "FrameType": 0,
            "Length": _HEADER - 1 + self._size,
            "Service": _POSITIVE_RESPONSE,
            "S01PID": number,
        }
        self._encode(dict.fromkeys(self._values, 0.0))  # compiles the encoder now, not in a tick

    def read(self) -> bytes | None:
        """Return the data bytes; None while a value is not available."""
        values = {name: get() for name, get in self._values.items()}
        return None if any(value != value for value in values.values()) else self._encode(values)

    def is_available(self) -> bool:
        """Return whether all values are available."""
        return not any((value := get()) != value for get in self._values.values())

    def _encode(self, values: Mapping[str, float]) -> bytes:
        return self._codec.encode({**self._header, **values})[_HEADER : _HEADER + self._size]


def build_pids(origins: Mapping[int, Origins], scaling: PidScaling, data: DataBus) -> dict[int, Pid]:
    """Return the PIDs of a table. ConfigurationError: the database does not describe one of them."""
    return {number: Pid(number, origins[number], scaling, data) for number in sorted(origins)}


def _getter(origin: str | Getter, unit: str | None, data: DataBus) -> Getter:
    """An entry's value in the unit of the signal."""
    if not isinstance(origin, str):
        return origin
    entry = find_entry(origin)
    source = entry_source(entry, convert(unit_of(entry), unit))
    return lambda: source.read(data.channels)
