"""The mapping of signals to the sources of their values.

In this order: what the bench file maps (an entry of the data bus, an expression of several, a constant); the data bus
entry of the same name, of the Vehicle channel first, then Auxiliary, Chassis, Input, Settings; else the signal rests
(start value of the database, in J1939 not available, else 0, limited).
"""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

from hilbridge.codec.codec import CompiledMessage
from hilbridge.codec.database import unknown
from hilbridge.codec.expression import parse
from hilbridge.codec.signals import SignalCodec
from hilbridge.codec.sources import Channels, ExpressionSource, FixedSource, SignalSource, entry_source, find_entry
from hilbridge.codec.units import convert, has_unit
from hilbridge.common.errors import ConfigurationError, Doubt, ErrorCollector, KeyPath
from hilbridge.settings import SignalMap
from vehiclesim.channels import AUXILIARY, CHASSIS, ENTRIES, INPUT, SETTINGS, VEHICLE, Entry
from vehiclesim.tables import Table

SignalOrigin: TypeAlias = Literal["mapped", "by name", "constant", "default"]

_BY_NAME = {
    entry.name: (channel, index)
    for channel in (SETTINGS, INPUT, CHASSIS, AUXILIARY, VEHICLE)
    for index, entry in enumerate(ENTRIES[channel])
}
"""The entry that a signal of this name takes; a later channel overrides an earlier one."""


_RATIO: Final = "1"
"""The unit of the entries that are ratios."""

_LEAST_PERCENT: Final = 10.0
"""The end of a signal's range from which on a ratio is doubtful: lambda, flags and shares end below."""


class Assignment(NamedTuple):
    """A signal's source, the same in words, and a warning about it."""

    signal: str
    origin: SignalOrigin
    source: SignalSource
    text: str
    warning: Doubt | None = None


def assign(codec: CompiledMessage, maps: Mapping[str, SignalMap], place: KeyPath) -> list[Assignment]:
    """Return the sources of all signals of a message; `place` is the key path of its `signals` in the bench file.

    ConfigurationError: no such signal or entry, an unknown unit, units of different dimensions, an expression
    that cannot be understood.
    """
    errors = ErrorCollector()
    for name in maps:
        if name not in codec.signals:
            with errors.attempt():
                raise unknown(f"signal of {codec.name}", name, codec.signals, (*place, name))
    assignments = []
    for name, signal in codec.signals.items():
        here = (*place, name)
        with errors.attempt():
            assignments.append(_mapped(signal, maps[name], here) if name in maps else _unmapped(signal, here))
    errors.verdict()
    return assignments


def _mapped(signal: SignalCodec, settings: SignalMap, place: KeyPath) -> Assignment:
    if settings.source is not None:
        found = find_entry(settings.source, (*place, "from"))
        entry = _entry(found)
        if settings.table:
            plain = entry_source(found)
            return _tabulated(signal, settings, ExpressionSource(plain.entries, plain.read), entry.path)
        conversion = convert(entry.unit, settings.unit or signal.unit, place)
        return Assignment(
            signal.name,
            "mapped",
            entry_source(found, conversion, settings.substitute),
            _text(entry, signal, settings.unit),
            _doubt(entry, signal, settings.unit, place),
        )
    if settings.expression is not None:
        computed = parse(settings.expression, settings.substitute, (*place, "expression"))
        text = " ".join(settings.expression.split())
        if settings.table:
            return _tabulated(signal, settings, computed, text)
        return Assignment(signal.name, "mapped", computed, text)
    constant = settings.constant or 0.0
    raw = signal.to_raw(constant)
    sent = signal.to_physical(raw)
    off = abs(sent - constant) > abs(signal.scale) and not signal.floating
    outside = f"{signal.name}: {constant:g} is outside of the signal, {sent:g} is sent"
    warning = Doubt(outside, (*place, "constant")) if off else None
    return Assignment(signal.name, "constant", FixedSource(raw), f"{constant:g}", warning)


def _tabulated(signal: SignalCodec, settings: SignalMap, source: ExpressionSource, text: str) -> Assignment:
    """Return the assignment of a source that goes through a table; what is not available stays so."""
    table = Table([point for point, _ in settings.table], [value for _, value in settings.table])

    def value(channels: Channels) -> float:
        number = source.value(channels)
        return table.at(number) if number == number else number

    through = ExpressionSource(source.entries, value, settings.substitute)
    return Assignment(signal.name, "mapped", through, f"{text} by a table of {len(settings.table)} points")


def _unmapped(signal: SignalCodec, place: KeyPath) -> Assignment:
    rest = f"{signal.name_of(signal.rest) or signal.to_physical(signal.rest)}"
    found = _BY_NAME.get(signal.name)
    if found is None:
        return Assignment(signal.name, "default", FixedSource(signal.rest), rest)
    entry = _entry(found)
    try:
        conversion = convert(entry.unit, signal.unit)
    except ConfigurationError as error:
        warning = Doubt(f"{signal.name} is not taken from {entry.path}: {error.message}", place)
        return Assignment(signal.name, "default", FixedSource(signal.rest), rest, warning)
    source, text = entry_source(found, conversion), _text(entry, signal, None)
    return Assignment(signal.name, "by name", source, text, _doubt(entry, signal, None, place))


def _doubt(entry: Entry, signal: SignalCodec, unit: str | None, place: KeyPath) -> Doubt | None:
    """Return a doubt about a ratio that goes as it is into a signal without unit that counts to tens or hundreds."""
    most = signal.span[1]
    if entry.unit != _RATIO or has_unit(unit or signal.unit) or most < _LEAST_PERCENT:
        return None
    reason = f"{entry.path} is a ratio (1 is all of it), and {signal.name} has no unit and goes up to {most:g}"
    return Doubt(f"{reason}; write {{from: {entry.path}, unit: '%'}}, or unit: '1' to send the ratio as it is", place)


def _entry(place: tuple[int, int]) -> Entry:
    channel, index = place
    return ENTRIES[channel][index]


def _text(entry: Entry, signal: SignalCodec, unit: str | None) -> str:
    """`vehicle.Speed in km/h`."""
    target = unit or signal.unit
    return f"{entry.path} in {target}" if target and entry.unit and target != entry.unit else entry.path
