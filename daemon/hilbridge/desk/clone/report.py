"""The report of a clone: a row for each control unit, then what is unknown, contradictory or not cloned."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from hilbridge.desk.clone.bench_writer import codes_of
from hilbridge.desk.clone.clone import Cloned
from hilbridge.desk.clone.finding import Record, hexadecimal
from hilbridge.desk.clone.known_pids import MASKS, is_live
from hilbridge.desk.clone.unit import ClonedUnit
from hilbridge.desk.learn.certainty import Certainty

COLUMNS: Final = ("unit", "hears, answers", "requests", "answered", "services", "identifiers", "codes", "how sure")


def rows(cloned: Cloned) -> list[Sequence[str]]:
    """Return the cells of each control unit, below COLUMNS."""
    return [
        (
            unit.name,
            "; ".join(_address(address) for address in unit.addresses),
            str(len(unit.exchanges)),
            str(sum(one.answer is not None for one in unit.exchanges)),
            " ".join(f"{service:02X}" for service in _services(unit)),
            str(len(unit.identifiers)),
            str(len(codes_of(unit))),
            str(unit.certainty),
        )
        for unit in cloned.units
    ]


def notes(cloned: Cloned) -> Iterator[str]:
    """Yield lines about the logs, then about what is not known of each control unit."""
    for path, reading in cloned.logs:
        yield f"{path.name} ({reading.account.format}): {reading.frames} frames, bus {reading.channel}"
        yield from (f"  {line}" for line in reading.words())
        if reading.interrupted:
            yield "  interrupted while reading: later frames were not looked at"


def unknown(unit: ClonedUnit) -> list[str]:
    """Return what is unknown or contradictory of a control unit, or not cloned."""
    found = [str(note) for note in unit.notes]
    moving = {
        f"identifier {number:04X}": record
        for number, record in unit.identifiers.items()
        if number not in unit.uds.written
    }
    moving |= {f"PID {pid:02X}": record for pid, record in unit.obd.pids.items() if not is_live(unit.obd.role, pid)}
    found += [
        f"{what}: don't know: {record.evidence} ({record.place})"
        for what, record in sorted(moving.items())
        if record.changes
    ]
    if unit.obd.supported:
        role = unit.obd.role
        unread = [pid for pid in sorted(unit.obd.supported - set(unit.obd.pids) - MASKS) if not is_live(role, pid)]
        if unread:
            found.append(f"PIDs that it supports and nobody read: {hexadecimal(unread)}")
    return found


def facts(cloned: Cloned) -> dict[str, Any]:
    """Return the report for JSON."""
    return {
        "logs": [
            {"log": str(path), "frames": reading.frames, "channel": reading.channel, "remarks": reading.words()}
            for path, reading in cloned.logs
        ],
        "units": {unit.name: _unit_facts(unit) for unit in cloned.units},
    }


def _unit_facts(unit: ClonedUnit) -> dict[str, Any]:
    delays = unit.delays
    return {
        "addresses": unit.addresses,
        "certainty": str(unit.certainty),
        "requests": len(unit.exchanges),
        "answered": sum(one.answer is not None for one in unit.exchanges),
        "services": sorted(unit.obd.services | unit.uds.answered | unit.uds.others.services),
        "not_supported": sorted(unit.uds.refused - unit.uds.answered),
        "vin": unit.vin,
        "iso_tp": unit.transport,
        "answer_ms": None if delays is None else {"median": delays[0], "longest": delays[1], "pending": delays[2]},
        "pids": {f"{pid:02X}": _record_facts(record) for pid, record in sorted(unit.obd.pids.items())},
        "supported_pids": sorted(unit.obd.supported),
        "identifiers": {f"{did:04X}": _record_facts(record) for did, record in unit.identifiers.items()},
        "sessions": sorted(unit.uds.sessions),
        "codes": {code: {"failure_type": one[0], "status": one[1]} for code, one in codes_of(unit).items()},
        "unknown": unknown(unit),
    }


def _services(unit: ClonedUnit) -> list[int]:
    """Return the services that answered."""
    return sorted(unit.obd.services | unit.uds.answered | unit.uds.others.services)


def _record_facts(record: Record) -> dict[str, Any]:
    return {
        "data": record.value.hex(),
        "certainty": str(record.certainty),
        "evidence": record.evidence,
        "cloned": record.certainty is not Certainty.UNKNOWN,
    }


def _address(address: dict[str, Any]) -> str:
    if "address" in address:
        return f"address {address['address']:02X}"
    text = f"{address['request']:X}, {address['answer']:X}"
    return text + "".join(f" {key} {address[key]:02X}" for key in ("target", "extension") if key in address)
