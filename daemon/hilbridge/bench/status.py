"""How a bench is, piece by piece: what `hilbridge ctl status` is answered.

A piece takes some 100 µs at most, and none is made before its turn (control/pieces.py). What grows with the bench comes
in several: buses, faults, control units, frames, traffic.
"""

from collections.abc import Callable, Collection, Iterator
from typing import Any, Final

from hilbridge.bench.bench import Bench
from hilbridge.bench.connection_log import trouble_of
from hilbridge.common.statistics import counters
from hilbridge.common.units import MILLISECOND, NEVER
from hilbridge.control.chunked_json import Piece, in_rows
from hilbridge.control.commands import Part
from hilbridge.inputs.can import CanSource
from hilbridge.plan.planned import PlannedFrame
from hilbridge.plan.report import statistics
from vehiclesim.channels import AUXILIARY, ENTRIES, VEHICLE, VehicleData


def overview(bench: Bench, parts: Collection[Part]) -> Iterator[Piece]:
    """What the bench is, and of it the parts that are asked for."""
    yield (), {"bench": bench.settings.name, "vehicle": bench.vehicle.settings.name, "rate_hz": bench.settings.rate}
    for part, tell in _TELLERS.items():
        if part in parts:
            yield from tell(bench)


def headline(bench: Bench, missed: int) -> str:
    """The line of `systemctl status`: "demo: 1000 Hz, 0 missed, engine 2500 rpm, 3 of 3 links up"; `missed` ticks."""
    data, links = bench.vehicle.data, bench.links.values()
    rpm = data.read(VEHICLE, VehicleData.ENGINE_RPM)
    engine = f"engine {rpm:.0f} rpm" if data.vehicle[VehicleData.ENGINE_WORKING] > 0 else "engine off"
    up = sum(not link.trouble for link in links)
    return f"{bench.settings.name}: {bench.settings.rate} Hz, {missed} missed, {engine}, {up} of {len(links)} links up"


def _values(bench: Bench, part: Part, channel: int) -> Iterator[Piece]:
    data = bench.vehicle.data
    yield (
        (part,),
        {
            entry.name: {"value": _number(data.read(channel, index)), "unit": entry.unit}
            for index, entry in enumerate(ENTRIES[channel])
        },
    )


def _inputs(bench: Bench) -> Iterator[Piece]:
    yield (
        ("inputs",),
        [
            {"control": holding.control, "source": holding.source, "value": _number(holding.value)}
            for holding in bench.arbiter.holdings()
        ],
    )


def _buses(bench: Bench) -> Iterator[Piece]:
    yield ("buses",), {}
    for name in bench.buses:
        yield ("buses", name), _bus(bench, name)


def faults(bench: Bench) -> Iterator[Piece]:
    """Those that wait, are active, or were lately."""
    for rows in in_rows(bench.faults.describe()):
        yield ("faults",), rows


def _troubles(bench: Bench) -> Iterator[Piece]:
    yield ("troubles",), {}
    for name, told in bench.servers.troubles.describe().items():
        yield ("troubles", name), told


def _frames(bench: Bench) -> Iterator[Piece]:
    for rows in in_rows(map(_frame, bench.plan.frames)):
        yield ("frames",), rows


def _bus(bench: Bench, name: str) -> dict[str, Any]:
    bus, link, gate = bench.buses[name], bench.links[name], bench.gates[name]
    return {
        "link": link.describe(),
        "trouble": trouble_of(bus, link),
        "armed": gate.armed,
        "received": bus.received,
        "transmitted": bus.transmitted,
        "lost": bus.lost,
        "counters": counters(link.statistics),
        "gate": counters(gate.statistics),
        "rivals": bench.id_conflicts[name].status(),
    }


def _frame(frame: PlannedFrame) -> dict[str, Any]:
    row = statistics(frame)
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


def _traffic(bench: Bench) -> Iterator[Piece]:
    """The newest frames of each bus, from the first question on, and what became of those that are inputs."""
    for name in bench.buses:
        for sightings in in_rows(bench.traffic(name), _SIGHTINGS):
            yield (
                ("traffic", "buses", name),
                [
                    [frame.can_id, received, count, t / MILLISECOND, frame.data.hex()]
                    for received, frame, t, count in sightings
                ],
            )
    sources = (source for source in bench.sources if isinstance(source, CanSource))
    for rows in in_rows(map(_source, sources)):
        yield ("traffic", "inputs"), rows


def _source(source: CanSource) -> dict[str, Any]:
    return {
        "bus": source.bus,
        "message": source.message,
        "protected": source.is_protected,
        "accepted": source.accepted,
        "rejected": source.rejections,
    }


def _number(value: float) -> float | None:
    """JSON has no not-a-number."""
    return value if value == value else None


_SIGHTINGS: Final = 32
"""Rows of the traffic in one piece."""

_TELLERS: Final[dict[Part, Callable[[Bench], Iterator[Piece]]]] = {
    "values": lambda bench: _values(bench, "values", VEHICLE),
    "auxiliary": lambda bench: _values(bench, "auxiliary", AUXILIARY),
    "buses": _buses,
    "inputs": _inputs,
    "faults": faults,
    "troubles": _troubles,
    "frames": _frames,
    "traffic": _traffic,
}
