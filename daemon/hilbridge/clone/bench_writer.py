"""Writes cloned control units as a bench file: `diagnostics.units`, each finding with how sure it is."""

from collections.abc import Iterator
from typing import Any, Final

from hilbridge.clone.clone import Cloned
from hilbridge.clone.finding import Record, hexadecimal
from hilbridge.clone.known_pids import COMPUTED, MASKS, from_data_bus
from hilbridge.clone.obd import ObdFindings, code_of
from hilbridge.clone.uds import NOT_SUPPORTED, UdsFindings
from hilbridge.clone.unit import ClonedUnit
from hilbridge.configuration.benchfile import load_codes
from hilbridge.draft.from_database import Way, way_lines
from hilbridge.draft.lines import comment_lines, commented, flow
from hilbridge.resources import Kind, find

_HEADER: Final = """\
# The control units that answer in {logs}, cloned by `hilbridge clone`.
#
#   sure         the same bytes were answered more than once
#   likely       seen once
#   don't know   they change: the last ones stand here as a constant, until you give them `from` or `expression`
#
# What a log does not show, what contradicts itself, and what is not cloned is in the report, and as comments here.
"""

_SOFTWARE: Final = 0xF195
_DEFINE: Final = 0x2C
_ROUTINE: Final = 0x31
_ALWAYS: Final = (0x10, 0x11, 0x14, 0x19, 0x22, 0x28, 0x2E, 0x2F, 0x3E, 0x85)
"""Services that a UDS server has without settings."""
_IN_DEFAULT: Final = frozenset((0x10, 0x11, 0x14, 0x19, 0x22, 0x3E))
_HEXADECIMAL: Final = frozenset(
    ("request", "answer", "functional", "address", "target", "source", "extension", "padding")
)
_KNOWN_TYPES: Final = frozenset((0x02, 0x04, 0x06, 0x08, 0x0A, 0x0B))
"""InfoTypes of service 09 that come of other settings, or of what the model counts."""
_FUNCTIONS: Final = {1: "start", 2: "stop", 3: "results"}
_CONFIRMED: Final = 0x08
_LONGEST_TEXT: Final = 256


def write_bench(cloned: Cloned, name: str, bus: str, way: Way) -> str:
    """Return the text of a bench file."""
    lines = [_HEADER.format(logs=", ".join(path.name for path, _ in cloned.logs))]
    lines += [f"name: {name}", "rate: 1000                      # ticks per second"]
    lines += ["vehicle: compact                # or another one, or your own: see config/vehicles", ""]
    lines += ["buses:", f"  {bus}:", *way_lines(way, name, None)]
    lines += ["    fd: true"] if cloned.fd else []
    lines += ["", "diagnostics:", "  units:"]
    for unit in cloned.units:
        lines += list(_unit_lines(unit, bus))
    return "\n".join([*lines, ""])


def _unit_lines(unit: ClonedUnit, bus: str) -> Iterator[str]:
    yield f"    {unit.name}:"
    yield f"      bus: {bus}"
    yield from commented("      addresses:", f"{unit.certainty}")
    for address in unit.addresses:
        yield f"        - {_flow(address)}"
    if transport := unit.transport:
        yield f"      iso_tp: {_flow(transport)}"
    if (delays := unit.delays) is not None:
        typical, longest, late = delays
        told = f"answers came after {typical:.1f} ms, {longest:.1f} ms at most; {late} after 'response pending'"
        yield from comment_lines("      ", told)
    if unit.vin is not None:
        yield f"      vin: {unit.vin}"
    if unit.obd.services:
        yield from _obd_lines(unit)
    if unit.uds.answered or not unit.obd.services:
        yield from _uds_lines(unit)
    yield from _code_lines(unit)
    for note in unit.notes:
        yield from comment_lines("      ", str(note))
    yield ""


