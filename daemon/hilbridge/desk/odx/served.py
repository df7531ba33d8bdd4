"""The services that a control unit of a built bench answers, with their layouts.

identifiers     22, and 2E where it may be written; the fields of the bench file, or bytes
PIDs            01, with the fields of SAE J1979; by 22 F4xx too, where the server has 22
routines        31, each function
trouble codes   19 01, 02 and 0A with a list of them; 03, 07 and 0A of OBD-II
answers         each pattern with the first of its answers
others          service and sub-function, and what follows as bytes
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from hilbridge.bench.control_units import ControlUnits
from hilbridge.bench.diagnostics.ecu import Ecu
from hilbridge.bench.diagnostics.obd.server import ObdServer
from hilbridge.bench.diagnostics.refusal import SERVICE_NOT_SUPPORTED, negative
from hilbridge.bench.diagnostics.uds.dids import ConstantIdentifier, RecordIdentifier
from hilbridge.bench.diagnostics.uds.server import UdsServer
from hilbridge.desk.odx.messages import (
    Part,
    Service,
    constant,
    fields,
    filled,
    head,
    number,
    of_pattern,
    of_template,
    rest,
)
from hilbridge.files.settings.answers import patterns_of
from hilbridge.files.settings.data_records import FieldSettings
from hilbridge.files.settings.request_patterns import parse_template
from hilbridge.files.settings.uds import IdentifierSettings
from hilbridge.files.settings.units import UnitSettings
from hilbridge.frames.codec.data_record import DataRecord, lay_out, numeric_signal, repeated

_POSITIVE: Final = 0x40
_NAMES: Final = {
    0x10: ("DiagnosticSessionControl", "SESSION"),
    0x11: ("ECUReset", "FUNCTION"),
    0x14: ("ClearDiagnosticInformation", "FAULTCLEAR"),
    0x19: ("ReadDTCInformation", "FAULTREAD"),
    0x23: ("ReadMemoryByAddress", "MEMORY"),
    0x24: ("ReadScalingDataByIdentifier", "CURRENTDATA"),
    0x27: ("SecurityAccess", "SECURITY"),
    0x28: ("CommunicationControl", "COMMUNICATION"),
    0x29: ("Authentication", "SECURITY"),
    0x2A: ("ReadDataByPeriodicIdentifier", "PERIODIC"),
    0x2C: ("DynamicallyDefineDataIdentifier", "FUNCTION"),
    0x2F: ("InputOutputControlByIdentifier", "CONTROL"),
    0x34: ("RequestDownload", "DOWNLOAD"),
    0x35: ("RequestUpload", "UPLOAD"),
    0x36: ("TransferData", "DOWNLOAD"),
    0x37: ("RequestTransferExit", "DOWNLOAD"),
    0x3D: ("WriteMemoryByAddress", "MEMORY"),
    0x3E: ("TesterPresent", "TESTERPRESENT"),
    0x85: ("ControlDTCSetting", "FUNCTION"),
    0x86: ("ResponseOnEvent", "EVENT"),
}
_BY_IDENTIFIER: Final = (0x22, 0x2E, 0x31)
_OF_CODES: Final = {0x02, 0x0A}
_MASKED: Final = {0x01, 0x02}
_OF_OBD: Final = range(0xF400, 0xF900)
"""Identifiers of SAE J1979-2."""
_OBD: Final = {0x02: "FreezeFrame", 0x06: "MonitorResults", 0x08: "OnBoardControl", 0x09: "VehicleInformation"}
_OBD_CODES: Final = {0x03: "ConfirmedCodes", 0x07: "PendingCodes", 0x0A: "PermanentCodes"}


def services_of(ecu: Ecu, settings: UnitSettings, units: ControlUnits) -> tuple[list[Service], list[str]]:
    """Return the services of a control unit, and a line for each answer that ODX has no words for."""
    left_out: list[str] = []
    services = list(_answers(settings, left_out))
    if ecu.obd is not None:
        services += _obd(ecu.obd)
    server = units.uds.get(ecu.name)
    if server is not None:
        services += _uds(server, settings, ecu)
    return services, left_out


def _uds(server: UdsServer, settings: UnitSettings, ecu: Ecu) -> Iterator[Service]:
    for sid, service in sorted(server.services.items()):
        if sid in _BY_IDENTIFIER:
            continue
        name, semantic = _NAMES.get(sid, (f"Service{sid:02X}", "FUNCTION"))
        subfunctions: list[int | None] = [*sorted(service.subfunctions)]
        for subfunction in subfunctions or [None]:
            content = bytes((sid,)) if subfunction is None else bytes((sid, subfunction))
            own = name if subfunction is None else f"{name}_{subfunction:02X}"
            request = [*head(content, subfunction is not None), *_request(sid, subfunction)]
            answer = bytes((sid | _POSITIVE,)) + content[1:]
            response = [*head(answer, subfunction is not None), *_response(sid, subfunction)]
            yield Service(own, semantic, request, response, frozenset(service.sessions))
    if 0x22 in server.services:
        yield from _identifiers(server, settings, ecu)
    if 0x31 in server.services:
        yield from _routines(server, settings)


def _request(sid: int, subfunction: int | None) -> list[Part]:
    """Return what follows in a request behind service and sub-function."""
    if sid in (0x10, 0x11, 0x3E) or (sid == 0x85):
        return []
    if sid == 0x14:
        return [number("group", 1, 24)]
    if sid == 0x28 and subfunction is not None and subfunction < 4:
        return [number("communication_type", 2, 8)]
    if sid == 0x19:
        return [number("status_mask", 2, 8)] if subfunction in _MASKED else [] if subfunction == 0x0A else [rest(2)]
    if sid == 0x27 and subfunction is not None:
        return [] if subfunction % 2 else [rest(2, "key")]
    return [rest(1 if subfunction is None else 2)]


def _response(sid: int, subfunction: int | None) -> list[Part]:
    """Return what follows in a positive response."""
    if sid == 0x10:
        return [number("p2", 2, 16), number("p2_star", 4, 16)]
    if sid in (0x14, 0x28, 0x3E, 0x85) or (sid == 0x27 and subfunction is not None and subfunction % 2 == 0):
        return []
    if sid == 0x19 and subfunction in _OF_CODES:
        return [number("availability", 2, 8), Part("codes", 24, 24, "codes")]
    if sid == 0x27:
        return [rest(2, "seed")]
    return [rest(1 if subfunction is None else 2)]


def _identifiers(server: UdsServer, settings: UnitSettings, ecu: Ecu) -> Iterator[Service]:
    known = {} if settings.uds is None else settings.uds.identifiers
    writable = 0x2E in server.services
    for key in server.identifiers.describe():
        did = bytes.fromhex(key)
        one = known.get(key)
        content = _content(server, int(key, 16), one)
        response = [*head(b"\x62" + did, False), *content]
        sessions = frozenset(server.services[0x22].sessions)
        if one is not None and one.sessions is not None:
            sessions = frozenset(int(session, 16) for session in one.sessions)
        yield Service(f"Read_{key}", "CURRENTDATA", head(b"\x22" + did, False), response, sessions)
        if one is not None and one.stored and writable:
            request = [*head(b"\x2e" + did, False), *content]
            of_writing = frozenset(server.services[0x2E].sessions) & sessions
            yield Service(f"Write_{key}", "STOREDDATA", request, head(b"\x6e" + did, False), of_writing)
    if writable and not any(one.stored for one in known.values()):
        yield Service("WriteDataByIdentifier", "STOREDDATA", [constant("sid", b"\x2e"), rest(1)], _echoed(0x6E))
    if ecu.obd is not None:
        yield from _of_obd(ecu.obd, known)


def _of_obd(server: ObdServer, known: Collection[str]) -> Iterator[Service]:
    """Yield what SAE J1979-2 reads by identifiers: PIDs with their fields, the rest as bytes."""
    records = {0xF400 + pid: record for pid, record in server.current_data.records().items()}
    for number_of in _OF_OBD:
        did = number_of.to_bytes(2, "big")
        key = did.hex().upper()
        record, content = records.get(number_of), server.read_identifier(number_of)
        if key in known or (record is None and content is None):
            continue
        response = head(b"\x62" + did, False)
        response += [Part("value", 24, 8 * len(content or b""))] if record is None else _laid_out(record, 3)
        yield Service(f"Read_{key}", "CURRENTDATA", head(b"\x22" + did, False), response)


def _laid_out(record: DataRecord, at: int) -> list[Part]:
    """Return the fields of a record at byte `at`, and what fills it up."""
    return filled(fields(record.signals, record.constants, at), at + record.length)


def _echoed(sid: int) -> list[Part]:
    """Return a response of which the service alone is known."""
    return [constant("sid", bytes((sid,))), rest(1)]


def _content(server: UdsServer, did: int, settings: IdentifierSettings | None) -> list[Part]:
    """Return the layout of an identifier's data, behind service and number."""
    identifier = server.identifiers.find(did)
    if settings is not None and settings.fields:
        signals, constants = lay_out(repeated(settings.fields, ()), ())
        length = settings.length or 0
        return filled(fields(signals, constants, 3), 3 + length)
    if isinstance(identifier, RecordIdentifier):
        return _laid_out(identifier.record, 3)
    if settings is not None and settings.content is None and settings.hook is None:
        return fields([numeric_signal("value", settings, 0)], (), 3)
    if isinstance(identifier, ConstantIdentifier):
        return [Part("value", 24, 8 * len(identifier.data), raw=identifier.data)]
    return [number("session", 3, 8)] if did == 0xF186 else [rest(3)]


