"""The entries that a bench declares by itself: as entries of the data bus, and their computation."""

from collections.abc import Collection, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Final

from hilbridge.base.common.errors import ConfigurationError, ErrorCollector
from hilbridge.files.settings.custom import GREATEST, CustomEntry
from hilbridge.frames.codec.expression import parse
from hilbridge.frames.codec.sources import Channels, EntryId, ExpressionSource
from vehiclesim.channels import CUSTOM, NAN
from vehiclesim.entries import STANDARD, Entries, Entry

COMPUTED: Final = "expression"
"""The writer of a computed entry."""

_RESOLUTION: Final = 1000
_RESOLUTION_OF_RATIO: Final = 10000


def entries_of(custom: Mapping[str, CustomEntry]) -> Entries:
    """Return the entries of the data bus of a bench that declares some of its own."""
    if not custom:
        return STANDARD
    return Entries(tuple(_entry(name, settings) for name, settings in custom.items()))


def _entry(name: str, settings: CustomEntry) -> Entry:
    resolution = 1 if settings.codes else _RESOLUTION_OF_RATIO if settings.unit == "1" else _RESOLUTION
    computed = settings.expression is not None
    return Entry(
        "custom",
        name,
        resolution,
        settings.unit,
        settings.meaning,
        COMPUTED if computed else "command (or an input)",
        tuple(sorted((int(code), state) for code, state in settings.codes.items())),
        NAN if computed else round(settings.start * resolution),
        None if computed else settings.limits,
    )


class ComputedEntries:
    """The entries with an expression, each after those that it depends on. NaN of an expression is "not available"."""

    def __init__(self, custom: Mapping[str, CustomEntry], entries: Entries) -> None:
        """ConfigurationError, with the key path: an invalid expression, or one that depends on itself."""
        errors = ErrorCollector()
        sources: dict[int, ExpressionSource] = {}
        for index, (name, settings) in enumerate(custom.items()):
            if settings.expression is not None:
                with errors.attempt():
                    place = ("custom", name, "expression")
                    sources[index] = parse(settings.expression, place=place, entries=entries)
        errors.verdict()
        names = [*custom]
        self._steps: Final = [
            (index, sources[index], entries.custom[index].resolution, custom[names[index]].limits)
            for index in _in_order(sources, names)
        ]

    def compute(self, channels: Channels) -> None:
        """Write the values of this tick."""
        values = channels[CUSTOM]
        for index, source, resolution, limits in self._steps:
            value = source.value(channels)
            if value != value:
                values[index] = NAN
                continue
            lowest, highest = limits or (-GREATEST, GREATEST)
            values[index] = round(min(max(value, lowest), highest) * resolution)


def entries_that_read(
    custom: Mapping[str, CustomEntry], entries: Entries, wanted: Collection[EntryId]
) -> frozenset[EntryId]:
    """Return `wanted`, and the computed entries that depend on one of them, whether directly or by others."""
    reads = {
        (CUSTOM, index): parse(settings.expression, place=("custom", name, "expression"), entries=entries).entries
        for index, (name, settings) in enumerate(custom.items())
        if settings.expression is not None
    }
    found = frozenset(wanted)
    while further := {entry for entry, read in reads.items() if entry not in found and not found.isdisjoint(read)}:
        found |= further
    return found


def _in_order(sources: Mapping[int, ExpressionSource], names: Sequence[str]) -> list[int]:
    """Return the ids of the computed entries, each behind those that it depends on."""
    sorter: TopologicalSorter[int] = TopologicalSorter()
    for index, source in sources.items():
        needed = [other for channel, other in source.entries if channel == CUSTOM and other in sources]
        sorter.add(index, *needed)
    try:
        return [*sorter.static_order()]
    except CycleError as error:
        circle = [names[index] for index in error.args[1]]
        reason = f"depends on itself: {' -> '.join(reversed(circle))}"
        raise ConfigurationError(reason, ("custom", circle[-1], "expression")) from None
