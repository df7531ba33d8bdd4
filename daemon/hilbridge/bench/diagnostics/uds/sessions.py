"""The services that a control unit supports by diagnostic session and by level of security access.

    session's list of services      exactly these, or single sub-functions of them
    without such a list             01, 02 and 03: as each service says (UdsService.sessions); others: as in 03
    session's list of origins       sub-function of service 10 that is supported in these sessions only
    level of a service              security access that the service, or one of its sub-functions, needs

Security access itself has no level.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.bench.diagnostics.uds.service import UdsService
from hilbridge.files.settings.uds_sessions import EXTENDED, SessionSettings, parse_service

SESSION_CONTROL: Final = 0x10

Row = dict[int, frozenset[int]]
"""The services of a session by number, each with its sub-functions; none for a service that has no sub-functions."""


class SupportedServices:
    """The services of a control unit by session; `services` are those that at least one session supports."""

    def __init__(
        self, sessions: Mapping[int, SessionSettings], services: Iterable[UdsService], place: KeyPath = ()
    ) -> None:
        """`place`: key path of the table. ConfigurationError: a session lists what the control unit does not have."""
        known = {service.sid: service for service in services}
        self._rows: Final = {
            number: _row(number, settings, known, (*place, f"{number:02X}", "services"))
            for number, settings in sessions.items()
        }
        for number, row in self._rows.items():
            reached = {other for other in row.pop(SESSION_CONTROL, ()) if _may_enter(sessions[other], number)}
            if reached:
                row[SESSION_CONTROL] = frozenset(reached)
        self.services: Final = {
            sid: one for sid, one in known.items() if any(sid in row for row in self._rows.values())
        }
        for sid, service in self.services.items():
            service.sessions = frozenset(number for number, row in self._rows.items() if sid in row)
            service.subfunctions = frozenset().union(*(row.get(sid, frozenset()) for row in self._rows.values()))

    def subfunctions(self, session: int, service: int) -> frozenset[int]:
        """Return the sub-functions of a service that a session supports."""
        return self._rows[session].get(service, frozenset())


def _may_enter(session: SessionSettings, origin: int) -> bool:
    return session.entered_from is None or f"{origin:02X}" in session.entered_from


def _row(number: int, settings: SessionSettings, known: Mapping[int, UdsService], place: KeyPath) -> Row:
    if settings.services is None:
        standard = min(number, EXTENDED)
        return {sid: one.subfunctions for sid, one in known.items() if standard in one.sessions}
    row: Row = {}
    for index, key in enumerate(settings.services):
        sid, subfunction = parse_service(key)
        service = known.get(sid)
        if service is None:
            raise ConfigurationError(f"this control unit has no service {sid:02X}", (*place, index))
        if subfunction is None:
            row[sid] = service.subfunctions
        elif subfunction in service.subfunctions:
            row[sid] = row.get(sid, frozenset()) | {subfunction}
        else:
            reason = f"service {sid:02X} of this control unit has no sub-function {subfunction:02X}"
            raise ConfigurationError(reason, (*place, index))
    return row


class SecuredServices:
    """The levels of security access that services and sub-functions need."""

    def __init__(self, levels: Mapping[str, int], services: Mapping[int, UdsService], place: KeyPath = ()) -> None:
        """ConfigurationError, at the key path `place`: no such service or sub-function."""
        self._levels: Final[dict[tuple[int, int | None], int]] = {}
        for key, level in levels.items():
            sid, subfunction = parse_service(key)
            if sid not in services or (subfunction is not None and subfunction not in services[sid].subfunctions):
                raise ConfigurationError(f"this control unit has no service {key}", (*place, key))
            self._levels[sid, subfunction] = level

    def level(self, service: int, subfunction: int | None = None) -> int:
        """Return the level that a service, or one of its sub-functions, needs; 0 for none."""
        return self._levels.get((service, subfunction), 0)
