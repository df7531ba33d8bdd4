"""The adapters behind the buses of a bench file: hardware or virtual, as the kernel says at the start of a run.

The answer goes into the bench as the key `hardware`, so that a recording has it and its replay needs no kernel.
"""

from hilbridge.boundary.links.adapter import is_virtual
from hilbridge.files.configuration.benchfile import BenchFile


def with_adapters(file: BenchFile) -> BenchFile:
    """Return the bench with `hardware` for each bus whose kind the kernel knows, where the file does not say it."""
    found = {
        name: not is_virtual(str(bus.channel))
        for name, bus in file.settings.buses.items()
        if bus.interface == "socketcan" and bus.hardware is None
    }
    if not found:
        return file
    buses = file.file.data["buses"]
    return file.altered(buses=buses | {name: buses[name] | {"hardware": hardware} for name, hardware in found.items()})
