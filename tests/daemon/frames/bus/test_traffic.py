"""What a bus remembers of what it carried."""

import struct

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


def test_the_times_of_the_last_frames_lie_in_a_ring() -> None:
    """Frame n at n mod 16; of one that came three times the first time stands where none has been."""
    traffic = Traffic()
    for number in range(20):
        traffic.note(1000 + number, 0, True, Frame(7, b""))
    for t in (1, 2, 4):
        traffic.note(t, 0, False, Frame(8, b"\x00" * t))
    often, seldom = sorted(traffic.arrivals(), key=lambda one: one[0])
    assert often[:3] == (7, True, 20)
    assert [*struct.unpack("<16q", often[3])] == [*range(1016, 1020), *range(1004, 1016)]
    assert seldom[:3] == (8, False, 3)
    assert struct.unpack("<16q", seldom[3])[:4] == (1, 2, 4, 1)
    assert traffic.newest(8) == (False, Frame(8, bytes(4)), 4, 3)
    assert traffic.newest(7) is None  # it came from outside


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
