"""The port of an input device: its events as records, opened again when it is plugged in again.

Opening a device of USB takes 50 ms in the kernel, so after the start a thread does it, one attempt at a time, and only
when another device has appeared or one may not be opened yet. What the device says on opening, its ranges and the state
of every axis and button, comes first. The same state follows where the kernel had to drop events, instead of them.
"""

import errno
import threading
from collections.abc import Callable
from typing import Final, TypeAlias

from hilbridge.base.common.backoff import Backoff
from hilbridge.base.common.errors import LinkError, reason_of
from hilbridge.base.process.scheduling import become_ordinary
from hilbridge.boundary.links.event_device import (
    EVENT,
    Codes,
    DeviceAbsentError,
    DeviceUnknownError,
    EventDevice,
    open_device,
    present,
)
from hilbridge.boundary.links.input_port import PortStatistics
from hilbridge.boundary.links.tty_reader import TtyReader
from hilbridge.frames.codec.input_events import ABS, KEY, RECORD, SYN, SYN_DROPPED, SYN_REPORT

EVENTS_PER_TICK: Final = 256
"""Read at most; a device of 1 kHz with four axes sends five in a millisecond. The rest waits in the kernel."""

Open: TypeAlias = Callable[[str, Codes], EventDevice]


class EventPort:
    """An input device that may come and go.

    LinkError at the start: what is there can never be this device.
    """

    def __init__(self, device: str, codes: Codes, opener: Open = open_device) -> None:
        """`codes`: the axes and buttons that the bench file wants of the device."""
        self.statistics = PortStatistics()
        self.trouble = ""
        self._name: Final = device
        self._codes: Final = codes
        self._opener: Final = opener
        self._arrivals: Final = TtyReader(EVENTS_PER_TICK * EVENT.size)
        self.descriptor: Final = self._arrivals.descriptor
        self._device: EventDevice | None = None
        self._attempt: _Attempt | None = None
        self._searched: frozenset[str] | None = None  # the devices among which it was not
        self._backoff: Final = Backoff()
        self._dropping = False
        self._first = b""  # what the device said on opening, until it is read
        attempt = _Attempt(opener, device, codes, present())
        attempt.open()
        if attempt.error is not None and not isinstance(attempt.error, DeviceAbsentError):
            self._arrivals.close()
            raise attempt.error
        self._finish(attempt, 0)

    def poll(self, t: int) -> bytes:
        if self._device is None:
            self._renew(t)
        if self._device is None:
            return b""
        records, self._first = self._first, b""
        try:
            records += self._read(self._device)
        except OSError:
            self._lose(self._device, t)
            return b""
        self.statistics.received += len(records)
        return records

    def close(self) -> None:
        self._arrivals.close()
        if self._device is not None:
            self._device.close()
            self._device = None

    def describe(self) -> str:
        return f"input device {self._name}"

    def _renew(self, t: int) -> None:
        """Begin an attempt to open the device, or see its outcome."""
        if self._attempt is None:
            if self._backoff.due(t):
                here = present()
                if here == self._searched:
                    self._backoff.failed(t)
                    return
                self._attempt = _Attempt(self._opener, self._name, self._codes, here)
                self._attempt.start()
        elif not self._attempt.is_alive():
            attempt, self._attempt = self._attempt, None
            self._finish(attempt, t)

    def _finish(self, attempt: "_Attempt", t: int) -> None:
        if attempt.device is None:
            self.trouble = str(attempt.error)
            self._searched = attempt.among if isinstance(attempt.error, DeviceUnknownError) else None
            self._backoff.failed(t)
            return
        self._device, self._first = attempt.device, attempt.first
        self._arrivals.watch(self._device.descriptor)
        self._backoff.succeeded(t)
        self._dropping = False
        self.statistics.opened += 1
        self.trouble = ""

    def _lose(self, device: EventDevice, t: int) -> None:
        self._arrivals.forget(device.descriptor)
        device.close()
        self._device = None
        self._searched = None
        self.statistics.lost += 1
        self.trouble = f"{self.describe()} was unplugged"
        self._backoff.failed(t)

    def _read(self, device: EventDevice) -> bytes:
        """Return the records of what has arrived. OSError: the device is gone."""
        data = self._arrivals.read()
        if data is None:
            raise OSError(errno.ENODEV, "unplugged")
        records = bytearray()
        for _, _, kind, code, value in EVENT.iter_unpack(data[: len(data) // EVENT.size * EVENT.size]):
            if kind == SYN and code == SYN_DROPPED:
                self._dropping = True
            elif self._dropping:  # all up to the next report is half of a sample
                if kind == SYN and code == SYN_REPORT:
                    self._dropping = False
                    records += device.state()
            elif kind in (ABS, KEY) or (kind == SYN and code == SYN_REPORT):
                records += RECORD.pack(kind, code, value)
        return bytes(records)


class _Attempt(threading.Thread):
    """An attempt to open a device: it ends with the `device` and what it said first, or with an `error`."""

    def __init__(self, opener: Open, name: str, codes: Codes, among: frozenset[str]) -> None:
        """`among`: the input devices that are there."""
        super().__init__(name="input device", daemon=True)
        self.device: EventDevice | None = None
        self.first = b""
        self.among: Final = among
        self.error: LinkError | None = None
        self._opener: Final = opener
        self._wanted: Final = (name, codes)

    def run(self) -> None:
        """Open it as an ordinary thread: the tick's own scheduling is not for this."""
        become_ordinary()
        self.open()

    def open(self) -> None:
        """Open it in the thread of the caller."""
        try:
            device = self._opener(*self._wanted)
        except LinkError as error:
            self.error = error
            return
        try:
            self.first = device.opening()
        except OSError as error:
            device.close()
            self.error = DeviceAbsentError(f"input device {self._wanted[0]}: {reason_of(error)}")
        else:
            self.device = device
