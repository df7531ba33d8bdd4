"""Input devices of Linux: found by their names in sysfs, opened read-only, asked by the ioctls of linux/input.h.

Nothing is ever written to a device, so force feedback stays with the program that has it, and the device is not
grabbed: other programs hear it too. Four questions and one struct are all that is needed, so no library is between:
python-evdev has no wheels and would ask for a compiler on every machine.
"""

import errno
import fcntl
import os
import re
import struct
import sys
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from hilbridge.base.common.errors import LinkError, NotNowError, reason_of
from hilbridge.frames.codec.input_events import (
    ABS,
    AXES,
    KEY,
    KEYS,
    MAXIMUM,
    MINIMUM,
    OPENING,
    RECORD,
    SYN,
    SYN_REPORT,
    event_name,
)

INPUT_CLASS: Final = Path("/sys/class/input")
DEVICES: Final = Path("/dev/input")

EVENT: Final = struct.Struct("@LLHHi")
"""struct input_event: seconds, microseconds, kind, code, value."""

Codes: TypeAlias = Collection[tuple[int, int]]
"""Kinds and codes of axes and buttons."""

Ioctl: TypeAlias = Callable[[int, int, bytearray], int]

_RANGE: Final = struct.Struct("@6i")
"""struct input_absinfo: value, minimum, maximum, fuzz, flat, resolution."""
_WORD: Final = struct.calcsize("@L") * 8
_IDS: Final = re.compile(r"[0-9a-fA-F]{4}:[0-9a-fA-F]{4}")


def _read_request(number: int, size: int) -> int:
    """Return the number of an ioctl that reads `size` bytes: _IOR('E', number, size)."""
    return 2 << 30 | size << 16 | ord("E") << 8 | number


def _version() -> int:
    return _read_request(0x01, 4)  # EVIOCGVERSION


def _name(size: int) -> int:
    return _read_request(0x06, size)  # EVIOCGNAME


def _pressed(size: int) -> int:
    return _read_request(0x18, size)  # EVIOCGKEY


def _has(kind: int, size: int) -> int:
    return _read_request(0x20 + kind, size)  # EVIOCGBIT


def _axis(code: int) -> int:
    return _read_request(0x40 + code, _RANGE.size)  # EVIOCGABS


class DeviceAbsentError(NotNowError):
    """The device is not there, or may not be opened; this may change."""


class DeviceUnknownError(DeviceAbsentError):
    """No device of this machine has that name or those numbers: this changes when another one appears."""


class DeviceInfo(NamedTuple):
    """An input device as sysfs describes it, whether or not it may be opened."""

    path: Path
    name: str
    ids: str
    axes: frozenset[int]
    keys: frozenset[int]

    @property
    def is_controller(self) -> bool:
        """Whether it looks like a wheel, pedals, a gamepad or a joystick: axes, or buttons of one."""
        return bool(self.axes) or any(_FIRST_BUTTON <= key < _LAST_BUTTON for key in self.keys)

    def count(self, codes: Codes) -> int:
        """Return how many of these axes and buttons it has."""
        return sum(code in (self.axes if kind == ABS else self.keys) for kind, code in codes)


_FIRST_BUTTON: Final = 0x120
_LAST_BUTTON: Final = 0x140


def present() -> frozenset[str]:
    """Return what the kernel calls the input devices of this machine: one system call or two, fit for a tick."""
    try:
        return frozenset(os.listdir(INPUT_CLASS))  # noqa: PTH208 - no path of each is needed
    except OSError:
        return frozenset()


def devices(root: Path = INPUT_CLASS) -> Iterator[DeviceInfo]:
    """Return the input devices of this machine in the order of their numbers; none is opened."""
    found = [path for path in root.glob("event*") if path.name[5:].isdigit()]
    for path in sorted(found, key=lambda path: int(path.name[5:])):
        device = path / "device"
        try:
            name = (device / "name").read_text(encoding="utf-8", errors="replace").strip()
            ids = ":".join((device / "id" / key).read_text(encoding="ascii").strip() for key in ("vendor", "product"))
            axes, keys = (_words((device / "capabilities" / key).read_text(encoding="ascii")) for key in ("abs", "key"))
        except (OSError, ValueError):
            continue  # pulled out just now
        yield DeviceInfo(DEVICES / path.name, name, ids, axes, keys)


def find_device(device: str, codes: Codes, root: Path = INPUT_CLASS) -> str:
    """Return the path of a device that is given by path, vendor:product, or name.

    Of several the one with most of the axes and buttons `codes`: a wheel often is two devices of one name.

    DeviceUnknownError: there is none.
    """
    if device.startswith("/"):
        return device
    known = list(devices(root))
    if _IDS.fullmatch(device):
        fitting = [one for one in known if one.ids == device.lower()]
    else:
        fitting = [one for one in known if one.name == device]
        fitting = fitting or [one for one in known if device.casefold() in one.name.casefold()]
    if fitting:
        return str(max(fitting, key=lambda one: one.count(codes)).path)
    others = ", ".join(dict.fromkeys(one.name for one in known if one.is_controller))
    raise DeviceUnknownError(f"no input device is {device!r}" + (f" (there are: {others})" if others else ""))


