"""The embedded bus without a way in."""

from hilbridge.boundary.links.embedded import EmbeddedLink
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import Frame

from ....benches import Listener


def test_without_a_port_the_bus_is_complete_in_itself(bus: Bus, listener: Listener) -> None:
    """Its link takes frames and gives none; the nodes inside hear each other."""
    link = EmbeddedLink(bus)
    bus.attach_link(link)
    bus.transmit(Frame(1, b""), None)
    link.poll(0)
    bus.exchange(0)
    link.flush(0)
    link.close()
    assert listener.frames == [Frame(1, b"")]
    assert (bus.received, link.trouble) == (0, "")
    assert "embedded" in link.describe()
