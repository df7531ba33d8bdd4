"""The adapters behind the buses of a bench: hardware or virtual, as the kernel says, and the same as before or another.

at the start                 the kind goes into the bench as the key `hardware`, so that a recording has it and its
replay needs no kernel; an interface that is not there is hardware until it is
it comes, and is virtual     its bus is armed, by a command, which a recording has; it keeps hardware's limits
it comes back as another     its bus is disarmed in the same way; until then the link takes no frames
"""

from collections.abc import Callable

from hilbridge.base.common.errors import NotNowError
from hilbridge.base.common.event_log import EventLog
from hilbridge.base.common.remedies import arm_remedy
from hilbridge.bench.bench import Bench
from hilbridge.boundary.links.adapter import Adapter, interface_name, read_adapter
from hilbridge.boundary.links.link import Endpoint
from hilbridge.boundary.links.socket_link import SocketLink
from hilbridge.files.configuration.benchfile import BenchFile


def with_adapters(file: BenchFile) -> BenchFile:
    """Return the bench with `hardware` for each bus whose kind the kernel knows, where the file does not say it."""
    asked = {
        name: _adapter_of(str(bus.channel))
        for name, bus in file.settings.buses.items()
        if bus.interface == "socketcan" and bus.hardware is None
    }
    found = {name: not adapter.is_virtual for name, adapter in asked.items() if isinstance(adapter, Adapter)}
    if not found:
        return file
    buses = file.file.data["buses"]
    return file.altered(buses=buses | {name: buses[name] | {"hardware": hardware} for name, hardware in found.items()})


def _adapter_of(channel: str) -> Adapter | str:
    try:
        return read_adapter(interface_name(channel))
    except NotNowError as error:
        return str(error)


def describe_adapter(link: Endpoint) -> str:
    """Return what is known of the adapter of a link; empty for nothing."""
    return link.describe_adapter() if isinstance(link, SocketLink) else ""


def settle_adapters(bench: Bench, arm: Callable[[str, bool], object], event_log: EventLog, t: int) -> None:
    """Arm and disarm the buses whose adapters have turned out to be others, by `arm(bus, armed)`; log it."""
    for name, link in bench.links.items():
        if not isinstance(link, SocketLink):
            continue
        was_armed = bench.gates[name].armed
        if link.replaced:
            arm(name, False)
            link.replaced = False
            if was_armed:
                remedy = f"nothing is sent before: {arm_remedy(name)}"
                event = "another adapter, bus disarmed"
                event_log.warning(t, event, bus=name, adapter=link.describe_adapter(), remedy=remedy)
        elif link.came_virtual:
            link.came_virtual = False
            if not was_armed:
                arm(name, True)
                event_log.info(t, "virtual after all, bus armed", bus=name, adapter=link.describe_adapter())
