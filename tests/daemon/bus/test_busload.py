"""How long a frame takes at worst, against counts by hand."""

import pytest

from hilbridge.bus.busload import classic_time, fd_time


@pytest.mark.parametrize(
    ("length", "extended", "bits"), [(8, False, 135), (0, False, 55), (8, True, 160), (0, True, 80), (1, False, 65)]
)
def test_classic_frames_have_the_published_worst_case(length: int, extended: bool, bits: int) -> None:
    """135 bits for 8 bytes and 11-bit identifiers, 160 for 29 bits (Davis, Burns, Bril, Lukkien 2007)."""
    assert classic_time(length, 500_000, extended=extended) * 500_000 == pytest.approx(bits)


def test_an_fd_frame_counted_by_hand() -> None:
    """11 bit, 64 bytes.

    Nominal: SOF 1, identifier 11, RRS, IDE, FDF, res, BRS: 17 with 4 stuff bits; CRC delimiter 1, acknowledge 2, end
    of frame 7, intermission 3. Data phase: ESI 1, DLC 4, data 512: 517 with 129 stuff bits; stuff count 4, CRC 21,
    fixed stuff bits 7.
    """
    nominal, data = 17 + 4 + 13, 517 + 129 + 4 + 21 + 7
    assert fd_time(64, 500_000, 2_000_000, extended=False) == pytest.approx(nominal / 500_000 + data / 2_000_000)


def test_a_short_fd_frame_has_the_short_crc() -> None:
    """Up to 16 bytes: 17 bits and 6 fixed stuff bits."""
    nominal, data = 36 + 8 + 13, 5 + 64 + 17 + 4 + 17 + 6
    assert fd_time(8, 1, 1, extended=True) == pytest.approx(nominal + data)
