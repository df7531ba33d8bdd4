"""The commands that remedy a state, for every text that names one."""

import shlex
import sys


def arm_remedy(bus: str) -> str:
    """Return the command that lets a bus transmit."""
    return f"hilbridge ctl arm {bus}"


_DRIVERS = {
    "gs_usb": "pip install 'python-can[gs-usb]'; or use the kernel's driver: interface: socketcan, channel: can0",
    "pcan": "install PEAK's PCAN-Basic library; or use the kernel's driver: interface: socketcan, channel: can0",
}


def driver_remedy(interface: str) -> str:
    """Return what installs the driver of a python-can interface."""
    return _DRIVERS.get(interface, f"install its driver, or: pip install 'python-can[{interface}]'")


def extra_remedy(extra: str) -> str:
    """Return the command that installs what an extra needs, into the environment that runs this program.

    It names the packages, for hilbridge itself may come from a checkout or a wheel that no index has.
    """
    from importlib.metadata import requires  # brings the parser of e-mail along

    rows = [row.partition(";") for row in requires("hilbridge") or ()]
    packages = [package.strip() for package, _, marker in rows if f"extra == '{extra}'" in marker.replace('"', "'")]
    return shlex.join([sys.executable, "-m", "pip", "install", *packages])
