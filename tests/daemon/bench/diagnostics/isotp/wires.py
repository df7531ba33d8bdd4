"""Helpers of the ISO-TP tests: times, a wire that records frames, and python-can-isotp on the time of the test."""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import isotp
import pytest

from hilbridge.bench.diagnostics.isotp.address import Address
from hilbridge.frames.codec.frame import EXTENDED, EXTENDED_MASK, FD, Frame

ENGINE = Address.normal_11bit(0x7E0, 0x7E8)
GEARBOX = Address.normal_11bit(0x7E1, 0x7E9)

MODE = isotp.AddressingMode

PAIRS = {
    "normal 11": (
        ENGINE,
        isotp.Address(MODE.Normal_11bits, txid=0x7E0, rxid=0x7E8),
    ),
    "normal 29": (
        Address(0x18001234 | EXTENDED, 0x18004321 | EXTENDED),
        isotp.Address(MODE.Normal_29bits, txid=0x18001234, rxid=0x18004321),
    ),
    "normal fixed 29": (
        Address.normal_fixed_29bit(0xF1, 0x10),
        isotp.Address(MODE.NormalFixed_29bits, source_address=0xF1, target_address=0x10),
    ),
    "extended 11": (
        Address(0x6F1, 0x612, None, b"\x12", b"\xf1"),
        isotp.Address(MODE.Extended_11bits, txid=0x6F1, rxid=0x612, source_address=0xF1, target_address=0x12),
    ),
    "mixed 11": (
        Address(0x710, 0x718, None, b"\x55", b"\x55"),
        isotp.Address(MODE.Mixed_11bits, txid=0x710, rxid=0x718, address_extension=0x55),
    ),
    "mixed 29": (
        Address(0x18CE10F1 | EXTENDED, 0x18CEF110 | EXTENDED, None, b"\x55", b"\x55"),
        isotp.Address(MODE.Mixed_29bits, source_address=0xF1, target_address=0x10, address_extension=0x55),
    ),
}
"""Our address of an ECU, and the tester's of python-can-isotp."""

FRAME_SIZES = (8, 12, 16, 20, 24, 32, 48, 64)


def request(text: str, can_id: int = 0x7E0) -> Frame:
    """A frame from hex digits."""
    return Frame(can_id, bytes.fromhex(text))


class Wire:
    """Remembers the frames that were sent."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []

    def __call__(self, frame: Frame) -> None:
        self.frames.append(frame)

    def take(self) -> list[Frame]:
        frames, self.frames = self.frames, []
        return frames

    def hex(self) -> list[str]:
        """The bytes of what was sent since the last call."""
        return [frame.data.hex(" ") for frame in self.take()]


class Time:
    """Stands in for the module `time` in python-can-isotp."""

    def __init__(self) -> None:
        self.now = 0  # [ns]

    def perf_counter_ns(self) -> int:
        return self.now


@contextmanager
def time_of_the_test() -> Iterator[Time]:
    """python-can-isotp takes its time from the test instead of the clock."""
    time = Time()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("isotp.tools.time", time)
        yield time


class Peer:
    """A tester or ECU of python-can-isotp, without thread and clock."""

    def __init__(self, address: isotp.Address, **parameters: Any) -> None:
        self.sent: deque[Frame] = deque()
        self.errors: list[Exception] = []
        self._heard: deque[isotp.CanMessage] = deque()
        self.logic = isotp.TransportLayerLogic(
            rxfn=lambda timeout: self._heard.popleft() if self._heard else None,
            txfn=self._send,
            address=address,
            error_handler=self.errors.append,
            params=parameters,
        )

    def hear(self, frame: Frame) -> None:
        self._heard.append(
            isotp.CanMessage(
                arbitration_id=frame.can_id & EXTENDED_MASK,
                data=frame.data,
                extended_id=bool(frame.can_id & EXTENDED),
                is_fd=bool(frame.flags & FD),
            )
        )

    def _send(self, message: isotp.CanMessage) -> None:
        can_id = message.arbitration_id | (EXTENDED if message.is_extended_id else 0)
        self.sent.append(Frame(can_id, bytes(message.data), FD if message.is_fd else 0))