def _obd_lines(unit: ClonedUnit) -> Iterator[str]:
    obd = unit.obd
    yield "      obd:"
    yield f"        role: {obd.role}"
    if calibrations := obd.calibrations:
        yield "        calibrations:"
        for one, check in calibrations:
            yield f"          - {flow({'id': one} | ({} if check is None else {'cvn': check}))}"
    if name := obd.name:
        yield f"        name: {flow(name[:15])}"
    if obd.standard is not None:
        yield f"        standard: {flow(obd.standard)}"
    pids = list(_pid_lines(obd))
    if pids:
        yield from ("        pids:", *pids)
    more = {number: record for number, record in obd.types.items() if number not in _KNOWN_TYPES}
    if more:
        yield "        information:"
    for number, record in sorted(more.items()):
        told = f"{record.certainty}: {record.evidence}"
        yield from commented(f"          {_key(number, 2)}: {{Data: {flow(content(record.value))}}}", told)


def _pid_lines(obd: ObdFindings) -> Iterator[str]:
    """Yield what differs from the PIDs that the model computes: known ones live, others as constants, missing ones."""
    live = from_data_bus(obd.role)
    had = obd.supported or set(obd.pids)
    for pid in sorted((had | COMPUTED[obd.role]) - MASKS):
        key = f"          {_key(pid, 2)}"
        if pid not in had:
            yield f"{key}: null"
        elif pid in live:
            yield f"{key}: {flow(live[pid])}"
        elif pid not in COMPUTED[obd.role]:
            if pid in obd.pids:
                record = obd.pids[pid]
                told = f"{record.certainty}: {record.evidence}"
                yield from commented(f"{key}: {{Data: {flow({'data': hexadecimal(record.value)})}}}", told)
            else:
                yield from comment_lines("          ", f"{pid:02X}: it supports it, and nobody read it")


def _uds_lines(unit: ClonedUnit) -> Iterator[str]:
    uds = unit.uds
    lines: list[str] = []
    if (software := _software(unit)) is not None:
        lines.append(f"        software: {flow(software)}")
    if identifiers := list(_identifier_lines(unit)):
        lines += ["        identifiers:", *identifiers]
    lines += [*_routine_lines(uds), *(["        dynamic: true"] if _DEFINE in uds.answered else [])]
    lines += _session_lines(uds)
    yield from ("      uds:", *lines) if lines else ("      uds: {}",)
    if refused := sorted(uds.refused - uds.answered):
        told = f"services that it does not have ({NOT_SUPPORTED:02X}): {' '.join(f'{one:02X}' for one in refused)}"
        yield from comment_lines("      ", told)


def _software(unit: ClonedUnit) -> str | None:
    """Return the version of the software, where it is text."""
    record = unit.identifiers.get(_SOFTWARE)
    return None if record is None else _text(record.value)


def _cloned(unit: ClonedUnit) -> dict[int, Record]:
    """Return the identifiers that are written as such."""
    left = unit.identifiers
    return left if _software(unit) is None else {number: one for number, one in left.items() if number != _SOFTWARE}


def _identifier_lines(unit: ClonedUnit) -> Iterator[str]:
    for number, record in _cloned(unit).items():
        written = number in unit.uds.written
        settings = content(record.seen[0] if written else record.value) | ({"stored": True} if written else {})
        told = f"{record.certainty}: {record.evidence}"
        if written:
            told = "service 2E wrote it; this is what it held before"
        yield from commented(f"          {_key(number, 4)}: {flow(settings)}", told)


def content(data: bytes) -> dict[str, Any]:
    """Return the settings of a constant: text where it can be read, else bytes."""
    text = _text(data)
    if text is None:
        return {"data": hexadecimal(data)}
    return {"text": text} if len(text) == len(data) else {"text": text, "length": len(data)}


def _text(data: bytes) -> str | None:
    """Return the text of bytes that are all printable, but for zeros at their end; None: they are no text."""
    plain = data.rstrip(b"\0")
    if len(plain) < 4 or len(data) > _LONGEST_TEXT or not all(0x20 <= byte <= 0x7E for byte in plain):
        return None
    return plain.decode("ascii")


def _routines(uds: UdsFindings) -> dict[int, dict[str, Any]]:
    """Return the settings of the routines: constant answers."""
    routines: dict[int, dict[str, Any]] = {}
    for (number, function), record in sorted(uds.routines.items()):
        if function in _FUNCTIONS:
            fields = {"Result": {"data": hexadecimal(record.value)}} if record.value else {}
            routines.setdefault(number, {})[_FUNCTIONS[function]] = fields
    return routines


