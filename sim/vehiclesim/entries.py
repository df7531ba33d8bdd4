"""The entries of the data bus: every value by name, its unit, its resolution and its meaning, from `entries.csv`.

Each line of that table is an entry, and its place among those of its channel is its id. The columns:

| column | content |
|---|---|
| channel, name | the path `channel.name` of configuration files |
| resolution | integers per unit |
| unit | "1" of a ratio, empty of a number or a flag |
| states | what the integers mean, from 0 on: `off|lit`; or each with its integer: `-1:off|0:on` |
| rest | the integer before the first write; empty: 0, `none`: not available |
| limits | `lowest:highest` that may be set, in the unit; empty: from the first to the last state, of a number 0 to 1 |
| writer | who writes it, a key of WRITERS; what is computed has no limits |
| meaning | a sentence for the reference |

Lines are added at the end of a channel and never taken out, as ids are in recordings and programs. Input, Vehicle and
Settings are the channels of Vehicle Physics Pro's data bus; the others are added.
"""

import csv
import pkgutil
from typing import Final, NamedTuple

from vehiclesim.channels import CHANNELS, CUSTOM, NAN

WRITERS: Final = {
    "driver": "inputs (driver's controls)",
    "model": "model",
    "command": "command (or an input)",
    "faults": "faults",
    "troubles": "trouble codes",
    "run": "clock of the run",
}
_COMPUTED: Final = ("model", "troubles", "run")


class Entry(NamedTuple):
    """One value of the bus: `channel.name` as configuration files write it, and how its integer reads."""

    channel: str
    name: str
    resolution: int
    unit: str
    meaning: str
    writer: str
    codes: tuple[tuple[int, str], ...] = ()
    """The integers that stand for states, with the state; () of a number."""
    rest: int = 0
    """The integer before the first write."""
    limits: tuple[float, float] | None = None
    """The lowest and the highest value that may be set, in the unit; None of a computed entry."""

    @property
    def path(self) -> str:
        return f"{self.channel}.{self.name}"


def _entry(row: dict[str, str]) -> Entry:
    codes = _states(row["states"])
    return Entry(
        row["channel"],
        row["name"],
        int(row["resolution"]),
        row["unit"],
        row["meaning"],
        WRITERS[row["writer"]],
        codes,
        NAN if row["rest"] == "none" else int(row["rest"] or 0),
        None if row["writer"] in _COMPUTED else _limits(row["limits"], codes),
    )


def _states(text: str) -> tuple[tuple[int, str], ...]:
    if not text:
        return ()
    pairs = [state.rpartition(":") for state in text.split("|")]
    return tuple((int(number) if colon else place, name) for place, (number, colon, name) in enumerate(pairs))


def _limits(text: str, codes: tuple[tuple[int, str], ...]) -> tuple[float, float]:
    if text:
        lowest, _, highest = text.partition(":")
        return float(lowest), float(highest)
    numbers = [float(number) for number, _ in codes] or [0.0, 1.0]
    return min(numbers), max(numbers)


def _read() -> tuple[tuple[Entry, ...], ...]:
    table = pkgutil.get_data("vehiclesim", "entries.csv") or b""
    entries = [_entry(row) for row in csv.DictReader(table.decode().splitlines())]
    return tuple(tuple(entry for entry in entries if entry.channel == channel) for channel in CHANNELS)


ENTRIES: Final = _read()
"""The reference of the bus: `ENTRIES[channel][id]`.

The Custom channel has no entries of its own: each bench declares those that it needs.
"""

MOST_CUSTOM: Final = 64
"""Entries that a bench may declare."""

SIZES: Final = tuple(MOST_CUSTOM if channel == CUSTOM else len(entries) for channel, entries in enumerate(ENTRIES))
"""Integers of each channel: the same for every bench, so that records of all values have one size."""

RESOLUTIONS: Final[list[list[float]]] = [[float(entry.resolution) for entry in entries] for entries in ENTRIES]
"""Integers per unit, by channel and id: the resolutions of `ENTRIES`."""


class Entries:
    """The entries of one bus: those of `ENTRIES`, and in the Custom channel those that its bench declares."""

    def __init__(self, custom: tuple[Entry, ...] = ()) -> None:
        self.custom: tuple[Entry, ...] = custom
        self.channels: tuple[tuple[Entry, ...], ...] = (*ENTRIES[:CUSTOM], custom, *ENTRIES[CUSTOM + 1 :])
        self._places: dict[str, tuple[int, int]] = {
            entry.path: (channel, index)
            for channel, entries in enumerate(self.channels)
            for index, entry in enumerate(entries)
        }

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Entries) and self.custom == other.custom

    def __hash__(self) -> int:
        return hash(self.custom)

    def find(self, path: str) -> tuple[int, int] | None:
        """Return the (channel, id) of a name like `vehicle.EngineRpm`, as configuration files write it, or None."""
        return self._places.get(path)

    def at(self, place: tuple[int, int]) -> Entry:
        """Return the entry of a channel and an id."""
        channel, index = place
        return self.channels[channel][index]

    def all(self) -> list[Entry]:
        """Return all entries in the order of their channels and ids."""
        return [entry for entries in self.channels for entry in entries]


STANDARD: Final = Entries()
"""The entries of a bench that declares none."""


def find(path: str) -> tuple[int, int] | None:
    """Return the (channel, id) of a name like `vehicle.EngineRpm`, which every bench has, or None."""
    return STANDARD.find(path)
