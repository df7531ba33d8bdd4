"""Outlets of a bench's status, which are armed or not: buses, outputs, serial buses, and whatever a part adds."""

from collections.abc import Mapping
from typing import Any


def outlets(status: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the rows that say whether they are armed, and count what their gate held back, of all parts by name."""
    return {
        name: row for part in status.values() if isinstance(part, dict) for name, row in part.items() if _is_outlet(row)
    }


def unarmed(status: Mapping[str, Any]) -> list[str]:
    """Return the names of those that send nothing until they are armed."""
    return [name for name, row in outlets(status).items() if not row["armed"]]


def _is_outlet(row: object) -> bool:
    """Return whether a row, perhaps of a part that nothing here knows, has what is shown of an outlet."""
    return (
        isinstance(row, dict)
        and isinstance(row.get("armed"), bool)
        and isinstance(row.get("trouble"), str)
        and isinstance(row.get("received", 0), int)
        and isinstance(gate := row.get("gate"), dict)
        and all(isinstance(number, int) for number in gate.values())
    )
