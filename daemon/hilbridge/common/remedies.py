"""The commands that remedy a state, for every text that names one."""


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
