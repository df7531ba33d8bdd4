"""Writes cloned control units as a bench file: `diagnostics.units`, each finding with how sure it is."""

from collections.abc import Iterator
from typing import Any, Final

from hilbridge.base.resources import Kind, find
from hilbridge.desk.clone.clone import Cloned
from hilbridge.desk.clone.finding import hexadecimal
from hilbridge.desk.clone.known_pids import COMPUTED, MASKS, from_data_bus
from hilbridge.desk.clone.obd import ObdFindings, code_of
from hilbridge.desk.clone.uds_writer import content, key_of, uds_lines
from hilbridge.desk.clone.unit import ClonedUnit
from hilbridge.desk.draft.lines import BusAccess, access_lines, head_lines
from hilbridge.files.configuration.benchfile import load_codes
from hilbridge.files.configuration.yamltext import comment_lines, commented, flow, quoted_text

_HEADER: Final = """\
# The control units that answer in {logs}, cloned by `hilbridge clone`.
#
#   sure         the same bytes were answered more than once
#   likely       seen once
#   don't know   they change: the last ones stand here as a constant, until you give them `from` or `expression`
#
# What a log does not show, what contradicts itself, and what is not cloned is in the report, and as comments here.
"""

_HEXADECIMAL: Final = frozenset(
    ("request", "answer", "functional", "address", "target", "source", "extension", "padding")
)
_KNOWN_TYPES: Final = frozenset((0x02, 0x04, 0x06, 0x08, 0x0A, 0x0B))
"""InfoTypes of service 09 that follow from other settings, or from what the model counts."""
_CONFIRMED: Final = 0x08


def write_bench(cloned: Cloned, name: str, bus: str, access: BusAccess) -> str:
    """Return the text of a bench file."""
    lines = [_HEADER.format(logs=", ".join(path.name for path, _ in cloned.logs))]
    lines += head_lines(name)
    lines += [f"  {quoted_text(bus)}:", *access_lines(access, name)]
    lines += ["    fd: true"] if cloned.fd else []
    lines += ["", "diagnostics:", "  units:"]
    for unit in cloned.units:
        lines += list(_unit_lines(unit, bus))
    return "\n".join([*lines, ""])


def _unit_lines(unit: ClonedUnit, bus: str) -> Iterator[str]:
    yield f"    {quoted_text(unit.name)}:"
    yield f"      bus: {quoted_text(bus)}"
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
        yield f"      vin: {quoted_text(unit.vin)}"
    if unit.obd.services:
        yield from _obd_lines(unit)
    if unit.uds.answered or not (unit.obd.services or unit.uds.others):
        yield from uds_lines(unit)
    yield from unit.uds.others.lines(unit.name_of)
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
        yield from commented(f"          {key_of(number, 2)}: {{Data: {flow(content(record.value))}}}", told)


def _pid_lines(obd: ObdFindings) -> Iterator[str]:
    """Yield what differs from the PIDs that the model computes: known ones live, others as constants, missing ones."""
    live = from_data_bus(obd.role)
    had = obd.supported or set(obd.pids)
    for pid in sorted((had | COMPUTED[obd.role]) - MASKS):
        key = f"          {key_of(pid, 2)}"
        if pid not in had:
            yield f"{key}: null"
        elif pid in live:
            yield f"{key}: {flow(live[pid])}"
        elif pid not in COMPUTED[obd.role]:
            if pid in obd.pids:
                record = obd.pids[pid]
                told = f"{record.certainty}: {record.evidence}"
                yield from commented(f"{key}: {{Data: {flow({'byte': 0, 'data': hexadecimal(record.value)})}}}", told)
            else:
                yield from comment_lines("          ", f"{pid:02X}: it supports it, and nobody read it")


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
    snapshots = {code_of(number >> 8): records for number, records in unit.snapshots.items()}
    if codes:
        yield "      codes:"
    for code, (failure_type, status, told) in codes.items():
        settings: dict[str, Any] = {"text": unit.code_texts.get(code, f"cloned: {code}")}
        settings |= {"failure_type": failure_type} if failure_type else {}
        settings |= {} if code in unit.obd.codes else {"emission": False}
        if records := snapshots.get(code):
            settings["snapshots"] = {
                f"{number:02X}": {"identifiers": [f"{one:04X}" for one in identifiers]}
                for number, identifiers in records.items()
                if identifiers
            }
        confirmed = status is not None and status & _CONFIRMED
        how = f"; `hilbridge ctl trouble set {unit.name} {code}` sets it" if confirmed else ""
        yield from commented(f"        {code}: {flow(settings)}", told + how)


def _flow(settings: dict[str, Any]) -> str:
    """Write settings on one line, identifiers and bytes in hexadecimal."""
    parts = []
    for key, value in settings.items():
        text = f"0x{value:X}" if key in _HEXADECIMAL and isinstance(value, int) else flow(value)
        parts.append(f"{key}: {text}")
    return f"{{{', '.join(parts)}}}"
