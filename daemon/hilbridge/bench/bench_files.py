"""The content of all files of a bench, read and parsed: a bench is built of it without reading a disk again.

A reload reads them in a process of its own and hands them to the tick process (runs/reload/transfer.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hilbridge.base.common.errors import ConfigurationError, ErrorCollector
from hilbridge.base.resources import Kind, find
from hilbridge.bench.diagnostics.uds.memory_file import Segment, read_memory_file
from hilbridge.boundary.logs.traffic import TrafficLog, read_log
from hilbridge.files.configuration.benchfile import BenchFile, load_codes
from hilbridge.files.settings import BenchSettings
from hilbridge.files.settings.dtc import TroubleCodesSettings
from hilbridge.frames.codec.database import Database, load_database, merged
from hilbridge.frames.plan.rest_bus import Playlist


@dataclass(frozen=True, slots=True)
class BenchFiles:
    """`databases` and `logs` (of rest buses) by bus; `codes` where there are control units.

    `images` has what the files of memory hold, by their paths.
    `left_out` says what no rest bus plays of its log, and what is assumed of it, by bus.

    `playlists` has what the rest buses play where it was found in the logs before: then `logs` is empty.
    """

    file: BenchFile
    databases: dict[str, Database]
    logs: dict[str, bytes]
    codes: TroubleCodesSettings | None
    playlists: Mapping[str, Playlist] = field(default_factory=dict)
    images: Mapping[str, Sequence[Segment]] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)

    @property
    def settings(self) -> BenchSettings:
        """The settings of the bench file."""
        return self.file.settings


def load_bench_files(file: BenchFile) -> BenchFiles:
    """Read the files that a bench file names. ConfigurationError, with the key path, for what cannot be read."""
    errors = ErrorCollector()
    databases: dict[str, Database] = {}
    for name, paths in file.databases.items():
        with errors.attempt():
            databases[name] = merged([load_database(path, ("buses", name, "database")) for path in paths])
    logs: dict[str, TrafficLog] = {}
    with errors.attempt():
        logs = _logs(file)
    errors.verdict()
    frames = {name: log.frames for name, log in logs.items()}
    left_out = {name: log.summary for name, log in logs.items() if log.left_out}
    return BenchFiles(file, databases, frames, _codes(file), images=_images(file), left_out=left_out)


def _images(file: BenchFile) -> dict[str, Sequence[Segment]]:
    return {
        one.image: read_memory_file(Path(one.image), ("diagnostics", "units", name, "uds", "memory", index, "image"))
        for name, unit in file.settings.diagnostics.units.items()
        if unit.uds is not None
        for index, one in enumerate(unit.uds.memory)
        if one.image is not None
    }


def _logs(file: BenchFile) -> dict[str, TrafficLog]:
    return {
        name: read_log(file.path.parent / bus.rest_bus.file, bus.rest_bus.channel, ("buses", name, "rest_bus", "file"))
        for name, bus in file.settings.buses.items()
        if bus.rest_bus is not None
    }


def _codes(file: BenchFile) -> TroubleCodesSettings | None:
    diagnostics = file.settings.diagnostics
    if not diagnostics.units and diagnostics.j1939 is None:
        return None
    try:
        return load_codes(find(Kind.CODES, diagnostics.codes, file.path))
    except ConfigurationError as error:
        raise ConfigurationError(error.message, error.place or ("diagnostics", "codes")) from error
