"""Another configuration for a running bench: checked by a child process, adopted between two ticks, or refused.

    requested        a child reads the bench file, its databases and all other files, and builds the bench once
    child: wrong     refused, with file and line; the bench continues as it was
    child: good      compared with the running bench: refused where a key needs a restart (restart_rules.py)
    recorded         the archive of the files, a piece after each tick
    adopted          with the last piece: built and put in place between two ticks

The tick continues while the child works, which is what takes long. Building and adopting costs the ticks of a few
milliseconds; they are counted here and not as missed. The bench depends on the tick of the adoption alone, which a
recording has. A request that comes while a reload is under way starts another one after it: the file may have changed
since.
"""

import gc
import os
import time
from collections.abc import Callable
from typing import Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError, dotted
from hilbridge.base.common.units import SECOND
from hilbridge.base.process.child_process import Child, spawn
from hilbridge.base.process.notify import Notifier
from hilbridge.bench.bench import Bench
from hilbridge.boundary.observe.bench_archive import BenchArchive
from hilbridge.boundary.observe.reporter import Reporter
from hilbridge.boundary.record.boundary import RELOAD_PART
from hilbridge.runs.reload.restart_rules import needs_restart
from hilbridge.runs.reload.transfer import Candidate, read

PATIENCE: Final = 120
"""[s] of the run that a child may take."""


class Outcome(NamedTuple):
    """The end of a reload. `request`: the newest one that it answers; older ones are answered with it."""

    request: int
    outcome: str
    reason: str
    took_ms: int


class ReloadCounts(NamedTuple):
    """Adopted and refused reloads, the longest time that one held a tick up, and the ticks lost by them."""

    count: int  # type: ignore[assignment]  # the key of the status; nothing counts the fields of a row
    refused: int
    longest_ms: float
    skipped_ticks: int


class ReloadRow(NamedTuple):
    """The counters of reloads, and the outcome of the last one; None: there was none."""

    count: int  # type: ignore[assignment]  # the key of the status; nothing counts the fields of a row
    refused: int
    longest_ms: float
    skipped_ticks: int
    last: Outcome | None


