"""What a process holds, and whether it comes to hold more and more."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

WARM_UP = 0.2
"""Share of a run after which nothing may grow any more: by then every part has been used."""

SHORTEST_WARM_UP = 60.0
"""[s], but no more than half of a run."""

LARGEST_GROWTH = 1024.0
"""[KiB] that pass for none: what the allocator takes and gives back by chance."""


class Held(NamedTuple):
    """At a moment [s]: memory in use [KiB], and open descriptors."""

    moment: float
    resident: float
    descriptors: int


def held(pid: int | str, moment: float) -> Held | None:
    """None when the process has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
        descriptors = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    except OSError:
        return None
    for line in status.splitlines():
        if line.startswith("VmRSS:"):
            return Held(moment, float(line.split()[1]), descriptors)
    return None


def growth(samples: Sequence[Held]) -> float | None:
    """[KiB] from the end of the warm-up to the end, by the straight line of least squares; None of too few samples."""
    if not samples:
        return None
    first, last = samples[0].moment, samples[-1].moment
    warm_up = min(max(WARM_UP * (last - first), SHORTEST_WARM_UP), (last - first) / 2)
    judged = [one for one in samples if one.moment >= first + warm_up]
    if len(judged) < 3:
        return None
    mean_x = sum(one.moment for one in judged) / len(judged)
    mean_y = sum(one.resident for one in judged) / len(judged)
    spread = sum((one.moment - mean_x) ** 2 for one in judged)
    slope = sum((one.moment - mean_x) * (one.resident - mean_y) for one in judged) / spread
    return slope * (judged[-1].moment - judged[0].moment)


def children(pid: int, word: str) -> list[int]:
    """The child processes that have a word in their command line."""
    found = []
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split():
        try:
            words = Path(f"/proc/{child}/cmdline").read_text(encoding="utf-8", errors="replace")
        except OSError:  # it has ended meanwhile
            continue
        if word in words:
            found.append(int(child))
    return found
