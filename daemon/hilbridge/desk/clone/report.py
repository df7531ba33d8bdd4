"""The report of a clone: a row for each control unit, then what is unknown, contradictory or not cloned."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from hilbridge.desk.clone.bench_writer import codes_of
from hilbridge.desk.clone.clone import Cloned
from hilbridge.desk.clone.finding import Record, hexadecimal
from hilbridge.desk.clone.known_pids import MASKS, is_live
from hilbridge.desk.clone.pairing import NEGATIVE
from hilbridge.desk.clone.play import SECRET, Played, reason
from hilbridge.desk.clone.unit import ClonedUnit
from hilbridge.desk.learn.certainty import Certainty

COLUMNS: Final = (
    *("unit", "hears, answers", "requests", "answered", "equal", "services", "identifiers", "codes", "how sure"),
)

_MOST_UNEQUAL: Final = 20
"""Requests of a unit that are listed as unequal."""

_PLAIN: Final = 2
"""[byte] of a request for a secret, or of its answer, that are printed: service and level."""

_LONGEST: Final = 24
"""[byte] of an answer that are printed."""


def rows(cloned: Cloned, played: Mapping[str, Sequence[Played]]) -> list[Sequence[str]]:
    """Return the cells of each control unit, below COLUMNS."""
    return [
        (
            unit.name,
            "; ".join(_address(address) for address in unit.addresses),
            str(len(unit.exchanges)),
            str(sum(one.answer is not None for one in unit.exchanges)),
            f"{_equal(played[unit.name])} of {len(played[unit.name])}",
            " ".join(f"{service:02X}" for service in _services(unit)),
            str(len(unit.identifiers)),
            str(len(codes_of(unit))),
            str(_certainty(unit, played[unit.name])),
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


def unequal(unit: ClonedUnit, played: Sequence[Played]) -> list[str]:
    """Return a line for each request that the clone answers otherwise than the log, with the reason if it is known."""
    lines = [
        f"{one['request']}: {one['unequal']} of {one['times']} answers differ: the log has {_short(one['log'])}, this "
        f"bench {_short(one['bench'])}{': ' + one['reason'] if one['reason'] else ''}"
        for one in _unequal_facts(unit, played)
    ]
    rest = len(lines) - _MOST_UNEQUAL
    unplayed = len(unit.exchanges) - len(played)
    return [
        *lines[:_MOST_UNEQUAL],
        *([f"and {rest} other requests that are answered otherwise (--json has them)"] if rest > 0 else []),
        *([f"the last {unplayed} requests were not played"] if unplayed else []),
    ]


def _unequal_facts(unit: ClonedUnit, played: Sequence[Played]) -> list[dict[str, Any]]:
    by_request: dict[str, list[Played]] = {}
    for one in played:
        by_request.setdefault(_told(one, one.exchange.request) or "", []).append(one)
    found = []
    for request, several in by_request.items():
        wrong = [one for one in several if not one.is_equal]
        if wrong:
            found.append(
                {
                    "request": request,
                    "times": len(several),
                    "unequal": len(wrong),
                    "log": _told(wrong[0], wrong[0].exchange.answer),
                    "bench": _told(wrong[0], wrong[0].answer),
                    "place": wrong[0].exchange.place,
                    "reason": reason(unit, wrong[0]),
                }
            )
    return found


def _equal(played: Sequence[Played]) -> int:
    return sum(one.is_equal for one in played)


def _certainty(unit: ClonedUnit, played: Sequence[Played]) -> Certainty:
    """Return how sure a unit is: no more than likely if one answer differs, or one request was not played."""
    whole = _equal(played) == len(unit.exchanges)
    return unit.certainty if whole else min(unit.certainty, Certainty.LIKELY)


def _told(played: Played, message: bytes | None) -> str | None:
    """Return a request or an answer as text, without what is a secret; None: there is none."""
    if message is None:
        return None
    hidden = played.exchange.request[0] in SECRET and message[0] != NEGATIVE and len(message) > _PLAIN
    return f"{hexadecimal(message[:_PLAIN])} …" if hidden else hexadecimal(message)


def _short(answer: str | None) -> str:
    if answer is None:
        return "no answer"
    return answer if len(answer) < 3 * _LONGEST else f"{answer[: 3 * _LONGEST]}…"


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


def facts(cloned: Cloned, played: Mapping[str, Sequence[Played]]) -> dict[str, Any]:
    """Return the report for JSON."""
    return {
        "logs": [
            {"log": str(path), "frames": reading.frames, "channel": reading.channel, "remarks": reading.words()}
            for path, reading in cloned.logs
        ],
        "units": {unit.name: _unit_facts(unit, played[unit.name]) for unit in cloned.units},
    }


def _unit_facts(unit: ClonedUnit, played: Sequence[Played]) -> dict[str, Any]:
    delays = unit.delays
    return {
        "addresses": unit.addresses,
        "certainty": str(_certainty(unit, played)),
        "played": {"requests": len(played), "equal": _equal(played), "unequal": _unequal_facts(unit, played)},
        "requests": len(unit.exchanges),
        "names": {hexadecimal(one.request): name for one in unit.exchanges if (name := unit.name_of(one.request))},
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
        tester = f" (tester {address['source']:02X})" if "source" in address else ""
        return f"address {address['address']:02X}{tester}"
    text = f"{address['request']:X}, {address['answer']:X}"
    return text + "".join(f" {key} {address[key]:02X}" for key in ("target", "extension") if key in address)
