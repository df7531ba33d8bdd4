"""The adapter behind a CAN interface of the kernel: whether it is virtual, and whether it is the same as before.

    netlink RTM_GETLINK, IFLA_INFO_KIND   the kind of link: vcan and vxcan are virtual; can, slcan or none are not
    /sys/class/net/NAME/{device,dev_id}, /sys/class/tty/NAME/device
                                          the device, its number of the channel, and its serial number if it has one

The name of an interface says nothing: `ip link set`, udev, systemd.link and slcand give any. So a bus can name its
adapter in place of it, `adapter:SERIAL` or `adapter:PATH`, and has the interface of that one. What cannot be found out
is hardware, because frames that reach a car by mistake do harm. A vcan that can-gw routes on to an adapter is virtual
here all the same.

Source: rtnetlink(7), linux/if_link.h.
"""

import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from struct import Struct
from typing import Final, NamedTuple

from hilbridge.base.common.errors import NotNowError, reason_of
from hilbridge.boundary.links import can_interface
from hilbridge.files.settings.buses import ADAPTER

TERMINALS: Final = Path("/sys/class/tty")

_VIRTUAL: Final = ("vcan", "vxcan")

_HEADER: Final = Struct("=IHHII")
"""struct nlmsghdr: length, type, flags, sequence, port."""
_LINK: Final = Struct("=BxHiII")
"""struct ifinfomsg: family, type, index, flags, change."""
_ATTRIBUTE: Final = Struct("=HH")
"""struct nlattr: length, type."""
_NEWLINK: Final = 16
_GETLINK: Final = 18
_REQUEST: Final = 1
_LINKINFO: Final = 18
_INFO_KIND: Final = 1
_TYPE: Final = 0x3FFF
"""Mask of an attribute's type without its flags."""
_LARGEST: Final = 1 << 16


class Adapter(NamedTuple):
    """An interface as the kernel describes it. `kind`: that of the link, empty for none; `device`: which one it is.

    `device` is empty where the kernel does not know: virtual interfaces, those that slcand makes. `number`: index of
    the interface, which one that is made anew does not get again; 0: it is not known.
    """

    kind: str = ""
    device: str = ""
    number: int = 0

    @property
    def is_virtual(self) -> bool:
        """Whether frames stay on this machine."""
        return self.kind in _VIRTUAL

    def differs(self, other: "Adapter") -> bool:
        """Return whether this is certainly another adapter than `other`."""
        return self.kind != other.kind or ("" not in (self.device, other.device) and self.device != other.device)

    def is_surely(self, other: "Adapter") -> bool:
        """Return whether this is certainly the same adapter as `other`, or reaches nothing but this machine."""
        if self.kind != other.kind:
            return False
        if "" in (self.device, other.device):
            return self.is_virtual or (self.number == other.number != 0)
        return self.device == other.device

    def __str__(self) -> str:
        kind = f"virtual ({self.kind})" if self.is_virtual else f"hardware ({self.kind or 'no kind of link'})"
        return f"{kind}, {self.device}" if self.device else kind


def read_adapter(name: str) -> Adapter | str:
    """Return the adapter of an interface, or the reason why it is not known."""
    try:
        index = socket.if_nametoindex(name)
        return Adapter(_kind(index), _device(name), index)
    except OSError as error:
        return reason_of(error)


