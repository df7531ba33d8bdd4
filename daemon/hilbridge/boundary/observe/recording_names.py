"""The name of the folder of a recording for which none was given: the bench and the time of its beginning.

    NAME-YYYYMMDD-HHMMSS    UTC, by the clock of the machine when the recording began

A machine without a battery for its clock gives a name of 1970. Once such a recording has ended it is named anew by the
clock as it is then, and a link under the old name leads to it. A name that the user gave is kept.
"""

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from hilbridge.base.common.units import SECOND

_FORM: Final = "%Y%m%d-%H%M%S"
_NEAR: Final = 60 * SECOND
"""A name whose time is nearer than this to the right one is kept: clocks are adjusted by seconds all the time."""


def dated_name(bench: str, wall: int) -> str:
    """Return the name of a recording of `bench` that begins at `wall` [ns since 1970]."""
    return f"{bench}-{datetime.fromtimestamp(wall // SECOND, UTC):{_FORM}}"


def right_name(directory: Path, bench: str, wall: int) -> Path:
    """Return the directory by its right name; the same one if it is right, or was given by the user."""
    try:
        named = datetime.strptime(directory.name.removeprefix(f"{bench}-"), _FORM).replace(tzinfo=UTC)
    except ValueError:
        return directory
    if directory.name != f"{bench}-{named:{_FORM}}":
        return directory
    return (
        directory if is_near(round(named.timestamp()) * SECOND, wall) else directory.with_name(dated_name(bench, wall))
    )


def is_near(one: int, other: int) -> bool:
    """Return whether two times of day [ns] are the same but for an adjustment of the clock."""
    return abs(one - other) < _NEAR


def name_anew(directory: Path, bench: str, wall: int) -> Path:
    """Move a recording that has ended to its right name, with a link from the old one; return where it lies now.

    A name that is taken already is not used. OSError: it could not be moved, and lies where it was.
    """
    right = right_name(directory, bench, wall)
    if right == directory or os.path.lexists(right):
        return directory
    directory.rename(right)
    try:
        directory.symlink_to(right.name, target_is_directory=True)
    except OSError:  # a file system without links
        return right
    return right
