"""A diagnostic control unit: it passes the requests of its addresses to its OBD-II or UDS server.

    01 to 0A                 OBD-II
    other                    UDS
    40 to 7F, C0 to FF       responses, not requests: no answer

A request for a missing server is not supported: 7F service 11 if it is physical, no answer if it is functional. The
requests come from ISO-TP (isotp/server.py), which also knows whether the control unit has power.
"""

from collections.abc import Sequence
from typing import Final, Protocol

from hilbridge.diagnostics.isotp.address import TESTER, Address
from hilbridge.diagnostics.obd.server import ObdServer
from hilbridge.diagnostics.refusal import SERVICE_NOT_SUPPORTED, negative
from hilbridge.settings.diagnostics import EcuSettings

_OBD: Final = range(0x01, 0x0B)
_ANSWER: Final = 0x40

_ADDRESSES: Final = {"engine": (0x7E0, 0x10), "transmission": (0x7E1, 0x18)}
"""Request identifier (answers are 8 above it), and address in 29-bit identifiers (ISO 15765-4, SAE J2178-1)."""


class RequestServer(Protocol):
    """The UDS server of a control unit."""

    def request(self, payload: bytes, functional: bool, t: int) -> bytes | None:
        """Return the answer to a request, or None for no answer or a later one."""

    def poll(self, t: int) -> bytes | None:
        """Return an answer that has become ready since the last call."""

    @property
    def idle(self) -> bool:
        """Whether `poll` has nothing to do until the next request."""

    def end_session(self) -> None:
        """Return to the default session."""

    def restart(self) -> None:
        """Reset session and request."""


class Ecu:
    """A diagnostic control unit with its `addresses`: an application of the ISO-TP server."""

    def __init__(
        self, name: str, addresses: Sequence[Address], obd: ObdServer | None = None, uds: RequestServer | None = None
    ) -> None:
        self.name: Final = name
        self.addresses: Final = tuple(addresses)
        self.obd: Final = obd
        self.uds: Final = uds

    def advance(self, t: int) -> None:
        """Advance monitors and driving cycles to time `t` [ns]; called every INTERVAL of dtc/store.py."""
        if self.obd is not None:
            self.obd.advance(t)

    def request(self, payload: bytes, functional: bool, t: int) -> bytes | None:
        """Return the answer to a request, or None for no answer or a later one."""
        if not payload or payload[0] & _ANSWER:
            return None
        server = self.obd if payload[0] in _OBD else self.uds
        if server is not None:
            return server.request(payload, functional, t)
        return None if functional else negative(payload[0], SERVICE_NOT_SUPPORTED)

    def poll(self, t: int) -> bytes | None:
        """Return an answer of UDS that has become ready since the last call; nearly always None."""
        return None if self.uds is None else self.uds.poll(t)

    def end_session(self) -> None:
        """Return to the default session of UDS, as when nobody keeps another one alive."""
        if self.uds is not None:
            self.uds.end_session()

    def restart(self) -> None:
        """Forget session and request in progress, as after a loss of the supply."""
        if self.uds is not None:
            self.uds.restart()

    @property
    def idle(self) -> bool:
        """Whether UDS has no request or session in progress."""
        return self.uds is None or self.uds.idle


def addresses_of(ecu: EcuSettings, identifiers: str) -> list[Address]:
    """Return the addresses of a control unit with "11-bit", "29-bit" or "both" kinds of `identifiers`."""
    request, target = _ADDRESSES[ecu.role]
    eleven = Address.normal_11bit(request, request + 8)
    twenty_nine = Address.normal_fixed_29bit(TESTER, target)
    return {"11-bit": [eleven], "29-bit": [twenty_nine], "both": [eleven, twenty_nine]}[identifiers]
