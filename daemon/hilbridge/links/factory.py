"""Which link a bus's settings ask for."""

from hilbridge.bus.bus import Bus
from hilbridge.common.units import MILLISECOND
from hilbridge.links.link import Link
from hilbridge.settings import BusSettings


def open_link(bus: Bus, settings: BusSettings, period: int = MILLISECOND) -> Link:
    """Opens the link of a bus, for ticks of `period` [ns]; LinkError, in words for the user, when it cannot be opened.

    The caller attaches the link to the bus. Only the module of the interface in use is imported: python-can costs 0.1 s
    and 19 MB, and an embedded bus needs none of it.
    """
    if settings.interface == "embedded":
        from hilbridge.links.embedded import EmbeddedLink

        return EmbeddedLink(bus, settings.slcan_ways, period)
    if settings.interface == "socketcan":
        from hilbridge.links.socketcan import SocketcanLink

        return SocketcanLink(bus, settings, period)
    from hilbridge.links.helper import HelperLink

    return HelperLink(bus, settings, period)