def _routines(server: UdsServer, settings: UnitSettings) -> Iterator[Service]:
    known = {} if settings.uds is None else settings.uds.routines
    given = () if settings.uds is None or settings.uds.programming is None else settings.uds.programming.routines
    sessions = frozenset(server.services[0x31].sessions)
    for key in [*known, *given]:
        number_of = bytes.fromhex(key)
        one = known.get(key)
        functions: Mapping[int, Mapping[str, FieldSettings] | None] = {1: None, 3: None}
        if one is not None and one.kind is None:
            kept = {1: one.start, 2: one.stop, 3: one.results}
            functions = {function: fields_of for function, fields_of in kept.items() if fields_of is not None}
        elif one is not None and one.kind == "consumption":
            functions = {1: None, 2: None, 3: None}
        own = sessions
        if one is not None and one.sessions is not None:
            own = frozenset(int(session, 16) for session in one.sessions)
        for function, fields_of in functions.items():
            name = {1: "Start", 2: "Stop", 3: "Results"}[function]
            request = [
                constant("sid", b"\x31"),
                constant("subfunction", bytes((function,)), 1),
                constant("id", number_of, 2),
            ]
            response = [constant("sid", b"\x71"), *request[1:]]
            if function == 1 and (one is None or one.option):
                request.append(rest(4) if one is None else Part("option", 32, 8 * one.option))
            if fields_of is None or (one is not None and one.hook is not None):
                response.append(rest(4))
            elif fields_of:
                response += fields(*lay_out(repeated(fields_of, ()), ()), 4)
            yield Service(f"Routine_{key}_{name}", "ROUTINE", request, response, own)


