"""`hilbridge campaign` with a search: the shortest inputs that violate an `always`, as a scenario file."""

import argparse
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.lasting_files import is_there
from hilbridge.base.common.words import counted
from hilbridge.base.process.signals import EXIT_INTERRUPTED, interruption
from hilbridge.bench.scenario.build import describe, resolved
from hilbridge.commands.shrink import SECONDS, TRIES, conclude, said
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.configuration.campaignfile import CampaignFile
from hilbridge.files.configuration.scenariofile import load_scenario
from hilbridge.files.settings.campaign import SearchSettings
from hilbridge.frames.codec.custom import entries_of
from hilbridge.runs.campaign.search import Found, guide, search
from hilbridge.runs.campaign.shrink import Failing, shrink
from hilbridge.runs.campaign.trials import ExhaustedError, Trials

VIOLATION: Final = "violation.yaml"
"""The scenario that was found, in the folder of the results."""


def run_search(file: CampaignFile, settings: SearchSettings, options: argparse.Namespace) -> int:
    """Search; return 0 where nothing was found, 1 where a violation was. ConfigurationError: it cannot be begun."""
    if options.on != "local":
        raise ConfigurationError("a search is made on this machine: each try follows from those before it")
    for name in ("verify", "report", "rerun"):
        if getattr(options, name):
            raise ConfigurationError(f"--{name} is of a campaign without a search")
    folder = options.into or options.file.with_suffix(".results")
    output = folder / VIOLATION
    if is_there(output):
        raise ConfigurationError(f"{output} is there already: name another folder with --into")
    name, seed = file.beside(file.settings.bench[0]), file.settings.seed_list[0]
    bench = load_bench(name).without_demo_driver()
    base, watched = _base(file)
    figures = guide([str(base.steps[i]["always"]) for i in watched], entries_of(bench.settings.custom))
    if not figures:
        said("no margin can be computed of the conditions: the search is not guided")
    with interruption() as stop:
        limits: dict[str, Any] = {"time_limit": file.settings.time_limit, "jobs": options.jobs or None}
        of_all = limits | {"stopped": lambda: stop.requested}
        with Trials(bench, seed, most=settings.tries, seconds=float("inf"), figures=figures, **of_all) as trials:
            try:
                found = search(settings, base, watched, trials, said)
            except ExhaustedError:
                return EXIT_INTERRUPTED
            tried = trials.made
        if found.failing is None:
            print(f"no violation in {counted(tried, 'run')}{_nearest(found)}")
            return 0
        said(f"violated in run {tried}: {found.failing.title or found.failing.verdict}")
        folder.mkdir(parents=True, exist_ok=True)
        with Trials(bench, seed, most=TRIES, seconds=SECONDS, **of_all) as trials:
            try:
                status = conclude(shrink(found.failing, trials, said), trials, output, name, seed)
            except ExhaustedError:
                return EXIT_INTERRUPTED
    return EXIT_INTERRUPTED if status == EXIT_INTERRUPTED else 1


def _nearest(found: Found) -> str:
    return "" if found.nearest is None else f"; the nearest came within {found.nearest:.6g}"


def _base(file: CampaignFile) -> tuple[Failing, list[int]]:
    """Return the steps of the scenario, and the places of those that are to be violated, which have names."""
    scenario = load_scenario(file.beside(file.settings.scenario[0]))
    data = resolved(scenario)
    steps, watched = list(data["steps"]), []
    for i, step in enumerate(scenario.settings.steps):
        if step.always is not None and step.background:
            watched.append(i)
            steps[i] = {"name": step.name or describe(step), **steps[i]}
    if not watched:
        words = "has no step 'always' with 'background: true', which a search could violate"
        raise ConfigurationError(f"{scenario.path} {words}")
    others = {key: value for key, value in data.items() if key not in ("steps", "parameters", "purpose")}
    return Failing(steps, watched[0], "failed", others), watched
