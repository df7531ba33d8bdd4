"""Functions of the user behind data identifiers and routines.

    def identifier(value) -> bytes | None

`value("vehicle.EngineRpm")` is an entry of the data bus in its unit, NaN while it is not available. None refuses the
request, conditions not correct; so does a function that fails, or returns no bytes, and is counted. It is called in the
tick: it must not wait, and what it returns may depend on nothing but its arguments, so that a run can be repeated.
"""

from typing import Any, Final

from hilbridge.base.common.errors import KeyPath
from hilbridge.base.trust.kinds import Kind
from hilbridge.base.trust.user_function import import_function
from hilbridge.bench.diagnostics.refusal import CONDITIONS_NOT_CORRECT, Refusal
from hilbridge.bench.diagnostics.uds.service import UdsStatistics
from hilbridge.frames.codec.sources import EntryId, find_entry
from vehiclesim.databus import DataBus


class Hook:
    """A function of the user, called with `value` and further arguments."""

    def __init__(self, name: str, kind: Kind, bus: DataBus, statistics: UdsStatistics, place: KeyPath) -> None:
        """ConfigurationError: no such module or function, or it is not trusted."""
        self._function: Final = import_function(name, kind, place)
        self._bus: Final = bus
        self._statistics: Final = statistics
        self._entries: Final[dict[str, EntryId]] = {}

    def __call__(self, *arguments: Any) -> bytes:
        """Return its bytes. Refusal: it gives none."""
        try:
            content = self._function(self._value, *arguments)
        except Exception:  # noqa: BLE001 - a function of the user may raise anything
            content = b""
        if isinstance(content, bytes) and content:
            return content
        if content is not None:
            self._statistics.hook_failures += 1
        raise Refusal(CONDITIONS_NOT_CORRECT)

    def _value(self, path: str) -> float:
        if path not in self._entries:
            self._entries[path] = find_entry(path, entries=self._bus.entries)
        return self._bus.read(*self._entries[path])
