"""The lists in the lower half of the screen: their columns, and their rows made of a status.

A part of the bench that has no list of its own here has the one that its rows describe (base/common/rows.py).
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from hilbridge.base.common.rows import table_of

Rows = Sequence[Sequence[str]]


class List(NamedTuple):
    """A list: title and columns; `rows` makes its rows of a status.

    `dispensable`: the columns that are left out on a narrow terminal, the first one first; the others are never cut.
    """

    title: str
    columns: Sequence[str]
    rows: Callable[[dict[str, Any]], Rows]
    dispensable: Sequence[str] = ()


NUMBERS: Final = frozenset(("sent", "period ms", "measured ms", "late", "held back", "at", "from s", "to s"))
"""Columns that are aligned to the right."""


def fitting(one: List, rows: Rows, width: int) -> list[int]:
    """Return the indices of the columns that are shown in `width`, with a space on both sides of each."""
    widths = [max(map(len, column)) + 2 for column in zip(one.columns, *rows, strict=True)]
    shown = list(range(len(one.columns)))
    for name in one.dispensable:
        if sum(widths[index] for index in shown) <= width:
            break
        shown.remove(one.columns.index(name))
    return shown


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
        str(frame["held_back"] + frame["withheld"]),
        _frame_state(frame),
    )


def _frame_state(frame: dict[str, Any]) -> str:
    if not frame["awake"]:
        return "disturbed" if frame["disturbed"] else "asleep"
    if not frame["armed"]:
        return "held back"
    return "disturbed" if frame["disturbed"] else ""


def _inputs(status: dict[str, Any]) -> Rows:
    return [
        (one["control"], "–" if one["value"] is None else f"{one['value']:g}", one["source"] or "nobody")
        for one in status["inputs"]
    ]


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
        ("bus", "id", "message", "sent", "period ms", "measured ms", "spread ms", "late", "held back", "state"),
        _frames,
        ("spread ms", "held back", "late", "measured ms", "bus", "period ms", "sent"),
    ),
    "2": List("inputs", ("control", "at", "held by"), _inputs),
    "3": List("codes and faults", ("of", "code", "state", "what"), _troubles),
}
"""The lists of every bench, by the digit that selects them."""

_DRAWN: Final = ("buses", "inputs", "faults", "troubles", "frames")
"""Parts that the lists above and the upper half of the screen have."""

_DIGITS: Final = "456789"


def lists_of(status: dict[str, Any]) -> dict[str, List]:
    """Return all lists by digit: also those of the parts that have rows, as far as digits go."""
    parts = [part for part in status["layouts"] if part not in _DRAWN and status.get(part)]
    return LISTS | {digit: _list_of(part, status["layouts"][part]) for digit, part in zip(_DIGITS, parts, strict=False)}


def _list_of(part: str, layout: Any) -> List:
    def rows(status: dict[str, Any]) -> Rows:
        table = table_of(part, layout, status.get(part, {}))
        rest = ("",) * (len(table.columns) - 1)
        return [*table.cells, *((f"unreadable: {reason}", *rest) for reason in table.misfits)]

    return List(part, table_of(part, layout, {}).columns, rows)
