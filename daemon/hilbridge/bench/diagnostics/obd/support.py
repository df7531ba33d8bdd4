"""Support masks of OBD-II: which numbers a service answers (SAE J1979, PIDs, MIDs and InfoTypes 00, 20, ...).

    mask of base B: four bytes, the most significant bit for number B + 1, the least significant for B + 20 hex

Base 00 is always answered; each other base only if a number above it is, so that the base before leads to it.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final

from hilbridge.bench.diagnostics.refusal import Refusal

RANGE: Final = 0x20
"""Numbers that a mask covers."""

MAX_ITEMS: Final = 6
"""Numbers in one request."""


def is_base(number: int) -> bool:
    """Return whether a number is the base of a mask."""
    return number % RANGE == 0


def mask(base: int, answered: Collection[int]) -> bytes | None:
    """Return the mask of a base; None if it is not answered. `answered`: all answered numbers, without bases."""
    last = max(answered, default=0)
    if base > 0 and last <= base:
        return None
    bits = sum(1 << (base + RANGE - number) for number in answered if base < number <= base + RANGE)
    return (bits | (last > base + RANGE)).to_bytes(4, "big")


def answer_known(request: Sequence[int], read: Callable[[int], bytes | None]) -> bytes:
    """Return number and data of every requested number that `read` knows, each once, in the order of the request.

    Refusal: the request is empty or too long, or no number is known.
    """
    if not 0 < len(request) <= MAX_ITEMS:
        raise Refusal
    answer = b"".join(_known_items(request, read))
    if not answer:
        raise Refusal
    return answer


def _known_items(request: Sequence[int], read: Callable[[int], bytes | None]) -> Iterator[bytes]:
    for number in dict.fromkeys(request):
        data = read(number)
        if data is not None:
            yield bytes((number,)) + data
