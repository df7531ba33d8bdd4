"""The status tree of a bench: the facts and counters of each part as plain data, and the views of it.

| view | made by |
|---|---|
| answer to `hilbridge ctl status` | `answer`, in pieces of some 100 µs each (control/chunked_json.py) |
| statistics in the log | `statistics` |
| metrics | `MEASURED`, a part at a time (observe/metrics.py) |
| changes in the log | connection_log.py |
| line of `systemctl status` | `headline` |

No piece of an answer is made before it is asked for. Parts that grow with the bench come in several pieces: buses,
faults, control units, frames, traffic.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import asdict
from typing import Any, Final, TypeAlias

from hilbridge.bench.bench import Bench
from hilbridge.bench.lamps import lamp_pieces
from hilbridge.bus.bus import Bus
from hilbridge.common.statistics import counters
from hilbridge.common.units import MILLISECOND, NEVER
from hilbridge.control.chunked_json import JsonPiece, split_rows
from hilbridge.control.commands import Part
from hilbridge.inputs.can import CanSource
from hilbridge.links.link import Endpoint
from hilbridge.outputs.build import AnyOutput
from hilbridge.plan.event_frame import EventFrame
from hilbridge.plan.planned import PlannedFrame
from hilbridge.plan.report import statistics as frame_statistics
from vehiclesim.channels import AUXILIARY, VEHICLE, ElectricData, Entry, VehicleData

PartStatus: TypeAlias = dict[str, Any]
"""The facts and counters of a part, as JSON knows them."""

_SIGHTINGS: Final = 32
"""Rows of the traffic in one piece."""

_TROUBLE_STATES: Final = ("failing", "pending", "confirmed", "permanent")
"""States of a trouble code; it may have several."""

# -- the parts ----------------------------------------------------------------------------------------------------


def trouble_of(bus: Bus, link: Endpoint) -> str:
    """Return why nothing crosses between a bus and the outside: faults that cut it, then the trouble of its link."""
    return ", ".join(filter(None, (*bus.cuts, link.trouble)))


def bus_status(bench: Bench, name: str) -> PartStatus:
    """Return the status of a bus with its link and its gate."""
    bus, link, gate = bench.buses[name], bench.links[name], bench.gates[name]
    profile = bench.wiring.bench_files.file.profiles.get(name)
    return {
        "link": link.describe(),
        "profile": "" if profile is None else profile.headline,
        "trouble": trouble_of(bus, link),
        "armed": gate.armed,
        "received": bus.received,
        "transmitted": gate.statistics.passed,
        "lost": bus.lost,
        "counters": counters(link.statistics),
        "gate": counters(gate.statistics),
        "id_conflicts": bench.id_conflicts[name].status(),
    }


def buses(bench: Bench) -> dict[str, PartStatus]:
    """Return the status of each bus by its name."""
    return {name: bus_status(bench, name) for name in bench.buses}


def gateway(bench: Bench) -> dict[str, PartStatus]:
    """Return the status of each route by its name."""
    wiring = bench.wiring
    return {
        name: {
            "route": wiring.gateway.describe(name),
            **asdict(route.statistics),
            "waiting": route.waiting,
            "disturbed": route.disturbance is not None,
        }
        for name, route in wiring.gateway.routes.items()
    }


def port_status(port: Endpoint) -> PartStatus:
    """Return the status of a serial port or of a port for scan tools."""
    return {"port": port.describe(), "trouble": port.trouble, "counters": counters(port.statistics)}


def ports(bench: Bench) -> dict[str, PartStatus]:
    """Return the status of each port by its kind and number."""
    return {
        f"{kind} {number}": port_status(port)
        for kind, some in bench.ports.items()
        for number, port in enumerate(some, 1)
    }


def outputs(bench: Bench) -> dict[str, PartStatus]:
    """Return the status of each output that has a port, by its name; the keys are those of a bus."""
    return {name: _output_status(bench.wiring.outputs[name], port) for name, port in bench.output_ports.items()}


def _output_status(output: AnyOutput, port: Endpoint) -> PartStatus:
    counted = counters(output.statistics)
    return {
        "link": port.describe(),
        "profile": output.describe(),
        "trouble": port.trouble or output.trouble,
        "armed": output.armed,
        "gate": {name: counted.pop(name) for name in ("passed", "unarmed") if name in counted},
        "counters": counted | counters(port.statistics),
    }


def inputs(bench: Bench) -> dict[str, PartStatus]:
    """Return the status of each source of inputs by its name."""
    return {source.name: source.status() for source in bench.wiring.sources}


def skipped(bench: Bench) -> dict[str, int]:
    """Return the number of frames left out for missed ticks, by bus."""
    frames: Counter[str] = Counter()
    for frame in bench.wiring.plan.frames:
        frames[frame.bus.name] += frame.skipped
    return frames


def limited(bench: Bench) -> dict[str, dict[str, dict[str, int]]]:
    """Return the number of frames in which a value was held at a limit of its signal, by bus, message and signal."""
    frames: dict[str, dict[str, dict[str, int]]] = {}
    for frame in bench.wiring.plan.frames:
        if frame.limited:
            frames.setdefault(frame.bus.name, {})[frame.outgoing.message] = dict(frame.limited)
    return frames


def frame_status(frame: PlannedFrame) -> PartStatus:
    """Return the status of a planned frame; times in milliseconds. `events`: those that are on, None without any."""
    row = frame_statistics(frame)
    period = row.period
    events = frame.shown if isinstance(frame, EventFrame) else None
    return {
        "bus": row.bus,
        "id": f"0x{row.identifier:X}",
        "message": row.message,
        "sent": row.sent,
        "held_back": frame.held_back,
        "skipped": row.skipped,
        "withheld": row.withheld,
        "checksum_failures": row.checksum_failures,
        "limited": dict(frame.limited),
        "cycle_ms": None if frame.period == NEVER or events is not None else frame.period / MILLISECOND,
        "awake": frame.awake,
        "armed": frame.bus.is_armed,
        "protection": frame.outgoing.protected,
        "disturbed": frame.disturbance is not None,
        "events": events,
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


def trouble_counts(bench: Bench) -> dict[str, dict[str, int]]:
    """Return how many trouble codes have which state, by control unit."""
    return {
        unit: {state: sum(state in code["states"] for code in memory["stored"]) for state in _TROUBLE_STATES}
        for unit, memory in bench.wiring.control_units.troubles.status().items()
    }


MEASURED: Final[Mapping[str, Callable[[Bench], Any]]] = {
    "buses": buses,
    "gateway": gateway,
    "ports": ports,
    "inputs": inputs,
    "testers": lambda bench: bench.wiring.control_units.statistics(),
    "troubles": trouble_counts,
    "skipped": skipped,
    "limited": limited,
}
"""The parts that metrics are made of."""

# -- statistics and headline --------------------------------------------------------------------------------------


def statistics(bench: Bench) -> PartStatus:
    """Return the counters of all parts; most of them only where they are not 0."""
    of_buses = buses(bench)
    ports = {kind: [port_status(port) for port in some] for kind, some in bench.ports.items()}
    of_inputs = [port for kind in ("pedal port", "telemetry port") for port in ports.get(kind, ())]
    return {
        "buses": {
            name: {counter: bus[counter] for counter in ("received", "transmitted", "lost")}
            for name, bus in of_buses.items()
        },
        "links": {name: bus["counters"] for name, bus in of_buses.items()},
        "gates": {name: bus["gate"] for name, bus in of_buses.items()},
        "routes": {name: counters(route.statistics) for name, route in bench.wiring.gateway.routes.items()},
        "ports": {port["port"]: port["counters"] for port in of_inputs},
        "inputs": {name: _flat(source) for name, source in inputs(bench).items()},
        "outputs": {name: one["gate"] | one["counters"] for name, one in outputs(bench).items()},
        "scan_tools": {port["port"]: port["counters"] for port in ports["scan tool port"]},
        "faults": {name: count for name, count in bench.wiring.faults.statistics().items() if count},
        "frames_late": sum(skipped(bench).values()),
        "diagnostics": bench.wiring.control_units.statistics(),
    }


def _flat(source: PartStatus) -> dict[str, int]:
    """Return the counters of a source with its reasons of rejection among them."""
    counted = {name: value for name, value in source["rejected"].items() if value}
    failures = {"track_failures": source["track_failures"]} if source["track_failures"] else {}
    return {"accepted": source["accepted"]} | counted | failures


def headline(bench: Bench, missed: int, overload: int) -> str:
    """Return "demo: 1000 Hz, 0 missed, engine 2500 rpm, 3 of 3 links up"; `missed`: ticks.

    `overload` [%] is that of the snapshot; while there is one: "overloaded: 20 % missed, 1,000 in all".
    Where a motor drives: "ready to drive", and the engine of a hybrid while it works.
    """
    data, links = bench.vehicle.data, bench.links.values()
    rpm = data.read(VEHICLE, VehicleData.ENGINE_RPM)
    engine = f"engine {rpm:.0f} rpm" if data.vehicle[VehicleData.ENGINE_WORKING] > 0 else "engine off"
    if bench.vehicle.electric is not None and not data.vehicle[VehicleData.ENGINE_WORKING]:
        engine = "ready to drive" if data.electric[ElectricData.DRIVE_READY] else "not ready to drive"
    if bench.vehicle.motion.prescribed:
        engine += ", motion prescribed"
    up = sum(not link.trouble for link in links)
    ticks = f"overloaded: {overload} % missed, {missed:,} in all" if overload else f"{missed} missed"
    return f"{bench.settings.name}: {bench.settings.rate} Hz, {ticks}, {engine}, {up} of {len(links)} links up"


# -- the answer to `hilbridge ctl status` -------------------------------------------------------------------------


def answer(bench: Bench, parts: Collection[Part]) -> Iterator[JsonPiece]:
    """Make the pieces of an answer: what the bench is, then those of `parts` that are parts of the bench."""
    yield (), {"bench": bench.settings.name, "vehicle": bench.vehicle.settings.name, "rate_hz": bench.settings.rate}
    for part, make in _PIECES.items():
        if part in parts:
            yield from make(bench)


def fault_pieces(bench: Bench) -> Iterator[JsonPiece]:
    """Make the pieces of the faults that wait, are active, or were lately."""
    for rows in split_rows(bench.wiring.faults.status()):
        yield ("faults",), rows


def _value_pieces(bench: Bench, part: Part, channel: int) -> Iterator[JsonPiece]:
    yield (part,), {entry.name: value for entry, value in _values(bench, channel)}


def _entry_pieces(bench: Bench) -> Iterator[JsonPiece]:
    """Make the values of all entries by path, a channel at a time."""
    yield ("entries",), {}
    for channel, entries in enumerate(bench.vehicle.data.entries.channels):
        if not entries:
            continue
        yield ("entries", entries[0].channel), {entry.path: value for entry, value in _values(bench, channel)}


def _values(bench: Bench, channel: int) -> Iterator[tuple[Entry, PartStatus]]:
    for index, entry in enumerate(bench.vehicle.data.entries.channels[channel]):
        yield entry, {"value": _number(bench.vehicle.data.read(channel, index)), "unit": entry.unit}


def _engine_pieces(bench: Bench) -> Iterator[JsonPiece]:
    """Make what the engine that runs has in place of the values of its vehicle file."""
    yield ("engine",), {"changes": bench.engine_tuning.changes}


def _bus_pieces(bench: Bench) -> Iterator[JsonPiece]:
    yield ("buses",), {}
    for name in bench.buses:
        yield ("buses", name), bus_status(bench, name)


def _gateway_pieces(bench: Bench) -> Iterator[JsonPiece]:
    yield ("gateway",), gateway(bench)


def _output_pieces(bench: Bench) -> Iterator[JsonPiece]:
    yield ("outputs",), outputs(bench)


def _input_pieces(bench: Bench) -> Iterator[JsonPiece]:
    holdings = [
        {"control": holding.control, "source": holding.source, "value": _number(holding.value)}
        for holding in bench.wiring.arbiter.control_states()
    ]
    yield ("inputs",), holdings


def _source_pieces(bench: Bench) -> Iterator[JsonPiece]:
    """Make the counters and raw readings of each source, in the order of the bench file."""
    yield ("sources",), []
    for source in bench.wiring.sources:
        raw = {field: _number(one) if isinstance(one, float) else one for field, one in source.raw().items()}
        yield ("sources",), [{"source": source.name, **source.status(), "raw": raw}]


def _unit_pieces(bench: Bench) -> Iterator[JsonPiece]:
    """Make where each control unit is reached, and whether it answers, a unit at a time."""
    yield ("units",), {}
    for name, unit in bench.wiring.control_units.status(bench.now).items():
        yield ("units", name), unit


def _trouble_pieces(bench: Bench) -> Iterator[JsonPiece]:
    yield ("troubles",), {}
    for unit, memory in bench.wiring.control_units.troubles.status().items():
        yield ("troubles", unit), memory


def _frame_pieces(bench: Bench) -> Iterator[JsonPiece]:
    for rows in split_rows(map(frame_status, bench.wiring.plan.frames)):
        yield ("frames",), rows


def _traffic_pieces(bench: Bench) -> Iterator[JsonPiece]:
    """Make the newest frames of each bus, noted from the first question on, and the counters of those that are inputs.

    A frame is [identifier, received, count, time in ms, bytes]; `unarmed` names the buses that hold all frames back.
    """
    yield ("traffic", "unarmed"), [name for name, bus in bench.buses.items() if not bus.is_armed]
    for name in bench.buses:
        for sightings in split_rows(bench.traffic(name), _SIGHTINGS):
            rows = [
                [frame.can_id, received, count, t / MILLISECOND, frame.data.hex()]
                for received, frame, t, count in sightings
            ]
            yield ("traffic", "buses", name), rows
    sources = (source for source in bench.wiring.sources if isinstance(source, CanSource))
    for inputs_read in split_rows(map(_input_row, sources)):
        yield ("traffic", "inputs"), inputs_read


def _input_row(source: CanSource) -> PartStatus:
    counted = source.status()
    return {
        "bus": source.bus,
        "message": source.message,
        "protected": source.is_protected,
        "accepted": counted["accepted"],
        "rejected": counted["rejected"],
    }


def _cluster_pieces(bench: Bench) -> Iterator[JsonPiece]:
    """Make what the clusters behind the buses say and have answered."""
    yield ("cluster",), {}
    for name, status in bench.wiring.clusters.status(bench.vehicle.data.channels, bench.now):
        yield ("cluster", name), status


def _number(value: float) -> float | None:
    """Return None for not-a-number, which JSON does not know."""
    return value if value == value else None


_PIECES: Final[Mapping[Part, Callable[[Bench], Iterator[JsonPiece]]]] = {
    "values": lambda bench: _value_pieces(bench, "values", VEHICLE),
    "auxiliary": lambda bench: _value_pieces(bench, "auxiliary", AUXILIARY),
    "entries": _entry_pieces,
    "buses": _bus_pieces,
    "gateway": _gateway_pieces,
    "outputs": _output_pieces,
    "engine": _engine_pieces,
    "inputs": _input_pieces,
    "sources": _source_pieces,
    "faults": fault_pieces,
    "units": _unit_pieces,
    "troubles": _trouble_pieces,
    "frames": _frame_pieces,
    "traffic": _traffic_pieces,
    "lamps": lamp_pieces,
    "cluster": _cluster_pieces,
}
