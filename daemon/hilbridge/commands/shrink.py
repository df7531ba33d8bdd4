"""`hilbridge shrink`: the shortest inputs with which a run still fails, as a scenario file."""

import argparse
import shlex
import sys
from pathlib import Path
from typing import Any, Final, NamedTuple

from hilbridge.base.clock import StopRequest
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.lasting_files import is_file, is_there, write_output
from hilbridge.base.common.terminal import printable
from hilbridge.base.common.units import SECOND
from hilbridge.base.common.words import counted
from hilbridge.base.process.signals import EXIT_INTERRUPTED, interruption
from hilbridge.bench.scenario.build import describe, resolved
from hilbridge.boundary.record.manifest import MANIFEST
from hilbridge.boundary.record.recording import Recording
from hilbridge.commands.argument_types import positive, whole
from hilbridge.commands.consent import add_trust
from hilbridge.files.configuration.benchfile import BenchFile, load_bench
from hilbridge.files.configuration.bundle import dumped
from hilbridge.files.configuration.scenariofile import load_scenario, parameter
from hilbridge.runs.campaign.recorded_inputs import recorded_inputs
from hilbridge.runs.campaign.shrink import Failing, Shrunk, against, first_failure, shrink
from hilbridge.runs.campaign.trials import ExhaustedError, Trials
from hilbridge.runs.run.bisect import bisect
from hilbridge.runs.run.replay import begun_with, load_recorded

TRIES: Final = 1000
SECONDS: Final = 1800.0

_SHOWN: Final = 20
"""Inputs that are printed; all are in the file."""


class _Source(NamedTuple):
    """A bench that fails, its seed, and the recording that it is of, if it is of one."""

    file: BenchFile
    bench: str
    seed: int
    recording: Recording | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="SOURCE", help="a recording; with --scenario also a bench file or name")
    parser.add_argument(
        "condition",
        nargs="?",
        metavar="CONDITION",
        help="the failure: what must not hold, and does in the recording, e.g. 'vehicle.Speed > 20'",
    )
    parser.add_argument("--scenario", metavar="FILE", help="the failure is that this scenario fails, dies or hangs")
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="a parameter of the scenario; may be repeated"
    )
    parser.add_argument("--seed", type=whole, metavar="N", help="for everything random (default: that of SOURCE)")
    parser.add_argument(
        "-o", "--output", type=Path, default=Path("shrunk.yaml"), metavar="FILE", help="(default: shrunk.yaml)"
    )
    parser.add_argument("--tries", type=whole, default=TRIES, metavar="N", help=f"runs at most (default: {TRIES})")
    parser.add_argument(
        "--seconds",
        type=positive,
        default=SECONDS,
        metavar="S",
        help=f"time of the processors at most (default: {SECONDS:g})",
    )
    parser.add_argument("--jobs", type=whole, metavar="N", help="runs at a time (default: all processors)")
    add_trust(parser)


def run(options: argparse.Namespace) -> int:
    if (options.condition is None) == (options.scenario is None):
        raise ConfigurationError("say what the failure is: a CONDITION, or a scenario with --scenario")
    if options.set and options.scenario is None:
        raise ConfigurationError("--set is of a scenario: name it with --scenario")
    if is_there(options.output):
        raise ConfigurationError(f"{options.output} is there already: name another file with -o")
    source = _source(options)
    limits: dict[str, Any] = {"most": options.tries, "seconds": options.seconds, "jobs": options.jobs or None}
    with (
        interruption() as stop,
        Trials(source.file, source.seed, stopped=lambda: stop.requested, **limits) as trials,
    ):
        try:
            if options.scenario is None:
                failing = _of_condition(trials, source, options.condition, stop)
            else:
                failing = _of_scenario(trials, options)
            said(f"{counted(len(failing.inputs), 'input')} to be shrunk")
            return conclude(shrink(failing, trials, said), trials, options.output, source.bench, source.seed)
        except ExhaustedError as exhausted:
            said(f"nothing was shrunk: {exhausted}")
            return EXIT_INTERRUPTED if stop.requested else 1


