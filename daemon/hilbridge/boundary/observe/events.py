"""The records of the rings: every layout once, for the writer and for the reader.

| event | payload |
|---|---|
| LOG   | level (8 bit), then JSON `[event, {field: value}]` |
| STATISTICS | JSON `{name: value}`: all counters so far, for the log; the observer adds lateness and step time |
| STATE | JSON `{name: value}`: the state that the next run begins with; the newest counts |
| MEMORY | JSON `[control unit, address, piece]`: a changed piece of memory, stored with the next STATE |
| PART_STATUS | JSON `{part: status}`: of a part of the bench, for the metrics; the newest counts |
| RECORD_START | JSON: `folder`, `since` [ns], `place` in bench_archive.py, events `lost` before |
| RECORD_STOP  | JSON: `ticks` done so far; becomes the END of the recording |

Records of the boundary of the bench, END among them, are described in boundary/record/boundary_records.py. The ring
adds GAP (event_ring.py). Integers are little-endian; times are run time [ns].
"""

import json
import struct
from collections.abc import Mapping, Sequence
from enum import IntEnum
from itertools import chain, islice
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Self

from hilbridge.base.process.last_end import LastEnd
from hilbridge.boundary.record.segments import SegmentLimits
from vehiclesim.channels import VEHICLE
from vehiclesim.entries import SIZES

LOG: Final = 1
STATE: Final = 10
PART_STATUS: Final = 13
MEMORY: Final = 17
RECORD_START: Final = 14
RECORD_STOP: Final = 15
STATISTICS: Final = 16

Fields = dict[str, Any]
"""Named values of a log record: any JSON value; everything else is written as its str()."""


class LogLevel(IntEnum):
    """The severity of a log record; the numbers are those of the standard library's logging."""

    DEBUG = 10
    INFO = 20
    WARNING = 30
    ERROR = 40


class MetricsWay(NamedTuple):
    """Where metrics are served: IP address, TCP port, and the token that each request must carry, if there is one."""

    address: str
    port: int
    token: str | None = None


class About(NamedTuple):
    """The facts of a run that are known before its first tick and never change."""

    name: str
    """Name of the bench."""
    version: str
    rate: int
    """[Hz] Ticks per second."""
    started: int | None
    """[ns since 1970, UTC] Time of day at t = 0; None on the virtual clock."""
    buses: tuple[str, ...] = ()
    """Names of the buses, by their index."""
    record: str | None = None
    """Directory of the recording."""
    pace: float = 1.0
    """Seconds of the run for each second of the wall clock, where there is one."""
    limits: SegmentLimits = SegmentLimits()
    """Limits of the recording."""
    state: str | None = None
    """Path of the stored state."""
    unlocked: str = ""
    """Why the stored state could not be locked, and is therefore not written."""
    home: str = "."
    """Directory of recordings without a directory of their own."""
    metrics: MetricsWay | None = None
    """Where the metrics are served."""
    log: str | None = None
    """Form of the log, `text` or `json`; None: text on a terminal."""
    layouts: Mapping[str, Any] = MappingProxyType({})
    """How the parts of the status are shown (base/common/rows.py), as JSON knows it."""
    last_end: LastEnd | None = None
    """How the run before ended, where a service manager has noted it."""
    tabled: bool = False
    """A table for people follows on the standard output; unless that is a terminal, the log is kept out of it."""

    def encode(self) -> bytes:
        """Return the facts as JSON."""
        return json.dumps({**self._asdict(), "layouts": dict(self.layouts)}).encode()

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Return the inverse of `encode`."""
        fields = json.loads(data)
        return cls(
            **fields
            | {
                "buses": tuple(fields["buses"]),
                "limits": SegmentLimits(*fields["limits"]),
                "metrics": fields["metrics"] and MetricsWay(*fields["metrics"]),
                "last_end": fields["last_end"] and LastEnd(*fields["last_end"]),
            }
        )


class LogRecord(NamedTuple):
    """One line of the log."""

    level: LogLevel
    event: str
    fields: Fields

    def encode(self) -> bytes:
        """Return the payload of a LOG event."""
        return bytes((self.level,)) + json.dumps([self.event, self.fields], default=str).encode()

    @classmethod
    def decode(cls, payload: bytes) -> Self:
        """Return the inverse of `encode`."""
        event, fields = json.loads(payload[1:])
        return cls(LogLevel(payload[0]), event, fields)


def encode_statistics(statistics: Fields) -> bytes:
    """Return the payload of a STATISTICS event, and of the END."""
    return json.dumps(statistics, default=str).encode()


def decode_statistics(payload: bytes) -> Fields:
    """Return the inverse of `encode_statistics`."""
    statistics: Fields = json.loads(payload)
    return statistics


def encode_state(state: Fields) -> bytes:
    """Return the payload of a STATE event."""
    return json.dumps(state, allow_nan=False).encode()


def decode_state(payload: bytes) -> Fields:
    """Return the inverse of `encode_state`."""
    state: Fields = json.loads(payload)
    return state


def encode_part_status(part: str, counted: Any) -> bytes:
    """Return the payload of a PART_STATUS event."""
    return json.dumps({part: counted}, allow_nan=False).encode()


def decode_part_status(payload: bytes) -> Fields:
    """Return the inverse of `encode_part_status`."""
    part_status: Fields = json.loads(payload)
    return part_status


class Snapshot(NamedTuple):
    """The state after one tick."""

    t: int
    """[ns]"""
    ticks: int
    """Number of ticks done since the start, this one included."""
    missed: int
    """Number of ticks missed since the start."""
    received: int
    """Number of frames from outside since the start, on all buses."""
    transmitted: int
    """Number of frames of the bench's own nodes that passed the gates since the start, on all buses."""
    lateness: int
    """[ns] Delay of the beginning of this tick."""
    held_back: int
    """Number of frames that were held back since the start because their bus was not armed."""
    unarmed: int
    """Set of the buses that are not armed: bit n is the bus with index n."""
    overload: int
    """[%] of the ticks of the last second that were missed, while the run is overloaded; otherwise 0."""
    channels: Sequence[Sequence[int]]
    """The channels of the data bus, in their order."""

    @property
    def vehicle(self) -> Sequence[int]:
        """The Vehicle channel."""
        return self.channels[VEHICLE]

    def encode(self) -> bytes:
        """Return the record of the snapshot ring."""
        *head, channels = self
        return SNAPSHOT_LAYOUT.pack(*head, *chain.from_iterable(channels))

    @classmethod
    def decode(cls, content: bytes) -> Self:
        """Return the snapshot of a record."""
        numbers = SNAPSHOT_LAYOUT.unpack(content)
        head, data = numbers[: len(SNAPSHOT_HEAD)], numbers[len(SNAPSHOT_HEAD) :]
        values = iter(data)
        channels = tuple(tuple(islice(values, size)) for size in SIZES)
        return cls._make((*head, channels))


SNAPSHOT_HEAD: Final = Snapshot._fields[:-1]
"""Names of the numbers before the channels."""

SNAPSHOT_LAYOUT: Final = struct.Struct(f"<{len(SNAPSHOT_HEAD) + sum(SIZES)}q")
