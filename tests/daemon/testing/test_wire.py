"""The outside of a virtual bench."""

from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import Frame
from hilbridge.testing.wire import FedPort, VirtualWire


class Node:
    def __init__(self) -> None:
        self.heard: list[tuple[int, Frame]] = []

    def receive(self, frame: Frame, t: int) -> None:
        self.heard.append((t, frame))


def test_nodes_hear_each_other_and_the_bench_hears_them_a_tick_later() -> None:
    """In the same tick on the wire, in the order in which they were sent."""
    bus, inside, outside = Bus("can"), Node(), Node()
    wire = VirtualWire(bus)
    bus.attach(inside)
    bus.attach_link(wire)
    wire.nodes.attach(outside)
    frames = [Frame(0x100, b"\x01"), Frame(0x101, b"\x02")]
    for frame in frames:
        wire.nodes.transmit(frame, None)
    wire.flush(1)
    assert outside.heard == [(1, frame) for frame in frames] == list(wire.frames)
    bus.exchange(1)
    assert inside.heard == []
    wire.poll(2)
    bus.exchange(2)
    assert inside.heard == [(2, frame) for frame in frames]
    assert (bus.received, wire.statistics.received) == (2, 2)


def test_what_the_bench_sends_is_on_the_wire_at_the_end_of_the_tick() -> None:
    """And does not come back."""
    bus, outside = Bus("can"), Node()
    wire = VirtualWire(bus)
    bus.attach_link(wire)
    wire.nodes.attach(outside)
    bus.transmit(Frame(0x100, b""), None)
    bus.exchange(1)
    assert outside.heard == []
    wire.flush(1)
    wire.poll(2)
    bus.exchange(2)
    assert outside.heard == [(1, Frame(0x100, b""))]
    assert (bus.received, wire.statistics.sent) == (0, 1)


def test_a_fed_port_gives_each_byte_once() -> None:
    port = FedPort()
    port.waiting.extend(b"key=1\n")
    assert (port.poll(0), port.poll(1), port.statistics.received) == (b"key=1\n", b"", 6)
