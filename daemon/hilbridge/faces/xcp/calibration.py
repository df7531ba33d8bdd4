"""The values that a master writes: the bench holds them as commands, so that they are recorded and a replay has them.

Each ends LIFE after its last renewal, as those of the page do: when this process is killed, the inputs have the entries
again. When the master leaves, or is silent (udp_port.py), they are given back.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, Protocol

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.faces.xcp.packets import Error, XcpError
from vehiclesim.entries import Entry

LIFE: Final = 3.0
"""[s] Duration of a value that is not renewed."""

RENEWAL: Final = 1.0
"""[s] Interval of renewals."""

STEPS: Final = "input.GearShift"
"""The entry that takes steps and is not held: a renewal would be another step."""


class Commanded(Protocol):
    """The control socket of the bench."""

    def exchange(self, command: dict[str, Any], /) -> Mapping[str, Any]:
        """Send a command; return the answer, also a refusal. ConfigurationError: there is no answer."""


class Calibration:
    """The values that the connected master holds."""

    def __init__(self, bench: Commanded, pace: float = 1.0) -> None:
        """`pace`: seconds of the run, in which the bench counts, for each second of the wall clock."""
        self._bench: Final = bench
        self._life: Final = LIFE * pace
        self._held: Final[dict[str, float]] = {}
        self._by = ""

    def begin(self, master: str) -> None:
        """Begin the session of a master."""
        self._by = f"XCP {master}"

    def write(self, entries: Sequence[Entry], data: bytes) -> None:
        """Hold entries at the integers that came.

        XcpError WRITE_PROTECTED: one of them is computed; OUT_OF_RANGE: beyond its limits, to which nothing is cut;
        none is held then. RESOURCE_TEMPORARY_NOT_ACCESSIBLE: the bench refuses one, or does not answer; those before
        it are held.
        """
        size = len(data) // len(entries)
        values = [
            _value(entry, int.from_bytes(data[place * size : (place + 1) * size], "little", signed=True))
            for place, entry in enumerate(entries)
        ]
        for entry, value in zip(entries, values, strict=True):
            try:
                is_held = "error" not in self._order(entry.path, value)
            except ConfigurationError:
                is_held = False
            if not is_held:
                raise XcpError(Error.RESOURCE_TEMPORARY_NOT_ACCESSIBLE)
            if entry.path != STEPS:
                self._held[entry.path] = value

    def renew(self) -> None:
        """Hold for another LIFE what is held; what it refuses is given up, what has no answer is not."""
        for path, value in list(self._held.items()):
            try:
                answer = self._order(path, value)
            except ConfigurationError:
                return
            if "error" in answer:
                del self._held[path]

    def give_back(self) -> None:
        """Give everything back."""
        if self._held:
            self._held.clear()
            with suppress(ConfigurationError):  # they end by themselves
                self._bench.exchange({"command": "give-back", "by": self._by})

    def _order(self, path: str, value: float) -> Mapping[str, Any]:
        seconds = {} if path == STEPS else {"seconds": self._life}
        return self._bench.exchange({"command": "set", "entry": path, "value": value, "by": self._by} | seconds)


def _value(entry: Entry, raw: int) -> float:
    """Return an integer of the data bus in the unit of its entry."""
    if entry.limits is None:
        raise XcpError(Error.WRITE_PROTECTED)
    value = raw / entry.resolution
    if not entry.limits[0] <= value <= entry.limits[1]:
        raise XcpError(Error.OUT_OF_RANGE)
    return value
