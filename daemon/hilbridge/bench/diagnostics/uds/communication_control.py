"""Service 28, communication control: switches the transmission of the control unit's frames other than diagnostics.

    00, 02    transmission on
    01, 03    transmission off, until another request or the default session
    04, 05    as 01 and 00 for the node whose number, two bytes, follows the communication type; only where the settings
              give this control unit such a number, which it needs in a network behind a gateway

The communication type follows: bit 0 normal messages, bit 1 network management, which this control unit does not have;
the upper half is the network, 0 and F for this one. Sub-functions 02 and 03 of the standard disable reception too; here
it stays on: the bench receives the driver's controls, and a tester must not take the vehicle from its driver.

    another length             13
    no such type or network    31
    the number of another node 31
"""

from typing import Final

from hilbridge.bench.diagnostics.refusal import REQUEST_OUT_OF_RANGE, Refusal
from hilbridge.bench.diagnostics.uds.service import EXTENDED_ONLY, DiagnosticSession, NormalCommunication, UdsService

_SENDING: Final = {0x00: True, 0x01: False, 0x02: True, 0x03: False, 0x04: False, 0x05: True}
_OF_NODES: Final = frozenset((0x04, 0x05))
_KINDS: Final = (1, 2, 3)
_NETWORKS: Final = (0x0, 0xF)


class CommunicationControl(UdsService):
    """Service 28 for the frames behind `communication`."""

    sid = 0x28
    sessions = EXTENDED_ONLY

    def __init__(self, session: DiagnosticSession, communication: NormalCommunication, node: int | None = None) -> None:
        super().__init__(session)
        self._node: Final = b"" if node is None else node.to_bytes(2, "big")
        self.subfunctions = frozenset(_SENDING) - (_OF_NODES if node is None else frozenset())
        self._communication: Final = communication
        self._sends = True
        session.on_change("communication", self._on_session_change)

    def answer(self, subfunction: int, data: bytes, t: int) -> bytes:
        self.require_length(data, 3 if subfunction in _OF_NODES else 1)
        network, kind = divmod(data[0], 16)
        if kind not in _KINDS or network not in _NETWORKS or data[1:] not in (b"", self._node):
            raise Refusal(REQUEST_OUT_OF_RANGE)
        if kind & 1:
            self._switch(_SENDING[subfunction])
        return b""

    def _on_session_change(self) -> None:
        self._switch(True)

    def _switch(self, sends: bool) -> None:
        if sends != self._sends:
            self._sends = sends
            self._communication.set_normal_transmission(sends)
