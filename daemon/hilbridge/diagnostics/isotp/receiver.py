"""Puts messages together from their frames (ISO 15765-2:2016, 9.5 and 9.8).

    IDLE        SF                                          IDLE, the message is complete
                FF, there is room                           RECEIVING; FC continue
                FF, longer than there is room for           IDLE; FC overflow
                CF                                          passed over
    RECEIVING   the CF that is next in sequence             RECEIVING, or IDLE and the message is complete;
                                                            FC continue after a full block
                another CF; N_Cr over                       IDLE, broken off
                SF, FF                                      broken off, and on as in IDLE
                a CF of another size than the FF's,
                which does not hold the rest                passed over

Memory grows with what was received, never with what a first frame announces.
"""

from collections.abc import Callable
from typing import Final

from hilbridge.codec.frame import Frame
from hilbridge.diagnostics.isotp.frames import (
    CONTINUE,
    OVERFLOW,
    ConsecutiveFrame,
    FirstFrame,
    FrameEncoder,
    SingleFrame,
)
from hilbridge.diagnostics.isotp.parameters import IsoTpParameters
from hilbridge.diagnostics.isotp.statistics import IsoTpStatistics


class IsoTpReceiver:
    """Receives from one sender; flow control goes out on `encoder`'s address through `transmit`."""

    def __init__(
        self,
        encoder: FrameEncoder,
        transmit: Callable[[Frame], None],
        parameters: IsoTpParameters,
        statistics: IsoTpStatistics,
    ) -> None:
        self.receiving = False
        self._encoder: Final = encoder
        self._transmit: Final = transmit
        self._parameters: Final = parameters
        self._statistics: Final = statistics
        self._message = bytearray()
        self._length = 0
        self._sequence = 0
        self._size = 0  # [bytes] of data in a full consecutive frame
        self._block = 0  # frames received of it
        self._deadline = 0  # [ns] of N_Cr

    def single(self, frame: SingleFrame, t: int) -> bytes:
        """A whole message."""
        self._interrupt(t)
        return frame.data

    def first(self, frame: FirstFrame, size: int, t: int) -> None:
        """The beginning of one, in a frame whose successors hold `size` bytes."""
        self._interrupt(t)
        if frame.length > self._parameters.longest:
            self._statistics.too_long += 1
            self._transmit(self._encoder.flow_control(OVERFLOW))
            return
        self.receiving = True
        self._message += frame.data
        self._length = frame.length
        self._sequence = 0
        self._size = size
        self._continue(t)

    def consecutive(self, frame: ConsecutiveFrame, t: int) -> bytes | None:
        """More of it; the message if this was the last."""
        self._check_deadline(t)
        if not self.receiving:
            self._statistics.unexpected += 1
            return None
        if frame.sequence != (self._sequence + 1) & 0x0F:
            self._statistics.wrong_sequence += 1
            self.reset()
            return None
        rest = self._length - len(self._message)
        if len(frame.data) < rest and len(frame.data) != self._size:
            self._statistics.malformed += 1
            return None
        self._sequence = frame.sequence
        self._message += frame.data[:rest]
        if len(self._message) == self._length:
            message = bytes(self._message)
            self.reset()
            return message
        self._block += 1
        if self._block == self._parameters.block_size:
            self._continue(t)
        else:
            self._deadline = t + self._parameters.n_cr
        return None

    def poll(self, t: int) -> None:
        """Once a tick: gives up when N_Cr is over."""
        self._check_deadline(t)

    def reset(self) -> None:
        """Forgets the message."""
        self.receiving = False
        self._message.clear()

    def _continue(self, t: int) -> None:
        self._block = 0
        self._deadline = t + self._parameters.n_cr
        self._transmit(self._encoder.flow_control(CONTINUE))

    def _interrupt(self, t: int) -> None:
        self._check_deadline(t)
        if self.receiving:
            self._statistics.interrupted += 1
            self.reset()

    def _check_deadline(self, t: int) -> None:
        if self.receiving and t > self._deadline:
            self._statistics.n_cr_timeout += 1
            self.reset()