class EventDevice:
    """An input device that is open; `name` is its own. All its calls are ioctls or reads that do not block."""

    def __init__(self, path: str, descriptor: int, ioctl: Ioctl = fcntl.ioctl) -> None:
        """`descriptor`: non-blocking; the device closes it. LinkError: it is no input device."""
        self.descriptor: Final = descriptor
        self._ioctl: Final = ioctl
        try:
            self._ask(_version(), 4)
        except OSError as error:
            raise LinkError(f"{path} is no input device ({reason_of(error)}); they are /dev/input/event...") from error
        self.name: Final = self._ask_name()
        self._axes: Final = self._codes(ABS, AXES)
        self._keys: Final = self._codes(KEY, KEYS)

    def missing(self, codes: Codes) -> list[str]:
        """Return the names of the axes and buttons that it does not have."""
        return [event_name(*one) for one in codes if one[1] not in (self._axes if one[0] == ABS else self._keys)]

    def names(self) -> list[str]:
        """Return the names of its axes and buttons."""
        return [event_name(ABS, code) for code in self._axes] + [event_name(KEY, code) for code in self._keys]

    def ranges(self) -> bytes:
        """Return records of the ranges of all axes. OSError: it is gone."""
        records = []
        for code in self._axes:
            _, minimum, maximum, *_ = self._range(code)
            records += [RECORD.pack(MINIMUM, code, minimum), RECORD.pack(MAXIMUM, code, maximum)]
        return b"".join(records)

    def state(self, axes: int = ABS) -> bytes:
        """Return records of the state of all axes, as the kind `axes`, and all buttons. OSError: it is gone."""
        pressed = _bits(self._ask(_pressed(KEYS // 8), KEYS // 8))
        records = [RECORD.pack(axes, code, self._range(code)[0]) for code in self._axes]
        records += [RECORD.pack(KEY, code, code in pressed) for code in self._keys]
        return b"".join([*records, RECORD.pack(SYN, SYN_REPORT, 0)])

    def opening(self) -> bytes:
        """Return what a source hears first: ranges, and the state. OSError: it is gone."""
        return self.ranges() + self.state(OPENING)

    def close(self) -> None:
        """Close it."""
        os.close(self.descriptor)

    def _codes(self, kind: int, codes: int) -> list[int]:
        return sorted(_bits(self._ask(_has(kind, codes // 8), codes // 8)))

    def _range(self, code: int) -> tuple[int, ...]:
        return _RANGE.unpack(self._ask(_axis(code), _RANGE.size))

    def _ask_name(self) -> str:
        try:
            return self._ask(_name(256), 256).split(b"\0")[0].decode(errors="replace")
        except OSError:
            return ""

    def _ask(self, request: int, size: int) -> bytes:
        answer = bytearray(size)
        self._ioctl(self.descriptor, request, answer)
        return bytes(answer)


def open_device(device: str, codes: Codes) -> EventDevice:
    """Find and open a device. This may take some time: a driver of USB waits 50 ms.

    DeviceAbsentError: it is not there, or may not be opened. LinkError: it is no input device, or lacks one of `codes`.
    """
    if sys.platform != "linux":
        raise LinkError("source evdev reads input devices of Linux; this is another system: drive from the page")
    path = find_device(device, codes)
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        remedy = "; `hilbridge doctor` says how to allow it" if error.errno in (errno.EACCES, errno.EPERM) else ""
        raise DeviceAbsentError(f"{path} cannot be opened: {reason_of(error)}{remedy}") from error
    try:
        opened = EventDevice(path, descriptor)
        if missing := opened.missing(codes):
            known = ", ".join(opened.names())
            raise LinkError(f"{opened.name or path} has no {', '.join(missing)}; it has {known}")
    except BaseException:
        os.close(descriptor)
        raise
    return opened


def _bits(answer: bytes) -> frozenset[int]:
    """Return the numbers of the bits that are set in an answer of a little-endian kernel."""
    return _set_bits(int.from_bytes(answer, "little"))


def _words(text: str) -> frozenset[int]:
    """Return the numbers of the bits of a bitmap in sysfs: words in hexadecimal, the highest first."""
    number = 0
    for word in text.split():
        number = number << _WORD | int(word, 16)
    return _set_bits(number)


def _set_bits(number: int) -> frozenset[int]:
    return frozenset(bit for bit in range(number.bit_length()) if number >> bit & 1)
