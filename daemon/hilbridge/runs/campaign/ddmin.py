"""The shortest part of a list that still fails, by delta debugging.

Pieces of half the list are left out where it still fails without them, then pieces of a quarter, and so on to single
items, which are tried again until none can be left out. So the result fails no longer without any one of its items.

Algorithm ddmin of Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing Input, IEEE TSE 28 (2002) 183, by
complements alone: a piece that fails by itself is found by them too, in more steps.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")

FirstFailing = Callable[[Sequence[Sequence[Item]]], int | None]
"""Return the number of the first of some lists that fails; None: none does."""


def ddmin(items: Sequence[Item], first_failing: FirstFailing[Item]) -> list[Item]:
    """Return the shortest list that was found to fail; `items` as a whole does."""
    kept = list(items)
    if not kept or first_failing([[]]) is not None:
        return []
    size = (len(kept) + 1) // 2
    while True:
        begin, before = 0, len(kept)
        while begin < len(kept):
            shorter = [kept[:i] + kept[i + size :] for i in range(begin, len(kept), size)]
            found = first_failing(shorter)
            if found is None:
                break
            kept, begin = shorter[found], begin + found * size
        if size > 1:
            size = min(size // 2, max(1, len(kept) // 2))
        elif len(kept) == before:
            return kept
