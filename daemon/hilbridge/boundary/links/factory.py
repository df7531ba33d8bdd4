"""The choice of a bus's link by its settings."""

from hilbridge.base.common.units import MILLISECOND
from hilbridge.boundary.links.link import Link
from hilbridge.files.settings import BusSettings
from hilbridge.frames.bus.bus import Bus


def open_link(bus: Bus, settings: BusSettings, period: int = MILLISECOND, *, waits: bool = False) -> Link:
    """Open the link of a bus, for ticks of `period` [ns]; LinkError, with a message for the user, when that fails.

    `waits`: what is missing at present is awaited by the link, as if it had been lost. NotNowError otherwise.

    The caller attaches the link to the bus. Only the module of the interface in use is imported: python-can takes
    time and memory to load, and an embedded bus does not need it.
    """
    if settings.interface == "embedded":
        from hilbridge.boundary.links.embedded import EmbeddedLink

        return EmbeddedLink(bus, settings.slcan_ways, period, settings.socketcand)
    if settings.interface == "socketcan":
        from hilbridge.boundary.links.socketcan import SocketcanLink

        return SocketcanLink(bus, settings, period, waits=waits)
    from hilbridge.boundary.links.helper import HelperLink

    return HelperLink(bus, settings, period, waits=waits)
