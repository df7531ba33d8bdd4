"""An ISO-TP connection: a sender and a receiver that share an address.

Both work at the same time (full duplex). Functional frames bypass the receiver, so that a functional request does not
disturb a longer physical one; functional requests are single frames.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

from hilbridge.bench.diagnostics.isotp.address import Address
from hilbridge.bench.diagnostics.isotp.frames import (
    ConsecutiveFrame,
    FirstFrame,
    FlowControl,
    FrameEncoder,
    SingleFrame,
    decode,
)
from hilbridge.bench.diagnostics.isotp.parameters import ISO_15765_2, IsoTpParameters
from hilbridge.bench.diagnostics.isotp.receiver import IsoTpReceiver
from hilbridge.bench.diagnostics.isotp.sender import IsoTpSender, SenderState
from hilbridge.bench.diagnostics.isotp.statistics import IsoTpStatistics
from hilbridge.frames.codec.frame import BRS, FD, Frame

Transmit: TypeAlias = Callable[[Frame], None]
"""A function that puts a frame on the bus."""

TakeFlowControl: TypeAlias = Callable[[FlowControl, int], None]
"""A function that takes flow control of the other side at a time [ns]."""


class IsoTpConnection:
    """Receives requests of `address`, and sends on its response identifier through `transmit`."""

    def __init__(
        self,
        address: Address,
        transmit: Transmit,
        parameters: IsoTpParameters = ISO_15765_2,
        statistics: IsoTpStatistics | None = None,
        *,
        follows: bool = False,
    ) -> None:
        """`follows`: what is sent has the format, classic or CAN FD, of the message that was received last."""
        self.statistics: Final = IsoTpStatistics() if statistics is None else statistics
        self.address: Final = address
        self.transmit: Final = transmit
        self._prefix: Final = address.request_prefix
        self._functional_flow_control: Final = parameters.functional_flow_control
        self.encoder: Final = FrameEncoder(address.response_id, address.response_prefix, parameters)
        self.sender: Final = IsoTpSender(self.encoder, transmit, parameters, self.statistics)
        self.receiver: Final = IsoTpReceiver(self.encoder, transmit, parameters, self.statistics)
        self._take_flow_control: TakeFlowControl = self.sender.flow_control
        self._follows: Final = follows

    @property
    def sending(self) -> bool:
        """Whether a message is being sent."""
        return self.sender.state is not SenderState.IDLE

    @property
    def busy(self) -> bool:
        """Whether a message is in progress in either direction: only then `poll` has something to do."""
        return self.receiver.receiving or self.sending

    def divert(self, transmit: Transmit, flow_control: TakeFlowControl) -> None:
        """Hand frames to another function than the bus, and flow control to another one than the sender."""
        self.sender.transmit = self.receiver.transmit = transmit
        self._take_flow_control = flow_control

    def straighten(self) -> None:
        """End a diversion."""
        self.divert(self.transmit, self.sender.flow_control)

    def send(self, message: bytes, t: int) -> bool:
        """Start to send a message; return False if another one is in progress, or if it is empty."""
        return self.sender.start(message, t)

    def receive(self, frame: Frame, t: int) -> bytes | None:
        """Take a physical frame; return the message that it completes. Frames of other addresses are ignored."""
        data = frame.data
        if frame.can_id != self.address.request_id or not data.startswith(self._prefix):
            return None
        start = len(self._prefix)
        match decode(data, start):
            case SingleFrame() as single:
                self._follow(frame)
                return self.receiver.single(single, t)
            case FirstFrame() as first:
                self._follow(frame)
                self.receiver.first(first, len(data) - start - 1, t)
            case ConsecutiveFrame() as consecutive:
                return self.receiver.consecutive(consecutive, t)
            case FlowControl() as control:
                self._take_flow_control(control, t)
            case _:
                self.statistics.malformed += 1
        return None

    def receive_functional(self, frame: Frame, t: int) -> bytes | None:
        """Take a functional frame; return the message that it completes. Frames of other addresses are ignored."""
        prefix = self.address.functional_prefix
        if frame.can_id != self.address.functional_id or not frame.data.startswith(prefix):
            return None
        match decode(frame.data, len(prefix)):
            case SingleFrame(data):
                self._follow(frame)
                return data
            case FlowControl() as control if self._functional_flow_control:
                self._take_flow_control(control, t)
            case None:
                self.statistics.malformed += 1
            case _:
                self.statistics.unexpected += 1
        return None

    def _follow(self, frame: Frame) -> None:
        if self._follows and not self.sending:
            self.encoder.use_format(frame.flags & (FD | BRS))

    def poll(self, t: int) -> None:
        """Send frames that are due, and check time-outs; called once a tick while `busy`."""
        self.sender.poll(t)
        self.receiver.poll(t)

    def reset(self) -> None:
        """Discard messages in progress."""
        self.sender.reset()
        self.receiver.reset()
