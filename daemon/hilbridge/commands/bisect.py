"""`hilbridge bisect`: the first tick of a recording where a condition holds."""

import argparse
import json
import sys
from math import isnan
from pathlib import Path
from typing import Any, Final

from hilbridge.base.common.units import SECOND
from hilbridge.base.common.words import counted
from hilbridge.base.process.signals import EXIT_INTERRUPTED, interruption
from hilbridge.boundary.record.recording import Recording
from hilbridge.commands import replay
from hilbridge.commands.consent import add_trust
from hilbridge.commands.progress import progress_bar
from hilbridge.runs.run.bisect import Bisection, FrameAround, Hit, Values, bisect
from hilbridge.runs.run.replay import ReplayResult

FOUND: Final = 0
NEVER: Final = 1
UNKNOWN: Final = 2
"""As for an error: not all of the recording could be looked at."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("directory", type=Path, metavar="RECORDING", help="made with `hilbridge run --record`")
    parser.add_argument(
        "condition",
        metavar="CONDITION",
        help="an expression as of a scenario's `wait`, e.g. 'vehicle.Speed > 20 and input.Brake > 0.1'; "
        "exit status 0: it holds somewhere, 1: nowhere, 2: error",
    )
    parser.add_argument("--json", action="store_true", help="as one JSON object")
    add_trust(parser)


def run(options: argparse.Namespace) -> int:
    recording = Recording(options.directory)
    with interruption() as stop, progress_bar("replaying", recording.size) as progress:
        result = bisect(recording, options.condition, stop, progress)
    outcome, status = result.replayed, _status(result)
    if options.json:
        print(json.dumps(_data(options.condition, result), indent=2))
    elif result.hit is not None:
        print("\n".join(_lines(options.condition, result.hit)))
    elif status == NEVER:
        print(f"never in {counted(outcome.ticks, 'tick')}: {options.condition}")
    if result.hit is None and (doubts := _doubts(outcome)):
        print("\n".join(doubts), file=sys.stderr)
    return status


def _status(result: Bisection) -> int:
    if result.hit is not None:
        return FOUND
    if result.replayed.interrupted:
        return EXIT_INTERRUPTED
    return NEVER if result.replayed.identical else UNKNOWN


def _doubts(outcome: ReplayResult) -> list[str]:
    """Return why the condition may hold where it was not looked at."""
    lines = replay.circumstances(outcome)
    if outcome.difference is not None:
        lines.append("the replay is not as recorded, so the condition is not known from there on:")
        lines += replay.comparison(outcome)
    return lines


def _lines(condition: str, hit: Hit) -> list[str]:
    lines = [f"holds first in tick {hit.tick} at {_seconds(hit.t)}: {condition}"]
    for path, value in hit.values.items():
        before = f" (the tick before: {_value(hit.before[path])})" if hit.before else ""
        lines.append(f"  {path} = {_value(value)}{before}")
    lines.append("frames around it:" if hit.frames else "no frame is around it")
    width = max((len(one.bus) for one in hit.frames), default=0)
    for one in hit.frames:
        mark = ">" if one.t == hit.t else " "
        data = one.frame.data.hex(" ").upper()
        direction = "Rx" if one.received else "Tx"
        name = f"  {one.message}" if one.message else ""
        where = f"{_seconds(one.t)}  {one.bus:<{width}} {direction}"
        lines.append(f"{mark} {where} 0x{one.frame.identifier:X}  {data}{name}")
    return lines


def _seconds(t: int) -> str:
    return f"{t / SECOND:.9g} s"


def _value(value: float) -> str:
    return "not available" if isnan(value) else f"{value:g}"


def _data(condition: str, result: Bisection) -> dict[str, Any]:
    hit, outcome = result.hit, result.replayed
    return {
        "condition": condition,
        "found": hit is not None,
        "tick": None if hit is None else hit.tick,
        "time": None if hit is None else hit.t / SECOND,
        "values": None if hit is None else _numbers(hit.values),
        "before": None if hit is None else _numbers(hit.before),
        "frames": [] if hit is None else [_frame(one) for one in hit.frames],
        "replay": replay.facts(outcome),
    }


def _numbers(values: Values) -> dict[str, float | None]:
    return {path: None if isnan(value) else value for path, value in values.items()}


def _frame(one: FrameAround) -> dict[str, Any]:
    return {
        "time": one.t / SECOND,
        "bus": one.bus,
        "received": one.received,
        "id": f"0x{one.frame.identifier:X}",
        "data": one.frame.data.hex(),
        "message": one.message,
    }
