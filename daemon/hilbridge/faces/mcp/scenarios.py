"""Scenarios for an assistant: those that were shipped and those beside the bench file, by name; none that arms."""

import time
from pathlib import Path
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.scenario.build import resolved
from hilbridge.bench.scenario.report import Report
from hilbridge.client import talks
from hilbridge.client.sync_client import AnyClient
from hilbridge.faces.cockpit.library import Library
from hilbridge.faces.mcp.tool import LONGEST_WORD, Arguments
from hilbridge.files.configuration.scenariofile import parameter

MOST_SCENARIOS: Final = 100
"""Scenarios in one answer."""


def list_scenarios(bench: AnyClient, _given: Arguments, _by: str) -> dict[str, Any]:
    """Return the scenarios on offer, and the one that was played last or is being played."""
    library = _library(bench)
    names = library.names()
    return {
        "scenarios": [_facts(library, name) for name in names[:MOST_SCENARIOS]],
        "left_out": max(0, len(names) - MOST_SCENARIOS),
        "last": bench.status("scenario")["scenario"],
    }


def run_scenario(bench: AnyClient, given: Arguments, _by: str) -> dict[str, Any]:
    """Play a scenario, and stop it where it is when its time is over; return the verdicts on its steps.

    ConfigurationError: there is none, it arms, it does not fit the bench, or another one is being played.
    """
    file = _library(bench).load(given["scenario"], dict(map(parameter, map(str, given["parameters"]))))
    talks.refuse_arming(resolved(file))
    bench.carry_out(talks.start_scenario(file))
    began = time.monotonic()
    answer = bench.carry_out(talks.await_scenario(given["seconds"]))
    report = Report.of_verdicts(answer["verdicts"], file)
    return {
        "scenario": report.name,
        "verdict": report.verdict,
        "stopped": time.monotonic() - began > given["seconds"],
        "steps": [
            {"line": row.line, "step": row.title, "outcome": row.outcome.value, "seen": row.seen} for row in report.rows
        ],
    }


def _library(bench: AnyClient) -> Library:
    return Library(Path(bench.status("file")["file"]).parent)


def _facts(library: Library, name: str) -> dict[str, Any]:
    try:
        settings = library.load(name).settings
    except ConfigurationError as error:
        return {"name": name, "trouble": str(error)[:LONGEST_WORD]}
    return {
        "name": name,
        "purpose": settings.purpose,
        "steps": len(settings.steps),
        "parameters": dict(settings.parameters),
        "gearboxes": settings.gearboxes or "any",
        "arms": any(step.arm is not None for step in settings.steps),
    }
