"""The frames of a recording in the formats of other tools, written by python-can.

| extension | format | cannot hold |
|---|---|---|
| .blf | Vector binary log | |
| .asc | Vector text log | |
| .log | candump -L (can-utils); channels are the bench's buses | |
| .trc | PEAK trace 2.1 | CAN FD, remote and error frames |
| .csv | python-can's table | the bus, the direction, CAN FD flags |
| .mf4 | ASAM MDF 4.1 bus log; needs asammdf | |

Time stamps are run time from 0 (.asc and .trc: from the first frame), dates have no meaning: the same run gives the
same BLF file, to the byte. A frame of run time t [ns] is read back as the double nearest to t / 1e9 s where the format
has nanoseconds. Bus n is channel n for python-can, which is n + 1 in most files; frames from outside are marked Rx, the
bench's own Tx.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import can

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.lasting_files import is_there
from hilbridge.base.common.remedies import extra_remedy
from hilbridge.base.common.units import SECOND
from hilbridge.boundary.record.boundary_records import FRAME
from hilbridge.boundary.record.quick_writers import QuickAsc, QuickBlf, QuickCandump, message
from hilbridge.boundary.record.recording import BoundaryRecord

_WRITERS: Final[Mapping[str, type[can.io.generic.MessageWriter]]] = {
    ".blf": QuickBlf,
    ".asc": QuickAsc,
    ".log": QuickCandump,
    ".trc": can.TRCWriter,
    ".csv": can.CSVWriter,
    ".mf4": can.MF4Writer,
}


class Exported(NamedTuple):
    """The number of frames that were written, and of those that the format cannot hold."""

    frames: int
    left_out: int


def export(records: Iterable[BoundaryRecord], buses: list[str], path: Path) -> Exported:
    """Write the frames of a recording to a new file, in the format that its extension names.

    ConfigurationError: no such format, the file exists, its writer is not installed. OSError: it cannot be written.
    """
    extension = path.suffix.lower()
    if extension not in _WRITERS:
        values = "; .parquet is of values: add --values" if extension == ".parquet" else ""
        raise ConfigurationError(f"{path.name}: the extension names the format: {', '.join(_WRITERS)}{values}")
    if is_there(path):
        raise ConfigurationError(f"{path} is there already: name another file")
    try:
        with _WRITERS[extension](path) as writer:
            return _write(records, buses, writer)
    except NotImplementedError:
        path.unlink(missing_ok=True)
        raise ConfigurationError(f".mf4 needs the package asammdf: {extra_remedy('mf4')}") from None
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def make_blf(records: Iterable[BoundaryRecord], path: Path) -> None:
    """Make a BLF file, which replaces an older one when it is complete. OSError when it cannot be made."""
    growing = path.with_name(f"new.{path.name}")
    growing.unlink(missing_ok=True)
    export(records, [], growing)
    growing.replace(path)


def _write(records: Iterable[BoundaryRecord], buses: list[str], writer: can.io.generic.MessageWriter) -> Exported:
    frames = ((t, payload) for t, kind, payload in records if kind == FRAME)
    if isinstance(writer, QuickCandump):
        writer.buses = tuple(buses)
    count = left_out = 0
    if isinstance(writer, QuickCandump | QuickAsc | QuickBlf):
        for t, payload in frames:
            writer.frame(t, payload)
            count += 1
        return Exported(count, 0)
    start = writer.last_timestamp if isinstance(writer, can.MF4Writer) else 0.0  # it counts from its creation
    is_trace = isinstance(writer, can.TRCWriter)
    for t, payload in frames:
        one = message(start + t / SECOND, payload)
        if is_trace and (one.is_fd or one.is_remote_frame or one.is_error_frame):
            left_out += 1
            continue
        writer.on_message_received(one)
        count += 1
    return Exported(count, left_out)
