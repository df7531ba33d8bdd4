"""What a bus remembers of what it carried."""

from hypothesis import given
from hypothesis import strategies as st

from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.bus.traffic import MOST, Traffic
from hilbridge.frames.codec.frame import Frame

FRAMES = st.lists(st.tuples(st.booleans(), st.integers(0, 20), st.binary(max_size=8)), max_size=60)


class Link:
    """Takes everything, and may put frames on the bus from outside."""

    def receive(self, frame: Frame, t: int) -> None:
        pass

    def accepts(self, can_id: int) -> bool:
        return True


@given(FRAMES)
def test_of_every_identifier_and_side_the_newest_frame_and_their_number(frames: list[tuple[bool, int, bytes]]) -> None:
    bus, link = Bus("test"), Link()
    bus.attach_link(link)
    traffic = Traffic()
    bus.attach_observer(traffic.note)
    for t, (received, identifier, data) in enumerate(frames):
        bus.transmit(Frame(identifier, data), link if received else None)
        bus.exchange(t)
    seen = {(received, frame.can_id): (frame.data, t, count) for received, frame, t, count in traffic}
    expected: dict[tuple[bool, int], tuple[bytes, int, int]] = {}
    for t, (received, identifier, data) in enumerate(frames):
        count = expected.get((received, identifier), (b"", 0, 0))[2]
        expected[received, identifier] = (data, t, count + 1)
    assert seen == expected


def test_a_flood_of_identifiers_fills_no_memory() -> None:
    """From outside; the bench's own are still seen, and so is the newest frame of those that are known."""
    traffic = Traffic()
    for identifier in range(2 * MOST):
        traffic.note(1, 0, True, Frame(identifier, b""))
    traffic.note(2, 0, True, Frame(0, b"\x01"))
    traffic.note(2, 0, False, Frame(5, b""))
    rows = list(traffic)
    assert len(rows) == MOST + 1
    assert rows[0] == (False, Frame(5, b""), 2, 1)
    assert rows[1] == (True, Frame(0, b"\x01"), 2, 2)
