"""A recording: whatever its records hold, a replay and an export end with a result, or with a ConfigurationError.

An input is a row of records: kind, time in ticks, length of the payload (8, 8 and 16 bits), payload. Their framing is
right, as that of somebody who wants to be read.
"""

import struct
from contextlib import suppress
from pathlib import Path

from hilbridge.base.clock import StopRequest
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.record import manifest
from hilbridge.boundary.record.boundary_records import CAME, COMMAND, END, FRAME, LINK, PORT, RELOAD, SENT, SERIAL, TOOL
from hilbridge.boundary.record.command_history import command_spans
from hilbridge.boundary.record.export import export
from hilbridge.boundary.record.recording import Recording
from hilbridge.boundary.record.segments import header, record, segment_path
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.configuration.bundle import bundle
from hilbridge.runs.run.replay import replay
from vehiclesim.databus import DataBus

from .packaged import CHECKOUT, scratch_file

RATE = 100
TICK = 1_000_000_000 // RATE
MOST_TICKS = 5

_LAYOUT = struct.Struct("<BBH")


def _row(*records: tuple[int, int, bytes]) -> bytes:
    return b"".join(_LAYOUT.pack(kind, tick, len(payload)) + payload for kind, tick, payload in records)


SEEDS = [
    _row((FRAME, 1, struct.pack("<IBBB", 0x7DF, 0, 1, 0) + b"\x02\x01\x0c"), (END, 2, b'{"ticks": 2}')),
    _row((SERIAL, 1, b"\0thr=12\n"), (PORT, 1, b"\0gone"), (LINK, 2, struct.pack("<BII", 0, 1, 0) + b"gone")),
    _row((TOOL, 1, bytes((0, 0, CAME))), (TOOL, 1, bytes((0, 0, SENT)) + b"ATZ\r"), (END, 2, b'{"ticks": 3}')),
    _row((COMMAND, 1, b'{"command": "set", "entry": "Throttle", "value": 1}'), (RELOAD, 1, bytes(2) + b"\1\0PK")),
]

_FOLDER = scratch_file("recording")
_SEGMENT = segment_path(_FOLDER, 0)


def _make() -> None:
    text = (CHECKOUT / "config/benches/diagnostics.yaml").read_text(encoding="utf-8")
    file = scratch_file("bench.yaml")
    file.write_text(text.replace("rate: 1000", f"rate: {RATE}"), encoding="utf-8")
    bench = load_bench(str(file))
    facts = {"bench": "diagnostics", "vehicle": "compact", "buses": list(bench.settings.buses)}
    manifest.create(_FOLDER, facts, bundle(bench))


_make()


def one_input(data: bytes) -> None:
    content, at = header(0, 0), 0
    while at + _LAYOUT.size <= len(data):
        kind, tick, length = _LAYOUT.unpack_from(data, at)
        at += _LAYOUT.size
        content += record(len(content), at, tick * TICK, kind, data[at : at + length])
        at += length
    _SEGMENT.write_bytes(content)
    read(_FOLDER)


def read(folder: Path) -> None:
    """An export, the course of commands, and the first ticks of a replay. ConfigurationError: it is no recording."""
    file = folder.with_suffix(".log")
    file.unlink(missing_ok=True)
    recording = Recording(folder)
    export(recording.records(), recording.manifest["buses"], file)
    command_spans(recording.records())
    stop = StopRequest()

    def watch(_: DataBus, t: int) -> None:
        stop.requested = t >= MOST_TICKS * TICK

    with suppress(ConfigurationError):
        replay(recording, stop, watch=watch)
