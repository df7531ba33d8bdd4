"""The mapping of signals to the sources of their values.

In this order: what the bench file maps (an entry of the data bus, an expression of several, a constant); the data bus
entry of the same name, of the Vehicle channel first, then Auxiliary, Chassis, Input, Settings; else the signal rests
(start value of the database, in J1939 not available, else 0, limited).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from hilbridge.base.common.errors import ConfigurationError, Doubt, ErrorCollector, KeyPath
from hilbridge.base.common.words import counted
from hilbridge.files.settings import SignalMap
from hilbridge.files.settings.origin import Origin
from hilbridge.frames.codec.codec import CompiledMessage
from hilbridge.frames.codec.database import unknown
from hilbridge.frames.codec.expression import parse
from hilbridge.frames.codec.layout import pages_of
from hilbridge.frames.codec.signals import SignalCodec
from hilbridge.frames.codec.slew import Slew
from hilbridge.frames.codec.sources import (
    Channels,
    EntrySource,
    ExpressionSource,
    FixedSource,
    SignalSource,
    entry_source,
    find_entry,
)
from hilbridge.frames.codec.turns import Turns
from hilbridge.frames.codec.units import convert, has_unit
from vehiclesim.channels import AUXILIARY, CHASSIS, ELECTRIC, INPUT, SETTINGS, VEHICLE
from vehiclesim.entries import ENTRIES, STANDARD, Entries, Entry
from vehiclesim.tables import Table

SignalOrigin: TypeAlias = Literal["mapped", "by name", "constant", "default", "left out"]
"""Left out: it shares bits with a signal that is sent in its place."""

_GIVEN: Final = ("mapped", "constant")

_BY_NAME = {
    entry.name: (channel, index)
    for channel in (SETTINGS, INPUT, CHASSIS, ELECTRIC, AUXILIARY, VEHICLE)
    for index, entry in enumerate(ENTRIES[channel])
}
"""The entry that a signal of this name takes; a later channel overrides an earlier one."""


_RATIO: Final = "1"
"""The unit of the entries that are ratios."""

_LEAST_PERCENT: Final = 10.0
"""The end of a signal's range from which on a ratio is doubtful: lambda, flags and shares end below."""


class Assignment(NamedTuple):
    """A signal's source, the same as text, and a warning about it."""

    signal: str
    origin: SignalOrigin
    source: SignalSource
    text: str
    warning: Doubt | None = None


def assign(
    codec: CompiledMessage, maps: Mapping[str, SignalMap], place: KeyPath, entries: Entries = STANDARD
) -> list[Assignment]:
    """Return the sources of all signals of a message; `place` is the key path of its `signals` in the bench file.

    ConfigurationError: no such signal or entry, an unknown unit, units of different dimensions, an expression
    that cannot be understood.
    """
    errors = ErrorCollector()
    for name in maps:
        with errors.attempt():
            if codec.keys_of(name):
                continue
            if name in codec.left_out:
                raise ConfigurationError(f"cannot be sent: {codec.left_out[name]}", (*place, name))
            raise unknown(f"signal of {codec.name}", name, codec.signals, (*place, name))
    assignments = []
    for key, signal in codec.signals.items():
        name = key if key in maps else codec.name_of(key)
        here = (*place, name)
        with errors.attempt():
            mapped = _mapped(signal, maps[name], here, entries) if name in maps else _unmapped(signal, name, here)
            assignments.append(mapped)
    with errors.attempt():
        assignments = _without_overlaps(codec, assignments, place)
    errors.verdict()
    for one in assignments:
        if isinstance(one.source, ExpressionSource) and isinstance(one.source.memory, Turns):
            _require_pages(codec, one.signal, one.source.memory, maps, place)
    return assignments


def _without_overlaps(codec: CompiledMessage, rows: Sequence[Assignment], place: KeyPath) -> list[Assignment]:
    """Leave out what shares bits with another signal: what is mapped is sent, then what has a source by its name.

    Of the others the shorter ones are: members rather than their group.
    """
    if not codec.overlaps:
        return list(rows)
    sent: list[str] = []
    left_out: dict[str, str] = {}
    ranks = {"mapped": 0, "constant": 0, "by name": 1, "default": 2}
    for row in sorted(rows, key=lambda row: (ranks[row.origin], codec.signals[row.signal].length)):
        rivals = codec.overlaps.get(row.signal, frozenset())
        rival = next((name for name in sent if name in rivals), None)
        if rival is None:
            sent.append(row.signal)
        elif row.origin in _GIVEN:
            reason = f"shares bits with {rival}, which is mapped too: one of them can be sent"
            raise ConfigurationError(reason, (*place, row.signal))
        else:
            left_out[row.signal] = rival
    return [
        Assignment(
            row.signal,
            "left out",
            FixedSource(codec.signals[row.signal].rest),
            f"shares bits with {left_out[row.signal]}",
        )
        if row.signal in left_out
        else row
        for row in rows
    ]


def sources_of(assignments: Iterable[Assignment]) -> dict[str, SignalSource]:
    """Return the sources of the signals that are sent, by signal."""
    return {one.signal: one.source for one in assignments if one.origin != "left out"}


