"""The entries of the data bus as variables of an FMU.

| entry | variable |
|---|---|
| with states no and yes, or two others from 0 on | Boolean |
| with other states | enumeration |
| integer without unit that is always available | Int32 |
| others | Float64, in the unit of the entry |

An entry that may be set is an input, with its limits; a computed one is an output. Left out are the clock (the
importer has the time), lamps of trouble codes (there is no control unit), and entries that a bench declares.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from vehiclesim.channels import CUSTOM, NAN
from vehiclesim.entries import ENTRIES, WRITERS, Entry

_FOREIGN: Final = (WRITERS["run"], WRITERS["troubles"])


class Variable(NamedTuple):
    """A variable: its value reference is its place in the list. `kind`: real, integer, boolean or enumeration."""

    entry: Entry
    channel: int
    place: int
    kind: str
    start: float

    @property
    def is_input(self) -> bool:
        return self.entry.limits is not None


def variables() -> list[Variable]:
    """Return the variables in the order of channels and entries."""
    return [
        Variable(entry, channel, index, _kind(entry), _start(entry))
        for channel, entries in enumerate(ENTRIES)
        for index, entry in enumerate(entries)
        if channel != CUSTOM and entry.writer not in _FOREIGN
    ]


def left_out() -> Sequence[str]:
    """Return the entries that no variable has."""
    return [entry.path for entries in ENTRIES for entry in entries if entry.writer in _FOREIGN]


def _kind(entry: Entry) -> str:
    if entry.codes:
        return "boolean" if [number for number, _ in entry.codes] == [0, 1] else "enumeration"
    whole = entry.resolution == 1 and not entry.unit and entry.rest != NAN
    return "integer" if whole else "real"


def _start(entry: Entry) -> float:
    return float("nan") if entry.rest == NAN else entry.rest / entry.resolution
