"""`hilbridge ctl scenario start`: a scenario file to a running bench, and the verdict.

Apart from the other actions because it reads and checks the file before it is sent, which takes most of the program.
"""

import argparse
import json

from hilbridge.client import talks
from hilbridge.client.sync_client import Client
from hilbridge.configuration.scenariofile import load_scenario, parameter
from hilbridge.run.verdict import announce, write_reports
from hilbridge.scenario.page import Played
from hilbridge.scenario.report import Report


def play(options: argparse.Namespace) -> int:
    """Start a scenario, and wait for its verdicts where they are wanted; return the exit status."""
    file = load_scenario(options.file, dict(map(parameter, options.set)))
    with Client(options.bench) as bench:
        bench.carry_out(talks.start_scenario(file, keep=options.keep))
        if not options.wait and not options.report:
            if options.json:
                print("{}")
            return 0
        status = bench.carry_out(talks.await_scenario())
    report = Report.of_verdicts(status["verdicts"], file)
    if options.json:
        print(json.dumps(status, indent=2))
    else:
        announce(report)
    write_reports([Played(report)], options.report, f"Scenario {report.name}")
    return 0 if report.passed else 1