def _require_pages(
    codec: CompiledMessage, multiplexer: str, turns: Turns, maps: Mapping[str, SignalMap], place: KeyPath
) -> None:
    """Check that the signals of the bench file lie on pages that are sent."""
    sent = {codec.signals[multiplexer].to_raw(number) for number in turns.numbers}
    for name in maps:
        layouts = [codec.layouts[key] for key in codec.keys_of(name)]
        selections = [pages_of(one) for one in layouts if one.multiplexer_signal == codec.name_of(multiplexer)]
        if selections and not any(number in pages for pages in selections for number in sent):
            pages = ", ".join(map(str, selections))
            raise ConfigurationError(f"is never sent: {multiplexer} has no {pages} 'in_turn'", (*place, name))


def names_entry(codec: CompiledMessage, signal: str) -> bool:
    """Return whether a signal that is not mapped takes the value of the entry of its name."""
    return _unmapped(codec.signals[signal], codec.name_of(signal), ()).origin == "by name"


def _mapped(signal: SignalCodec, settings: SignalMap, place: KeyPath, entries: Entries) -> Assignment:
    if settings.in_turn:
        return _in_turn(signal, settings, place)
    assignment = assign_origin(signal, settings, place, entries)
    source = assignment.source
    if settings.slew is None or isinstance(source, FixedSource):
        return assignment
    up, down = settings.slew.rates
    slew = Slew(reader_of(source), up, down)
    slowed = ExpressionSource(source.entries, slew.value, settings.substitute, slew)
    return assignment._replace(source=slowed, text=f"{assignment.text}, {settings.slew.words}")


def assign_origin(
    signal: SignalCodec, settings: Origin, place: KeyPath = (), entries: Entries = STANDARD
) -> Assignment:
    """Return the source of one signal; `place` is the key path of its settings. ConfigurationError: see `assign`."""
    if settings.constant is not None:
        return _constant(signal, settings.constant, place)
    doubt = None
    source: EntrySource | ExpressionSource
    if settings.source is not None:
        found = find_entry(settings.source, (*place, "from"), entries)
        entry = entries.at(found)
        if settings.table:
            source, text = entry_source(found, entries=entries), entry.path
        else:
            here = place if settings.unit is None else (*place, "unit")
            conversion = convert(entry.unit, settings.unit or signal.unit, here)
            source = entry_source(found, conversion, settings.substitute, entries)
            text = _text(entry, signal, settings.unit)
            doubt = _doubt(entry, signal, settings.unit, place)
    else:
        written = settings.expression or ""
        source, text = parse(written, settings.substitute, (*place, "expression"), entries), " ".join(written.split())
    if settings.table:
        source = _tabulated(source, settings)
        text += f" by a table of {counted(len(settings.table), 'point')}"
    return Assignment(signal.name, "mapped", source, text, doubt)


def _constant(signal: SignalCodec, constant: float, place: KeyPath) -> Assignment:
    raw = signal.to_raw(constant)
    warning = None
    if signal.differs(raw, constant):
        bounds = signal.range_text
        where = f"the database's range {bounds}, which 'range: raw' lifts" if bounds else "what its bits hold"
        beyond = f"{signal.name}: {constant:g} is beyond {where}: {signal.to_physical(raw):g} is sent"
        warning = Doubt(beyond, (*place, "constant"))
    return Assignment(signal.name, "constant", FixedSource(raw), f"{constant:g}", warning)


def _in_turn(signal: SignalCodec, settings: SignalMap, place: KeyPath) -> Assignment:
    numbers = []
    for index, one in enumerate(settings.in_turn):
        here = (*place, "in_turn", index)
        try:
            number = signal.to_physical(signal.named(one)) if isinstance(one, str) else one
        except ValueError as error:
            raise ConfigurationError(str(error), here) from None
        if signal.to_physical(signal.to_raw(number)) != number:
            raise ConfigurationError(f"{number:g} does not fit into signal {signal.name}", here)
        numbers.append(number)
    turns = Turns(numbers, settings.frames)
    times = f", {settings.frames} frames each" if settings.frames > 1 else ""
    text = f"{', '.join(f'{one:g}' for one in numbers)} in turn{times}"
    return Assignment(signal.name, "mapped", ExpressionSource((), turns.value, None, turns), text)


def reader_of(source: EntrySource | ExpressionSource) -> Callable[[Channels], float]:
    """Return what reads the value of a source, NaN while it is not available."""
    return source.read if isinstance(source, EntrySource) else source.value


def _tabulated(source: EntrySource | ExpressionSource, settings: Origin) -> ExpressionSource:
    """Return a source that goes through a table; what is not available stays so."""
    table = Table([point for point, _ in settings.table], [value for _, value in settings.table])
    read = reader_of(source)

    def value(channels: Channels) -> float:
        number = read(channels)
        return table.at(number) if number == number else number

    return ExpressionSource(source.entries, value, settings.substitute)


def _unmapped(signal: SignalCodec, name: str, place: KeyPath) -> Assignment:
    rest = f"{signal.name_of(signal.rest) or format(signal.to_physical(signal.rest), 'g')}, {signal.rest_reason}"
    found = _BY_NAME.get(name)
    if found is None:
        return Assignment(signal.name, "default", FixedSource(signal.rest), rest)
    entry = STANDARD.at(found)
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


def _text(entry: Entry, signal: SignalCodec, unit: str | None) -> str:
    """`vehicle.Speed in km/h`."""
    target = unit or signal.unit
    return f"{entry.path} in {target}" if target and entry.unit and target != entry.unit else entry.path
