"""Readiness, in-use performance and MIL counters: what a store of trouble codes counts beside the codes.

Readiness (SAE J1979, PIDs 01 and 41): which monitors completed since the codes were cleared, and in this driving cycle.

    byte B   bit 0 misfire, 1 fuel system, 2 components: supported; 4 to 6: not complete; 3: compression ignition
    byte C   bit 0 catalyst, 1 heated catalyst, 2 evaporative system, 3 secondary air, 5 oxygen sensor, 6 its heater,
             7 EGR: supported
    byte D   the same: not complete

A group is complete when each of its monitors is. The groups of compression ignition have other names (NMHC catalyst,
NOx, boost pressure, exhaust gas sensor, particulate filter) and the same bits.

In-use performance (SAE J1979, service 09): how often monitors could complete, and how often they did.

    ignition counter      engine starts that lasted 2 s
    general denominator   general cycles (drive_cycle.py)
    completions           driving cycles in which a group of monitors completed
    conditions            its denominator: the general one (regulations add conditions for some groups)

All are counted once a cycle and saturate at 65535.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.diagnostics.dtc.codes import CONTINUOUS_GROUPS
from vehiclesim.channels import ELECTRIC, AuxiliaryData, ElectricData
from vehiclesim.databus import DataBus

CONTINUOUS: Final = {group: bit for bit, group in enumerate(CONTINUOUS_GROUPS)}
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
    """The completion of monitors.

    `monitors`: the group of each monitor by its name; `completed`: since the last clearing.
    """

    def __init__(self, monitors: Mapping[str, str]) -> None:
        self.monitors: Final = dict(monitors)
        self.completed: set[str] = set()
        self.this_cycle: set[str] = set()

    def complete(self, monitor: str) -> bool:
        """Note a result of a monitor; return whether it is the first one since the codes were cleared."""
        self.this_cycle.add(monitor)
        if monitor in self.completed or monitor not in self.monitors:
            return False
        self.completed.add(monitor)
        return True

    def begin_cycle(self) -> None:
        """Begin an operation cycle."""
        self.this_cycle.clear()

    def clear(self) -> None:
        """Reset all monitors to "not complete"."""
        self.completed.clear()
        self.this_cycle.clear()

    @property
    def supported(self) -> frozenset[str]:
        """Groups with a monitor."""
        return frozenset(self.monitors.values())

    def incomplete(self) -> frozenset[str]:
        """Return the groups that are not complete since the codes were cleared."""
        return self._open(self.completed)

    def incomplete_this_cycle(self) -> frozenset[str]:
        """Return the groups that are not complete in this cycle."""
        return self._open(self.this_cycle)

    def _open(self, done: Iterable[str]) -> frozenset[str]:
        finished = set(done)
        return frozenset(group for name, group in self.monitors.items() if name not in finished)


def bits(groups: Iterable[str], places: Mapping[str, int]) -> int:
    """Return the bits of those groups that have one in `places`."""
    return sum(1 << places[group] for group in set(groups) if group in places)


_MOST: Final = 0xFFFF


class InUsePerformance:
    """The counters of in-use performance; `completions` by group of readiness."""

    def __init__(self) -> None:
        self.ignitions = 0
        self.general = 0
        self.completions = dict.fromkeys(OTHERS, 0)
        self._counted: set[str] = set()

    def ignite(self) -> None:
        """Count an ignition cycle."""
        self.ignitions = min(self.ignitions + 1, _MOST)

    def complete_general(self) -> None:
        """Count a general cycle."""
        self.general = min(self.general + 1, _MOST)

    def complete(self, group: str) -> bool:
        """Count the completion of a group; return False if it was already counted in this cycle."""
        if group not in self.completions or group in self._counted:
            return False
        self._counted.add(group)
        self.completions[group] = min(self.completions[group] + 1, _MOST)
        return True

    def begin_cycle(self) -> None:
        """Begin an operation cycle."""
        self._counted.clear()

    def export(self) -> dict[str, Any]:
        """Return JSON data."""
        return {"ignitions": self.ignitions, "general": self.general, "completions": dict(self.completions)}


COUNTERS: Final = (
    "distance_with_indicator",
    "time_with_indicator",
    "distance_since_clear",
    "time_since_clear",
    "warm_ups_since_clear",
)

_MOST_WARM_UPS: Final = 255


class MilCounters:
    """Distance [mm] and time [ns] with the MIL on and since the codes were cleared (PIDs 21, 30, 31, 4D, 4E).

    Distances are differences of the odometer, times are differences of the engine run time (PID 1F), so that no two
    counters of the vehicle disagree, even if the bench has missed ticks that the vehicle does not make up for. An
    electric drive counts while it is ready, whether an engine runs or not. The counters with the MIL on restart from 0
    when it comes on, and keep their value when it goes out.
    """

    def __init__(self, data: DataBus) -> None:
        self.distance_with_indicator = 0
        self.time_with_indicator = 0
        self.distance_since_clear = 0
        self.time_since_clear = 0
        self.warm_ups_since_clear = 0
        self._data: Final = data
        self._odometer: int | None = None
        self._run_time: int | None = None

    def advance(self, elapsed: int, *, indicator: bool) -> None:
        """Add distance and time since the last call, `elapsed` [ns] ago.

        A counter of the vehicle that was set back subtracts nothing.
        """
        odometer, run_time = self._data.auxiliary[AuxiliaryData.ODOMETER], self._data.auxiliary[AuxiliaryData.RUN_TIME]
        way = max(0, odometer - self._odometer) if self._odometer is not None else 0
        time = max(0, run_time - self._run_time) * MILLISECOND if self._run_time is not None else 0
        self._odometer, self._run_time = odometer, run_time
        if self._data.read(ELECTRIC, ElectricData.DRIVE_READY) > 0:  # nor for NaN: there is none
            time = elapsed
        self.distance_since_clear += way
        self.time_since_clear += time
        if indicator:
            self.distance_with_indicator += way
            self.time_with_indicator += time

    def indicate(self) -> None:
        """Restart the counters with the MIL on: it comes on."""
        self.distance_with_indicator = self.time_with_indicator = 0

    def warm_up(self) -> None:
        """Count a warm-up."""
        self.warm_ups_since_clear = min(self.warm_ups_since_clear + 1, _MOST_WARM_UPS)

    def clear(self) -> None:
        """Reset all counters."""
        for name in COUNTERS:
            setattr(self, name, 0)

    def export(self) -> dict[str, int]:
        """Return JSON data."""
        return {name: getattr(self, name) for name in COUNTERS}
