"""One side of an ISO-TP connection: a sender and a receiver that share an address.

Both work at the same time (full duplex). Functional frames bypass the receiver, so that a request to all does not
disturb a longer one to this ECU; they are single frames only.
"""

from collections.abc import Callable
from typing import Final

from hilbridge.codec.frame import Frame
from hilbridge.diagnostics.isotp.address import Address
from hilbridge.diagnostics.isotp.frames import (
    ConsecutiveFrame,
    FirstFrame,
    FlowControl,
    FrameEncoder,
    SingleFrame,
    decode,
)
from hilbridge.diagnostics.isotp.parameters import ISO_15765_2, IsoTpParameters
from hilbridge.diagnostics.isotp.receiver import IsoTpReceiver
from hilbridge.diagnostics.isotp.sender import IsoTpSender, SenderState
from hilbridge.diagnostics.isotp.statistics import IsoTpStatistics


class IsoTpConnection:
    """Hears what `address` calls requests, and sends on its response identifier through `transmit`."""

    def __init__(
        self,
        address: Address,
        transmit: Callable[[Frame], None],
        parameters: IsoTpParameters = ISO_15765_2,
        statistics: IsoTpStatistics | None = None,
    ) -> None:
        self.statistics: Final = IsoTpStatistics() if statistics is None else statistics
        self._address: Final = address
        self._prefix: Final = address.request_prefix
        self._functional_flow_control: Final = parameters.functional_flow_control
        encoder = FrameEncoder(address.response_id, address.response_prefix, parameters)
        self._sender: Final = IsoTpSender(encoder, transmit, parameters, self.statistics)
        self._receiver: Final = IsoTpReceiver(encoder, transmit, parameters, self.statistics)

    @property
    def sending(self) -> bool:
        """A message is under way."""
        return self._sender.state is not SenderState.IDLE

    @property
    def busy(self) -> bool:
        """A message is under way in either direction: `poll` has something to do."""
        return self._receiver.receiving or self.sending

    def send(self, message: bytes, t: int) -> bool:
        """Begins with a message; False where another one is under way, or it is empty."""
        return self._sender.start(message, t)

    def receive(self, frame: Frame, t: int) -> bytes | None:
        """Takes a physical frame; the message, if it is complete with it. Frames of other addresses are passed over."""
        data = frame.data
        if frame.can_id != self._address.request_id or not data.startswith(self._prefix):
            return None
        start = len(self._prefix)
        match decode(data, start):
            case SingleFrame() as single:
                return self._receiver.single(single, t)
            case FirstFrame() as first:
                self._receiver.first(first, len(data) - start - 1, t)
            case ConsecutiveFrame() as consecutive:
                return self._receiver.consecutive(consecutive, t)
            case FlowControl() as control:
                self._sender.flow_control(control, t)
            case _:
                self.statistics.malformed += 1
        return None

    def receive_functional(self, frame: Frame, t: int) -> bytes | None:
        """The same for a functional frame."""
        prefix = self._address.functional_prefix
        if frame.can_id != self._address.functional_id or not frame.data.startswith(prefix):
            return None
        match decode(frame.data, len(prefix)):
            case SingleFrame(data):
                return data
            case FlowControl() as control if self._functional_flow_control:
                self._sender.flow_control(control, t)
            case None:
                self.statistics.malformed += 1
            case _:
                self.statistics.unexpected += 1
        return None

    def poll(self, t: int) -> None:
        """Once a tick while `busy`: frames that are due, and times that are over."""
        self._sender.poll(t)
        self._receiver.poll(t)

    def reset(self) -> None:
        """Forgets what is under way."""
        self._sender.reset()
        self._receiver.reset()
