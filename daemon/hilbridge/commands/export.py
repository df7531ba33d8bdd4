"""`hilbridge export`: the frames of a recording for other tools, the values of its vehicle, the signals of a log.

Of a bench: what its control units answer, as a diagnostic database.
"""

import argparse
import math
import sys
from itertools import takewhile
from pathlib import Path

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.lasting_files import is_file
from hilbridge.base.common.units import SECOND
from hilbridge.base.common.words import counted
from hilbridge.base.process.signals import EXIT_INTERRUPTED, interruption
from hilbridge.bench.value_list import select_entries
from hilbridge.boundary.record.recording import LATEST, Recording
from hilbridge.boundary.record.values_file import EXTENSIONS, check_values, open_values
from hilbridge.commands.progress import progress_bar
from hilbridge.commands.replay import report
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.runs.run.build import build
from hilbridge.runs.run.replay import recorded_entries, replay
from hilbridge.runs.run.value_sampler import INTERVAL, ValueSampler
from vehiclesim.databus import DataBus


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "directory",
        type=Path,
        metavar="DIR",
        help="a recording, made with `hilbridge run --record`; a log of another program, with --dbc; or a bench, for a "
        "FILE.pdx",
    )
    parser.add_argument(
        "file",
        nargs="?",
        type=Path,
        metavar="FILE",
        help="a new file; its extension is its format: of frames .blf .asc .log (candump) .trc .csv .mf4, "
        "of values .mf4 .csv .parquet, of signals a folder, .parquet or .csv; of a bench .pdx (ODX): what its control "
        "units answer",
    )
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="the same as FILE")
    parser.add_argument(
        "--values",
        nargs="*",
        metavar="ENTRY",
        help="entries of the data bus instead of frames, e.g. vehicle.EngineRpm 'chassis.*'; all of them by default",
    )
    parser.add_argument(
        "--interval",
        type=_interval,
        metavar="S",
        help=f"[s] between two rows of values; 0: every tick (default: {INTERVAL / SECOND:g})",
    )
    parser.add_argument(
        "--dbc",
        nargs="+",
        type=Path,
        metavar="DATABASE",
        help="of a log: databases that decode its frames to a folder of tables, one for each message",
    )
    parser.add_argument("--from", dest="first", type=_seconds, metavar="S", help="[s] frames or values from here on")
    parser.add_argument("--to", dest="last", type=_seconds, metavar="S", help="[s] frames or values up to here")
    parser.add_argument("--channel", metavar="NAME", help="of a log of several buses, as the file calls it")


def run(options: argparse.Namespace) -> int:
    options.file = options.file or options.output
    if options.file is not None and options.file.suffix.lower() == ".pdx":
        return _export_bench(str(options.directory), options)
    bounds = [option for option, t in (("--from", options.first), ("--to", options.last)) if t is not None]
    if bounds and is_file(options.directory):
        raise ConfigurationError(f"{bounds[0]} is of a recording")
    if is_file(options.directory):
        from hilbridge.commands import export_log  # numpy takes 0.1 s

        return export_log.run(options)
    for option, value in (("--dbc", options.dbc), ("--channel", options.channel)):
        if value is not None:
            raise ConfigurationError(f"{option} is of a log, and {options.directory} is none")
    if options.file is None:
        options.file = _swallowed(options.values)
    if options.values is None and options.interval is not None:
        raise ConfigurationError("--interval is of values: add --values")
    recording = Recording(options.directory)
    try:
        return _export_frames(recording, options) if options.values is None else _export_values(recording, options)
    except OSError as error:
        raise ConfigurationError(f"cannot write {options.file}: {error.strerror}") from error


def _export_bench(name: str, options: argparse.Namespace) -> int:
    from hilbridge.desk.odx.export import write_pdx  # the bench takes 0.5 s

    of_others = ("values", options.values), ("interval", options.interval), ("dbc", options.dbc)
    for option, value in (*of_others, ("from", options.first), ("to", options.last)):
        if value is not None:
            raise ConfigurationError(
                f"--{option} is of a recording or a log, and {options.file} has what a bench answers"
            )
    try:
        done = write_pdx(build(load_bench(name)), options.file)
    except OSError as error:
        raise ConfigurationError(f"cannot write {options.file}: {error.strerror}") from error
    print(f"{options.file}: {counted(done.services, 'service')} of {counted(done.units, 'control unit')}")
    for line in done.left_out:
        print(f"left out: {line}", file=sys.stderr)
    return 0


def _swallowed(values: list[str] | None) -> Path:
    """Return the file that follows --values, which takes all that follows it; it is removed from the entries."""
    if not values or Path(values[-1]).suffix.lower() not in EXTENSIONS:
        raise ConfigurationError("FILE is missing: hilbridge export DIR FILE --values [ENTRY ...]")
    return Path(values.pop())


def _export_frames(recording: Recording, options: argparse.Namespace) -> int:
    from hilbridge.boundary.record.export import export  # python-can takes 0.1 s

    file = options.file
    first, last = _span(options)
    with interruption() as stop, progress_bar(file.name, recording.size) as progress:
        records = takewhile(lambda _: not stop.requested, recording.between(first, last, progress))
        done = export(records, recording.manifest["buses"], file)
    print(f"{file}: {counted(done.frames, 'frame')}")
    if stop.requested:
        print("interrupted: the file is whole, but later frames are not in it", file=sys.stderr)
        return EXIT_INTERRUPTED
    if done.left_out:
        print(f"left out, because {file.suffix} cannot hold them: {counted(done.left_out, 'frame')}", file=sys.stderr)
    if recording.gaps:
        reason = f"; the first: {recording.damage}" if recording.damage else ""
        where = counted(recording.gaps, "place")
        print(f"the recording is not whole: records are missing in {where}{reason}", file=sys.stderr)
        return 1
    if recording.damage:
        print(f"the recording breaks off: {recording.damage}", file=sys.stderr)
    return 0


def _export_values(recording: Recording, options: argparse.Namespace) -> int:
    """Replay the recording, which computes all values anew; what of it is not as recorded is said on stderr.

    A replay begins with the run, and ends with the last tick that is asked for.
    """
    file = options.file
    first, last = _span(options)
    check_values(file)
    entries = select_entries(options.values, recorded_entries(recording))
    with open_values(file, entries) as values:
        sampler = ValueSampler(entries, INTERVAL if options.interval is None else options.interval, values.write)

        def sample(data: DataBus, t: int) -> None:
            if t >= first:
                sampler.sample(data, t)

        with interruption() as stop, progress_bar(file.name, recording.size) as progress:
            until = None if options.last is None else last + 1
            outcome = replay(recording, stop, progress, sample, until=until, reaches=False)
        sampler.flush()
    print(f"{file}: {counted(sampler.rows, 'row')} of {counted(len(entries), 'value')}")
    return report(outcome)


def _span(options: argparse.Namespace) -> tuple[int, int]:
    """Return the first and the last time [ns] that are asked for. ConfigurationError: the last is before the first."""
    first, last = options.first or 0, LATEST if options.last is None else options.last
    if last < first:
        raise ConfigurationError(f"--to {last / SECOND:g} is before --from {first / SECOND:g}")
    return first, last


def _seconds(text: str) -> int:
    """Return a run time in nanoseconds."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0.0 <= seconds <= LATEST / SECOND:  # not-a-number is neither
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds")
    return round(seconds * SECOND)


def _interval(text: str) -> int:
    """Return an interval in nanoseconds."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0.0 <= seconds <= 3600.0:  # not-a-number is neither
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds from 0 to 3600")
    return round(seconds * SECOND)
