"""Which monitors have completed: since the codes were cleared, and in this driving cycle (SAE J1979, PIDs 01 and 41).

    byte B   bit 0 misfire, 1 fuel system, 2 components: supported; 4 to 6: not complete; 3: compression ignition
    byte C   bit 0 catalyst, 1 heated catalyst, 2 evaporative system, 3 secondary air, 5 oxygen sensor, 6 its heater,
             7 EGR: supported
    byte D   the same: not complete

A group is complete when each of its monitors is. The groups of compression ignition have other names (NMHC catalyst,
NOx, boost pressure, exhaust gas sensor, particulate filter), and the same places.
"""

from collections.abc import Iterable, Mapping
from typing import Final

CONTINUOUS: Final = {"misfire": 0, "fuel-system": 1, "components": 2}
"""Bit in byte B."""

OTHERS: Final = {
    "catalyst": 0,
    "heated-catalyst": 1,
    "evaporative-system": 2,
    "secondary-air": 3,
    "oxygen-sensor": 5,
    "oxygen-sensor-heater": 6,
    "egr": 7,
}
"""Bit in bytes C and D."""


class Readiness:
    """`monitors`: the group of each monitor by its name; `completed` grows until the codes are cleared."""

    def __init__(self, monitors: Mapping[str, str]) -> None:
        self.monitors: Final = dict(monitors)
        self.completed: set[str] = set()
        self.this_cycle: set[str] = set()

    def complete(self, monitor: str) -> bool:
        """A test has a verdict; whether it is the first one since the codes were cleared."""
        self.this_cycle.add(monitor)
        if monitor in self.completed or monitor not in self.monitors:
            return False
        self.completed.add(monitor)
        return True

    def begin_cycle(self) -> None:
        self.this_cycle.clear()

    def clear(self) -> None:
        self.completed.clear()
        self.this_cycle.clear()

    @property
    def supported(self) -> frozenset[str]:
        """Groups with a monitor."""
        return frozenset(self.monitors.values())

    def incomplete(self) -> frozenset[str]:
        """Groups that are not complete since the codes were cleared."""
        return self._open(self.completed)

    def incomplete_this_cycle(self) -> frozenset[str]:
        return self._open(self.this_cycle)

    def _open(self, done: Iterable[str]) -> frozenset[str]:
        finished = set(done)
        return frozenset(group for name, group in self.monitors.items() if name not in finished)


def bits(groups: Iterable[str], places: Mapping[str, int]) -> int:
    """The bits of those groups that have one in `places`."""
    return sum(1 << places[group] for group in set(groups) if group in places)
