"""The numbers of data bytes that a CAN frame may have, by data length code (ISO 11898-1): to 8, with CAN FD to 64."""

from typing import Final

CLASSIC_LENGTH: Final = 8
"""[byte] The longest frame that is no CAN FD frame."""

FRAME_LENGTHS: Final[tuple[int, ...]] = (*range(CLASSIC_LENGTH + 1), 12, 16, 20, 24, 32, 48, 64)
"""[byte] by data length code."""

LENGTH_CODES: Final = tuple(
    next(code for code, length in enumerate(FRAME_LENGTHS) if length >= count) for count in range(FRAME_LENGTHS[-1] + 1)
)
"""The smallest data length code with room for 0..64 bytes."""


def frame_length(count: int) -> int:
    """Return the length [byte] of the shortest frame with room for 0..64 bytes."""
    return FRAME_LENGTHS[LENGTH_CODES[count]]
