"""A number is written to its bits and to no other, and read from there."""

from cantools.database.can import Signal
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.frames.protection.position import Position

from ..codec.examples import bits_of, signal


@st.composite
def places(draw: st.DrawFn) -> list[Signal]:
    """Up to three parts in 8 bytes that do not overlap."""
    parts: list[Signal] = []
    taken: set[int] = set()
    for index in range(draw(st.integers(1, 3))):
        order = draw(st.sampled_from(["little_endian", "big_endian"]))
        start, length = draw(st.integers(0, 63)), draw(st.integers(1, 24))
        bits = bits_of(start, length, order)
        if max(bits) < 64 and not taken & set(bits):
            taken |= set(bits)
            parts.append(signal(f"S{index}", start, length, order=order))
    return parts or [signal("S", 0, 8)]


@given(places(), st.binary(min_size=8, max_size=8), st.integers(0, 1 << 72))
def test_a_number_takes_its_bits_and_leaves_the_others(parts: list[Signal], data: bytes, number: int) -> None:
    """Bit by bit, as the DBC format numbers them: lowest part first, and in a Motorola part the last bit is lowest."""
    position = Position(parts)
    order = [
        bit
        for part in parts
        for bit in bits_of(part.start, part.length, part.byte_order)[:: 1 if part.byte_order == "little_endian" else -1]
    ]
    expected = int.from_bytes(data, "little")
    for index, bit in enumerate(order):
        expected = expected & ~(1 << bit) | (number >> index & 1) << bit
    written = bytearray(data)
    position.write(written, number)
    assert int.from_bytes(written, "little") == expected
    assert position.read(written) == number & position.highest
    assert position.width == len(order)
    assert position.occupied == sum(1 << bit for bit in order)


def test_a_split_number() -> None:
    """0xA5 with its lower half in byte 1 and its upper half in byte 3."""
    data = bytearray(b"\xff\xff\xff\xff")
    Position([signal("Low", 8, 4), signal("High", 28, 4)]).write(data, 0xA5)
    assert data.hex() == "fff5ffaf"
