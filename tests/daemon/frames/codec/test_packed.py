"""COBS; the package cobs is the other implementation. What inputs read of it: tests/daemon/bench/inputs/formats."""

from cobs import cobs  # type: ignore[import-untyped]
from hypothesis import example, given
from hypothesis import strategies as st

from hilbridge.frames.codec.packed import CRCS, stuff, unstuff


@given(st.binary(max_size=600) | st.integers(0, 600).map(lambda n: b"\x01" * n))
@example(b"\x01" * 254)
@example(b"\x01" * 254 + b"\0")
@example(b"\x01" * 508)
def test_both_implementations_code_the_same_bytes(data: bytes) -> None:
    packet = cobs.encode(data)
    assert stuff(data) == packet
    assert unstuff(packet) == data


@given(st.binary(max_size=40))
def test_both_implementations_take_the_same_packets(packet: bytes) -> None:
    """A block that is longer than the rest is refused, and so is a 0 within."""
    try:
        data = cobs.decode(packet)
    except cobs.DecodeError:
        data = None
    assert unstuff(packet) == data


def test_the_checksums_and_their_sizes() -> None:
    """Check values of "123456789": CRC-16/IBM-3740 and CRC-32/ISO-HDLC of the CRC catalogue, in 2 and 4 bytes."""
    assert {name: (size, crc(b"123456789")) for name, (size, crc) in CRCS.items()} == {
        "crc16": (2, 0x29B1),
        "crc32": (4, 0xCBF43926),
    }
