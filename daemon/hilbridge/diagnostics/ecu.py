"""A control unit: what stands behind an address of the bus, and which of its servers a request is for.

    01 to 0A        OBD-II
    other           UDS
    40 to 7F, C0 to FF: an answer, and no request      silence

Where the server is missing the service is not supported: 7F service 11 to a physical request, silence to a functional
one. The bytes come from ISO-TP (isotp/server.py), which also knows whether the control unit has power.
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
        """The answer to a request, None for silence or for later."""

    def poll(self, t: int) -> bytes | None:
        """An answer that became ready."""

    @property
    def idle(self) -> bool:
        """`poll` has nothing to do until the next request."""


class Ecu:
    """`addresses`: where it is reached. It is an application of ISO-TP."""

    def __init__(
        self, name: str, addresses: Sequence[Address], obd: ObdServer | None = None, uds: RequestServer | None = None
    ) -> None:
        self.name: Final = name
        self.addresses: Final = tuple(addresses)
        self.obd: Final = obd
        self.uds: Final = uds

    def advance(self, t: int) -> None:
        """Once a tick [ns], before requests are answered: monitors and cycles."""
        if self.obd is not None:
            self.obd.advance(t)

    def request(self, payload: bytes, functional: bool, t: int) -> bytes | None:
        """The answer to a request, None for silence or for later."""
        if not payload or payload[0] & _ANSWER:
            return None
        server = self.obd if payload[0] in _OBD else self.uds
        if server is not None:
            return server.request(payload, functional, t)
        return None if functional else negative(payload[0], SERVICE_NOT_SUPPORTED)

    def poll(self, t: int) -> bytes | None:
        """An answer of UDS that became ready since; nearly always None."""
        return None if self.uds is None else self.uds.poll(t)

    @property
    def idle(self) -> bool:
        """Nothing of UDS is under way."""
        return self.uds is None or self.uds.idle


def addresses_of(ecu: EcuSettings, identifiers: str) -> list[Address]:
    """Where a control unit is reached: `identifiers` are 11-bit, 29-bit or both."""
    request, target = _ADDRESSES[ecu.role]
    eleven = Address.normal_11bit(request, request + 8)
    twenty_nine = Address.normal_fixed_29bit(TESTER, target)
    return {"11-bit": [eleven], "29-bit": [twenty_nine], "both": [eleven, twenty_nine]}[identifiers]
