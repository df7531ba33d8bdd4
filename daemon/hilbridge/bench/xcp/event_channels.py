"""The event channels of a bench: the tick, 10 ms and 100 ms, as masters and A2L files know them.

A slower event occurs with the first tick, and then with the first tick from each multiple of its interval on; where
ticks are further apart than that, with each of them.
"""

from typing import Final, NamedTuple

from hilbridge.base.common.units import MILLISECOND, SECOND

_LARGEST: Final = 255
_UNITS: Final = range(3, 10)
"""Codes of time units: 10^code ns."""


class EventChannel(NamedTuple):
    """An event channel; `interval` [ns] between two events. Its time is `cycle` * 10^`unit` ns, rounded to that."""

    name: str
    interval: int
    cycle: int
    unit: int


def event_channels(rate: int) -> tuple[EventChannel, ...]:
    """Return the event channels of a bench by number, at so many ticks per second."""
    period = SECOND // rate
    slower = {"10 ms": 10 * MILLISECOND, "100 ms": 100 * MILLISECOND}
    return (_event("tick", period), *(_event(name, max(time, period)) for name, time in slower.items()))


def _event(name: str, interval: int) -> EventChannel:
    """Lay out an interval: in the coarsest unit that divides it, else in the finest that has room."""
    rooms = [unit for unit in _UNITS if interval >= 10**unit and round(interval / 10**unit) <= _LARGEST]
    exact = [unit for unit in rooms if interval % 10**unit == 0]
    unit = exact[-1] if exact else rooms[0]
    return EventChannel(name, interval, round(interval / 10**unit), unit)
