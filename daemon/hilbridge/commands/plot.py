"""`hilbridge plot`: values of a recording over time, as a picture."""

import argparse
import math
from array import array
from pathlib import Path
from typing import Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import SECOND
from hilbridge.base.common.words import counted
from hilbridge.base.plots.courses import SampledQuantity
from hilbridge.base.plots.recording import draw_recording
from hilbridge.base.plots.style import check_plot, save
from hilbridge.base.process.signals import interruption
from hilbridge.bench.value_list import select_entries
from hilbridge.boundary.record.command_history import command_spans
from hilbridge.boundary.record.recording import Recording
from hilbridge.boundary.record.values_file import Integers, Times, physical
from hilbridge.commands.progress import progress_bar
from hilbridge.commands.replay import report
from hilbridge.runs.run.replay import recorded_entries, replay
from hilbridge.runs.run.value_sampler import INTERVAL, ValueSampler
from vehiclesim.databus import DataBus

_MOST: Final = 6000
"""Samples: several for each pixel of the width."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("directory", type=Path, metavar="DIR", help="a recording, made with `hilbridge run --record`")
    parser.add_argument(
        "entries", nargs="+", metavar="ENTRY", help="entries of the data bus, e.g. vehicle.EngineRpm 'chassis.*'"
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", default=Path("plot.svg"), help=".svg or .png (default: plot.svg)"
    )
    parser.add_argument("--from", dest="first", type=_seconds, default=0.0, metavar="S", help="begin, in run time")
    parser.add_argument("--to", dest="last", type=_seconds, default=math.inf, metavar="S", help="end, in run time")


def run(options: argparse.Namespace) -> int:
    check_plot(options.output)
    first, last = options.first, options.last
    if last <= first:
        raise ConfigurationError(f"--to {last:g} is not after --from {first:g}")
    recording = Recording(options.directory)
    entries = select_entries(options.entries, recorded_entries(recording))
    times, columns = array("d"), [array("d") for _ in entries]

    def take(block: Times, integers: Integers) -> None:
        times.frombytes(block.tobytes())
        for entry, column, values in zip(entries, columns, integers.T, strict=True):
            column.frombytes(physical(entry, values).tobytes())

    shown = min(last, recording.manifest.get("duration", last)) - first
    interval = max(INTERVAL, round(shown * SECOND / _MOST)) if math.isfinite(shown) else INTERVAL
    sampler = ValueSampler(entries, interval, take)
    at_end = False
    with interruption() as stop, progress_bar("replaying", recording.size) as progress:

        def watch(data: DataBus, t: int) -> None:
            nonlocal at_end
            if first * SECOND <= t <= last * SECOND:
                sampler.sample(data, t)
            elif t > last * SECOND and not stop.requested:
                at_end = stop.requested = True

        outcome = replay(recording, stop, progress, watch)
    sampler.flush()
    if not times:
        ticks = counted(outcome.ticks, "tick")
        raise ConfigurationError(f"the recording has {ticks}, none of them from {first:g} s on")
    title = f"{recording.manifest['bench']}, {recording.manifest['vehicle']}"
    quantities = [
        SampledQuantity(entry.path, entry.unit, values) for entry, values in zip(entries, columns, strict=True)
    ]
    codes = {entry.path: dict(entry.codes) for entry in entries if entry.codes}
    save(draw_recording(title, times, quantities, command_spans(recording.records()), codes), options.output)
    print(options.output)
    return 0 if at_end else report(outcome)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0.0 <= seconds < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds")
    return seconds
