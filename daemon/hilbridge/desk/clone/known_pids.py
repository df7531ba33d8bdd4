"""The PIDs of OBD-II that a bench has of its model: by these alone it is sure which entry of the data bus a byte is."""

from functools import cache
from typing import Any, Final

from hilbridge.files.configuration.units import load_unit

MASKS: Final = frozenset(range(0, 0x100, 0x20))
"""PIDs that say which others there are."""

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


def is_live(role: str, pid: int) -> bool:
    """Return whether the bench has a value of its own for a PID."""
    return pid in COMPUTED[role] or pid in from_data_bus(role)
