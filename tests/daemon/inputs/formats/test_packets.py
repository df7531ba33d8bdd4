"""Where packets of a stream begin and end, and what of it is dropped."""

from hypothesis import assume, given
from hypothesis import strategies as st

from hilbridge.inputs.formats.packets import MAXIMUM_PACKET, MAXIMUM_PACKETS, PATIENCE, Packets


def lines() -> Packets:
    """Lines, after the first end."""
    packets = Packets(b"\r\n")
    packets.split(b"\n")
    return packets


def test_each_end_ends_a_packet_and_empty_ones_are_none() -> None:
    assert lines().split(b"a\nb\rc\r\n\n\r\rd") == [b"a", b"b", b"c"]


def test_a_binary_stream_has_one_end_and_line_ends_are_bytes_like_others() -> None:
    packets = Packets(b"\0")
    assert packets.split(b"\0a\r\nb\0\0c") == [b"a\r\nb"]


def test_what_precedes_the_first_end_is_thrown_away_and_again_after_a_reset() -> None:
    packets = Packets(b"\n")
    assert packets.split(b"tail\nwhole\nbegin") == [b"whole"]
    packets.reset()
    assert packets.split(b"tail\nwhole\n") == [b"whole"]


def test_of_too_many_packets_the_newest_are_handed_on() -> None:
    packets = lines()
    assert packets.split(b"".join(b"%d\n" % i for i in range(100))) == [b"%d" % i for i in range(84, 100)]
    assert packets.flooded == 100 - MAXIMUM_PACKETS


def test_a_packet_may_have_its_full_length_and_not_a_byte_more() -> None:
    packets = lines()
    assert packets.split(b"x" * MAXIMUM_PACKET + b"\n" + b"x" * (MAXIMUM_PACKET + 1) + b"\n") == [b"x" * MAXIMUM_PACKET]
    assert packets.overlong == 1


def test_a_stream_without_any_end_is_told_and_held_nowhere() -> None:
    """From the first byte after opening on, once per 4096 bytes."""
    packets = Packets(b"\n")
    for count in range(1, 3 * PATIENCE // 64 + 1):
        assert packets.split(b"x" * 64) == []
        assert packets.endless == count * 64 // PATIENCE
        assert len(packets._pending) <= MAXIMUM_PACKET
    assert packets.overlong == 0


@given(st.lists(st.sampled_from([b"a", b"bc", b"\n", b"\r", b"x" * 200, b"y" * 5000]), max_size=30), st.data())
def test_packets_and_counts_do_not_depend_on_how_the_bytes_were_cut(parts: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(parts)
    whole, cut = Packets(b"\r\n"), Packets(b"\r\n")
    expected = whole.split(stream)
    assume(not whole.flooded)
    found: list[bytes] = []
    start = 0
    while start < len(stream):
        size = data.draw(st.integers(1, 3000))
        found += cut.split(stream[start : start + size])
        start += size
    assert (found, cut.overlong, cut.endless) == (expected, whole.overlong, whole.endless)
