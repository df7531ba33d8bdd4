"""Outlets of a bench's status, which are armed or not: buses, outputs, serial buses, and whatever a part adds."""

from collections.abc import Mapping
from typing import Any


def outlets(status: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the rows that have `armed` and count what their gate held back, of all parts of a status, by name."""
    return {
        name: row
        for part in status.values()
        if isinstance(part, dict)
        for name, row in part.items()
        if isinstance(row, dict) and isinstance(row.get("armed"), bool) and isinstance(row.get("gate"), dict)
    }


def unarmed(status: Mapping[str, Any]) -> list[str]:
    """Return the names of those that send nothing until they are armed."""
    return [name for name, row in outlets(status).items() if not row["armed"]]
