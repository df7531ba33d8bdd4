"""Times of the bench file in whole ticks: what happens tick by tick cannot happen in between."""

from hilbridge.common.errors import ConfigurationError, KeyPath
from hilbridge.common.units import MILLISECOND, SECOND


def in_whole_ticks(milliseconds: float, tick: int, place: KeyPath = ()) -> int:
    """A period in nanoseconds: a whole number of ticks, and not 0.

    ConfigurationError: it is no multiple of `tick` [ns]; the nearest ones are named.
    """
    nanoseconds = round(milliseconds * MILLISECOND)
    below, remainder = divmod(nanoseconds, tick)
    if nanoseconds and not remainder:
        return nanoseconds
    size = tick / MILLISECOND
    nearest = " or ".join(f"{count * size:g} ms" for count in (below, below + 1) if count)
    raise ConfigurationError(
        f"{milliseconds:g} ms is no multiple of the tick ({size:g} ms at {SECOND // tick} Hz); nearest: {nearest}",
        place,
    )
