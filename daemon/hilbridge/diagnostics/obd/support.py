"""Support masks: what a service answers, told in the service itself (SAE J1979, PIDs, MIDs and InfoTypes 00, 20, ...).

    mask of base B: four bytes, the most significant bit for number B + 1, the least one for B + 20 hex

00 is always answered; each other base exactly if something beyond it is, and so the base before leads to it.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final

from hilbridge.diagnostics.refusal import Refusal

RANGE: Final = 0x20
"""Numbers that a mask tells of."""

MOST: Final = 6
"""Numbers that one request may ask for."""


def is_base(number: int) -> bool:
    return number % RANGE == 0


def mask(base: int, answered: Collection[int]) -> bytes | None:
    """The mask of a base; None where it is not answered. `answered`: all numbers that are, without bases."""
    last = max(answered, default=0)
    if base > 0 and last <= base:
        return None
    bits = sum(1 << (base + RANGE - number) for number in answered if base < number <= base + RANGE)
    return (bits | (last > base + RANGE)).to_bytes(4, "big")


def told(request: Sequence[int], read: Callable[[int], bytes | None]) -> bytes:
    """Number and data of all that `read` knows, each once, in the order of the request.

    Refusal: nothing, too much, or nothing that is known was asked for.
    """
    if not 0 < len(request) <= MOST:
        raise Refusal
    answer = b"".join(_known(request, read))
    if not answer:
        raise Refusal
    return answer


def _known(request: Sequence[int], read: Callable[[int], bytes | None]) -> Iterator[bytes]:
    for number in dict.fromkeys(request):
        data = read(number)
        if data is not None:
            yield bytes((number,)) + data
