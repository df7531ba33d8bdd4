"""Writes what the UDS services of a control unit said as its `uds` section."""

from collections.abc import Iterator
from typing import Any, Final

from hilbridge.desk.clone.finding import Record, hexadecimal
from hilbridge.desk.clone.uds import NOT_SUPPORTED, UdsFindings
from hilbridge.desk.clone.unit import ClonedUnit
from hilbridge.files.configuration.yamltext import comment_lines, commented, flow

_SOFTWARE: Final = 0xF195
_READ: Final = 0x22
_DEFINE: Final = 0x2C
_ROUTINE: Final = 0x31
_ALWAYS: Final = (0x10, 0x11, 0x14, 0x19, 0x22, 0x28, 0x2E, 0x2F, 0x3E, 0x85)
"""Services that a UDS server has without settings."""
_IN_DEFAULT: Final = frozenset((0x10, 0x11, 0x14, 0x19, 0x22, 0x3E))
_FUNCTIONS: Final = {1: "start", 2: "stop", 3: "results"}
_LONGEST_TEXT: Final = 256


def uds_lines(unit: ClonedUnit) -> Iterator[str]:
    """Yield the lines of the section, and what the control unit does not have as a comment behind it."""
    uds = unit.uds
    lines: list[str] = []
    if (software := _software(unit)) is not None:
        lines.append(f"        software: {flow(software)}")
    if identifiers := list(_identifier_lines(unit)):
        lines += ["        identifiers:", *identifiers]
    lines += [*_routine_lines(unit), *(["        dynamic: true"] if _DEFINE in uds.answered else [])]
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
        if name := unit.name_of(bytes((_READ,)) + number.to_bytes(2, "big")):
            told = f"{name}, {told}"
        yield from commented(f"          {key_of(number, 4)}: {flow(settings)}", told)


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


def _routine_lines(unit: ClonedUnit) -> Iterator[str]:
    routines = _routines(unit.uds)
    if routines:
        yield "        routines:"
    for number, settings in routines.items():
        line = f"          {key_of(number, 4)}: {flow(settings)}"
        name = unit.name_of(bytes((_ROUTINE, 1)) + number.to_bytes(2, "big"))
        yield from commented(line, name) if name else (line,)


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
        for key in sorted({"01", "03", *table} - {key for key, one in table.items() if one is None}):
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
        yield f'          "{key}": {flow(settings)}'


def key_of(number: int, digits: int) -> str:
    """Return a number as a key: hexadecimal digits, in quotes where YAML needs them."""
    return flow(f"{number:0{digits}X}")
