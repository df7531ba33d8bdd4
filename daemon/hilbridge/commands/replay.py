"""`hilbridge replay`: the inputs of a recording once more, and every frame compared."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from hilbridge.base.common.words import counted
from hilbridge.base.process.signals import EXIT_INTERRUPTED, interruption
from hilbridge.boundary.record.recording import Recording
from hilbridge.commands.consent import add_trust
from hilbridge.commands.progress import progress_bar
from hilbridge.frames.codec.frame import Frame
from hilbridge.runs.run.replay import Difference, ReplayResult, replay


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("directory", type=Path, metavar="DIR", help="a recording, made with `hilbridge run --record`")
    parser.add_argument("--json", action="store_true", help="as one JSON object")
    add_trust(parser)


def run(options: argparse.Namespace) -> int:
    recording = Recording(options.directory)
    with interruption() as stop, progress_bar("comparing", recording.size) as progress:
        outcome = replay(recording, stop, progress)
    print(json.dumps(facts(outcome), indent=2) if options.json else "\n".join(_lines(outcome)))
    return _status(outcome)


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
