"""The sending side of an ISO-TP connection (ISO 15765-2:2016, 9.5 and 9.8).

It sends one message at a time in as many frames as it needs.

    IDLE      start, the message fits into a single frame          IDLE
              start, otherwise: first frame                        WAITING
    WAITING   FC continue: a block of consecutive frames           SENDING
              FC wait, not more than allowed in a row              WAITING, N_Bs restarts
              FC wait once more, overflow, unknown; N_Bs expired   IDLE, aborted
    SENDING   the block is complete                                WAITING
              the message is complete                              IDLE
    flow control in IDLE or SENDING is ignored

Consecutive frames are sent as soon as they are due. Time advances in ticks: with an STmin above 0 at most one frame is
sent a tick, never earlier than STmin after the last one; with an STmin of 0 up to `burst` frames are sent a tick.
"""

from collections.abc import Callable
from enum import Enum, auto
from typing import Final

from hilbridge.bench.diagnostics.isotp.frames import CONTINUE, OVERFLOW, WAIT, FlowControl, FrameEncoder
from hilbridge.bench.diagnostics.isotp.parameters import IsoTpParameters
from hilbridge.bench.diagnostics.isotp.statistics import IsoTpStatistics
from hilbridge.frames.codec.frame import Frame


class SenderState(Enum):
    """The state of the message."""

    IDLE = auto()
    WAITING = auto()  # for flow control
    SENDING = auto()  # consecutive frames


class IsoTpSender:
    """Sends messages with `encoder` through `transmit`."""

    def __init__(
        self,
        encoder: FrameEncoder,
        transmit: Callable[[Frame], None],
        parameters: IsoTpParameters,
        statistics: IsoTpStatistics,
    ) -> None:
        self.state = SenderState.IDLE
        self._encoder: Final = encoder
        self.transmit = transmit
        self._parameters: Final = parameters
        self._statistics: Final = statistics
        self._message = b""
        self._position = 0
        self._sequence = 0
        self._deadline = 0  # [ns] of N_Bs
        self._waits = 0
        self._block: int | None = None  # frames left of the block; None: no blocks
        self._separation = 0  # [ns]
        self._due = 0  # [ns] when the next frame may leave
        self._tick = -1  # [ns]
        self._in_tick = 0  # frames sent in this tick

    def start(self, message: bytes, t: int) -> bool:
        """Start to send a message; return False if another one is in progress, or if it is empty."""
        if self.state is not SenderState.IDLE or not message:
            return False
        if len(message) <= self._encoder.single_limit:
            self.transmit(self._encoder.single(message))
            return True
        frame, self._position = self._encoder.first(message)
        self._message = message
        self._sequence = 0
        self._waits = 0
        self._await_flow_control(t)
        self.transmit(frame)
        return True

    def flow_control(self, control: FlowControl, t: int) -> None:
        """Take flow control of the receiver."""
        self._check_deadline(t)
        statistics = self._statistics
        if self.state is not SenderState.WAITING:
            statistics.unexpected += 1
        elif control.status == CONTINUE:
            self._waits = 0
            self._block = control.block_size or None
            self._separation = control.separation
            self._due = t
            self.state = SenderState.SENDING
            self._send_due(t)
        elif control.status == WAIT:
            self._waits += 1
            if self._waits > self._parameters.waits:
                statistics.too_many_waits += 1
                self.reset()
            else:
                self._deadline = t + self._parameters.n_bs
        else:
            if control.status == OVERFLOW:
                statistics.overflow += 1
            else:
                statistics.invalid_flow_status += 1
            self.reset()

    def poll(self, t: int) -> None:
        """Send frames that are due; abort the message when N_Bs has expired. Called once a tick."""
        if self.state is SenderState.SENDING:
            self._send_due(t)
        else:
            self._check_deadline(t)

    def reset(self) -> None:
        """Discard the message."""
        self.state = SenderState.IDLE
        self._message = b""

    def _await_flow_control(self, t: int) -> None:
        self.state = SenderState.WAITING
        self._deadline = t + self._parameters.n_bs

    def _check_deadline(self, t: int) -> None:
        if self.state is SenderState.WAITING and t > self._deadline:
            self._statistics.n_bs_timeout += 1
            self.reset()

    def _send_due(self, t: int) -> None:
        if t != self._tick:
            self._tick = t
            self._in_tick = 0
        size = self._encoder.consecutive_size
        while t >= self._due and self._in_tick < self._parameters.burst:
            self._in_tick += 1
            self._sequence = (self._sequence + 1) & 0x0F
            begin, self._position = self._position, self._position + size
            self.transmit(self._encoder.consecutive(self._sequence, self._message[begin : self._position]))
            if self._position >= len(self._message):
                self.reset()
                return
            if self._block is not None:
                self._block -= 1
                if self._block == 0:
                    self._await_flow_control(t)
                    return
            self._due = t + self._separation
