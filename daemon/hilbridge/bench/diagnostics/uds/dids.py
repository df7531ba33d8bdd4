"""Data identifiers of services 22, 2E and 2F.

    F186          the active session
    F190, F195    VIN, version of the software
    F400 to F8FF  OBD-II (SAE J1979-2): F4xx the PIDs of service 01, F6xx the monitors of service 06, F8xx the
                  InfoTypes of service 09, as far as the bench file has no identifier of its own there
    others        from the bench file: numbers, texts and bytes in a record (frames/codec/data_record.py), stored bytes,
                  or what a function of the user returns

    raw = (value - offset) / scale, rounded to the nearest, limited to the field
    value = raw · scale + offset, so a value inside the field's range has an error of at most scale / 2

Values of the data bus are converted to the unit in the settings. A value that is not available is refused: conditions
not correct.
"""

import math
from collections.abc import Callable, Mapping
from typing import Final

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.base.common.words import counted
from hilbridge.base.trust.kinds import DATA
from hilbridge.bench.diagnostics.refusal import CONDITIONS_NOT_CORRECT, SECURITY_ACCESS_DENIED, Refusal
from hilbridge.bench.diagnostics.uds.hook import Hook
from hilbridge.bench.diagnostics.uds.service import DiagnosticSession, UdsStatistics
from hilbridge.files.settings.uds import IdentifierSettings
from hilbridge.frames.codec.data_record import DataRecord, build_record, single_record
from hilbridge.frames.codec.sources import find_entry, unit_of
from hilbridge.frames.codec.units import convert
from vehiclesim.databus import DataBus

VIN: Final = 0xF190
SOFTWARE_VERSION: Final = 0xF195

_OBD: Final = range(0xF400, 0xF900)

_VALUE: Final = "value"
"""The field of an identifier that has one only."""


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


class RecordIdentifier:
    """An identifier whose bytes are made of values of the data bus."""

    def __init__(self, record: DataRecord, bus: DataBus) -> None:
        self.record: Final = record
        self._channels: Final = bus.channels

    def read(self) -> bytes:
        """Return the present bytes. Refusal: not available."""
        content = self.record.read(self._channels)
        if content is None:
            raise Refusal(CONDITIONS_NOT_CORRECT)
        return content


class ControlledIdentifier(RecordIdentifier):
    """An identifier of a data bus entry, with the path `entry`, that service 2F may hold at the level `security`.

    `default`: its bytes after "reset to default", None if that is not supported.
    """

    def __init__(self, settings: IdentifierSettings, record: DataRecord, bus: DataBus, place: KeyPath) -> None:
        super().__init__(record, bus)
        self.entry: Final = settings.source or ""
        self.security: Final = settings.security
        self.length: Final = record.length
        self._place: Final = find_entry(self.entry, (*place, "from"), bus.entries)
        self._bus: Final = bus
        self._unit: Final = convert(unit_of(self._place, bus.entries), settings.unit, (*place, "unit"))
        self.default: Final = None if settings.default is None else record.codec.encode({_VALUE: settings.default})

    @property
    def now(self) -> float:
        """The present value in the entry's unit. Refusal: not available."""
        value = self._bus.read(*self._place)
        if math.isnan(value):
            raise Refusal(CONDITIONS_NOT_CORRECT)
        return value

    def value(self, data: bytes) -> float:
        """Return the value that bytes encode, in the entry's unit."""
        return self._unit.invert(self.record.codec.decode_available(data)[_VALUE])


Identifier = ConstantIdentifier | ComputedIdentifier | RecordIdentifier


