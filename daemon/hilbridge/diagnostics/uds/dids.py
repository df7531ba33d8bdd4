"""Data identifiers of services 22, 2E and 2F.

    F186          the active session
    F190, F195    VIN, version of the software
    F400 to F4FF  the PIDs of OBD-II service 01, byte for byte (SAE J1979-2)
    others        from the bench file: a value of the data bus, a constant, or stored bytes

    raw = (value - offset) / scale, rounded to the nearest, limited to the field
    value = raw · scale + offset, so a value inside the field's range has an error of at most scale / 2

Values of the data bus are converted to the unit in the settings. A value that is not available is refused: conditions
not correct.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from hilbridge.codec.sources import find_entry, unit_of
from hilbridge.codec.units import convert
from hilbridge.common.errors import ConfigurationError, KeyPath
from hilbridge.diagnostics.refusal import CONDITIONS_NOT_CORRECT, Refusal
from hilbridge.settings.uds import MIRRORED, IdentifierSettings
from vehiclesim.databus import DataBus

VIN: Final = 0xF190
SOFTWARE_VERSION: Final = 0xF195

VERSION: Final = 1
"""Version of the format of `export`."""


class ConstantIdentifier:
    """An identifier with constant bytes."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def read(self) -> bytes:
        return self.data


class StoredIdentifier(ConstantIdentifier):
    """An identifier that service 2E may write, always with the same length, if the level `security` is unlocked."""

    def __init__(self, data: bytes, security: int) -> None:
        super().__init__(data)
        self.initial: Final = data
        self.security: Final = security


class ComputedIdentifier:
    """An identifier whose bytes a function returns."""

    def __init__(self, read: Callable[[], bytes]) -> None:
        self.read: Final = read


class BusIdentifier:
    """An identifier of a data bus entry. `entry`: its path; `control`: service 2F may hold it, at the level `security`.

    `default`: its bytes after "reset to default", None if that is not supported.
    """

    def __init__(self, settings: IdentifierSettings, bus: DataBus, place: KeyPath) -> None:
        """ConfigurationError: there is no such entry, or its unit cannot be converted."""
        self.entry: Final = settings.entry or ""
        self.control: Final = settings.control
        self.security: Final = settings.security
        self.length: Final = settings.length
        self._place: Final = find_entry(self.entry, (*place, "entry"), bus.entries)
        self._bus: Final = bus
        self._signed: Final = settings.signed
        self._scale: Final = settings.scale
        self._offset: Final = settings.offset
        self._unit: Final = convert(unit_of(self._place, bus.entries), settings.unit, (*place, "unit"))
        bits = 8 * settings.length
        self._lowest: Final = -(1 << (bits - 1)) if settings.signed else 0
        self._highest: Final = (1 << (bits - settings.signed)) - 1
        self.default: Final = None if settings.default is None else self._pack(settings.default)

    @property
    def now(self) -> float:
        """The present value in the entry's unit. Refusal: not available."""
        value = self._bus.read(*self._place)
        if math.isnan(value):
            raise Refusal(CONDITIONS_NOT_CORRECT)
        return value

    def read(self) -> bytes:
        """Return the present bytes. Refusal: not available."""
        return self._pack(self._unit.apply(self.now))

    def value(self, data: bytes) -> float:
        """Return the value that bytes encode, in the entry's unit."""
        raw = int.from_bytes(data, "big", signed=self._signed)
        return self._unit.invert(raw * self._scale + self._offset)

    def _pack(self, value: float) -> bytes:
        raw = (value - self._offset) / self._scale
        # compared first: a float beyond the field may be infinite
        integer = self._lowest if raw <= self._lowest else self._highest if raw >= self._highest else round(raw)
        return integer.to_bytes(self.length, "big", signed=self._signed)


Identifier = ConstantIdentifier | ComputedIdentifier | BusIdentifier


class Identifiers:
    """All data identifiers of a control unit.

    `changes` counts the changes that are worth storing; `export` returns the data to store.
    """

    def __init__(
        self,
        settings: Mapping[str, IdentifierSettings],
        given: Mapping[int, Identifier],
        bus: DataBus,
        read_pid: Callable[[int], bytes | None],
        place: KeyPath,
    ) -> None:
        """`given`: identifiers without settings. ConfigurationError: see BusIdentifier; VIN or version given twice."""
        self.changes = 0
        self._read_pid: Final = read_pid
        self._known: Final = dict(given)
        for key, one in settings.items():
            number = int(key, 16)
            if number in given:
                raise ConfigurationError("has a setting of its own", (*place, key))
            self._known[number] = _identifier(one, bus, (*place, key))

    def find(self, number: int) -> Identifier | None:
        """Return an identifier that is not a mirrored PID; None if there is none of this number."""
        return self._known.get(number)

    def read(self, number: int) -> bytes | None:
        """Return the present bytes; None if there is no such identifier. Refusal: not available."""
        if number in MIRRORED:
            return self._read_pid(number - MIRRORED.start)
        identifier = self._known.get(number)
        return None if identifier is None else identifier.read()

    def write(self, identifier: StoredIdentifier, data: bytes) -> None:
        """Store bytes of the identifier's length."""
        if identifier.data != data:
            identifier.data = data
            self.changes += 1

    def export(self) -> dict[str, Any]:
        """Return the written identifiers as JSON data."""
        written = {
            f"{number:04X}": one.data.hex()
            for number, one in self._known.items()
            if isinstance(one, StoredIdentifier) and one.data != one.initial
        }
        return {"version": VERSION, "identifiers": written}

    def restore(self, data: object) -> None:
        """Restore what `export` returned; identifiers that are no longer stored, or have another length, are left out.

        ValueError: the data cannot be used; nothing has changed then.
        """
        written = data.get("identifiers") if isinstance(data, dict) and data.get("version") == VERSION else None
        if not isinstance(written, dict) or not all(isinstance(text, str) for pair in written.items() for text in pair):
            raise ValueError("this is no set of stored identifiers")
        values = {int(number, 16): bytes.fromhex(text) for number, text in written.items()}
        for number, content in values.items():
            one = self._known.get(number)
            if isinstance(one, StoredIdentifier) and len(one.initial) == len(content):
                one.data = content


def _identifier(settings: IdentifierSettings, bus: DataBus, place: KeyPath) -> Identifier:
    if settings.entry is not None:
        return BusIdentifier(settings, bus, place)
    return (
        StoredIdentifier(settings.content, settings.security)
        if settings.stored
        else ConstantIdentifier(settings.content)
    )
