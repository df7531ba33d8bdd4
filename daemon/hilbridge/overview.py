"""How a bench is, as one JSON object: what `hilbridge ctl status` is answered."""

from typing import Any

from hilbridge.app import Bench
from hilbridge.frames.report import FrameStatistics
from hilbridge.settings import MILLISECOND
from hilbridge.statistics import counters
from vehiclesim.channels import ENTRIES, VEHICLE


def overview(bench: Bench, *, frames: bool) -> dict[str, Any]:
    """Values, buses and who holds which control; with `frames`, also how each frame is sent."""
    data = bench.vehicle.data
    told: dict[str, Any] = {
        "bench": bench.settings.name,
        "vehicle": bench.vehicle.settings.name,
        "rate_hz": bench.settings.rate,
        "values": {
            entry.name: {"value": _number(data.read(VEHICLE, index)), "unit": entry.unit}
            for index, entry in enumerate(ENTRIES[VEHICLE])
        },
        "buses": {name: _bus(bench, name) for name in bench.buses},
        "inputs": [
            {"control": holding.control, "source": holding.source, "value": _number(holding.value)}
            for holding in bench.arbiter.holdings()
        ],
    }
    if faults := bench.faults.describe():
        told["faults"] = faults
    if frames:
        told["frames"] = [_frame(row) for row in bench.plan.statistics()]
    return told


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


def _frame(row: FrameStatistics) -> dict[str, Any]:
    period = row.period
    return {
        "bus": row.bus,
        "id": f"0x{row.identifier:X}",
        "message": row.message,
        "sent": row.sent,
        "skipped": row.skipped,
        "withheld": row.withheld,
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
