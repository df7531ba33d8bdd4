"""`hilbridge run`: a bench in real time, or as fast as the machine can on the virtual clock."""

import argparse
import faulthandler
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.terminal import printable
from hilbridge.base.plots.style import check_plot
from hilbridge.base.process.notify import leave_word
from hilbridge.commands.argument_types import positive, whole
from hilbridge.commands.consent import add_trust
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.configuration.changes import Changes
from hilbridge.files.configuration.scenariofile import find_scenarios, load_scenario, parameter

_MENDED_BY: Final = "HILBRIDGE_MENDED_BY"
"""Names the unit that starts the bench again once its file is right."""

_LOCKSTEP: Final = "lockstep"
"""The pace of what is waited for."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bench", nargs="?", default="demo", metavar="BENCH", help="bench file or name (default: demo)")
    parser.add_argument(
        "--clock", choices=("real", "virtual"), default="real", help="virtual: no waiting, no ports, repeatable"
    )
    parser.add_argument(
        "--pace",
        type=_pace,
        metavar="X",
        help=f"X times real time, with open ports; {_LOCKSTEP}: virtual, and the bench waits for its lockstep clients",
    )
    parser.add_argument("--duration", type=positive, metavar="S", help="end after S seconds of the run")
    parser.add_argument("--record", type=Path, metavar="DIR", help="write a recording into DIR, which holds none yet")
    parser.add_argument(
        "--scenario",
        action="append",
        metavar="FILE",
        help="play a scenario in place of the demo driver; status 1 if it fails; a folder or several: one run each",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a parameter of the scenario, or a key such as vehicle.body.mass or bench.rate; may be repeated",
    )
    parser.add_argument(
        "--report",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="write the verdicts: .xml (JUnit), .html (a page with pictures), .json; may be repeated",
    )
    parser.add_argument(
        "--plot", type=Path, metavar="FILE", help="draw the course: .svg or .png; of several scenarios: a folder"
    )
    parser.add_argument("--seed", type=whole, metavar="N", help="for everything random, in place of the bench file's")
    parser.add_argument(
        "--wait",
        choices=("late", "none"),
        default="late",
        help="for links and ports that are missing at the start: late: the run begins and awaits them; none: status 1",
    )
    parser.add_argument("--log", choices=("text", "json"), help="form of the log (default: text on a terminal)")
    parser.add_argument("--no-demo-driver", dest="demo", action="store_false", help="nothing drives by itself")
    parser.add_argument("--fabric", action="store_true", help="on Zenoh, for `hilbridge lab`; by default on loopback")
    parser.add_argument("--no-web", dest="web", action="store_false", help="without the cockpit page")
    parser.add_argument("--open", action="store_true", help="open the cockpit page in this machine's browser")
    add_trust(parser)


def _leave_stacks() -> None:
    """Have the stacks of all threads written when the watchdog of the service manager ends a run that hangs.

    They go to stderr, so into the journal; nothing is written where that is closed, or no file.
    """
    if not faulthandler.is_enabled():
        with suppress(OSError, ValueError, RuntimeError):
            faulthandler.enable()


def run(options: argparse.Namespace) -> int:
    _leave_stacks()
    manager = os.environ.get("NOTIFY_SOCKET", "")  # which a run takes out of the environment
    try:
        return _run(options)
    except ConfigurationError as error:
        mended = "" if error.may_pass or _MENDED_BY not in os.environ else "; mend it, and the bench starts by itself"
        leave_word("not started: " + "; ".join(str(error).splitlines()) + mended, manager)
        raise
    except Exception as error:
        reason = "; ".join([type(error).__name__, *str(error).splitlines()])
        leave_word(f"ended by a fault of the program: {reason}; journalctl has the place", manager)
        raise


def _run(options: argparse.Namespace) -> int:
    from hilbridge.bench.scenario.page import is_page
    from hilbridge.runs.run.preparation import RunOptions
    from hilbridge.runs.run.run import run as run_bench

    if lockstep := options.pace == _LOCKSTEP:
        options.clock, options.pace = "virtual", None
    virtual = options.clock == "virtual" and options.pace is None
    if virtual and options.duration is None and options.scenario is None:
        raise ConfigurationError("the virtual clock does not end by itself: say for how long with --duration")
    changes = _changes(options, virtual=virtual)
    scenarios = find_scenarios(options.scenario or ())
    if len(scenarios) > 1 or (scenarios and scenarios != options.scenario):
        return _play_suite(scenarios, options)
    if options.plot is not None:
        check_plot(options.plot)
    _greet(options.bench)
    file = load_bench(options.bench, changes)
    if lockstep and not file.settings.lockstep:
        raise ConfigurationError(f"--pace {_LOCKSTEP}: bench {file.settings.name} names no client: key 'lockstep'")
    if options.seed is not None:
        file = file.altered(seed=options.seed)
    if not options.demo:
        file = file.without_demo_driver()
    scenario, undriven = None, False
    if scenarios:
        scenario = load_scenario(scenarios[0], changes.scenario)
        undriven = file.has_demo_driver and scenario.settings.needs_driver
        file = file.without_demo_driver()
    _open_page(file.settings.name, wanted=options.open)
    record = None if options.record is None else options.record.absolute()
    try:
        pace = None if virtual else options.pace or 1.0
        reports = tuple(options.report)
        chosen = RunOptions(
            pace,
            options.duration,
            record,
            scenario,
            reports,
            pictured=any(map(is_page, reports)) and find_spec("matplotlib") is not None,
            plot=options.plot,
            command=shlex.join(["hilbridge", "run", options.bench, *_again(options, scenarios)]),
            web=options.web,
            seed=options.seed,
            log=options.log,
            fabric=options.fabric,
            waits=options.wait == "late",
            undriven=undriven,
        )
        return run_bench(file, chosen)
    except ConfigurationError as error:
        raise file.locate(error) from error


def _greet(bench: str) -> None:
    """Say at once on a terminal that something is under way: a start takes seconds on a loaded machine."""
    if sys.stderr is not None and sys.stderr.isatty():  # None: it was closed
        print(f"hilbridge: starting bench {printable(bench)}", file=sys.stderr, flush=True)


def _pace(text: str) -> float | str:
    return text if text == _LOCKSTEP else positive(text)


def _changes(options: argparse.Namespace, *, virtual: bool) -> Changes:
    """Return what --set says. ConfigurationError: it, or another option, is of a scenario, and there is none."""
    changes = Changes.of(dict(map(parameter, options.set)))
    if (changes.bench or changes.vehicle) and not virtual:
        raise ConfigurationError("--set of a key of bench or vehicle needs --clock virtual: a reload would undo it")
    for name, given in (("report", options.report), ("plot", options.plot), ("set", changes.scenario)):
        if given and options.scenario is None:
            raise ConfigurationError(f"--{name} is of a scenario: name it with --scenario")
    return changes


def _again(options: argparse.Namespace, scenarios: Sequence[str]) -> Iterator[str]:
    """Yield the options of the command line that play scenarios again as they were played."""
    yield from ("--clock", options.clock)
    for name in ("pace", "duration", "seed"):
        if (value := getattr(options, name)) is not None:
            yield from (f"--{name}", f"{value:.12g}")
    if not options.web:
        yield "--no-web"
    if options.wait != "late":
        yield from ("--wait", options.wait)
    if options.trust:
        yield "--trust"
    for scenario in scenarios:
        yield from ("--scenario", scenario)
        yield from (part for each in options.set for part in ("--set", each))


def _play_suite(scenarios: list[str], options: argparse.Namespace) -> int:
    from hilbridge.commands.suite import Outputs, play_suite  # imports rich, which no tick process has

    outputs = Outputs(options.record, options.report, options.plot)
    return play_suite(options.bench, scenarios, options.set, [*_again(options, ())], outputs)


def _open_page(bench: str, *, wanted: bool) -> None:
    """Let a process of its own open the page as soon as there is one, so that the browser costs no tick."""
    if not wanted:
        return
    command = [sys.executable, "-m", "hilbridge", "page", bench, "--open", "--wait", "30"]
    subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
