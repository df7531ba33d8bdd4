"""`hilbridge replay`: the inputs of a recording once more, and every frame compared."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import SECOND
from hilbridge.base.common.words import counted
from hilbridge.base.process.signals import EXIT_INTERRUPTED, interruption
from hilbridge.boundary.record.recording import Recording
from hilbridge.commands.argument_types import positive
from hilbridge.commands.consent import add_trust
from hilbridge.commands.progress import progress_bar
from hilbridge.files.configuration.scenariofile import load_scenario, parameter
from hilbridge.frames.codec.frame import Frame
from hilbridge.runs.run.replay import Difference, ReplayResult, replay

if TYPE_CHECKING:
    from hilbridge.runs.run.branch import BranchResult


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("directory", type=Path, metavar="DIR", help="a recording, made with `hilbridge run --record`")
    parser.add_argument("--json", action="store_true", help="as one JSON object")
    parser.add_argument("--until", type=_time, metavar="S", help="replay the ticks before S seconds of the run")
    parser.add_argument(
        "--branch",
        type=Path,
        metavar="NEW",
        help="with --until: go on from there with other inputs, and record all of it into NEW; status 1 if a "
        "scenario fails",
    )
    parser.add_argument("--scenario", metavar="FILE", help="of a branch: what is done from there on")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="of a branch: hold an entry from there on, e.g. input.Brake=0.4; without a dot: a parameter of the "
        "scenario; may be repeated",
    )
    parser.add_argument("--rest", action="store_true", help="of a branch: what was recorded goes on beside the others")
    parser.add_argument("--duration", type=positive, metavar="S", help="of a branch: its end, from there on")
    add_trust(parser)


def run(options: argparse.Namespace) -> int:
    recording = Recording(options.directory)
    until = None if options.until is None else round(options.until * SECOND)
    if options.branch is not None:
        if until is None:
            raise ConfigurationError("--branch needs the time at which it begins: --until S")
        return _branch(recording, until, options)
    for name in ("scenario", "set", "rest", "duration"):
        if getattr(options, name):
            raise ConfigurationError(f"--{name} is of a branch: say where it is recorded with --branch NEW")
    with interruption() as stop, progress_bar("comparing", recording.size) as progress:
        outcome = replay(recording, stop, progress, until=until)
    print(json.dumps(facts(outcome), indent=2) if options.json else "\n".join(_lines(outcome)))
    return _status(outcome)


def _time(text: str) -> float:
    return 0.0 if text.strip("0.") == "" and text.strip(".") else positive(text)


def _branch(recording: Recording, until: int, options: argparse.Namespace) -> int:
    from hilbridge.runs.run.branch import Other, branch
    from hilbridge.runs.run.verdict import announce

    given = dict(map(parameter, options.set))
    values = {name: value for name, value in given.items() if "." in name}
    parameters = {name: value for name, value in given.items() if "." not in name}
    if parameters and options.scenario is None:
        raise ConfigurationError(f"--set {min(parameters)}: an entry has a channel, as input.Brake has; see --scenario")
    if options.scenario is None and options.duration is None and not options.rest:
        raise ConfigurationError("a branch does not end by itself: say for how long with --duration")
    scenario = None if options.scenario is None else load_scenario(options.scenario, parameters)
    duration = None if options.duration is None else round(options.duration * SECOND)
    other = Other(values, scenario, options.rest, duration)
    with interruption() as stop, progress_bar("replaying", recording.size) as progress:
        result = branch(recording, until, other, options.branch, stop, progress)
    replayed = result.replayed
    if options.json:
        print(json.dumps(facts(replayed) | {"branch": _branch_facts(result, options.branch)}, indent=2))
    elif replayed.identical:
        new = f"{counted(result.frames, 'frame')} in {counted(result.ticks, 'tick')}"
        same = f"identical up to {until / SECOND:.9g} s: {counted(replayed.frames, 'frame')}; from there on {new}"
        print("\n".join([*circumstances(replayed), same]))
        if result.report is not None:
            announce(result.report)
    else:
        print("\n".join(_lines(replayed)))
    if result.failure:
        print(f"the branch ends early: {result.failure}", file=sys.stderr)
    passed = not result.failure and (result.report is None or result.report.passed)
    return _status(replayed) or int(not passed)


def _branch_facts(result: "BranchResult", folder: Path) -> dict[str, Any]:
    return {
        "recording": str(folder),
        "ticks": result.ticks,
        "frames": result.frames,
        "failure": result.failure,
        "report": None if result.report is None else result.report.facts(),
    }


def report(outcome: ReplayResult) -> int:
    """Print on stderr in what a replay was not as recorded, if anything, and return the exit status of the command."""
    if not outcome.identical or outcome.end:
        print("\n".join(_lines(outcome)), file=sys.stderr)
    return _status(outcome)


def _status(outcome: ReplayResult) -> int:
    if outcome.interrupted:
        return EXIT_INTERRUPTED
    return 0 if outcome.identical else 1


def circumstances(outcome: ReplayResult) -> list[str]:
    """Return what may explain a difference, and where a replay ended before the run: other builds, changed files."""
    lines = [f"another build: {name} was {there}, is {here}" for name, (there, here) in outcome.builds.items()]
    lines += [f"changed since it was recorded: {name}" for name in outcome.changed_files]
    if outcome.end:
        lines.append(f"the recording ends early, after {counted(outcome.ticks, 'tick')}: {outcome.end}")
    if outcome.interrupted:
        lines.append(f"interrupted after {counted(outcome.ticks, 'tick')}")
    return lines


def comparison(outcome: ReplayResult) -> list[str]:
    """Return the first difference, or that there is none."""
    if outcome.difference is not None:
        return _difference(outcome.difference)
    so_far = " up to there" if outcome.missing or outcome.interrupted else ""
    return [f"identical{so_far}: {counted(outcome.frames, 'frame')} in {counted(outcome.ticks, 'tick')}"]


def _lines(outcome: ReplayResult) -> list[str]:
    return circumstances(outcome) + comparison(outcome)


def _difference(difference: Difference) -> list[str]:
    name = f" ({difference.message})" if difference.message else ""
    lines = [
        f"the first difference: tick {difference.tick}, bus {difference.bus}{name}",
        f"  recorded  {_frame(difference.recorded)}",
        f"  replayed  {_frame(difference.replayed)}",
    ]
    for signal, (recorded, replayed) in difference.signals.items():
        lines.append(f"  {signal}: recorded {recorded:g}, replayed {replayed:g}")
    return lines


def _frame(frame: Frame | None) -> str:
    return "no frame" if frame is None else f"0x{frame.identifier:X}  {frame.data.hex(' ').upper()}"


def facts(outcome: ReplayResult) -> dict[str, Any]:
    difference = outcome.difference
    return {
        "identical": outcome.identical,
        "interrupted": outcome.interrupted,
        "ticks": outcome.ticks,
        "frames": outcome.frames,
        "end": outcome.end,
        "builds": {name: {"recorded": there, "here": here} for name, (there, here) in outcome.builds.items()},
        "changed_files": outcome.changed_files,
        "difference": None
        if difference is None
        else {
            "tick": difference.tick,
            "bus": difference.bus,
            "message": difference.message,
            "recorded": _frame_data(difference.recorded),
            "replayed": _frame_data(difference.replayed),
            "signals": {
                name: {"recorded": recorded, "replayed": replayed}
                for name, (recorded, replayed) in difference.signals.items()
            },
        },
    }


def _frame_data(frame: Frame | None) -> dict[str, str] | None:
    return None if frame is None else {"id": f"0x{frame.identifier:X}", "data": frame.data.hex()}
