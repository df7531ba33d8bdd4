"""What is counted in the parts of a bench, for the metrics: a part at a time, so that no tick pays for all of them.

The observer makes metrics and readiness of it (observe/metrics.py, observe/vital_signs.py); a part that it was told
replaces what it knew of that part.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final

from hilbridge.bench.bench import Bench
from hilbridge.bench.connection_log import Way, trouble_of
from hilbridge.common.statistics import counters

_STATES: Final = ("failing", "pending", "confirmed", "permanent")
"""Of a trouble code; it may have several."""


class Tally:
    """Asked some ten times a second; each part has its turn once in a second."""

    def __init__(self, bench: Bench, restarts: Callable[[], Mapping[str, int]]) -> None:
        """`restarts`: how often the processes beside the tick were started again, by their names."""
        self._bench: Final = bench
        self._parts: Final[list[tuple[str, Callable[[], Any]]]] = [
            ("buses", self._buses),
            ("ports", self._ports),
            ("inputs", self._inputs),
            ("testers", self._testers),
            ("troubles", self._troubles),
            ("skipped", self._skipped),
            ("restarts", restarts),
        ]
        self._next = 0

    def next(self) -> tuple[str, Any]:
        """The part whose turn it is, and what is counted there, as JSON knows it."""
        name, count = self._parts[self._next]
        self._next = (self._next + 1) % len(self._parts)
        return name, count()

    def _buses(self) -> dict[str, Any]:
        told = {}
        for name, bus in self._bench.buses.items():
            link, gate = self._bench.links[name], self._bench.gates[name]
            held_back = counters(gate.statistics)
            held_back.pop("passed", None)
            told[name] = _way(link) | {
                "trouble": trouble_of(bus, link),
                "armed": gate.armed,
                "frames": {"received": bus.received, "transmitted": bus.transmitted},
                "lost": bus.lost,
                "held_back": held_back,
            }
        return told

    def _ports(self) -> dict[str, Any]:
        ways = self._bench.ways
        return {f"{kind} {i}": _way(way) for kind, some in ways.items() for i, way in enumerate(some, 1)}

    def _inputs(self) -> dict[str, Any]:
        return {
            source.name: {"accepted": source.accepted, "rejected": source.rejections} for source in self._bench.sources
        }

    def _testers(self) -> dict[str, Any]:
        told = self._bench.servers.statistics()
        return {
            unit: {name: count for name, count in counts.items() if isinstance(count, int)}
            for unit, counts in told.items()
        }

    def _troubles(self) -> dict[str, Any]:
        told = {}
        for unit, memory in self._bench.servers.troubles.describe().items():
            told[unit] = dict.fromkeys(_STATES, 0)
            for code in memory["stored"]:
                for state in code["states"]:
                    told[unit][state] += 1
        return told

    def _skipped(self) -> dict[str, int]:
        skipped: Counter[str] = Counter()
        for frame in self._bench.plan.frames:
            skipped[frame.bus.name] += frame.skipped
        return skipped


def _way(way: Way) -> dict[str, Any]:
    return {"trouble": way.trouble, "counters": counters(way.statistics)}