def _routine_lines(uds: UdsFindings) -> Iterator[str]:
    routines = _routines(uds)
    if routines:
        yield "        routines:"
    for number, settings in routines.items():
        yield f"          {_key(number, 4)}: {flow(settings)}"


def _session_settings(uds: UdsFindings) -> dict[str, Any]:
    """Return the table of sessions: their times where they differ from the usual ones, and what they do not have."""
    table: dict[str, Any] = {f"{number:02X}": None for number in sorted(uds.no_sessions & {3} - set(uds.sessions))}
    for number, record in sorted(uds.sessions.items()):
        settings: dict[str, Any] = {}
        if len(record.value) >= 4:
            p2, p2_star = int.from_bytes(record.value[:2], "big"), 10 * int.from_bytes(record.value[2:4], "big")
            settings |= {"p2": p2} if p2 not in (0, 50) else {}
            settings |= {"p2_star": p2_star} if p2_star not in (0, 5000) else {}
        if settings or number not in (1, 3):
            table[f"{number:02X}"] = settings
    refused = uds.refused - uds.answered
    if refused & set(_ALWAYS):
        further = {_ROUTINE} if _routines(uds) else set()
        further |= uds.answered & {_DEFINE}
        for key in sorted({"01", "03"} - {key for key, one in table.items() if one is None}):
            table.setdefault(key, {})["services"] = [
                f"{service:02X}"
                for service in sorted({*_ALWAYS, *further} - refused)
                if key != "01" or service in _IN_DEFAULT
            ]
    return table


def _session_lines(uds: UdsFindings) -> Iterator[str]:
    table = _session_settings(uds)
    if table:
        yield "        sessions:"
    for key, settings in table.items():
        yield f'          "{key}": {"null" if settings is None else flow(settings)}'


def codes_of(unit: ClonedUnit) -> dict[str, tuple[int, int | None, str]]:
    """Return the trouble codes: failure type, status (None: OBD-II alone told it), and who told it."""
    codes: dict[str, tuple[int, int | None, str]] = {
        code: (0, None, f"{' and '.join(sorted(states))} in OBD-II") for code, states in unit.obd.codes.items()
    }
    for number, status in unit.uds.codes.items():
        codes[code_of(number >> 8)] = (number & 0xFF, status, f"status {status:02X} in service 19")
    return dict(sorted(codes.items()))


def usual_codes(unit: ClonedUnit) -> set[str]:
    """Return the codes that the control unit has by its name or its role: those of config/codes.yaml."""
    names = {unit.name, unit.obd.role if unit.obd.services else unit.name}
    filed = load_codes(find(Kind.CODES, "codes")).codes
    return {code for code, settings in filed.items() if settings.ecu in names}


def _code_lines(unit: ClonedUnit) -> Iterator[str]:
    codes = {code: one for code, one in codes_of(unit).items() if code not in usual_codes(unit)}
    if codes:
        yield "      codes:"
    for code, (failure_type, status, told) in codes.items():
        settings: dict[str, Any] = {"text": f"cloned: {code}"}
        settings |= {"failure_type": failure_type} if failure_type else {}
        settings |= {} if code in unit.obd.codes else {"emission": False}
        confirmed = status is not None and status & _CONFIRMED
        how = f"; `hilbridge ctl trouble set {unit.name} {code}` sets it" if confirmed else ""
        yield from commented(f"        {code}: {flow(settings)}", told + how)


def _key(number: int, digits: int) -> str:
    return flow(f"{number:0{digits}X}")


def _flow(settings: dict[str, Any]) -> str:
    """Write settings on one line, identifiers and bytes in hexadecimal."""
    parts = []
    for key, value in settings.items():
        text = f"0x{value:X}" if key in _HEXADECIMAL and isinstance(value, int) else flow(value)
        parts.append(f"{key}: {'null' if value is None else text}")
    return f"{{{', '.join(parts)}}}"
