"""How a bench is, as one JSON object: what `hilbridge ctl status` is answered."""

from collections.abc import Callable, Collection
from typing import Any

from hilbridge.app import Bench
from hilbridge.control.commands import Part
from hilbridge.frames.planned import NEVER, PlannedFrame
from hilbridge.frames.report import FrameStatistics
from hilbridge.frames.traffic import Traffic
from hilbridge.inputs.can import CanSource
from hilbridge.settings import MILLISECOND
from hilbridge.statistics import counters
from vehiclesim.channels import AUXILIARY, ENTRIES, VEHICLE, VehicleData


def overview(bench: Bench, parts: Collection[Part]) -> dict[str, Any]:
    """What the bench is, and of it the parts that are asked for."""
    tellers: dict[Part, Callable[[], Any]] = {
        "values": lambda: _values(bench, VEHICLE),
        "auxiliary": lambda: _values(bench, AUXILIARY),
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
        "traffic": lambda: _traffic(bench),
    }
    head = {
        "bench": bench.settings.name,
        "vehicle": bench.vehicle.settings.name,
        "rate_hz": bench.settings.rate,
    }
    return head | {part: tell() for part, tell in tellers.items() if part in parts}


def headline(bench: Bench, missed: int) -> str:
    """The line of `systemctl status`: "demo: 1000 Hz, 0 missed, engine 2500 rpm, 3 of 3 links up"; `missed` ticks."""
    data, links = bench.vehicle.data, bench.links.values()
    rpm = data.read(VEHICLE, VehicleData.ENGINE_RPM)
    engine = f"engine {rpm:.0f} rpm" if data.vehicle[VehicleData.ENGINE_WORKING] > 0 else "engine off"
    up = sum(not link.trouble for link in links)
    return f"{bench.settings.name}: {bench.settings.rate} Hz, {missed} missed, {engine}, {up} of {len(links)} links up"


def _values(bench: Bench, channel: int) -> dict[str, Any]:
    data = bench.vehicle.data
    return {
        entry.name: {"value": _number(data.read(channel, index)), "unit": entry.unit}
        for index, entry in enumerate(ENTRIES[channel])
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
        "checksum_failures": row.checksum_failures,
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


def _traffic(bench: Bench) -> dict[str, Any]:
    """The newest frames of each bus, from the first question on, and what became of those that are inputs."""
    for bus in bench.buses.values():
        if bus.traffic is None:
            bus.traffic = Traffic()
    return {
        "buses": {
            name: [
                [frame.can_id, received, count, t / MILLISECOND, frame.data.hex()]
                for received, frame, t, count in bus.traffic or ()
            ]
            for name, bus in bench.buses.items()
        },
        "inputs": [
            {
                "bus": source.bus,
                "message": source.message,
                "protected": source.is_protected,
                "accepted": source.accepted,
                "rejected": source.rejections,
            }
            for source in bench.sources
            if isinstance(source, CanSource)
        ],
    }


def _number(value: float) -> float | None:
    """JSON has no not-a-number."""
    return value if value == value else None
