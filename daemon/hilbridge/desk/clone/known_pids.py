"""The PIDs of OBD-II that a bench has of its model: by these alone it is sure which entry of the data bus a byte is."""

from functools import cache
from typing import Any, Final

from hilbridge.base.resources import own_database
from hilbridge.bench.diagnostics.obd.scaling import PidScaling
from hilbridge.files.configuration.units import load_unit
from hilbridge.frames.codec.database import load_database
from hilbridge.frames.codec.layout import extent

MASKS: Final = frozenset(range(0, 0x100, 0x20))
"""PIDs that say which others there are."""

_MASK_LENGTH: Final = 4

COMPUTED: Final = {
    "engine": frozenset(bytes.fromhex("01 13 15 1C 21 30 31 41 4D 4E 51 61 62 63 64 8E A4")),
    "transmission": frozenset(bytes.fromhex("01 1C 21 30 31 41 4D 4E A4")),
}
"""PIDs that a control unit has without settings, by its role (bench/diagnostics/obd/pids.py)."""

_TEMPLATES: Final = {"engine": "engine", "transmission": "gearbox"}


@cache
def from_data_bus(role: str) -> dict[int, Any]:
    """Return the settings of the PIDs that the template of a role takes from the data bus, by number."""
    pids = load_unit(_TEMPLATES[role]).data["obd"]["pids"]
    return {int(pid, 16): fields for pid, fields in pids.items()}


@cache
def _scaling() -> PidScaling:
    return PidScaling(load_database(own_database("obd2.dbc")))


def standard_length(pid: int) -> int | None:
    """Return the length [byte] that SAE J1979 gives the data of a PID; None: dbc/obd2.dbc does not have it."""
    if pid in MASKS:
        return _MASK_LENGTH
    return max((extent(signal)[1] // 8 + 1 for signal in _scaling().signals(pid).values()), default=None)


def is_live(role: str, pid: int) -> bool:
    """Return whether the bench has a value of its own for a PID."""
    return pid in COMPUTED[role] or pid in from_data_bus(role)
