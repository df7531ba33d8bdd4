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


class Stream(Protocol):
    """A way of commands to the bench on which answers are not waited for."""

    def refusals(self) -> int:
        """Return how many commands the bench has refused since the last call."""

    def send(self, command: dict[str, Any], /) -> bool:
        """Send a command; return False if it cannot go now."""

    def settle(self) -> None:
        """Wait for a bounded time until all commands are carried out."""


class Commanded(Protocol):
    """The control socket of the bench."""

    def exchange(self, command: dict[str, Any], /) -> Mapping[str, Any]:
        """Send a command; return the answer, also a refusal. ConfigurationError: there is no answer."""


class Calibration:
    """The values that the connected master holds."""

    def __init__(self, bench: Commanded, pace: float = 1.0, stream: Stream | None = None) -> None:
        """`pace`: seconds of the run, in which the bench counts, for each second of the wall clock."""
        self._bench: Final = bench
        self._stream: Final = stream
        self._life: Final = LIFE * pace
        self._held: Final[dict[str, float]] = {}
        self._fresh: Final[set[str]] = set()  # what STIM has held since the last renewal
        self._by = ""

    def refusals(self) -> int:
        """Return how many commands of `stimulate` the bench has refused since the last call."""
        return 0 if self._stream is None else self._stream.refusals()

    def begin(self, master: str) -> None:
        """Begin the session of a master; wake the control process, which needs a second for its first client."""
        self._by = f"XCP {master}"
        if self._stream is not None:
            self._stream.send({"command": "status", "parts": ["engine"]})

    def write(self, entries: Sequence[Entry], data: bytes) -> None:
        """Hold entries at the integers that came.

        XcpError WRITE_PROTECTED: one of them is computed; OUT_OF_RANGE: beyond its limits, to which nothing is cut;
        none is held then. RESOURCE_TEMPORARY_NOT_ACCESSIBLE: the bench refuses, or does not answer.
        """
        values = self.values(entries, data)
        steps = {path: values.pop(path) for path in (STEPS,) if path in values}
        for part in filter(None, (values, steps)):
            try:
                is_held = "error" not in self._bench.exchange(self._command(part))
            except ConfigurationError:
                is_held = False
            if not is_held:
                raise XcpError(Error.RESOURCE_TEMPORARY_NOT_ACCESSIBLE)
        self._held.update(values)

    def stimulate(self, values: Mapping[str, float]) -> bool:
        """Hold entries from the next tick on, without an answer; return False if the bench takes nothing now."""
        if self._stream is None or not self._stream.send(self._command(values)):
            return False
        self._held.update(values)
        self._fresh.update(values)
        return True

    def renew(self) -> None:
        """Hold for another LIFE what is held; what it refuses is given up, what has no answer is not."""
        old = {path: value for path, value in self._held.items() if path not in self._fresh}
        self._fresh.clear()
        try:
            if not old or "error" not in self._bench.exchange(self._command(old)):
                return
            for path, value in old.items():
                if "error" in self._bench.exchange(self._command({path: value})):
                    del self._held[path]
        except ConfigurationError:
            return

    def give_back(self) -> None:
        """Give everything back."""
        if self._held:
            self._held.clear()
            self._fresh.clear()
            if self._stream is not None:
                self._stream.settle()
            with suppress(ConfigurationError):  # they end by themselves
                self._bench.exchange({"command": "give-back", "by": self._by})

    @staticmethod
    def values(entries: Sequence[Entry], data: bytes) -> dict[str, float]:
        """Return the values of entries by their integers. XcpError: see `write`."""
        size = len(data) // len(entries)
        return {
            entry.path: _value(entry, int.from_bytes(data[place * size : (place + 1) * size], "little", signed=True))
            for place, entry in enumerate(entries)
        }

    def _command(self, values: Mapping[str, float]) -> dict[str, Any]:
        (path, value), *also = values.items()
        command: dict[str, Any] = {"command": "set", "entry": path, "value": value, "by": self._by}
        if path != STEPS:
            command["seconds"] = self._life
        return command | ({"also": dict(also)} if also else {})


def _value(entry: Entry, raw: int) -> float:
    """Return an integer of the data bus in the unit of its entry."""
    if entry.limits is None:
        raise XcpError(Error.WRITE_PROTECTED)
    value = raw / entry.resolution
    if not entry.limits[0] <= value <= entry.limits[1]:
        raise XcpError(Error.OUT_OF_RANGE)
    return value
