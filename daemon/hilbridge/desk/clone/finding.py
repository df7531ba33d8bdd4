"""Findings about a control unit: each thing with its value, how sure it is, and where the log says so."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from hilbridge.desk.learn.certainty import Certainty

_MOST_PLACES: Final = 3


class Note(NamedTuple):
    """A note of what is unknown, contradictory or not cloned; `places` of the log has the first of `times`."""

    about: str
    text: str
    places: tuple[str, ...]
    times: int

    def __str__(self) -> str:
        more = f" and {self.times - len(self.places)} times more" if self.times > len(self.places) else ""
        where = f" ({'; '.join(self.places)}{more})" if self.places else ""
        return f"{self.about}: {self.text}{where}"


class Notes:
    """Notes in the order in which they were made; the same one again adds a place to it."""

    def __init__(self) -> None:
        self._places: Final[dict[tuple[str, str], list[str]]] = {}

    def add(self, about: str, text: str, place: str | None = None) -> None:
        """Make a note; `place` in the log."""
        places = self._places.setdefault((about, text), [])
        if place is not None:
            places.append(place)

    def __iter__(self) -> Iterator[Note]:
        for (about, text), places in self._places.items():
            yield Note(about, text, tuple(places[:_MOST_PLACES]), len(places))


@dataclass(slots=True)
class Record:
    """The bytes that were answered to the same request: `seen` in their order, with the place of the first one."""

    place: str
    seen: list[bytes] = field(default_factory=list)
    unlocked: bool = False
    """All of them came after security access."""
    refuted: bool = False
    """The clone answered otherwise."""

    @property
    def value(self) -> bytes:
        """The newest one."""
        return self.seen[-1]

    @property
    def changes(self) -> bool:
        return len(set(self.seen)) > 1

    @property
    def lengths(self) -> set[int]:
        return {len(one) for one in self.seen}

    @property
    def certainty(self) -> Certainty:
        """Sure: the same bytes, more than once, and from the clone too. Likely: seen once. Unknown: they change."""
        if self.changes:
            return Certainty.UNKNOWN
        return Certainty.SURE if len(self.seen) > 1 and not self.refuted else Certainty.LIKELY

    @property
    def evidence(self) -> str:
        """Say what the certainty rests on."""
        if self.changes:
            lengths = "" if len(self.lengths) == 1 else f" of {' and '.join(map(str, sorted(self.lengths)))} bytes"
            return f"{len(set(self.seen))} values{lengths} in {len(self.seen)} answers, this is the last one"
        told = f"the same in {len(self.seen)} answers" if len(self.seen) > 1 else "seen once"
        return f"{told}, and answered otherwise by this bench" if self.refuted else told


def put(records: dict[int, Record], key: int, value: bytes, place: str, *, unlocked: bool = False) -> None:
    """Add an answer to the record of a key."""
    record = records.get(key)
    if record is None:
        record = records[key] = Record(place, unlocked=unlocked)
    record.seen.append(value)
    record.unlocked = record.unlocked and unlocked


def hexadecimal(data: Iterable[int]) -> str:
    """Return bytes as people write them: `01 0A FF`."""
    return bytes(data).hex(" ").upper()
