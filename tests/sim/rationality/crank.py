"""What a control unit makes of the teeth of crank and cam: where the engine stands, and which cylinder does not fire.

The teeth are those that a board makes of the engine's angle (`kind: wheel`): a crank wheel of 60 teeth less two,
and a cam with one long tooth in a cycle. Their times are the only input.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import fmean
from typing import Final, NamedTuple

GAP: Final = 1.7
"""Time between two teeth over that before from which it is the gap: of two missing teeth it is 3 at constant speed."""

TEETH: Final = 58

ROUGHNESS: Final = 0.003
"""Growth of the segment times over two segments, on the mean of a cylinder, from which it misfires (wide)."""


class Teeth(NamedTuple):
    """Times [s] of rising edges."""

    crank: list[float]
    cam: list[float]


def edges(times: Sequence[float], angles: Sequence[float], slots: Sequence[int], turn: float) -> list[float]:
    """Return the times at which a wheel's level rises, by straight lines between angles [°] that go on growing."""
    width = turn / len(slots)
    rises = [k for k, level in enumerate(slots) if level and not slots[k - 1]]
    found = []
    for (t1, a1), (t2, a2) in pairwise(zip(times, angles, strict=True)):
        for k in range(int(a1 / width) + 1, int(a2 / width) + 1):
            if k % len(slots) in rises:
                found.append(t1 + (t2 - t1) * (k * width - a1) / (a2 - a1))  # noqa: PERF401
    return found


def gaps(teeth: Sequence[float]) -> list[int]:
    """Return the numbers of the teeth behind a gap."""
    return [k for k in range(2, len(teeth)) if teeth[k] - teeth[k - 1] > GAP * (teeth[k - 1] - teeth[k - 2])]


def synchronised(teeth: Teeth, cam_tooth: int) -> Iterator[str]:
    """58 teeth between gaps (P0336; none: P0335), one cam tooth in two turns (P0340), where it belongs (P0016)."""
    found = gaps(teeth.crank)
    if len(found) < 4:
        yield "P0335"
        return
    if any(b - a != TEETH for a, b in pairwise(found)):
        yield "P0336"
        return
    starts = [teeth.crank[k] for k in found]
    places = []
    for begin, end in zip(starts, starts[2:], strict=False):
        within = [t for t in teeth.cam if begin <= t < end]
        if len(within) != 1:
            yield "P0340"
            return
        turn = bisect_left(starts, within[0] + 1e-12) - 1
        places.append(sum(starts[turn] <= t <= within[0] for t in teeth.crank))
    if any(abs(place - cam_tooth) > 1 for place in places):
        yield "P0016"


def misfires(teeth: Teeth, order: Sequence[int]) -> Iterator[str]:
    """Name the cylinder from whose segment on the times grow most (OBD (3.2): P0301 ..).

    `order` is that of firing from the cam's tooth on; a segment has 60/(N/2) places of the wheel, missing ones too.
    """
    found = gaps(teeth.crank)
    first = next(k for k in range(2) if any(teeth.crank[found[k]] <= t < teeth.crank[found[k + 1]] for t in teeth.cam))
    size = 120 / len(order)
    marks: list[float] = []  # of each segment's begin
    for n, (a, b) in enumerate(pairwise(found[first:])):
        places = [teeth.crank[a + k] for k in range(b - a)]
        ends = teeth.crank[b]
        while len(marks) * size < 60 * (n + 1):
            place = len(marks) * size - 60 * n
            k = int(place)
            now = places[k] if k < TEETH else places[-1] + (ends - places[-1]) * (k - TEETH + 1) / 3
            after = places[k + 1] if k + 1 < TEETH else ends
            marks.append(now + (after - now) * (place - k))
    segments = [b - a for a, b in pairwise(marks)]
    growth = [(b - a) / a for a, b in pairwise(segments)]
    rough = [fmean(growth[k :: len(order)]) for k in range(len(order))]
    lost = [rough[k - 1] + rough[k] for k in range(len(order))]  # over the segment of cylinder k and that behind it
    worst = lost.index(max(lost))
    if lost[worst] > ROUGHNESS:
        yield f"P03{order[worst]:02d}"
