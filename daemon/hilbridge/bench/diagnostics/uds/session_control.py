"""Service 10, diagnostic session control.

10 session                     50 session, then its P2 [ms] and P2* [10 ms], two bytes each
data after the sub-function    13
conditions of the session      its own codes
"""

from collections.abc import Mapping
from typing import Final

from hilbridge.base.common.errors import KeyPath
from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.diagnostics.condition import Conditions
from hilbridge.bench.diagnostics.uds.service import DiagnosticSession, UdsService
from hilbridge.files.settings.uds_sessions import SessionSettings
from vehiclesim.databus import DataBus

_P2_STAR_UNIT: Final = 10 * MILLISECOND


class DiagnosticSessionControl(UdsService):
    """Service 10: enters a session."""

    sid = 0x10

    def __init__(
        self, session: DiagnosticSession, settings: Mapping[int, SessionSettings], bus: DataBus, place: KeyPath
    ) -> None:
        """`settings`: by session; `place`: their key path. ConfigurationError: an invalid condition."""
        super().__init__(session)
        self._conditions: Final = {
            number: Conditions(one.conditions, bus, (*place, f"{number:02X}", "conditions"))
            for number, one in settings.items()
        }
        self.subfunctions = frozenset(settings)

    def answer(self, subfunction: int, data: bytes, t: int) -> bytes:
        self.require_length(data, 0)
        self._conditions[subfunction].require()
        self.session.enter(subfunction)
        times = self.session.times
        return (times.p2 // MILLISECOND).to_bytes(2, "big") + (times.p2_star // _P2_STAR_UNIT).to_bytes(2, "big")
