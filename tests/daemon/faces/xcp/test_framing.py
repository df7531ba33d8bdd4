"""Packets in streams and datagrams: length and counter before each, least significant byte first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.bench.xcp.layout import ETHERNET
from hilbridge.faces.xcp.framing import Framer, FramingError, Stream, packets_of


@given(st.lists(st.binary(min_size=1, max_size=ETHERNET.most_command), max_size=5), st.integers(1, 7))
def test_packets_are_found_however_they_are_cut(packets: list[bytes], size: int) -> None:
    framer, stream = Framer(), Stream()
    data = b"".join(map(framer.frame, packets))
    found = [one for start in range(0, len(data), size) for one in stream.packets(data[start : start + size])]
    assert found == packets


def test_the_counter_grows_with_each_packet() -> None:
    framer = Framer()
    assert [framer.frame(b"\xff") for _ in range(2)] == [bytes.fromhex("01000000FF"), bytes.fromhex("01000100FF")]
    for _ in range(0xFFFF - 2):
        framer.frame(b"\xff")
    assert [framer.frame(b"\xff")[2:4] for _ in range(2)] == [b"\xff\xff", b"\0\0"]


@pytest.mark.parametrize("data", ["00000000", "F9000000", "FFFF0000"])
def test_what_has_no_length_is_no_stream(data: str) -> None:
    with pytest.raises(FramingError):
        list(Stream().packets(bytes.fromhex(data)))


def test_a_datagram_has_whole_packets() -> None:
    assert list(packets_of(bytes.fromhex("01000000FD 01000100FB"))) == [b"\xfd", b"\xfb"]
    with pytest.raises(FramingError):
        list(packets_of(bytes.fromhex("02000000FD")))
