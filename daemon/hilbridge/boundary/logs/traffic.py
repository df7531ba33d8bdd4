"""The traffic of one bus of a log in memory, as a rest bus plays it: frames in the form of frames/codec/frame.py.

A process of its own reads the log (packing.py): numpy does not belong in the tick process.
"""

import json
import subprocess
from pathlib import Path
from typing import NamedTuple

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.boundary.logs.process import fate, placed, start


class TrafficLog(NamedTuple):
    """The data frames of a log. `left_out`: what was left out or assumed; `summary`: the sum of all of it."""

    frames: bytes
    left_out: str
    summary: str = ""


def read_log(path: Path, channel: str | int | None, place: KeyPath = ()) -> TrafficLog:
    """Read the frames of a log of one bus, or of the channel that is named; `place`: key path of the file.

    ConfigurationError: no such file, no known format, too many frames, several channels and none named.
    """
    words = () if channel is None else (str(channel),)
    reader = start("hilbridge.boundary.logs.packing", path, *words, place=place, errors=subprocess.PIPE)
    frames, said = reader.communicate()
    try:
        fields = json.loads(next(line for line in reversed(said.splitlines()) if line.startswith(b"{")))
    except (ValueError, StopIteration):  # a library may say more while it is torn down
        raise ConfigurationError(f"{path}: {fate(reader.returncode)}", place) from None
    if fields["refused"]:
        raise ConfigurationError(fields["refused"], place)
    if fields["error"]:
        raise ConfigurationError(placed(path, fields["error"]), place)
    return TrafficLog(frames, fields["left_out"], fields["summary"])
