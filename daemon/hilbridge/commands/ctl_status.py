"""Prints the answers of a running bench to `hilbridge ctl` for people: the status, values, frames and faults."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from hilbridge.base.common.rows import table_of
from hilbridge.base.common.terminal import printable
from hilbridge.base.common.words import counted
from hilbridge.boundary.control.answers import UNREADABLE
from hilbridge.commands.table import print_table

_TROUBLE_COLUMNS: Final = ("unit", "code", "state", "status", "text")

_RECORDING_COLUMNS: Final = ("recording", "began", "bench", "vehicle", "seconds", "frames", "MB", "state")


def print_status(status: dict[str, Any]) -> None:
    """Print a status in tables, those of rows as part `layouts` says; at its end what of it cannot be read."""
    ticks, rate = status.get("ticks"), status.get("rate_hz", "?")
    print_line(
        f"bench {status.get('bench', '?')}: {status.get('vehicle', '?')}, {rate} ticks/s, "
        f"{'? ticks' if ticks is None else counted(ticks, 'tick')}, {status.get('missed_ticks', '?')} missed"
        f"{_overload(status.get('overload'))}"
    )
    if page := status.get("page"):
        print_line(f"page {page}")
    if end := status.get("service", {}).get("last_end"):
        print_line(f"the run before: {end}")
    for words in status.get("service", {}).get("troubles", {}).values():
        print_line(words)
    _print_fabric(status.get("fabric"))
    _print_part(("value", "", ""), (value_row(name, one) for name, one in status.get("values", {}).items()))
    misfits = _print_rows(status)
    if recording := status.get("recording"):
        state = recording["error"] or ("complete so far" if recording["complete"] else "incomplete")
        size = f"{recording['bytes'] / 1e6:.1f} MB since {recording['since']:g} s"
        print_line(f"recording {recording['folder']}: {size}, {state}", after_space=True)
    if scenario := status.get("scenario"):
        done = f"{scenario['done']} of {counted(scenario['steps'], 'step')} in {scenario['time']:g} s"
        print_line(f"scenario {scenario['name']}: {scenario['state']}, {done}", after_space=True)
    print_unreadable(status | {UNREADABLE: [*status.get(UNREADABLE, ()), *misfits]})


def print_line(text: str, *, after_space: bool = False) -> None:
    """Print a line with text of the bench, if need be after an empty one."""
    print(("\n" if after_space else "") + printable(text))


def print_unreadable(answer: dict[str, Any]) -> None:
    """Print a line for each part of an answer that does not fit."""
    for reason in answer.get(UNREADABLE, ()):
        print_line(f"unreadable: {reason}")


def _print_fabric(fabric: dict[str, Any] | None) -> None:
    if fabric is not None:
        told = ", ".join(filter(None, (fabric["where"], fabric["trouble"]))) or "looks for others"
        restarts = f", {counted(fabric['restarts'], 'restart')}" if fabric["restarts"] else ""
        print_line(f"fabric {told}{restarts}")


def _overload(overload: dict[str, Any] | None) -> str:
    """Return that the run is overloaded, or that it was."""
    if overload is None:
        return ""
    if overload["percent"]:
        return f"; overloaded: {overload['percent']} % of the ticks are missed"
    return f"; was overloaded for {overload['seconds']:g} s" if overload["seconds"] else ""


def print_rows(status: dict[str, Any], part: str) -> None:
    """Print the table of one part, which may have no rows; below it what cannot be read."""
    table = table_of(part, status["layouts"].get(part), status[part])
    print_table(table.columns, table.cells)
    print_unreadable(status | {UNREADABLE: [*status.get(UNREADABLE, ()), *table.misfits]})


def print_troubles(units: dict[str, dict[str, Any]]) -> None:
    """Print the trouble codes of each control unit."""
    print_table(_TROUBLE_COLUMNS, [_trouble(name, code) for name, unit in units.items() for code in unit["stored"]])


def _print_rows(status: dict[str, Any]) -> list[str]:
    """Print a table for each part that has rows; return what of them cannot be read."""
    found = []
    for part, plain in status.get("layouts", {}).items():
        table = table_of(part, plain, status.get(part, {}))
        found += table.misfits
        if table.cells:
            _print_part(table.columns, table.cells)
    return found


def _trouble(unit: str, code: dict[str, Any]) -> Sequence[str]:
    states = [*code["states"], *(["held"] if code["held"] else [])]
    return unit, code["code"], ", ".join(states), f"{code['status']:02X}", code["text"]


def print_recordings(folder: Path, recordings: Iterable[dict[str, Any]], broken: Mapping[str, str]) -> None:
    """Print the recordings of a folder, and of those that cannot be read why."""
    print_line(str(folder))
    rest = ("",) * (len(_RECORDING_COLUMNS) - 2)
    unreadable = [(name, *rest, f"unreadable: {reason}") for name, reason in broken.items()]
    _print_part(_RECORDING_COLUMNS, [*map(_recording, recordings), *unreadable])


def value_row(name: str, one: dict[str, Any]) -> tuple[str, str, str]:
    """Return name, value and unit of an entry as text."""
    number = "not available" if one["value"] is None else f"{one['value']:g}"
    unit = printable(one["unit"]) if one["unit"] != "1" else ""
    if unit == "m/s" and one["value"] is not None:
        unit = f"m/s ({3.6 * one['value']:.1f} km/h)"  # as the page and the status line have it
    return printable(name), number, unit


def _print_part(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    print()
    print_table(columns, rows)


def _recording(facts: dict[str, Any]) -> Sequence[str]:
    if facts["duration"] is None:
        amount, state = (
            ("", ""),
            "under way" if facts["under_way"] else "broken off: `hilbridge export` has what is whole",
        )
    else:
        amount = f"{facts['duration']:.1f}", str(facts["frames"])
        state = "complete" if facts["complete"] else "incomplete"
    return (
        facts["name"],
        facts["began"],
        facts["bench"],
        facts["vehicle"],
        *amount,
        f"{facts['bytes'] / 1e6:.1f}",
        state,
    )
