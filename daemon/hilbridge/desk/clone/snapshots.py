"""The snapshot records of trouble codes (service 19 04): which identifiers a control unit keeps of a failure.

    record      number, count of identifiers, then each identifier with its data

An answer does not say how long the data of an identifier are. They are known where the talk read it by service 22, or
as a PID; an answer with another identifier is not taken apart.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

_HEAD = 4
"""[byte] of code and status before the records."""


class Snapshot(NamedTuple):
    """An answer to 19 04 after the sub-function, and its place in the log."""

    data: bytes
    place: str

    @property
    def code(self) -> int:
        """The trouble code, three bytes."""
        return int.from_bytes(self.data[:3], "big")


def records_of(data: bytes, length_of: Callable[[int], int | None]) -> dict[int, list[int]] | None:
    """Return the identifiers of each record of an answer by its number; None where the answer cannot be taken apart.

    `length_of` returns the length of an identifier's data, None where it is not known.
    """
    records: dict[int, list[int]] = {}
    rest = data[_HEAD:]
    while rest:
        if len(rest) < 2:
            return None
        number, count, rest = rest[0], rest[1], rest[2:]
        identifiers: list[int] = []
        for _ in range(count):
            identifier = int.from_bytes(rest[:2], "big")
            length = length_of(identifier)
            if length is None or len(rest) < 2 + length:
                return None
            identifiers.append(identifier)
            rest = rest[2 + length :]
        records[number] = identifiers
    return records


def layouts(
    snapshots: Sequence[Snapshot], length_of: Callable[[int], int | None]
) -> tuple[dict[int, dict[int, list[int]]], list[Snapshot]]:
    """Return the identifiers by code and record number, and the answers that cannot be taken apart."""
    found: dict[int, dict[int, list[int]]] = {}
    left = []
    for snapshot in snapshots:
        records = records_of(snapshot.data, length_of)
        if records is None:
            left.append(snapshot)
        else:
            found.setdefault(snapshot.code, {}).update(records)
    return found, left
