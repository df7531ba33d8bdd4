"""`hilbridge export`: the frames of a recording for other tools."""

import argparse
import sys
from itertools import takewhile
from pathlib import Path

from hilbridge.commands.progress import progress_bar
from hilbridge.common.errors import ConfigurationError
from hilbridge.process.signals import EXIT_INTERRUPTED, interruption
from hilbridge.record.recording import Recording


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("directory", type=Path, metavar="DIR", help="a recording, made with `hilbridge run --record`")
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="a new file; its extension: .blf .asc .log (candump) .trc .csv .mf4"
    )


def run(options: argparse.Namespace) -> int:
    from hilbridge.record.export import export  # python-can takes 0.1 s

    recording = Recording(options.directory)
    try:
        with interruption() as stop, progress_bar(options.file.name, recording.size) as progress:
            records = takewhile(lambda _: not stop.requested, recording.records(progress))
            done = export(records, recording.manifest["buses"], options.file)
    except OSError as error:
        raise ConfigurationError(f"cannot write {options.file}: {error.strerror}") from error
    print(f"{options.file}: {done.frames} frames")
    if stop.requested:
        print("interrupted: the file is whole, but later frames are not in it", file=sys.stderr)
        return EXIT_INTERRUPTED
    if done.left_out:
        print(f"left out, because {options.file.suffix} cannot hold them: {done.left_out} frames", file=sys.stderr)
    if recording.damage or recording.gaps:
        what = recording.damage or f"records are missing in {recording.gaps} places"
        print(f"the recording is not whole: {what}", file=sys.stderr)
    return 0
