"""Learns from a log about the frames of a bus: everything about each identifier, and how sure it is."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from hilbridge.desk.learn.bits import BitStatistics, bit_statistics, changes, usual_payload
from hilbridge.desk.learn.certainty import Certainty
from hilbridge.desk.learn.correlation import Signal, find_signals
from hilbridge.desk.learn.known_values import Known
from hilbridge.desk.learn.log import Log, Series
from hilbridge.desk.learn.multiplexers import Multiplexer, find_multiplexer
from hilbridge.desk.learn.protection import Finding, find_protection, with_the_others
from hilbridge.desk.learn.timing import Timing, timing


class LearnedFrame(NamedTuple):
    """An identifier with what was learned of it.

    `payload`: the one that comes most often. `constant`: its content never changes, but for counters and checksum.
    """

    series: Series
    statistics: BitStatistics
    protection: Finding
    timing: Timing
    multiplexer: Multiplexer | None
    signals: list[Signal]
    payload: bytes
    constant: bool

    @property
    def moving(self) -> list[int]:
        """The bytes whose content changes, without counters and checksums."""
        left = self.statistics.varying & ~self.protection.filled
        return [int(byte) for byte in np.flatnonzero(left)]


class Learned(NamedTuple):
    """The findings of a log. `unread`: identifiers that an interruption left out."""

    log: Log
    frames: list[LearnedFrame]
    unread: list[str]


def learn(
    log: Log,
    known: Sequence[Known],
    progress: Callable[[float], None] = lambda _: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Learned:
    """Learn from a log, identifier by identifier; `progress` takes the frames that were looked at."""
    looked: list[tuple[Series, BitStatistics]] = []
    findings: list[Finding] = []
    done = 0
    for series in log.series:
        if stopped():
            break
        statistics = bit_statistics(series.data)
        looked.append((series, statistics))
        findings.append(find_protection(series, statistics))
        done += len(series.times)
        progress(done)
    findings = with_the_others([series for series, _ in looked], findings)
    frames = [
        _frame(series, statistics, finding, known)
        for (series, statistics), finding in zip(looked, findings, strict=True)
    ]
    return Learned(log, frames, [series.name for series in log.series[len(looked) :]])


def _frame(series: Series, statistics: BitStatistics, finding: Finding, known: Sequence[Known]) -> LearnedFrame:
    multiplexer = find_multiplexer(series.data, finding.filled)
    if finding.counters and not finding.has_checksum:
        pages = find_multiplexer(series.data, np.zeros_like(finding.filled))
        if pages is not None and pages.rotates and pages.certainty is Certainty.SURE:
            multiplexer, finding = pages, finding.without_protection()
    ignored = finding.filled
    changed = changes(series.data, ignored)
    return LearnedFrame(
        series,
        statistics,
        finding,
        timing(series.times, changed),
        multiplexer,
        find_signals(series, known, ignored) if known else [],
        usual_payload(series.data & ~ignored),
        not changed.any(),
    )
