"""`hilbridge ctl scenario start`: a scenario file to a running bench, and the verdict.

Apart from the other actions because it reads and checks the file before it is sent, which takes most of the program.
"""

import argparse
import json

from hilbridge.common.errors import ConfigurationError
from hilbridge.configuration.scenariofile import load_scenario
from hilbridge.control.client import ask, await_scenario
from hilbridge.control.socket_paths import find_socket
from hilbridge.run.verdict import announce, write_junit
from hilbridge.scenario.build import resolved
from hilbridge.scenario.report import Report


def play(options: argparse.Namespace) -> int:
    """Start a scenario, and wait for its verdicts where they are wanted; return the exit status."""
    path, file = find_socket(options.bench), load_scenario(options.file)
    command = {"command": "scenario-start", "scenario": resolved(file), "name": file.name, "keep": options.keep}
    try:
        answer = ask(path, command)
    except ConfigurationError as error:
        raise file.locate(error) if error.place else error from None
    if not options.wait and options.report is None:
        if options.json:
            print(json.dumps(answer, indent=2))
        return 0
    status = await_scenario(path)
    report = Report.of_verdicts(status["verdicts"], file)
    if options.json:
        print(json.dumps(status, indent=2))
        write_junit(file, report, options.report)
    else:
        announce(file, report, options.report)
    return 0 if report.passed else 1