class Reload:
    """Reloads a bench from its file: `poll` ten times a second, `advance` after each tick while `adopting`."""

    def __init__(
        self,
        bench: Bench,
        reporter: Reporter,
        notifier: Notifier,
        *,
        bench_archive: BenchArchive | None,
        seed: int | None,
        forbidden: Callable[[], str],
        line: Callable[[], str],
    ) -> None:
        """`line` returns that of `systemctl status`.

        `bench_archive` is None where there was no memory for it, `seed` is that of the command line.

        `forbidden` returns why nothing may be reloaded at present, or an empty string.
        """
        self._bench: Final = bench
        self._reporter: Final = reporter
        self._notifier: Final = notifier
        self._bench_archive: Final = bench_archive
        self._file: Final = bench.wiring.bench_files.file.path.absolute()
        self._seed: Final = seed
        self._forbidden: Final = forbidden
        self._line: Final = line
        self._requests = 0
        self._request = 0  # the newest that is, or was, under way
        self._begun = 0  # [ns, monotonic] of it
        self._outcome: Outcome | None = None
        self._process: Child | None = None
        self._deadline = 0  # [ns] of the child
        self._result: int | None = None  # descriptor of the memory into which the child writes
        self._candidate: Candidate | None = None
        self._recorded = 0  # pieces of the candidate's archive
        self._count = 0
        self._refused = 0
        self._skipped = 0
        self._longest = 0  # [ns]
        self._worked = False

    def request(self) -> int:
        """Ask for the file to be read again; return the number of the request, from 1 on."""
        self._requests += 1
        return self._requests

    @property
    def refusal(self) -> str:
        """Return the end of the status line while the file that was read last is refused; empty: it was adopted."""
        last = self._outcome
        return f"; reload refused: {last.reason.splitlines()[0]}" if last and last.outcome == "refused" else ""

    @property
    def adopting(self) -> bool:
        """Whether the child has ended well, and its result waits to be read or adopted."""
        return self._result is not None and self._process is None

    def poll(self, t: int) -> None:
        """Start a child if one is asked for, or look whether it has ended, after the tick of time `t` [ns]."""
        if self._process is not None:
            self._watch(self._process, t)
        elif self._requests > self._request and not self.adopting:
            self._request, self._begun = self._requests, time.monotonic_ns()
            self._begin(t)

    def advance(self, t: int) -> bool:
        """Record a piece of the candidate after the tick of time `t` [ns], and adopt it with the last one.

        True: the bench has just adopted it.
        """
        if self._result is None or self._bench_archive is None:
            return False
        begun, self._worked = time.monotonic_ns(), True
        adopted, reason = False, ""
        try:
            adopted = self._advance(self._result, self._bench_archive, t)
        except ConfigurationError as error:
            reason = str(error)
        except Exception as error:  # noqa: BLE001 - whatever it is, the bench continues as it was
            reason = f"it could not be adopted: {error!r}"
        self._longest = max(self._longest, time.monotonic_ns() - begun)
        if adopted or reason:
            self._forget_candidate()
        if reason:
            self._refuse(reason, t)
        elif adopted:
            self._report_adoption(t)
        return adopted

    def excuse(self, missed: int) -> bool:
        """Return whether a reload took the time of the `missed` ticks before the tick at hand, and count them here."""
        excused, self._worked = self._worked, False
        if excused:
            self._skipped += missed
        return excused

    def statistics(self) -> ReloadCounts:
        """Return adopted and refused reloads, the longest time that one held a tick up, and the ticks lost by them."""
        return ReloadCounts(self._count, self._refused, round(self._longest / 1e6, 1), self._skipped)

    def status(self) -> ReloadRow:
        """Return the statistics and the outcome of the last reload."""
        return ReloadRow(*self.statistics(), self._outcome)

    def close(self) -> None:
        """End the child and drop the candidate: the run is over."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        self._forget_candidate()

    def _begin(self, t: int) -> None:
        self._notifier.reloading(time.monotonic_ns())
        if reason := self._forbidden():
            self._refuse(reason, t)
            return
        if self._bench_archive is None:
            self._refuse("there was no memory for the files of the bench when the run began", t)
            return
        self._result = os.memfd_create("hilbridge-reload")
        try:
            seed = "-" if self._seed is None else self._seed
            descriptors = [self._result, self._bench_archive.descriptor]
            self._process = spawn(
                "hilbridge.runs.reload.check", descriptors, *self._bench_archive.newest, self._file, seed
            )
        except OSError as error:
            self._forget_candidate()
            self._refuse(f"the bench file cannot be checked: {error.strerror}", t)
        else:
            self._deadline = t + PATIENCE * SECOND
            self._reporter.info(t, "reload", file=str(self._file))

    def _watch(self, process: Child, t: int) -> None:
        status = process.poll()
        if status is None:
            if t >= self._deadline:
                process.kill()
            return
        self._process = None
        if status:
            self._forget_candidate()
            self._refuse(f"the check of the bench file ended with status {status}", t)

    def _advance(self, result: int, bench_archive: BenchArchive, t: int) -> bool:
        """Return whether the candidate was adopted: no piece is left. ConfigurationError: it is refused."""
        candidate = self._candidate or self._read(result)
        self._candidate = candidate
        archive, number = candidate.place.archive, self._recorded
        pieces = -(-len(archive) // RELOAD_PART)
        piece = bench_archive.read(archive[number * RELOAD_PART : (number + 1) * RELOAD_PART])
        is_last = number + 1 == pieces
        if is_last:
            if reason := self._forbidden():
                raise ConfigurationError(reason)
            self._bench.adopt(candidate.bench_files, t)
            bench_archive.newest = candidate.place
            if not gc.isenabled():
                gc.freeze()  # as at the start of the run: the collections of the clock stay short
        self._bench.boundary.reload(t, number, pieces, piece)
        self._recorded += 1
        return is_last

    def _read(self, result: int) -> Candidate:
        candidate = read(result)
        if isinstance(candidate, str):
            raise ConfigurationError(candidate)
        if keys := needs_restart(self._bench.wiring.bench_files.file, candidate.bench_files.file):
            raise ConfigurationError(f"needs restart: {', '.join(map(dotted, keys))}")
        return candidate

    def _forget_candidate(self) -> None:
        self._candidate, self._recorded = None, 0
        if self._result is not None:
            os.close(self._result)
            self._result = None

    def _report_adoption(self, t: int) -> None:
        self._count += 1
        self._conclude("reloaded", "")
        self._reporter.info(t, "reloaded", file=str(self._file), longest_ms=round(self._longest / 1e6, 1))
        for warning in self._bench.wiring.warnings():
            self._reporter.warning(t, "bench file", warning=warning)
        self._notifier.ready(f"{self._line()}, reloaded")

    def _refuse(self, reason: str, t: int) -> None:
        self._refused += 1
        self._conclude("refused", reason)
        self._reporter.error(t, "reload refused", reason=reason)
        self._notifier.ready(self._line())

    def _conclude(self, outcome: str, reason: str) -> None:
        took = round((time.monotonic_ns() - self._begun) / 1e6)
        self._outcome = Outcome(self._request, outcome, reason, took)
