"""The status of a bench: the rows of its parts (parts.py), and what has another form than rows.

| view | made by |
|---|---|
| answer to `hilbridge ctl status` | `answer`, in pieces of some 100 µs each (boundary/control/chunked_json.py) |
| statistics in the log | `statistics` |
| metrics | `VIEWS`, a part at a time (boundary/observe/metrics.py) |
| changes in the log | connection_log.py |
| line of `systemctl status` | `headline` |

No piece of an answer is made before it is requested: rows come one by one, lists of rows five at a time.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Final, NamedTuple

from hilbridge.base.common.rows import Counts
from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.bench import Bench
from hilbridge.bench.inputs.can import CanSource
from hilbridge.bench.inputs.rows import SourceReadings
from hilbridge.bench.lamps import lamp_pieces
from hilbridge.bench.rows import bus_rows, down_for, plan_rows, port_row
from hilbridge.bench.views import LAYOUTS, VIEWS, View, counted, layouts, views_of
from hilbridge.boundary.control.chunked_json import JsonPiece, split_rows
from hilbridge.boundary.control.lines import PROTOCOL
from hilbridge.boundary.links.link import Endpoint
from vehiclesim.channels import AUXILIARY, VEHICLE, ElectricData, VehicleData
from vehiclesim.entries import Entry

_SIGHTINGS: Final = 32
"""Rows of the traffic in one piece."""


class ValueRow(NamedTuple):
    """An entry of the data bus: its value, None where it is not known, in its unit."""

    value: float | None
    unit: str


class HeardRow(NamedTuple):
    """A message that the bench takes inputs from: its frames that were believed, and the others by reason."""

    bus: str
    message: str
    protected: bool
    accepted: int
    rejected: Counts


# -- statistics and headline --------------------------------------------------------------------------------------


def statistics(bench: Bench) -> dict[str, object]:
    """Return the counters of all parts; most of them only where they are not 0."""
    of_buses = dict(bus_rows(bench))
    ports = {kind: [port_row(bench, port) for port in some] for kind, some in bench.ports.items()}
    of_inputs = [port for kind in ("pedal port", "telemetry port") for port in ports.get(kind, ())]
    of_parts = counted(bench)
    return {
        "buses": {
            name: {"received": bus.received, "transmitted": bus.transmitted, "lost": bus.lost}
            for name, bus in of_buses.items()
        },
        "links": {name: bus.counters for name, bus in of_buses.items()},
        "gates": {name: bus.gate for name, bus in of_buses.items()},
        "ports": {port.port: port.counters for port in of_inputs},
        "scan_tools": {port.port: port.counters for port in (*ports["scan tool port"], *ports["DoIP port"])},
        "faults": {name: count for name, count in bench.wiring.faults.statistics()._asdict().items() if count},
        "frames_late": sum(row.skipped for _, row in plan_rows(bench)),
        **of_parts,
        "inputs": {name: {"accepted": 0} | counts for name, counts in of_parts["inputs"].items()},
    }


def headline(bench: Bench, missed: int, overload: int) -> str:
    """Return "demo: 1000 Hz, 0 missed, engine 2500 rpm, 3 of 3 links up"; `missed`: ticks.

    `overload` [%] is that of the snapshot; while there is one: "overloaded: 20 % missed, 1,000 in all".
    Where a motor drives: "ready to drive", and the engine of a hybrid while it works. Behind it each link and port that
    does not work, and for how long: "; awaited for 12 s: socketcan can0 cannot be opened: ...". Then what is not armed:
    "; not armed, all frames held back: can0".
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
    awaited = "".join(f"; awaited for {down_for(bench, one):.0f} s: {one.trouble}" for one in _awaited(bench))
    silent = _unarmed(bench)
    return (
        f"{bench.settings.name}: {bench.settings.rate} Hz, {ticks}, {engine}, {up} of {len(links)} links up{awaited}"
        + (f"; not armed, all frames held back: {', '.join(silent)}" if silent else "")
    )


def _unarmed(bench: Bench) -> list[str]:
    """Return the buses, outputs, boards and lines that send nothing until they are armed."""
    outputs = {**bench.wiring.outputs.outputs, **bench.wiring.lines.lines}
    return [name for name, gate in bench.gates.items() if not gate.armed] + [
        name for name in bench.output_ports if not outputs[name].armed
    ]


def _awaited(bench: Bench) -> Iterator[Endpoint]:
    ports = (port for some in bench.ports.values() for port in some)
    yield from (one for one in (*bench.links.values(), *ports) if one.trouble)


