"""The report of a fit, for programs and for people."""

from typing import Any

from rich.console import Console
from rich.table import Table

from hilbridge.base.common.errors import KeyPath, dotted
from hilbridge.desk.fit.hanging import low_load
from hilbridge.desk.fit.model import GoalResult
from hilbridge.desk.fit.result import FitResult
from vehiclesim.parameters import EngineSettings, Quantity, quantities


def figures(result: FitResult) -> dict[str, Any]:
    """Return the figures of --json; speeds in 1/min, torques in N m, powers in kW."""
    contradiction = result.contradiction
    return {
        "name": result.targets.settings.name,
        "complete": not result.interrupted,
        "well_formed": result.sound,
        "targets_met": contradiction is None and all(outcome.met for outcome in result.outcomes),
        "goals": [_goal(outcome) for outcome in result.outcomes],
        "parameters": {
            each.name: {"value": each.value, "standard_deviation": each.deviation, "assumed": each.assumed}
            for each in result.parameters
        },
        "low_load": _low_load(result),
        "warnings": [each.reason for each in result.implausible()],
        "to_blame": [] if contradiction is None else [dotted(place) for place in contradiction.to_blame],
    }


def print_result(result: FitResult, console: Console) -> None:
    """Print the targets with the figures reached, the parameters with their deviations, and contradictions."""
    console.print(result.targets.settings.name, style="bold", markup=False)
    console.print(_goals(result))
    console.print()
    console.print(_parameters(result))
    if (fuel := low_load(result)) is not None:
        console.print(f"\n{fuel}", markup=False, soft_wrap=True)
    if result.interrupted:
        console.print("\nInterrupted: this is what was found until then.", style="bold")
    if not result.sound:
        console.print("\nRefused: the torque curve of the best engine is malformed.", style="bold red")
    for each in result.implausible():
        console.print(f"\nwarning: {each.reason}", style="yellow", markup=False, soft_wrap=True)
    if result.contradiction is not None:
        console.print()
        console.print(_explanation(result), markup=False, soft_wrap=True)


def _low_load(result: FitResult) -> dict[str, Any] | None:
    """Return the specific consumption at low load in g/kWh, and the share of it that hangs on each parameter."""
    found = low_load(result)
    if found is None:
        return None
    return {"consumption": found.consumption, "shares": {each.parameter.name: each.share for each in found.shares}}


def _goal(outcome: GoalResult) -> dict[str, Any]:
    goal = outcome.goal
    return {
        "target": dotted(goal.target),
        "text": goal.text,
        "unit": goal.unit,
        "wanted": goal.wanted,
        "reached": outcome.measured,
        "tolerance": goal.tolerance,
        "met": outcome.met,
    }


def _goals(result: FitResult) -> Table:
    table = Table(box=None, padding=(0, 1))
    table.add_column("target", header_style="bold")
    for heading in ("wanted", "reached", "unit", "off %", "allowed %"):
        table.add_column(heading, justify="left" if heading == "unit" else "right", header_style="bold")
    table.add_column("")
    for outcome in result.outcomes:
        goal = outcome.goal
        off = 100.0 * (outcome.measured / goal.wanted - 1.0)
        numbers = (f"{goal.wanted:.5g}", f"{outcome.measured:.5g}", goal.unit, f"{off:+.2f}", f"{100 * goal.share:g}")
        table.add_row(goal.text, *numbers, "" if outcome.met else "missed", style="" if outcome.met else "bold red")
    return table


def _parameters(result: FitResult) -> Table:
    units = {entry.name: note.unit for entry, _, note in quantities(EngineSettings) if isinstance(note, Quantity)}
    table = Table(box=None, padding=(0, 1))
    table.add_column("parameter", header_style="bold")
    for heading in ("value", "±"):
        table.add_column(heading, justify="right", header_style="bold")
    table.add_column("")
    table.add_column("")
    for each in result.parameters:
        unit = units[each.name.partition(" at ")[0]]
        remark = "assumed" if each.assumed else ""  # the targets have not narrowed it down
        table.add_row(each.name, f"{each.value:g}", f"{each.deviation:g}", "" if unit == "1" else unit, remark)
    return table


def _explanation(result: FitResult) -> str:
    """Return sentences about the contradiction, each target with its line."""
    contradiction = result.contradiction
    assert contradiction is not None  # noqa: S101 - is only asked for one
    missed = ", ".join(outcome.goal.text for outcome in contradiction.missed)
    head = f"No engine of this kind meets all targets; missed by the best one: {missed}."
    if not contradiction.to_blame and not contradiction.complete:
        return head
    if not contradiction.to_blame:
        return f"{head}\nLeaving out a single target does not help: more than two contradict each other."
    lines = "\n".join(f"  {_place(result, place)}" for place in contradiction.to_blame)
    if len(contradiction.to_blame) == 1:
        return f"{head}\nWithout this target all others can be met:\n{lines}"
    return f"{head}\nThese contradict each other; without any one of them all others can be met:\n{lines}"


def _place(result: FitResult, place: KeyPath) -> str:
    file = result.targets.file
    return f"{file.path}:{file.line(place)}: {dotted(place)}"
