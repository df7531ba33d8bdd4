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

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

import can

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.remedies import extra_remedy
from hilbridge.base.common.units import SECOND
from hilbridge.boundary.record.boundary_records import FRAME, FRAME_LAYOUT
from hilbridge.boundary.record.recording import BoundaryRecord
from hilbridge.frames.codec.frame import BRS, ERROR, EXTENDED, EXTENDED_MASK, FD, REMOTE

ESI: Final = 0x02
"""Flag of a frame whose sender is error passive (as in SocketCAN's canfd_frame.flags)."""

_ERROR_LINE: Final = "20000080#"
"""A frame that only says of a bus that it had an error (CAN_ERR_FLAG, CAN_ERR_BUSERROR)."""

_BLOCK: Final = 4096
"""Frames that are read, then written."""

_WRITERS: Final[Mapping[str, type[can.io.generic.MessageWriter]]] = {
    ".blf": can.BLFWriter,
    ".asc": can.ASCWriter,
    ".log": can.CanutilsLogWriter,
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
        raise ConfigurationError(f"{path.name}: the extension names the format: {', '.join(_WRITERS)}")
    if path.exists():
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
    start = 0.0
    if isinstance(writer, can.BLFWriter):
        writer.start_timestamp = 0.0  # run time is no date, so the dates of the header stay empty
        start = 0.5 / SECOND  # the writer cuts off below the nanosecond
    elif isinstance(writer, can.MF4Writer):
        start = writer.last_timestamp  # it counts from its creation
    is_trace = isinstance(writer, can.TRCWriter)
    frames = left_out = 0
    first: int | None = None
    for block in _blocks(records):
        if isinstance(writer, can.CanutilsLogWriter):
            lines = []
            for t, payload in block:
                first = t if first is None else first
                lines.append(_candump_line(max(first, t), payload, buses))
            writer.file.write("".join(lines))
            frames += len(block)
            continue
        for t, payload in block:
            message = _message(start + t / SECOND, payload)
            if is_trace and (message.is_fd or message.is_remote_frame or message.is_error_frame):
                left_out += 1
                continue
            writer.on_message_received(message)
            frames += 1
    return Exported(frames, left_out)


def _blocks(records: Iterable[BoundaryRecord]) -> Iterator[list[tuple[int, bytes]]]:
    """Yield the frames, time and payload of each, some thousand at a time."""
    frames = ((t, payload) for t, kind, payload in records if kind == FRAME)
    while block := list(islice(frames, _BLOCK)):
        yield block


def _candump_line(t: int, payload: bytes, buses: list[str]) -> str:
    """Return the line that python-can's writer makes of a frame, which takes it twice as long."""
    can_id, bus, received, flags = FRAME_LAYOUT.unpack_from(payload)
    channel = buses[bus]
    begin = f"({t / SECOND:f}) {f'can{channel}' if channel.isdigit() else channel}"
    if can_id & ERROR:
        return f"{begin} {_ERROR_LINE}{payload[FRAME_LAYOUT.size :].hex().upper()}\n"
    name = f"{can_id & EXTENDED_MASK:08X}" if can_id & EXTENDED else f"{can_id & EXTENDED_MASK:03X}"
    end = "R" if received else "T"
    if can_id & REMOTE:
        return f"{begin} {name}#R {end}\n"
    data = payload[FRAME_LAYOUT.size :].hex().upper()
    if flags & FD:
        return f"{begin} {name}##{flags & (BRS | ESI):X}{data} {end}\n"
    return f"{begin} {name}#{data} {end}\n"


def _message(timestamp: float, payload: bytes) -> can.Message:
    can_id, bus, received, flags = FRAME_LAYOUT.unpack_from(payload)
    data = payload[FRAME_LAYOUT.size :]
    return can.Message(
        timestamp,
        can_id & EXTENDED_MASK,
        bool(can_id & EXTENDED),
        bool(can_id & REMOTE),
        bool(can_id & ERROR),
        bus,
        len(data),
        None if can_id & REMOTE else data,
        bool(flags & FD),
        bool(received),
        bool(flags & BRS),
        bool(flags & ESI),
    )
