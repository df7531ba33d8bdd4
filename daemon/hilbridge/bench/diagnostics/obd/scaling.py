"""The data bytes of PIDs: fields as dbc/obd2.dbc places them, or as the bench file does.

A signal of a PID is named S01PIDxx_Name in the message ObdResponse of the database, `Name` in the bench file; values
beyond its range saturate.
"""

from collections.abc import Callable, Mapping
from typing import Final

from cantools.database.can import Signal

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.files.settings.data_records import FieldSettings
from hilbridge.frames.codec.codec import compile_message
from hilbridge.frames.codec.data_record import DataRecord, lay_out, repeated, source_of
from hilbridge.frames.codec.database import Database, unknown
from hilbridge.frames.codec.layout import extent
from hilbridge.frames.codec.sources import Channels, ExpressionSource, SignalSource
from vehiclesim.databus import DataBus
from vehiclesim.entries import Entries

RESPONSE: Final = "ObdResponse"

_HEADER: Final = 3
"""Bytes before the data of a PID: length, service, PID."""

Getter = Callable[[], float]
"""A function that returns the present value; NaN if it is not available."""

Computed = Mapping[int, Mapping[str, Getter]]
"""By PID and name of the signal: values that are no entry of the data bus."""


class PidScaling:
    """The PIDs of the message ObdResponse; `codec` decodes single-frame answers."""

    def __init__(self, database: Database) -> None:
        """ConfigurationError: the database has no such message."""
        message = database.message(RESPONSE)
        self.codec: Final = compile_message(message)
        self._records: Final[dict[KeyPath, tuple[Mapping[str, FieldSettings], Entries, DataRecord]]] = {}
        self._signals: Final[dict[int, dict[str, Signal]]] = {}
        for signal in message.signals:
            prefix, _, name = signal.name.partition("_")
            if name and prefix.startswith("S01PID"):
                self._signals.setdefault(int(prefix[-2:], 16), {})[name] = _shifted(signal, name)

    def signals(self, pid: int) -> Mapping[str, Signal]:
        """Return the signals of a PID by their names, counted from its first data byte; none of an unknown one."""
        return self._signals.get(pid, {})

    def record(self, number: int, fields: Mapping[str, FieldSettings], entries: Entries, place: KeyPath) -> DataRecord:
        """Return the record of a PID of which nothing is computed; for the same settings the one made before.

        Every car of a process may share it, as its bytes depend on the channels that it reads alone.
        """
        kept = self._records.get(place)
        if kept is not None and kept[0] == fields and kept[1] == entries:
            return kept[2]
        record = _record(number, fields, {}, self, entries, place)
        if record.is_pure:
            self._records[place] = fields, entries, record
        return record


def _shifted(signal: Signal, name: str) -> Signal:
    return Signal(
        name,
        signal.start - 8 * _HEADER,
        signal.length,
        signal.byte_order,
        signal.is_signed,
        conversion=signal.conversion,
        minimum=signal.minimum,
        maximum=signal.maximum,
        unit=signal.unit,
    )


class Pid:
    """One PID of service 01, or one InfoType of service 09."""

    def __init__(self, record: DataRecord, data: DataBus) -> None:
        self.record: Final = record
        self._channels: Final = data.channels

    def describe(self) -> str:
        """Return length and signals for people."""
        return self.record.describe()

    def read(self) -> bytes | None:
        """Return the data bytes; None while a value is not available."""
        return self.record.read(self._channels)

    def is_available(self) -> bool:
        """Return whether all values are available."""
        return self.record.is_available(self._channels)


def build_pids(
    settings: Mapping[str, Mapping[str, FieldSettings] | None],
    computed: Computed,
    scaling: PidScaling,
    data: DataBus,
    place: KeyPath = (),
) -> dict[int, Pid]:
    """Return the PIDs: those that are computed, and those of the settings, signal by signal; null drops one.

    ConfigurationError: see `build_record`; a signal that neither the database nor the settings place.
    """
    wanted: dict[int, Mapping[str, FieldSettings] | None] = {number: {} for number in computed}
    wanted |= {int(key, 16): fields for key, fields in settings.items()}
    pids: dict[int, Pid] = {}
    for number, fields in sorted(wanted.items()):
        if fields is not None:
            here = (*place, f"{number:02X}")
            record = (
                _record(number, fields, computed[number], scaling, data.entries, here)
                if number in computed
                else scaling.record(number, fields, data.entries, here)
            )
            pids[number] = Pid(record, data)
    return pids


def _record(
    number: int,
    fields: Mapping[str, FieldSettings],
    computed: Mapping[str, Getter],
    scaling: PidScaling,
    entries: Entries,
    place: KeyPath,
) -> DataRecord:
    known = scaling.signals(number)
    fields = repeated(fields, place)
    for name, field in fields.items():
        if known and name not in known and not field.is_placed:
            raise unknown(f"signal of PID {number:02X}", name, known, (*place, name))
        if name in known and (field.is_placed or field.content is not None):
            raise ConfigurationError("its place and scale are those of SAE J1979", (*place, name))
    own, constants = lay_out({name: field for name, field in fields.items() if name not in known}, place)
    signals = own + [signal for name, signal in known.items() if name in fields or name in computed]
    sources: dict[str, SignalSource] = {
        one.name: source_of(one, fields[one.name], (*place, one.name), entries)
        if one.name in fields
        else ExpressionSource((), _reading(computed[one.name]))
        for one in signals
    }
    standard = max((extent(signal)[1] // 8 + 1 for signal in known.values()), default=0)
    return DataRecord(signals, sources, constants, None if own or constants else standard, place)


def _reading(get: Getter) -> Callable[[Channels], float]:
    return lambda _channels: float(get())
