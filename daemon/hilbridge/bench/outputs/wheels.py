"""Trigger wheels: the levels that a sensor gives along a turn, as a table of slots of the same length.

A tooth is high in the first half of its place and low in the second; a missing one is low. A split one has quarters.
"""

from typing import Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.boards import WHEELS, BoardChannel

MOST: Final = 256
"""Slots of a wheel."""


def levels(settings: BoardChannel) -> list[int]:
    """Return the slots of a wheel, from the angle 0 on.

    ConfigurationError, with its key: no such pattern, too many slots, no such tooth, an offset between two slots.
    """
    pattern = settings.pattern
    if isinstance(pattern, str) and pattern in WHEELS:
        pattern = WHEELS[pattern]
    if isinstance(pattern, str):
        if set(pattern) - {"0", "1"}:
            raise ConfigurationError(
                f"{pattern!r} is none of {', '.join(WHEELS)}, no list, and no levels", ("pattern",)
            )
        if settings.missing or settings.doubled:
            raise ConfigurationError("levels have no teeth: write a list, or other levels", ("pattern",))
        slots = [int(level) for level in pattern]
    else:
        slots = _of_teeth(pattern, settings)
    if not 2 <= len(slots) <= MOST:
        raise ConfigurationError(f"has {len(slots)} levels, and a board takes 2 to {MOST}", ("pattern",))
    if settings.reversed:
        slots.reverse()
    return _turned(slots, settings)


def _of_teeth(pattern: list[int], settings: BoardChannel) -> list[int]:
    """Return the slots of groups of teeth and gaps in turn."""
    tooth, missing, doubled = ([1, 1, 0, 0], [0] * 4, [1, 0, 1, 0]) if settings.doubled else ([1, 0], [0] * 2, [])
    teeth = sum(pattern[::2])
    for key in ("missing", "doubled"):
        for number in getattr(settings, key):
            if number > teeth:
                raise ConfigurationError(f"there is no tooth {number}: the wheel has {teeth}", (key,))
    slots: list[int] = []
    number = 0
    for group, count in enumerate(pattern):
        for _ in range(count):
            number += group % 2 == 0
            there = group % 2 == 0 and number not in settings.missing
            slots += (doubled if number in settings.doubled else tooth) if there else missing
    return slots


def _turned(slots: list[int], settings: BoardChannel) -> list[int]:
    """Return the slots of a wheel that is `offset` ahead."""
    width = (360 if settings.per == "revolution" else 720) / len(slots)
    ahead = round(settings.offset / width)
    if abs(ahead * width - settings.offset) > 0.01:
        raise ConfigurationError(
            f"{settings.offset:g}° lies between two levels, {width:g}° each; the nearest is {ahead * width:g}°",
            ("offset",),
        )
    ahead %= len(slots)
    return slots[ahead:] + slots[:ahead]
