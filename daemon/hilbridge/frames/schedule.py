"""When cyclic frames are due: periods in whole ticks, and phases that keep frames apart.

A frame of period P and phase p, in ticks, is due in the ticks p, p + P, p + 2P, ...
"""

from collections.abc import Sequence
from math import lcm
from typing import Final

from hilbridge.errors import ConfigurationError, KeyPath

MILLISECOND: Final = 1_000_000
"""[ns]"""

WINDOW: Final = 20_000
"""Ticks for which phases are compared. Common periods repeat sooner; rarer ones are compared for the beginning."""

LATEST_PHASE: Final = 1000
"""Ticks; a frame of a long period is not held back longer than that."""


def in_whole_ticks(period: float, tick: int, place: KeyPath = ()) -> int:
    """A period given in ms, in nanoseconds.

    ConfigurationError: it is no multiple of `tick` [ns]; the nearest ones are named.
    """
    nanoseconds = round(period * MILLISECOND)
    ticks, remainder = divmod(nanoseconds, tick)
    if remainder == 0:
        return nanoseconds
    nearest = " or ".join(f"{count * tick / MILLISECOND:g} ms" for count in (ticks, ticks + 1) if count)
    raise ConfigurationError(
        f"a period of {period:g} ms is no multiple of the tick, {tick / MILLISECOND:g} ms: make it {nearest}", place
    )


def spread(periods: Sequence[int]) -> list[int]:
    """A phase for each period, in ticks, so that few frames fall into one tick.

    Short periods are placed first. Each frame takes the phase whose fullest tick is emptiest, then the one whose
    ticks hold the fewest frames; among equals the one that halves the period, quarters it, and so on.
    """
    window = min(lcm(1, *periods), WINDOW)
    load = [0] * window
    phases = [0] * len(periods)
    for index in sorted(range(len(periods)), key=lambda index: (periods[index], index)):
        period = periods[index]
        places = _halving(min(period, LATEST_PHASE, window))
        phase = min(places, key=lambda phase: (max(load[phase::period]), sum(load[phase::period])))
        for tick in range(phase, window, period):
            load[tick] += 1
        phases[index] = phase
    return phases


def _halving(count: int) -> list[int]:
    """0 to count - 1 in the order 0, 1/2, 1/4, 3/4, 1/8, ... of the range: any beginning of it is spread evenly."""
    bits = count.bit_length()
    return sorted(range(count), key=lambda place: f"{(place << bits) // count:0{bits}b}"[::-1])
