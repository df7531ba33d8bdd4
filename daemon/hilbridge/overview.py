"""How a bench is, as one JSON object: what `hilbridge ctl status` is answered."""

from collections.abc import Callable, Collection
from typing import Any

from hilbridge.app import Bench
from hilbridge.control.commands import Part
from hilbridge.frames.planned import NEVER, PlannedFrame
from hilbridge.frames.report import FrameStatistics
from hilbridge.settings import MILLISECOND
from hilbridge.statistics import counters
from vehiclesim.channels import ENTRIES, VEHICLE


def overview(bench: Bench, parts: Collection[Part]) -> dict[str, Any]:
    """What the bench is, and of it the parts that are asked for."""
    tellers: dict[Part, Callable[[], Any]] = {
        "values": lambda: _values(bench),
        "buses": lambda: {name: _bus(bench, name) for name in bench.buses},
        "inputs": lambda: [
            {"control": holding.control, "source": holding.source, "value": _number(holding.value)}
            for holding in bench.arbiter.holdings()
        ],
        "faults": bench.faults.describe,
        "troubles": bench.servers.troubles.describe,
        "frames": lambda: [
            _frame(row, frame) for row, frame in zip(bench.plan.statistics(), bench.plan.frames, strict=True)
        ],
    }
    head = {
        "bench": bench.settings.name,
        "vehicle": bench.vehicle.settings.name,
        "rate_hz": bench.settings.rate,
    }
    return head | {part: tell() for part, tell in tellers.items() if part in parts}


def _values(bench: Bench) -> dict[str, Any]:
    data = bench.vehicle.data
    return {
        entry.name: {"value": _number(data.read(VEHICLE, index)), "unit": entry.unit}
        for index, entry in enumerate(ENTRIES[VEHICLE])
    }


def _bus(bench: Bench, name: str) -> dict[str, Any]:
    bus, link, gate = bench.buses[name], bench.links[name], bench.gates[name]
    return {
        "link": link.describe(),
        "trouble": ", ".join(filter(None, (*bus.cuts, link.trouble))),
        "armed": gate.armed,
        "received": bus.received,
        "transmitted": bus.transmitted,
        "lost": bus.lost,
        "counters": counters(link.statistics),
        "gate": counters(gate.statistics),
    }


def _frame(row: FrameStatistics, frame: PlannedFrame) -> dict[str, Any]:
    period = row.period
    return {
        "bus": row.bus,
        "id": f"0x{row.identifier:X}",
        "message": row.message,
        "sent": row.sent,
        "skipped": row.skipped,
        "withheld": row.withheld,
        "cycle_ms": None if frame.period == NEVER else frame.period / MILLISECOND,
        "awake": frame.awake,
        "protection": frame.outgoing.protected,
        "disturbed": frame.disturbance is not None,
        "last_ms": None if row.last is None else row.last / MILLISECOND,
        "period_ms": None
        if period is None
        else {
            "shortest": period.shortest / MILLISECOND,
            "mean": round(period.mean / MILLISECOND, 3),
            "longest": period.longest / MILLISECOND,
            "deviation_p99_ticks": period.deviation_p99,
        },
    }


def _number(value: float) -> float | None:
    """JSON has no not-a-number."""
    return value if value == value else None
