"""Frames on a bus for an assistant: the newest of each identifier, decoded.

The bench says which bytes there were (part `traffic` of the status, from the first question on), and which file it was
made of; signals are read here, by the databases and raw frames of that file as it lies on the disk now.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.shape import MisfitError, fit
from hilbridge.client.sync_client import AnyClient
from hilbridge.faces.cockpit.frametable import FrameTable
from hilbridge.faces.mcp.tool import Arguments

if TYPE_CHECKING:  # it brings cantools along
    from hilbridge.faces.cockpit.decoding import Decoder

MOST_FRAMES: Final = 50
"""Frames in one answer."""

_FIRST_LOOK: Final = 1.0
"""[s] between the first question, from which on frames are noted, and the second."""

_TRAFFIC: Final = {"unarmed": [str], "buses?": {str: [[object]]}, "inputs?": [{"bus": str, "message": str}]}
_SIGHTING: Final = {"id": int, "received": bool, "count": int, "ms": float, "data": str}


def newest_frames(bench: AnyClient, given: Arguments, _by: str) -> dict[str, Any]:
    """Return the newest frame of each identifier on a bus. ConfigurationError: there is no such bus."""
    time, traffic = _traffic(bench)
    if not any(traffic.get("buses", {}).values()):
        bench._pause(_FIRST_LOOK)
        time, traffic = _traffic(bench)
    bus, sightings = _chosen(traffic.get("buses", {}), given["bus"])
    decoders, how = _decoders(bench, bus)
    table = FrameTable()
    table.decoders = decoders
    rows = table.rows([], {**traffic, "buses": {bus: sightings}})
    wanted = {word.casefold() for word in map(str, given["frames"])}
    found = [row for row in rows if not wanted or {row["id"].casefold(), row["message"].casefold()} & wanted]
    return {
        "bus": bus,
        "decoded": how,
        "frames": [_told(row, time) for row in found[:MOST_FRAMES]],
        "left_out": max(0, len(found) - MOST_FRAMES),
    }


def _traffic(bench: AnyClient) -> tuple[float, dict[str, Any]]:
    """Return the time [s] and the traffic. ConfigurationError: the bench has answered something else."""
    answer = bench.status("traffic")
    try:
        return answer["time"], fit(answer["traffic"], _TRAFFIC)
    except MisfitError as error:
        raise ConfigurationError(f"the traffic of the bench cannot be read: {error}") from None


def _chosen(buses: Mapping[str, list[list[Any]]], bus: str | None) -> tuple[str, list[tuple[Any, ...]]]:
    """Return the name of a bus, of the only one if none is said, and its sightings."""
    name = next(iter(buses)) if bus is None and len(buses) == 1 else bus
    if name is None or name not in buses:
        raise ConfigurationError(f"which bus? there is: {', '.join(buses) or 'none'}")
    try:
        return name, [*map(_sighting, buses[name])]
    except ValueError as error:
        raise ConfigurationError(f"the traffic of bus {name} cannot be read: {error}") from None


def _sighting(row: Sequence[Any]) -> tuple[Any, ...]:
    """Return a sighting that is one. ValueError: it is none."""
    found = fit(dict(zip(_SIGHTING, row, strict=True)), _SIGHTING)
    bytes.fromhex(found["data"])
    return tuple(found.values())


def _decoders(bench: AnyClient, bus: str) -> tuple[dict[str, "Decoder"], str]:
    """Return the decoder of a bus, and as a text by what it decodes, or why nothing is decoded."""
    from hilbridge.faces.cockpit.decoding import Decoder
    from hilbridge.files.configuration.benchfile import load_bench

    try:
        path = bench.status("file")["file"]
        file = load_bench(path)
    except ConfigurationError as error:
        return {}, f"not decoded: {error}"
    if bus not in file.settings.buses:
        return {}, f"not decoded: {path} has no bus {bus} any more"
    decoder = Decoder(file.databases.get(bus, ()), file.settings.buses[bus].raw)
    return {bus: decoder}, f"by the databases of {path}, as they are on the disk now"


def _told(row: Mapping[str, Any], time: float) -> dict[str, Any]:
    return {key: value for key, value in _facts(row, time) if value not in ("", {})}


def _facts(row: Mapping[str, Any], time: float) -> Iterator[tuple[str, Any]]:
    """Yield what is told of a frame; a bus that is not armed lets none of the bench's own out."""
    yield "id", row["id"]
    yield "message", row["message"]
    yield "sender", "outside" if row["received"] else "bench"
    yield "held_back", "" if row.get("armed", True) else True
    yield "count", row["count"]
    yield "age_s", round(time - row["last_ms"] / 1000, 3)
    yield "data", row["data"]
    yield "signals", {name: f"{value} {unit}".rstrip() for name, value, unit, *_ in row["signals"]}
    yield "check", row["check"][1]