def _obd(server: ObdServer) -> Iterator[Service]:
    for pid, record in server.current_data.records().items():
        response = [*head(bytes((0x41, pid)), False), *_laid_out(record, 2)]
        yield Service(f"Pid_{pid:02X}", "CURRENTDATA", head(bytes((0x01, pid)), False), response)
    for sid, name in _OBD.items():
        if server.request(bytes((sid,)), False, 0) != negative(sid, SERVICE_NOT_SUPPORTED):
            request = [constant("sid", bytes((sid,))), rest(1)]
            yield Service(f"Obd_{name}", "FUNCTION", request, _echoed(sid | _POSITIVE))
    for sid, name in _OBD_CODES.items():
        response = [constant("sid", bytes((sid | _POSITIVE,))), number("count", 1, 8), Part("codes", 16, 16, "codes")]
        yield Service(f"Obd_{name}", "FAULTREAD", [constant("sid", bytes((sid,)))], response)
    yield Service("Obd_Clear", "FAULTCLEAR", [constant("sid", b"\x04")], [constant("sid", b"\x44")])


def _answers(settings: UnitSettings, left_out: list[str]) -> Iterator[Service]:
    for key, pattern in patterns_of(settings.answers).items():
        cases = settings.answers[key]
        reply = next((one for case in cases for one in case.replies if not one.silent and one.refuse is None), None)
        if reply is None:
            left_out.append(f"answer to {key}: no positive one")
            continue
        others = sum(len(case.replies) for case in cases) - 1
        if others:
            left_out.append(f"answer to {key}: {others} more, by session, condition or in turn")
        request = of_pattern(pattern)
        if reply.data is None:
            response = [
                Part(one.name, one.start, one.width, "echo", source=one.start // 8)
                if one.kind == "value" and one.width % 8 == 0
                else one
                for one in request
            ]
            response[0] = constant("sid", bytes((pattern.service | _POSITIVE,)))
        else:
            response = of_template(parse_template(reply.data, pattern), pattern)
        at = max((part.start + part.width for part in response), default=0) // 8
        if reply.fields:
            signals, constants = lay_out(repeated(reply.fields, ()), ())
            response = filled([*response, *fields(signals, constants, at)], at + (reply.length or 0))
        sessions = cases[0].sessions
        own = frozenset[int]() if sessions is None else frozenset(int(one, 16) for one in sessions)
        yield Service(f"Answer_{key}", "CURRENTDATA", request, response, own)
