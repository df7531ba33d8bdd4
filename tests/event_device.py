"""An input device of Linux without hardware: a pipe for its events, and the answers of the kernel to four ioctls.

Numbers of ioctls and layouts are those of linux/input.h on x86-64 and ARM64, written out.
"""

import errno
import os
import struct
from collections.abc import Mapping, Sequence
from typing import Final

from hilbridge.boundary.links.event_device import DeviceAbsentError, EventDevice

SYN, KEY, ABS = 0, 1, 3
EVIOCGVERSION: Final = 0x80044501
EVIOCGNAME_256: Final = 0x81004506
EVIOCGKEY_96: Final = 0x80604518
EVIOCGBIT_KEY_96: Final = 0x80604521
EVIOCGBIT_ABS_8: Final = 0x80084523
EVIOCGABS: Final = 0x80184540


class FakeDevice:
    """A wheel: `axes` has value, minimum and maximum by code; `keys` are the codes of its buttons."""

    def __init__(self, axes: Mapping[int, Sequence[int]], keys: Sequence[int] = (), name: str = "Test Wheel") -> None:
        self.axes = {code: list(axis) for code, axis in axes.items()}
        self.keys = dict.fromkeys(keys, 0)
        self.name = name
        self.plugged = True
        self._writer: int | None = None

    def opener(self, _name: str, _codes: object) -> EventDevice:
        """Open it, if it is plugged in: in place of the opener of an event port."""
        if not self.plugged:
            raise DeviceAbsentError(f"no input device is {self.name!r}")
        reader, self._writer = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        return EventDevice("/dev/input/event7", reader, self.ioctl)

    def unplug(self) -> None:
        """Pull it out."""
        if self._writer is not None:
            os.close(self._writer)
        self._writer, self.plugged = None, False

    def plug(self) -> None:
        """Put it back."""
        self.plugged = True

    def send(self, *events: tuple[int, int, int], report: bool = True) -> None:
        """Send events, which change its state, and a report behind them."""
        for kind, code, value in events:
            if kind == ABS:
                self.axes[code][0] = value
            elif kind == KEY:
                self.keys[code] = value
        self.write(*events, *([(SYN, 0, 0)] if report else []))

    def write(self, *events: tuple[int, int, int]) -> None:
        """Write events without a change of its state: as if it had changed unheard."""
        assert self._writer is not None
        os.write(self._writer, b"".join(struct.pack("<QQHHi", 17, 4, *event) for event in events))

    def ioctl(self, _descriptor: int, request: int, answer: bytearray) -> int:
        """Answer as the kernel does."""
        if request == EVIOCGVERSION:
            answer[:] = struct.pack("<i", 0x010001)
        elif request == EVIOCGNAME_256:
            answer[: len(self.name)] = self.name.encode()
        elif request == EVIOCGBIT_ABS_8:
            answer[:] = _bitmap(self.axes, 8)
        elif request == EVIOCGBIT_KEY_96:
            answer[:] = _bitmap(self.keys, 96)
        elif request == EVIOCGKEY_96:
            answer[:] = _bitmap([key for key, value in self.keys.items() if value], 96)
        elif request - EVIOCGABS in self.axes:
            answer[:] = struct.pack("<6i", *self.axes[request - EVIOCGABS], 0, 0, 0)
        else:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        return 0


def _bitmap(numbers: Sequence[int] | Mapping[int, object], size: int) -> bytes:
    bits = bytearray(size)
    for number in numbers:
        bits[number // 8] |= 1 << number % 8
    return bytes(bits)
