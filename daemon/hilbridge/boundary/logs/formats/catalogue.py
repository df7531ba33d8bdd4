"""The text formats, in the order in which they are tried."""

from collections.abc import Sequence
from typing import Final

from hilbridge.boundary.logs.formats import (
    asc,
    busmaster,
    candump,
    canhacker,
    canking,
    crtd,
    css,
    kvaser,
    python_can,
    savvycan,
    trc,
    vehicle_spy,
)
from hilbridge.boundary.logs.parser import TextFormat

FORMATS: Final = (
    busmaster.FORMAT,
    savvycan.FORMAT,
    kvaser.FORMAT,
    canking.FORMAT,
    python_can.FORMAT,
    python_can.CABANA_FORMAT,
    css.CL_FORMAT,
    css.CANEDGE_FORMAT,
    vehicle_spy.FORMAT,
    canhacker.FORMAT,
    crtd.FORMAT,
    candump.FORMAT,
    trc.FORMAT,
    asc.FORMAT,
)


def find_format(head: Sequence[str]) -> TextFormat | None:
    """Return the format that begins with these lines; None: no one does."""
    lines = list(head)
    while lines and not lines[0].strip():
        lines.pop(0)
    return next((one for one in FORMATS if one.begins(lines)), None)
