"""The frames that a cluster sends itself, compared with the model: what it shows against what it was sent.

    differs    |said - compared| > max(tolerance, percent / 100 * |compared|, half a step)

A frame that comes in is kept, and nothing else happens in the tick; it is decoded and compared when someone looks. The
model goes on meanwhile, so the tolerance has to allow for the change within a period of the cluster's frame.
"""

import math
from collections.abc import Mapping
from typing import Final, NamedTuple

from hilbridge.base.common.errors import KeyPath
from hilbridge.base.common.units import MILLISECOND
from hilbridge.files.settings.reports import Report, ReportedSignal
from hilbridge.frames.bus.frame_listener import NewestSignals
from hilbridge.frames.codec.expression import parse
from hilbridge.frames.codec.frame import EXTENDED_MASK, Frame
from hilbridge.frames.codec.placed import placed_codec
from hilbridge.frames.codec.sources import Channels, ExpressionSource
from vehiclesim.entries import STANDARD, Entries

_PERIODS: Final = 3
"""Periods of silence after which a report is missing."""


class SignalRow(NamedTuple):
    """A signal that a cluster reports, against the model; values that are not known are None."""

    signal: str
    unit: str
    says: float | None
    compared: float | None
    allowed: float | None
    differs: bool


class ReportRow(NamedTuple):
    """A frame that a cluster sends itself. `missing`: it has been silent for too long."""

    report: str
    id: str
    count: int  # type: ignore[assignment]  # the key of the status; nothing counts the fields of a row
    silent_ms: float | None
    missing: bool
    signals: list[SignalRow]


class _Compared(NamedTuple):
    """A signal, and what it is compared with."""

    settings: ReportedSignal
    source: ExpressionSource | None


class ReportedFrame:
    """One frame of the cluster: the newest one is kept, and the time `last` [ns] at which it came."""

    def __init__(self, name: str, settings: Report, place: KeyPath, entries: Entries = STANDARD) -> None:
        """`place`: its key path. ConfigurationError: signals that do not fit, expressions that cannot be understood."""
        here = (*place, "signals")
        codec = placed_codec(name, settings.id, settings.signals, here, extended=settings.is_extended)
        self.can_id: Final = codec.can_id
        self.count = 0
        self.last: int | None = None
        self._name: Final = name
        self._period: Final = None if settings.period is None else round(settings.period * MILLISECOND)
        self._length: Final = codec.length
        self._newest: Final = NewestSignals(codec)
        self._signals: Final = {
            signal: _Compared(
                one, None if one.compare is None else parse(one.compare, None, (*here, signal, "compare"), entries)
            )
            for signal, one in settings.signals.items()
        }

    def receive(self, frame: Frame, t: int) -> None:
        """Keep a frame of the bus; one that is too short for its signals counts as none."""
        if len(frame.data) >= self._length:
            self.count += 1
            self.last = t
            self._newest.receive(frame, t)

    def status(self, channels: Channels, t: int) -> ReportRow:
        """Return what the frame says at `t` [ns], and what it should say."""
        return ReportRow(
            self._name,
            f"0x{self.can_id & EXTENDED_MASK:X}",
            self.count,
            None if self.last is None else (t - self.last) / MILLISECOND,
            self._is_missing(t),
            [self._signal(name, one, channels) for name, one in self._signals.items()],
        )

    def _is_missing(self, t: int) -> bool:
        return self._period is not None and (self.last is None or t - self.last > _PERIODS * self._period)

    def _signal(self, name: str, compared: _Compared, channels: Channels) -> SignalRow:
        one = compared.settings
        said = self._newest.value(name)
        wanted = math.nan if compared.source is None else compared.source.value(channels)
        allowed = max(one.tolerance, one.percent / 100 * abs(wanted), abs(one.scale) / 2)
        differs = abs(said - wanted) > allowed  # not while one of them is not known
        return SignalRow(name, one.unit, _number(said), _number(wanted), _number(allowed), differs)


class ReportedFrames:
    """The reports of one bus: a node that hears their identifiers alone, `hears`."""

    def __init__(self, reports: Mapping[str, Report], place: KeyPath, entries: Entries = STANDARD) -> None:
        """`place`: the key path of `reports`; `entries` of the data bus. ConfigurationError: see ReportedFrame."""
        self._frames: Final = [ReportedFrame(name, one, (*place, name), entries) for name, one in reports.items()]
        self._by_identifier: Final = {frame.can_id: frame for frame in self._frames}

    @property
    def hears(self) -> frozenset[int]:
        """The identifiers, with their flag."""
        return frozenset(self._by_identifier)

    def receive(self, frame: Frame, t: int) -> None:
        """Keep a frame of the bus."""
        self._by_identifier[frame.can_id].receive(frame, t)

    def status(self, channels: Channels, t: int) -> list[ReportRow]:
        """Return the status of each report at `t` [ns]."""
        return [frame.status(channels, t) for frame in self._frames]


def _number(value: float) -> float | None:
    return None if value != value else value
