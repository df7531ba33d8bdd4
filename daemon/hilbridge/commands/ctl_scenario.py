"""`hilbridge ctl scenario start`: scenario files to a running bench, one after the other, and the verdicts.

Apart from the other actions: it reads and checks the files before they are sent, which takes most of the program.
"""

import argparse
import json

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.scenario.page import Played
from hilbridge.bench.scenario.report import SILENCE, Report, is_green, summary
from hilbridge.client import talks
from hilbridge.client.sync_client import AnyClient
from hilbridge.files.configuration.scenariofile import ScenarioFile, find_scenarios, load_scenario, parameter
from hilbridge.runs.run.verdict import announce, write_reports


def play(bench: AnyClient, options: argparse.Namespace) -> int:
    """Start a scenario, and wait for its verdicts where they are wanted; return the exit status.

    Those of a folder are played one after the other, so each is waited for.
    """
    names = find_scenarios([options.file])
    suite = names != [options.file]
    files = _of_suite(names, options) if suite else [load_scenario(options.file, dict(map(parameter, options.set)))]
    reports = []
    answers = []
    for file in files:
        bench.carry_out(talks.start_scenario(file, keep=options.keep))
        if not (suite or options.wait or options.report):
            if options.json:
                print("{}")
            return 0
        answers.append(bench.carry_out(talks.await_scenario()))
        reports.append(Report.of_verdicts(answers[-1]["verdicts"], file))
        if not options.json:
            announce(reports[-1])
        if reports[-1].is_silent:
            break
    verdicts = [report.verdict for report in reports] + ["not reached"] * (len(files) - len(reports))
    if options.json:
        print(json.dumps(answers if suite else answers[0], indent=2))
    elif suite:
        print(summary(verdicts))
        if reports[-1].is_silent:
            print(SILENCE)
    title = options.file if suite else reports[0].name
    write_reports([Played(report) for report in reports], options.report, f"Scenario {title}")
    return 0 if is_green(verdicts) else 1


def _of_suite(names: list[str], options: argparse.Namespace) -> list[ScenarioFile]:
    """Return the files of a folder, each with those of the given parameters that it has."""
    given = dict(map(parameter, options.set))
    known: set[str] = set()
    files = []
    for name in names:
        declared = load_scenario(name).settings.parameters
        known |= declared.keys()
        files.append(load_scenario(name, {key: value for key, value in given.items() if key in declared}))
    if unused := next((name for name in given if name not in known), None):
        raise ConfigurationError(f"no scenario has the parameter {unused!r}")
    return files
