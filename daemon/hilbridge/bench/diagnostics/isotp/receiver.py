"""The receiving side of an ISO-TP connection: it joins frames to messages (ISO 15765-2:2016, 9.5 and 9.8).

    IDLE        SF                                          IDLE, the message is complete
                FF, the message is not too long             RECEIVING; FC continue
                FF, the message is too long                 IDLE; FC overflow
                CF                                          ignored
    RECEIVING   the CF that is next in sequence             RECEIVING, or IDLE and the message is complete;
                                                            FC continue after a full block
                another CF; N_Cr expired                    IDLE, aborted
                SF, FF                                      aborted, then as in IDLE
                a CF of another size than the FF's,
                too short for the rest                      ignored

Memory grows with the data received, never with the length that a first frame announces.
"""

from collections.abc import Callable
from typing import Final

from hilbridge.bench.diagnostics.isotp.frames import (
    CONTINUE,
    OVERFLOW,
    ConsecutiveFrame,
    FirstFrame,
    FrameEncoder,
    SingleFrame,
)
from hilbridge.bench.diagnostics.isotp.parameters import IsoTpParameters
from hilbridge.bench.diagnostics.isotp.statistics import IsoTpStatistics
from hilbridge.frames.codec.frame import Frame


class IsoTpReceiver:
    """Receives messages of one sender; flow control is sent with `encoder` through `transmit`."""

    def __init__(
        self,
        encoder: FrameEncoder,
        transmit: Callable[[Frame], None],
        parameters: IsoTpParameters,
        statistics: IsoTpStatistics,
    ) -> None:
        self.receiving = False
        self._encoder: Final = encoder
        self.transmit = transmit
        self._parameters: Final = parameters
        self._statistics: Final = statistics
        self._message = bytearray()
        self._length = 0
        self._sequence = 0
        self._size = 0  # [bytes] of data in a full consecutive frame
        self._block = 0  # frames of the block received
        self._deadline = 0  # [ns] of N_Cr

    def single(self, frame: SingleFrame, t: int) -> bytes:
        """Take a single frame; return its message."""
        self._interrupt(t)
        return frame.data

    def first(self, frame: FirstFrame, size: int, t: int) -> None:
        """Take a first frame; its consecutive frames hold `size` bytes."""
        self._interrupt(t)
        if frame.length > self._parameters.longest:
            self._statistics.too_long += 1
            self.transmit(self._encoder.flow_control(OVERFLOW))
            return
        self.receiving = True
        self._message += frame.data
        self._length = frame.length
        self._sequence = 0
        self._size = size
        self._continue(t)

    def consecutive(self, frame: ConsecutiveFrame, t: int) -> bytes | None:
        """Take a consecutive frame; return the message that it completes."""
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

    @property
    def received(self) -> bytes:
        """The bytes so far of the message in progress."""
        return bytes(self._message)

    def wait_longer(self, t: int) -> None:
        """Restart N_Cr at `t` [ns]: the sender has been told to wait."""
        self._deadline = t + self._parameters.n_cr

    def poll(self, t: int) -> None:
        """Abort the message when N_Cr has expired; called once a tick."""
        self._check_deadline(t)

    def reset(self) -> None:
        """Discard the message."""
        self.receiving = False
        self._message.clear()

    def _continue(self, t: int) -> None:
        self._block = 0
        self._deadline = t + self._parameters.n_cr
        self.transmit(self._encoder.flow_control(CONTINUE))

    def _interrupt(self, t: int) -> None:
        self._check_deadline(t)
        if self.receiving:
            self._statistics.interrupted += 1
            self.reset()

    def _check_deadline(self, t: int) -> None:
        if self.receiving and t > self._deadline:
            self._statistics.n_cr_timeout += 1
            self.reset()