# -- the answer to `hilbridge ctl status` -------------------------------------------------------------------------


def answer(bench: Bench, parts: Collection[str]) -> Iterator[JsonPiece]:
    """Make the pieces of an answer: what the bench is, then those of `parts` that are parts of the bench."""
    name, rate = bench.settings.name, bench.settings.rate
    yield (), {"protocol": PROTOCOL, "bench": name, "vehicle": bench.vehicle.settings.name, "rate_hz": rate}
    if LAYOUTS in parts:
        for part, layout in layouts(bench).items():
            yield (LAYOUTS, part), layout
    views = views_of(bench)
    for part in parts:
        if part in _PIECES:
            yield from _PIECES[part](bench)
        elif part in views:
            yield from part_pieces(bench, part, views[part])


def part_pieces(bench: Bench, part: str, view: View) -> Iterator[JsonPiece]:
    """Make the pieces of the rows of a part."""
    if view.listed:
        for rows in split_rows(row for _, row in view.rows(bench)):
            yield (part,), rows
    else:
        yield (part,), {}
        for name, row in view.rows(bench):
            yield (part, name), row


def fault_pieces(bench: Bench) -> Iterator[JsonPiece]:
    """Make the pieces of the faults that wait, are active, or were lately."""
    return part_pieces(bench, "faults", VIEWS["faults"])


def _value_pieces(bench: Bench, part: str, channel: int) -> Iterator[JsonPiece]:
    yield (part,), {entry.name: value for entry, value in _values(bench, channel)}


def _entry_pieces(bench: Bench) -> Iterator[JsonPiece]:
    """Make the values of all entries by path, a channel at a time."""
    yield ("entries",), {}
    for channel, entries in enumerate(bench.vehicle.data.entries.channels):
        if not entries:
            continue
        yield ("entries", entries[0].channel), {entry.path: value for entry, value in _values(bench, channel)}


def _values(bench: Bench, channel: int) -> Iterator[tuple[Entry, ValueRow]]:
    for index, entry in enumerate(bench.vehicle.data.entries.channels[channel]):
        yield entry, ValueRow(_number(bench.vehicle.data.read(channel, index)), entry.unit)


def _engine_pieces(bench: Bench) -> Iterator[JsonPiece]:
    """Make what the engine that runs has in place of the values of its vehicle file."""
    yield ("engine",), {"changes": bench.engine_tuning.changes}


def _file_pieces(bench: Bench) -> Iterator[JsonPiece]:
    """Make the absolute path of the bench file, which may have changed since the bench has read it."""
    yield ("file",), str(bench.wiring.bench_files.file.path.absolute())


def _source_pieces(bench: Bench) -> Iterator[JsonPiece]:
    """Make the counters and raw readings of each source, in the order of the bench file."""
    yield ("sources",), []
    for source in bench.wiring.sources:
        raw = {field: _number(one) if isinstance(one, float) else one for field, one in source.raw().items()}
        yield ("sources",), [SourceReadings(source.name, *source.status(), raw)]


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
    for inputs_read in split_rows(map(_heard, sources)):
        yield ("traffic", "inputs"), inputs_read


def _arrival_pieces(bench: Bench) -> Iterator[JsonPiece]:
    """Make the times of the last frames of each watched bus, as Traffic.arrivals has them, in hexadecimal."""
    yield ("arrivals",), {}
    for name, traffic in bench.watched:
        for some in split_rows(traffic.arrivals(), _SIGHTINGS):
            rows = [[can_id, received, count, times.hex()] for can_id, received, count, times in some]
            yield ("arrivals", name), rows


def _heard(source: CanSource) -> HeardRow:
    counts = source.status()
    return HeardRow(source.bus, source.message, source.is_protected, counts.accepted, counts.rejected)


def _number(value: float) -> float | None:
    """Return None for not-a-number, which JSON does not know."""
    return value if value == value else None


_PIECES: Final[Mapping[str, Callable[[Bench], Iterator[JsonPiece]]]] = {
    "values": lambda bench: _value_pieces(bench, "values", VEHICLE),
    "auxiliary": lambda bench: _value_pieces(bench, "auxiliary", AUXILIARY),
    "entries": _entry_pieces,
    "engine": _engine_pieces,
    "file": _file_pieces,
    "sources": _source_pieces,
    "traffic": _traffic_pieces,
    "arrivals": _arrival_pieces,
    "lamps": lamp_pieces,
}

PARTS: Final = (*_PIECES, LAYOUTS)
"""The parts of a bench that are no rows."""
