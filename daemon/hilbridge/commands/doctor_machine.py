"""Probes of what this machine offers to a bench; they change nothing but their own process, for a moment.

Each probe answers with findings: what was looked at, whether it will do, and how to get what is missing.
"""

import grp
import os
import platform
import pwd
import socket
import stat
import sys
from collections.abc import Iterator
from enum import Enum
from importlib import import_module, metadata
from pathlib import Path
from typing import Final, NamedTuple

from hilbridge import __version__
from hilbridge.base import model_build
from hilbridge.base.common.errors import NotNowError
from hilbridge.base.common.remedies import driver_remedy
from hilbridge.boundary.links.adapter import Adapter, interface_name, is_virtual, read_adapter
from hilbridge.boundary.links.can_frame import FD_SIZE
from hilbridge.boundary.links.can_interface import CanInterface, can_interfaces, missing_sockets
from hilbridge.files.settings.realtime import RealTimeSettings
from hilbridge.runs.run.realtime import RealTime

LIBRARIES: Final = (
    "cantools",
    "numpy",
    "prometheus-client",
    "pydantic",
    "pyserial",
    "python-can",
    "PyYAML",
    "rich",
    "structlog",
)

LOOPBACK: Final = "127.0.0.1"

_NO_SOCKETS: Final = "sudo modprobe can_raw; if there is no such module, install a kernel that has CAN"


class State(Enum):
    """State of a finding: good; a bench runs less well; it runs and awaits this; a bench that needs it cannot run."""

    GOOD = "good"
    WARNING = "warning"
    AWAITED = "awaited"
    ERROR = "error"


class Finding(NamedTuple):
    """A finding: subject, state, description, and remedy (empty where nothing is to be done)."""

    subject: str
    state: State
    text: str
    remedy: str = ""


# -- software -----------------------------------------------------------------------------------------------------


def software() -> Iterator[Finding]:
    """Probe the program, Python, the libraries, and the build of model and tick."""
    yield Finding("hilbridge", State.GOOD, f"{__version__} on Python {platform.python_version()} ({sys.executable})")
    versions = []
    for name in LIBRARIES:
        try:
            versions.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            remedy = f"{sys.executable} -m pip install {name}"
            yield Finding("libraries", State.ERROR, f"{name} is not installed", remedy)
    yield Finding("libraries", State.GOOD, ", ".join(versions))
    if model_build.is_compiled():
        yield Finding("model", State.GOOD, "compiled")
    else:
        yield Finding(
            "model",
            State.WARNING,
            "interpreted: same results, but a step takes many times longer",
            "install with a C compiler present (Debian: apt-get install gcc python3-dev), not in editable mode",
        )


# -- real time ----------------------------------------------------------------------------------------------------


def real_time(settings: RealTimeSettings) -> Iterator[Finding]:
    """Probe the real-time set-up: each step of a run is taken, and undone at once."""
    process = RealTime(settings)
    outcomes = process.set_up()
    process.undo()
    for step, granted, detail, remedy in outcomes:
        yield Finding(step, State.GOOD if granted else State.WARNING, detail, remedy)


# -- CAN ----------------------------------------------------------------------------------------------------------


def socketcan() -> Finding:
    """Probe whether the kernel has CAN sockets, and list its interfaces."""
    if (reason := missing_sockets()) is not None:
        text = f"not available ({reason}); only buses with 'interface: socketcan' need it"
        return Finding("SocketCAN", State.WARNING, text, _NO_SOCKETS)
    interfaces = "; ".join(map(_described, can_interfaces())) or "no interfaces"
    return Finding("SocketCAN", State.GOOD, interfaces)


def _described(interface: CanInterface) -> str:
    """Return an interface with its state, and its adapter where the kernel knows one."""
    adapter = read_adapter(interface.name)
    return f"{interface}, {adapter}" if isinstance(adapter, Adapter) and str(adapter) else str(interface)


