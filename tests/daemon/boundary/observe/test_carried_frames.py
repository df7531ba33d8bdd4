"""The frames that move needles of the page, in shared memory."""

from hypothesis import given
from hypothesis import strategies as st

from hilbridge.boundary.observe.carried_frames import MOST, SIZE, CarriedFrame, decode, encode

FRAMES = st.builds(
    CarriedFrame, st.integers(0, 1 << 62), st.integers(0, (1 << 32) - 1), st.integers(0, 255), st.binary(max_size=64)
)


@given(st.lists(FRAMES, max_size=MOST + 4))
def test_what_was_written_is_read(frames: list[CarriedFrame]) -> None:
    """As many as there is room for; a record has always the same size."""
    record = encode(frames)
    assert len(record) == SIZE
    assert decode(record) == frames[:MOST]


def test_a_record_is_laid_out_as_it_says() -> None:
    """By hand, little-endian: one frame; 5 ns, 0x123 on bus 1, two bytes."""
    record = encode([CarriedFrame(5, 0x123, 1, b"\xca\xfe")])
    assert record[: 1 + 8 + 4 + 2 + 2].hex() == "01" + "0500000000000000" + "23010000" + "0102" + "cafe"
    assert not any(record[17:])
