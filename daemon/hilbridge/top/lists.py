"""The lists in the lower half of the screen: their columns, and their rows made of a status."""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

Rows = Sequence[Sequence[str]]


class List(NamedTuple):
    """A list: title and columns; `rows` makes its rows of a status."""

    title: str
    columns: Sequence[str]
    rows: Callable[[dict[str, Any]], Rows]


NUMBERS: Final = frozenset(("sent", "period ms", "measured ms", "late", "withheld", "at", "from s", "to s"))
"""Columns that are aligned to the right."""

WHOLE: Final = {"of": 8, "code": 7}
"""Least width of columns that mean nothing when they are cut."""


def _frames(status: dict[str, Any]) -> Rows:
    return [_frame(frame) for frame in status["frames"]]


def _frame(frame: dict[str, Any]) -> Sequence[str]:
    cycle, measured = frame["cycle_ms"], frame["period_ms"]
    spread = "" if measured is None else f"{measured['shortest']:g}…{measured['longest']:g}"
    return (
        frame["bus"],
        frame["id"],
        frame["message"],
        str(frame["sent"] - frame["held_back"]),
        "on event" if cycle is None else f"{cycle:g}",
        "" if measured is None else f"{measured['mean']:.2f}",
        spread,
        str(frame["skipped"]),
        str(frame["withheld"]),
        _frame_state(frame),
    )


def _frame_state(frame: dict[str, Any]) -> str:
    if not frame["awake"]:
        return "disturbed" if frame["disturbed"] else "asleep"
    if not frame["armed"]:
        return "held back"
    return "disturbed" if frame["disturbed"] else ""


def _inputs(status: dict[str, Any]) -> Rows:
    return [(one["control"], f"{one['value']:g}", one["source"] or "nobody") for one in status["inputs"]]


def _troubles(status: dict[str, Any]) -> Rows:
    codes = [
        (ecu, code["code"], ", ".join(code["states"]), code["text"])
        for ecu, one in status["troubles"].items()
        for code in one["stored"]
    ]
    faults = [(f"fault {one['fault']}", "", one["state"], one["what"]) for one in status["faults"]]
    return [*codes, *faults]


LISTS: Final = {
    "1": List(
        "frames",
        ("bus", "id", "message", "sent", "period ms", "measured ms", "spread ms", "late", "withheld", "state"),
        _frames,
    ),
    "2": List("inputs", ("control", "at", "held by"), _inputs),
    "3": List("codes and faults", ("of", "code", "state", "what"), _troubles),
}
"""The lists by the digit that selects them."""