class Identifiers:
    """All data identifiers of a control unit.

    `changes` counts the changes that are worth storing; `export` returns the data to store.
    """

    def __init__(
        self,
        settings: Mapping[str, IdentifierSettings],
        given: Mapping[int, Identifier],
        bus: DataBus,
        read_obd: Callable[[int], bytes | None],
        session: DiagnosticSession,
        statistics: UdsStatistics,
        place: KeyPath,
    ) -> None:
        """`given`: identifiers without settings.

        ConfigurationError: see `build_record`; no such function; VIN or version given twice.
        """
        self.changes = 0
        self._read_obd: Final = read_obd
        self._known: Final = dict(given)
        self._session: Final = session
        self._sessions: Final = {
            int(key, 16): frozenset(int(session, 16) for session in one.sessions)
            for key, one in settings.items()
            if one.sessions is not None
        }
        self._levels: Final = {int(key, 16): one.read_security for key, one in settings.items() if one.read_security}
        for key, one in settings.items():
            number = int(key, 16)
            if number in given:
                raise ConfigurationError("has a setting of its own", (*place, key))
            self._known[number] = _identifier(one, bus, statistics, (*place, key))

    def find(self, number: int) -> Identifier | None:
        """Return an identifier that is not one of OBD-II, of any session; None if there is none of this number."""
        return self._known.get(number)

    def supported(self, number: int) -> Identifier | None:
        """Return the same, of the active session."""
        sessions = self._sessions.get(number)
        return self._known.get(number) if sessions is None or self._session.active in sessions else None

    def describe(self) -> dict[str, str]:
        """Return what each identifier carries, for people."""
        return {f"{number:04X}": _description(one) for number, one in sorted(self._known.items())}

    def knows(self, number: int) -> bool:
        """Return whether there is an identifier in the active session, available or not."""
        return self.supported(number) is not None or (number in _OBD and self._read_obd(number) is not None)

    def permits(self, number: int) -> bool:
        """Return whether the active session has an identifier, and its security access is unlocked."""
        return self.knows(number) and self._session.permits(self._levels.get(number, 0))

    def define(self, number: int, identifier: ComputedIdentifier | None) -> None:
        """Add an identifier that a tester defines, in place of one of the same number; None: forget it."""
        if identifier is None:
            self._known.pop(number, None)
        else:
            self._known[number] = identifier

    def read(self, number: int) -> bytes | None:
        """Return the present bytes; None if there is no such identifier in the active session.

        Refusal: it needs security access, or is not available.
        """
        identifier = self.supported(number)
        if identifier is None:
            return self._read_obd(number) if number in _OBD and number not in self._known else None
        if not self._session.permits(self._levels.get(number, 0)):
            raise Refusal(SECURITY_ACCESS_DENIED)
        return identifier.read()

    def write(self, identifier: StoredIdentifier, data: bytes) -> None:
        """Store bytes of the identifier's length; the same ones too, which an earlier writing may have failed on."""
        identifier.data = data
        self.changes += 1

    def export(self) -> dict[str, str]:
        """Return the written identifiers as JSON data."""
        return {
            f"{number:04X}": one.data.hex()
            for number, one in self._known.items()
            if isinstance(one, StoredIdentifier) and one.data != one.initial
        }

    def restore(self, data: object) -> None:
        """Restore what `export` returned; identifiers that are no longer stored, or have another length, are left out.

        ValueError: the data cannot be used; nothing has changed then.
        """
        if not isinstance(data, dict) or not all(isinstance(text, str) for pair in data.items() for text in pair):
            raise ValueError("this is no set of stored identifiers")
        values = {int(number, 16): bytes.fromhex(text) for number, text in data.items()}
        for number, content in values.items():
            one = self._known.get(number)
            if isinstance(one, StoredIdentifier) and len(one.initial) == len(content):
                one.data = content


def _identifier(settings: IdentifierSettings, bus: DataBus, statistics: UdsStatistics, place: KeyPath) -> Identifier:
    if settings.hook is not None:
        return ComputedIdentifier(Hook(settings.hook, DATA, bus, statistics, (*place, "hook")))
    if settings.fields:
        record = build_record(settings.fields, settings.length, (*place, "fields"), bus.entries)
    elif (content := settings.content) is not None:
        return _constant(settings, content)
    else:
        record = single_record(_VALUE, settings, place, bus.entries)
    if settings.control:
        return ControlledIdentifier(settings, record, bus, place)
    constant = all(
        one.constant is not None or one.content is not None for one in settings.fields.values() or [settings]
    )
    content = record.read(bus.channels) if constant else None
    return RecordIdentifier(record, bus) if content is None else _constant(settings, content)


def _constant(settings: IdentifierSettings, content: bytes) -> ConstantIdentifier:
    return StoredIdentifier(content, settings.security) if settings.stored else ConstantIdentifier(content)


def _description(identifier: Identifier) -> str:
    match identifier:
        case RecordIdentifier():
            return identifier.record.describe()
        case ConstantIdentifier():
            kind = "stored" if isinstance(identifier, StoredIdentifier) else "constant"
            return f"{counted(len(identifier.data), 'byte')}, {kind}"
    return "computed"
