"""The set-up of the XCP process: one argument of JSON, of which nothing is secret.

What it needs of the settings is in plain types: the process starts without the settings of all of hilbridge.
"""

import json
from typing import Any, Literal, NamedTuple, Self

from vehiclesim.entries import Entries, Entry


class CanPlace(NamedTuple):
    """Where the slave is on CAN: an interface and channel of python-can, and the identifiers of both sides."""

    interface: str
    channel: str
    bitrate: int | None
    request: int
    answer: int
    extended: bool


class Setup(NamedTuple):
    """The bench of a slave: its name, ticks per second, the control socket where it writes, and declared entries.

    The other fields are those of the section `xcp`.
    """

    bench: str
    rate: int
    transport: Literal["tcp", "udp", "can"]
    address: str
    masters: tuple[str, ...] = ()
    unlock: str | None = None
    control: str | None = None
    """Path; None: nothing may be written."""
    custom: tuple[Entry, ...] = ()
    pace: float = 1.0
    """Seconds of the run for each second of the wall clock."""
    can: CanPlace | None = None

    @property
    def entries(self) -> Entries:
        """The entries of the data bus."""
        return Entries(self.custom)

    def encode(self) -> str:
        """Return it as JSON."""
        return json.dumps(self._asdict())

    @classmethod
    def decode(cls, text: str) -> Self:
        """Return the inverse of `encode`."""
        fields: dict[str, Any] = json.loads(text)
        custom = tuple(_entry(*one) for one in fields["custom"])
        can = None if fields["can"] is None else CanPlace(*fields["can"])
        return cls(**fields | {"masters": tuple(fields["masters"]), "custom": custom, "can": can})


def _entry(*fields: Any) -> Entry:
    entry = Entry(*fields)
    codes = tuple((number, name) for number, name in entry.codes)
    limits = None if entry.limits is None else (entry.limits[0], entry.limits[1])
    return entry._replace(codes=codes, limits=limits)
