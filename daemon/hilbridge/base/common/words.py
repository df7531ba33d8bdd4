"""Words of messages that depend on a number."""

from collections.abc import Sequence


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun: `1 frame`, `2,000 frames`, `0 entries`."""
    if number == 1:
        return f"1 {noun}"
    several = plural or (f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s")
    return f"{number:,} {several}"


def listed(names: Sequence[str], most: int) -> str:
    """Return names in a line, no more than `most` of them: `A, B and 3 more`."""
    left = len(names) - most
    return ", ".join(names[:most]) + (f" and {left} more" if left > 0 else "")