def said(line: str) -> None:
    """Print a line about the way."""
    sys.stderr.write(f"{line}\n")


def _source(options: argparse.Namespace) -> _Source:
    """Return the bench. ConfigurationError: it cannot be read."""
    folder, recording = Path(options.source), None
    if options.condition is not None or is_file(folder / MANIFEST):
        recording = Recording(folder)
        file, bench = load_recorded(recording), str(recording.bench)
        if begun_with(recording):
            said("the stored state with which the recorded run began is not in the runs that are tried")
    else:
        file, bench = load_bench(options.source), options.source
    seed = file.settings.seed if options.seed is None else options.seed
    return _Source(file.without_demo_driver(), bench, seed, recording)


def _of_condition(trials: Trials, source: _Source, condition: str, stop: StopRequest) -> Failing:
    """Return the recorded inputs up to where a condition holds. ConfigurationError: it does not."""
    if source.recording is None:
        raise ConfigurationError("a CONDITION is of a recording")
    hit, outcome = bisect(source.recording, condition, stop)
    if stop.requested and hit is None:
        raise ExhaustedError("interrupted")
    if hit is None:
        words = "the replay is not as recorded" if outcome.difference else outcome.end or "never"
        raise ConfigurationError(f"the condition does not hold in {source.recording.directory}: {words}; see bisect")
    stop.requested = False  # by bisect, where it holds
    said(f"holds at {hit.t / SECOND:.9g} s of the recording")
    file = load_recorded(source.recording)
    found = recorded_inputs(source.recording, file, hit.t, stop)
    for kind, count in found[-1].left_out.items():
        said(f"left out, because no step does it: {kind}, {count}")
    lasts = (hit.t - hit.available + file.settings.period) / SECOND
    failing = [against(condition, hit.available / SECOND, lasts, inputs) for inputs in found]
    first = trials.first([each.data for each in failing], failing[-1].holds)
    return failing[-1 if first is None else first]


def _of_scenario(trials: Trials, options: argparse.Namespace) -> Failing:
    scenario = load_scenario(options.scenario, dict(map(parameter, options.set)))
    data = resolved(scenario)
    others = {key: value for key, value in data.items() if key not in ("steps", "parameters", "purpose")}
    titles = [step.name or describe(step) for step in scenario.settings.steps]
    return first_failure(trials, data["steps"], titles, others)


def conclude(shrunk: Shrunk, trials: Trials, output: Path, bench: str, seed: int) -> int:
    """Write the scenario, run it once more from its file, and print the result; return the exit status."""
    failing = shrunk.failing
    purpose = f"Shortest inputs that were found for: {failing.title or failing.verdict}"
    try:
        write_output(output, dumped({"purpose": purpose, **failing.data}))
    except OSError as error:
        raise ConfigurationError(f"cannot write {output}: {error.strerror}") from None
    if shrunk.ended:
        said(f"not all was tried: {shrunk.ended}")
    interrupted = shrunk.ended == "interrupted"
    row = trials.again(output) if not interrupted else shrunk.row
    same = failing.holds(row)
    inputs = [failing.steps[i] for i in failing.inputs]
    print(f"{output}: {counted(len(inputs), 'input')}, found in {counted(trials.made, 'run')}")
    for step in inputs[:_SHOWN]:
        words = {key: value for key, value in step.items() if key not in ("at", "name")}
        print(f"  {step['at']:g} s  {words}" if "at" in step else f"  {words}")
    if len(inputs) > _SHOWN:
        print(f"  and {len(inputs) - _SHOWN} more")
    how = "as found before" if interrupted else "run once more from the file"
    print(f"{how}: {row['verdict']}: {printable(row['reason'])}")
    if bench:
        again = ["hilbridge", "run", bench, "--clock", "virtual", "--seed", str(seed), "--scenario", str(output)]
        print(f"  {shlex.join(again)}")
    if interrupted:
        return EXIT_INTERRUPTED
    if not same:
        said("it did not fail in the same way again: the bench is not deterministic")
    return 0 if same else 1
