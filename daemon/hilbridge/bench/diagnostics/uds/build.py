"""The services of a UDS server, built as its settings ask for them.

To add a service: a file beside the others, a line in `build_services`, its settings in a file of settings, its tests,
and its byte in tests/daemon/bench/diagnostics/test_response_times.py.
"""

from collections.abc import Callable
from typing import NamedTuple

from hilbridge.base.common.errors import KeyPath
from hilbridge.bench.diagnostics.uds.authentication import Authentication
from hilbridge.bench.diagnostics.uds.clear_information import ClearDiagnosticInformation
from hilbridge.bench.diagnostics.uds.communication_control import CommunicationControl
from hilbridge.bench.diagnostics.uds.dids import (
    SOFTWARE_VERSION,
    VIN,
    ComputedIdentifier,
    ConstantIdentifier,
    Identifier,
    Identifiers,
)
from hilbridge.bench.diagnostics.uds.dtc_setting import ControlDtcSetting
from hilbridge.bench.diagnostics.uds.dynamic_identifiers import DynamicallyDefineDataIdentifier
from hilbridge.bench.diagnostics.uds.ecu_reset import EcuReset
from hilbridge.bench.diagnostics.uds.io_control import InputOutputControlByIdentifier
from hilbridge.bench.diagnostics.uds.memory import Memory
from hilbridge.bench.diagnostics.uds.periodic import ReadDataByPeriodicIdentifier
from hilbridge.bench.diagnostics.uds.programming_routines import ProgrammingRoutine, programming_routines
from hilbridge.bench.diagnostics.uds.read_identifiers import ReadDataByIdentifier
from hilbridge.bench.diagnostics.uds.read_memory import ReadMemoryByAddress
from hilbridge.bench.diagnostics.uds.read_scaling import ReadScalingDataByIdentifier
from hilbridge.bench.diagnostics.uds.read_troubles import ReadDtcInformation
from hilbridge.bench.diagnostics.uds.request_download import RequestDownload
from hilbridge.bench.diagnostics.uds.request_upload import RequestUpload
from hilbridge.bench.diagnostics.uds.response_on_event import ResponseOnEvent
from hilbridge.bench.diagnostics.uds.routine_control import RoutineControl
from hilbridge.bench.diagnostics.uds.routines import build_routines
from hilbridge.bench.diagnostics.uds.security_access import SecurityAccess
from hilbridge.bench.diagnostics.uds.service import DiagnosticSession, EcuInterface, UdsService, UdsStatistics
from hilbridge.bench.diagnostics.uds.session_control import DiagnosticSessionControl
from hilbridge.bench.diagnostics.uds.tester_present import TesterPresent
from hilbridge.bench.diagnostics.uds.transfer import Transfer
from hilbridge.bench.diagnostics.uds.transfer_data import TransferData
from hilbridge.bench.diagnostics.uds.transfer_exit import RequestTransferExit
from hilbridge.bench.diagnostics.uds.write_identifier import WriteDataByIdentifier
from hilbridge.bench.diagnostics.uds.write_memory import WriteMemoryByAddress
from hilbridge.files.settings.uds import ACTIVE_SESSION, UdsSettings
from vehiclesim.channels import AUXILIARY, AuxiliaryData
from vehiclesim.entries import ENTRIES


class ServerParts(NamedTuple):
    """The parts that the services of a server share."""

    session: DiagnosticSession
    identifiers: Identifiers
    memory: Memory
    statistics: UdsStatistics


def built_in_identifiers(
    settings: UdsSettings, unit: EcuInterface, session: DiagnosticSession
) -> dict[int, Identifier]:
    """Return the identifiers without settings of their own."""
    given: dict[int, Identifier] = {
        ACTIVE_SESSION: ComputedIdentifier(lambda: bytes((session.active,))),
        SOFTWARE_VERSION: ConstantIdentifier(settings.software.encode("ascii")),
    }
    if unit.vin is not None:
        given[VIN] = ConstantIdentifier(unit.vin.encode("ascii"))
    return given


def build_services(
    settings: UdsSettings,
    unit: EcuInterface,
    parts: ServerParts,
    reset: Callable[[int], None],
    answer_event: Callable[[bytes, int], bytes | None],
    place: KeyPath,
) -> list[UdsService]:
    """Return the services, those that need settings only where there are some.

    `reset` starts the server anew, `answer_event` answers a request on an event; both get the time [ns].

    ConfigurationError: a function of the user, a condition or a routine is invalid.
    """
    session, identifiers, memory, statistics = parts
    troubles = unit.troubles
    transfer_services, transfer_routines = _programming(settings, unit, parts)
    services: list[UdsService] = [
        DiagnosticSessionControl(session, settings.session_table, unit.data, (*place, "sessions")),
        EcuReset(session, settings.reset, reset),
        ClearDiagnosticInformation(session, troubles),
        ReadDtcInformation(session, troubles),
        ReadDataByIdentifier(session, identifiers),
        CommunicationControl(session, unit.communication, settings.node),
        WriteDataByIdentifier(session, identifiers),
        InputOutputControlByIdentifier(session, identifiers, unit.overrides),
        TesterPresent(session),
        ControlDtcSetting(session, troubles),
        *transfer_services,
    ]
    here = (*place, "routines")
    routines = build_routines(settings.routines, unit.data, troubles, statistics, here)
    if routines or transfer_routines:
        services.append(RoutineControl(session, {**routines, **transfer_routines}))
    if settings.memory:
        services.append(ReadMemoryByAddress(session, memory))
    if any(region.writable for region in memory.regions):
        services.append(WriteMemoryByAddress(session, memory))
    if settings.scaling:
        services.append(ReadScalingDataByIdentifier(session, identifiers, settings.identifiers))
    if settings.dynamic:
        services.append(DynamicallyDefineDataIdentifier(session, identifiers, memory))
    if settings.periodic is not None:
        services.append(ReadDataByPeriodicIdentifier(session, settings.periodic, identifiers, unit.transmit))
    if settings.events is not None:
        services.append(ResponseOnEvent(session, settings.events, identifiers, troubles, answer_event))
    if settings.authentication is not None:
        here = (*place, "authentication")
        services.append(Authentication(session, settings.authentication, unit.generator, statistics, here))
    if settings.security is not None:
        here = (*place, "security")
        services.append(SecurityAccess(session, settings.security, unit.generator, statistics, here))
    return services


def _programming(
    settings: UdsSettings, unit: EcuInterface, parts: ServerParts
) -> tuple[list[UdsService], dict[int, ProgrammingRoutine]]:
    """Return the services and routines of programming; none without its settings."""
    if settings.programming is None:
        return [], {}
    session, data = parts.session, unit.data
    resolution = ENTRIES[AUXILIARY][AuxiliaryData.BATTERY_VOLTAGE].resolution
    transfer = Transfer(
        session,
        settings.programming,
        parts.memory,
        lambda: data.auxiliary[AuxiliaryData.BATTERY_VOLTAGE] / resolution,
    )
    download = RequestDownload(session, transfer)
    services: list[UdsService] = [
        download,
        RequestUpload(session, transfer),
        TransferData(session, transfer),
        RequestTransferExit(session, transfer),
    ]
    return services, programming_routines(session, download, transfer)
