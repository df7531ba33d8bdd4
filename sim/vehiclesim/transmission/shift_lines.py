"""The lines over the pedal at which an automatic gearbox changes from one gear to the next, and back."""

from typing import Final

from vehiclesim.block import W_TO_RPM
from vehiclesim.parameters import ShiftingSettings, ShiftLineSettings
from vehiclesim.tables import Table

LIGHT_PEDAL: Final = 0.3
"""Pedal position up to which the lines of bands stay at their speeds for a light foot."""

_APART: Final = 0.95
"""Share of the speed that the next gear begins with, at which it is left again at the highest."""


class ShiftLines:
    """Two lines over the pedal, 0 .. 1: `up`, in the gear, and `down`, in the next one, as engine speeds [1/min]."""

    def __init__(self, up: Table, down: Table) -> None:
        self.up: Table = up
        self.down: Table = down


def lowest_speed(gear: int, idle_rpm: float, rated_rpm: float) -> float:
    """Return the lowest speed [1/min] at which a gear is driven with a light foot.

    In second gear 1.15·n_idle, in longer ones n_idle + (n_rated - n_idle)/8: n_min_drive of the shift rule in annex 2
    of UN GTR No. 15.
    """
    return 1.15 * idle_rpm if gear == 2 else idle_rpm + 0.125 * (rated_rpm - idle_rpm)


def lines_of_bands(settings: ShiftingSettings, step: float, ceiling: float, lowest: float) -> ShiftLines:
    """Make the lines of a gear whose ratio is `step` times that of the next, below a ceiling [1/min].

    `lowest` is the lowest speed of the next gear, where the settings say nothing of a light foot: it begins there.
    """
    up = min(settings.up_rpm, ceiling)
    down = _apart(settings.down_rpm, up, step)
    light_down = min(settings.light_down_rpm if settings.light_down_rpm > 0.0 else _APART * lowest, down)
    light_up = min(max(settings.light_up_rpm, light_down * step / _APART), up)
    pedal = (min(LIGHT_PEDAL, 0.5 * settings.kick_down), settings.kick_down)
    return ShiftLines(Table(pedal, (light_up, up)), Table(pedal, (light_down, down)))


def lines_of_map(line: ShiftLineSettings, ratio: float, following: float, lead: float, ceiling: float) -> ShiftLines:
    """Make the lines of a gear and the following one from road speeds; `lead` [m/rad] is that of the output shaft."""
    rpm = W_TO_RPM / lead
    up = [min(speed * rpm * ratio, ceiling) for speed in line.up]
    down = [_apart(speed * rpm * following, end, ratio / following) for speed, end in zip(line.down, up, strict=True)]
    return ShiftLines(Table(line.pedal, up), Table(line.pedal, down))


def _apart(down: float, up: float, step: float) -> float:
    """Return `down` [1/min], or less where the next gear would begin below it."""
    first = up / step
    return down if down < first else _APART * first