def can_interface(name: str, *, fd: bool) -> Finding:
    """Probe whether an interface of the kernel can carry a bus; `name`: the channel of the bench file."""
    subject = f"interface {name}"
    if (reason := missing_sockets()) is not None:
        return Finding(subject, State.ERROR, f"the kernel has no SocketCAN ({reason})", _NO_SOCKETS)
    try:
        name = interface_name(name)
    except NotNowError as error:
        return Finding(subject, State.AWAITED, str(error), "plug in the adapter, or load its driver")
    interface = next((each for each in can_interfaces() if each.name == name), None)
    if interface is None:
        known = ", ".join(each.name for each in can_interfaces()) or "none"
        remedy = (
            f"sudo ip link add {name} type vcan && sudo ip link set {name} up"
            if name.startswith("vcan")  # a convention, and no more: what is there says of itself whether it is hardware
            else "plug in the adapter, or load its driver; `ip -details link show type can` lists what is there; "
            f"a virtual one: sudo ip link add {name} type vcan && sudo ip link set {name} up"
        )
        return Finding(subject, State.AWAITED, f"does not exist (CAN interfaces: {known})", remedy)
    if not interface.up:
        remedy = f"sudo ip link set {name} up"
        if not is_virtual(name):
            remedy += " type can bitrate 500000 restart-ms 100   # with the bit rate of your bus"
        return Finding(subject, State.AWAITED, "is down", remedy)
    if fd and not interface.fd:
        return Finding(subject, State.ERROR, "carries no CAN FD frames", f"sudo ip link set {name} mtu {FD_SIZE}")
    return Finding(subject, State.GOOD, _described(interface))


def python_can_interface(name: str) -> Finding:
    """Probe whether python-can can load an interface, so whether the vendor's library is installed."""
    from can.interfaces import BACKENDS

    subject = f"interface {name}"
    module = BACKENDS[name][0]
    try:
        import_module(module)
    except Exception as error:  # noqa: BLE001 - vendors' code may raise anything
        reason = f"cannot be loaded: {error}"
        return Finding(subject, State.ERROR, reason, driver_remedy(name))
    return Finding(subject, State.GOOD, f"python-can's {module}")


# -- ports --------------------------------------------------------------------------------------------------------


def tcp_port(port: int, address: str = LOOPBACK) -> Finding:
    """Probe whether a port of an IP address is free; it is bound for a moment."""
    subject = f"TCP port {port}"
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError as error:
            remedy = f"`ss -ltnp sport = :{port}` names the program that has it; or choose another port (0: any)"
            return Finding(subject, State.ERROR, f"{address}:{port} cannot be opened: {error.strerror}", remedy)
    return Finding(subject, State.GOOD, "free")


def udp_port(port: int, address: str = LOOPBACK) -> Finding:
    """Probe whether a UDP port of an IP address is free; it is bound for a moment."""
    subject = f"UDP port {port}"
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((address, port))
        except OSError as error:
            remedy = (
                f"`ss -lnup sport = :{port}` names the program that has it; or choose another port, in the game too"
            )
            return Finding(subject, State.ERROR, f"{address}:{port} cannot be opened: {error.strerror}", remedy)
    return Finding(subject, State.GOOD, "free")


_TERMINALS: Final = Path("/sys/class/tty")

_PORT_GROUPS: Final = ("dialout", "uucp", "tty", "plugdev")
"""Groups that distributions give to serial ports and to nothing that a user must not have."""


def serial_ports() -> Finding:
    """List the serial ports."""
    from serial.tools.list_ports import comports

    names = sorted(port.device for port in comports() if not _is_unused(Path(port.device).name))
    closed = [name for name in names if not os.access(name, os.R_OK | os.W_OK)]
    text = ", ".join(names) or "none"
    if not closed:
        return Finding("serial ports", State.GOOD, text)
    which = "any of them" if closed == names else ", ".join(closed)
    return Finding("serial ports", State.WARNING, f"{text}; not for this user: {which}", _join(closed[0]))


def _is_unused(name: str) -> bool:
    """Return whether the kernel has a name for a serial port and no port: PORT_UNKNOWN of its serial driver."""
    try:
        return (_TERMINALS / name / "type").read_text(encoding="ascii").strip() == "0"
    except OSError:
        return False


def serial_port(path: str) -> Finding:
    """Probe whether a serial port exists and may be used."""
    subject = f"serial port {path}"
    try:
        status = Path(path).stat()
    except (OSError, ValueError) as error:
        state = State.AWAITED if isinstance(error, FileNotFoundError) else State.ERROR
        return Finding(subject, state, f"cannot be opened: {error}", "plug in the board; `ls /dev/serial/by-id`")
    if not stat.S_ISCHR(status.st_mode):
        return Finding(subject, State.ERROR, "is not a serial port", "`ls /dev/serial/by-id` lists those with a name")
    if not os.access(path, os.R_OK | os.W_OK):
        return Finding(subject, State.ERROR, "may not be opened by this user", _join(path))
    return Finding(subject, State.GOOD, "can be opened")


def _join(path: str) -> str:
    """Return the remedy for a port that this user may not open."""
    group = _group(Path(path).stat().st_gid)
    if group in _PORT_GROUPS:
        return f"sudo usermod -aG {group} {pwd.getpwuid(os.getuid()).pw_name}, then log in, or start the service, again"
    return "a udev rule that gives the port to a group of yours"


def _group(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)
