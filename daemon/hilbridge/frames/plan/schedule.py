"""Phases that keep cyclic frames apart.

A frame of period P and phase p, in ticks, is due in the ticks p, p + P, p + 2P, ...
"""

from collections.abc import Sequence
from math import lcm
from typing import Final

WINDOW: Final = 20_000
"""Ticks for which phases are compared. Common periods repeat sooner; rarer ones are compared for the beginning."""

LATEST_PHASE: Final = 1000
"""Ticks; a frame of a long period is not held back longer than that."""

_PASSES: Final = 4
"""Over all frames, to move those that stand worst."""


def spread(periods: Sequence[int], fixed: Sequence[int | None] = ()) -> list[int]:
    """Return a phase for each period, in ticks, so that few frames share a tick; `fixed` has the given phases.

    Short periods are placed first. Each frame takes the phase whose fullest tick is emptiest, then the one whose
    ticks hold the fewest frames; among equals the one that halves the period, quarters it, and so on. While some tick
    holds more frames than the mean asks for, frames are taken out and placed again, as long as that helps.
    """
    load = [0] * min(lcm(1, *periods), WINDOW)
    given = fixed or [None] * len(periods)
    phases = [phase or 0 for phase in given]
    for index, phase in enumerate(given):
        if phase is not None:
            _add(load, phase, periods[index], 1)
    free = sorted((index for index, phase in enumerate(given) if phase is None), key=lambda i: (periods[i], i))
    for index in free:
        phases[index] = _best(load, periods[index])
        _add(load, phases[index], periods[index], 1)
    for _ in range(_PASSES):
        if max(load) <= -(-sum(load) // len(load)) or not _improve(load, periods, phases, free):
            break
    return phases


def busiest(periods: Sequence[int], phases: Sequence[int]) -> int:
    """Return the most frames that are due in one tick, once all have begun; within the window."""
    load = [0] * min(lcm(1, *periods), WINDOW)
    for period, phase in zip(periods, phases, strict=True):
        _add(load, phase, period, 1)
    return max(load)


def _improve(load: list[int], periods: Sequence[int], phases: list[int], free: Sequence[int]) -> bool:
    """Place every frame anew while the others stay; return whether one moved to a better phase."""
    moved = False
    for index in free:
        period, before = periods[index], phases[index]
        _add(load, before, period, -1)
        phase = _best(load, period)
        if _crowd(load, phase, period) < _crowd(load, before, period):
            phases[index] = phase
            moved = True
        _add(load, phases[index], period, 1)
    return moved


def _best(load: Sequence[int], period: int) -> int:
    return min(_halving(min(period, LATEST_PHASE, len(load))), key=lambda phase: _crowd(load, phase, period))


def _crowd(load: Sequence[int], phase: int, period: int) -> tuple[int, int]:
    """Return the fullest of the ticks that a frame would share, and the frames in all of them."""
    shared = load[phase % len(load) :: period]
    return max(shared), sum(shared)


def _add(load: list[int], phase: int, period: int, count: int) -> None:
    """Add frames to the ticks of a phase. A window that all periods divide has no beginning."""
    for tick in range(phase % min(period, len(load)), len(load), period):
        load[tick] += count


def _halving(count: int) -> list[int]:
    """0 to count - 1 in the order 0, 1/2, 1/4, 3/4, 1/8, ... of the range: any beginning of it is spread evenly."""
    bits = count.bit_length()
    return sorted(range(count), key=lambda place: f"{(place << bits) // count:0{bits}b}"[::-1])