def interface_name(channel: str) -> str:
    """Return the name of the interface that a channel means: its own, or the present one of the adapter that it names.

    NotNowError: no adapter has this serial number or path, or several have.
    """
    if not channel.startswith(ADAPTER):
        return channel
    wanted, _, number = channel.removeprefix(ADAPTER).partition("#")
    fitting, known = [], []
    for name in (each.name for each in can_interface.can_interfaces()):
        folder = can_interface.NETWORK / name
        if not (folder / "device").exists():
            continue
        serial, path, _ = _identity(folder / "device")
        there = _number(folder)
        known.append(f"{name} is {serial or path}#{there}")
        if (wanted == serial or f"/{wanted.strip('/')}/" in f"{path}/") and number in ("", str(there)):
            fitting.append(name)
    if len(fitting) == 1:
        return fitting[0]
    there_are = f"there is {', '.join(known)}" if known else "no CAN interface has an adapter behind it"
    several = f"several interfaces fit, {', '.join(fitting)}: name one by its path, or its channel by #NUMBER; "
    raise NotNowError(f"{several if fitting else 'there is no such adapter; '}{there_are}", ("channel",))


def serial_adapter(interface: str, path: str) -> Adapter:
    """Return the adapter at a serial port, as /sys knows it."""
    folder = TERMINALS / Path(path.partition("@")[0]).resolve().name
    return Adapter(interface, _behind(folder / "device") if (folder / "device").exists() else "")


def is_virtual(name: str) -> bool:
    """Return whether the kernel says of an interface that its frames stay on this machine."""
    adapter = read_adapter(name)
    return isinstance(adapter, Adapter) and adapter.is_virtual


def parse_kind(answer: bytes) -> str:
    """Return the kind of link in an answer to RTM_GETLINK, empty where it has none. OSError: it is an error."""
    if len(answer) < _HEADER.size:
        raise OSError("the kernel's answer about a link is cut off")
    length, message, *_ = _HEADER.unpack_from(answer)
    if message != _NEWLINK:
        raise OSError(f"the kernel answers with message {message} where a link is due")
    for kind, content in _attributes(answer[_HEADER.size + _LINK.size : length]):
        if kind == _LINKINFO:
            for inner, text in _attributes(content):
                if inner == _INFO_KIND:
                    return text.rstrip(b"\0").decode(errors="replace")
    return ""


def _kind(index: int) -> str:
    question = _HEADER.pack(_HEADER.size + _LINK.size, _GETLINK, _REQUEST, 1, 0)
    question += _LINK.pack(socket.AF_UNSPEC, 0, index, 0, 0)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_NONBLOCK, 0) as kernel:
        kernel.send(question)  # the kernel answers within the call
        return parse_kind(kernel.recv(_LARGEST))


def _attributes(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield type and content of each attribute; what is cut off ends the list."""
    at = 0
    while at + _ATTRIBUTE.size <= len(content):
        length, kind = _ATTRIBUTE.unpack_from(content, at)
        if not _ATTRIBUTE.size <= length <= len(content) - at:
            return
        yield kind & _TYPE, content[at + _ATTRIBUTE.size : at + length]
        at += -(-length // 4) * 4


def _device(name: str) -> str:
    """Return the serial number of the adapter, else its path below /sys, with the number of the channel."""
    folder = can_interface.NETWORK / name
    if not (folder / "device").exists():
        return ""
    return f"{_behind(folder / 'device')}, channel {_text(folder / 'dev_id') or '0x0'}"


def _number(folder: Path) -> int:
    """Return the number of an interface among those of its adapter."""
    with suppress(ValueError):
        return int(_text(folder / "dev_id"), 0)
    return 0


def _behind(device: Path) -> str:
    """Return the serial number of a device, else its path; with its maker and product, if it is one of USB."""
    serial, path, model = _identity(device)
    model = model and f" ({model})"
    return f"serial number {serial}{model}" if serial else f"{path}{model}"


def _identity(device: Path) -> tuple[str, str, str]:
    """Return serial number and path of a device, and, if it is one of USB, its maker and product; empty: none.

    The USB hub above a device has a number of its own: that of its place in the machine.
    """
    path = device.resolve()
    for above in (path, *path.parents):
        maker = _text(above / "idVendor")
        serial = _text(above / "serial")
        if serial or maker:
            return serial, str(path), f"{maker}:{_text(above / 'idProduct')}" if maker else ""
    return "", str(path), ""


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
