"""Another configuration for a bench that runs: read anew in a child, built between the ticks, adopted, or refused.

    asked for        a child reads the bench file, its databases and all else, and builds the bench once
    child: wrong     refused, with file and line; the bench goes on as it was
    child: good      compared with what runs: refused where a key needs a restart (changes.py)
    built            a part or some after each tick, a message at a time; recorded in the same way
    adopted          between two ticks, in one go

The tick goes on meanwhile. How many parts there are depends on the bench; how long one takes does not, nor how long the
adoption does. Ticks that are not done for a part are counted here and not as missed. The bench depends on the tick of
the adoption alone, which a recording has. Who asks while a child reads or parts are built gets another reload after it:
the file may have changed since.
"""

import gc
import os
import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from hilbridge.bench.bench import Bench
from hilbridge.bench.status import headline
from hilbridge.common.errors import dotted
from hilbridge.common.incremental import Parts
from hilbridge.common.units import MILLISECOND, SECOND
from hilbridge.observe.bench_archive import BenchArchive
from hilbridge.observe.reporter import Reporter
from hilbridge.process.child_process import Child, spawn
from hilbridge.process.notify import Notifier
from hilbridge.record.boundary import RELOAD_PART
from hilbridge.reload.restart_rules import needs_restart
from hilbridge.reload.transfer import take

PATIENCE: Final = 120
"""[s] of the run that a child may take."""


class Origin(NamedTuple):
    """Where what runs comes from: its files, if there is memory for them, and the seed of the command line."""

    bench_archive: BenchArchive | None
    seed: int | None


class Reload:
    """Reloads `bench` from its file when asked to: `poll` some ten times a second, `build` while it is `building`.

    `forbidden`: why nothing is reloaded at present, if anything stands in the way.
    """

    def __init__(
        self,
        bench: Bench,
        reporter: Reporter,
        notifier: Notifier,
        origin: Origin,
        forbidden: Callable[[], str],
    ) -> None:
        self._bench: Final = bench
        self._reporter: Final = reporter
        self._notifier: Final = notifier
        self._bench_archive: Final = origin.bench_archive
        self._file: Final = bench.wiring.bench_files.file.path.absolute()
        self._seed: Final = origin.seed
        self._forbidden: Final = forbidden
        self._requested = False
        self._process: Child | None = None
        self._answer = -1
        self._deadline = 0
        self._parts: Parts[str] | None = None
        self._parts_per_tick: Final = max(1, bench.settings.period // MILLISECOND)
        self._t = 0
        self._count = 0
        self._refused = 0
        self._skipped = 0
        self._longest = 0  # [ns]
        self._worked = False

    def request(self) -> None:
        """The file is to be read anew; may be called by a signal handler."""
        self._requested = True

    @property
    def building(self) -> bool:
        """The child has found it good, and it is built now."""
        return self._parts is not None

    def poll(self, t: int) -> None:
        """Goes on with what was asked for, after the tick of time `t` [ns]."""
        if self._process is not None:
            self._look_after(self._process, t)
        elif self._requested and not self.building:
            self._requested = False
            self._begin(t)

    def build(self, t: int) -> bool:
        """A part, or some, after the tick of time `t` [ns]; True: the bench has just adopted what was built."""
        if self._parts is None:
            return False
        begun, self._t, self._worked = time.monotonic_ns(), t, True
        reason = None
        try:
            for _ in range(self._parts_per_tick):
                next(self._parts)
        except StopIteration as end:
            reason = end.value
        if not gc.isenabled():
            gc.freeze()  # what was built stays: it is nothing to look through for garbage every second
        self._longest = max(self._longest, time.monotonic_ns() - begun)
        return reason is not None and self._end(reason, t)

    def excuse(self, missed: int) -> bool:
        """So many ticks were missed before the tick at hand; True: a reload took their time."""
        excused, self._worked = self._worked, False
        if excused:
            self._skipped += missed
        return excused

    def statistics(self) -> dict[str, Any]:
        """Adopted and refused reloads, the longest that one kept a tick, and the ticks not done for them."""
        return {
            "count": self._count,
            "refused": self._refused,
            "longest_ms": round(self._longest / 1e6, 1),
            "skipped_ticks": self._skipped,
        }

    def close(self) -> None:
        """The run is over."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        if self._process is not None or self._parts is not None:
            self._process = self._parts = None
            os.close(self._answer)

    def _begin(self, t: int) -> None:
        self._notifier.reloading(time.monotonic_ns())
        if reason := self._forbidden():
            self._refuse(reason, t)
            return
        if self._bench_archive is None:
            self._refuse("there was no memory for the files of the bench when the run began", t)
            return
        self._answer = os.memfd_create("hilbridge-reload")
        try:
            seed = "-" if self._seed is None else self._seed
            descriptors = [self._answer, self._bench_archive.descriptor]
            self._process = spawn("hilbridge.reload.check", descriptors, *self._bench_archive.newest, self._file, seed)
        except OSError as error:
            os.close(self._answer)
            self._refuse(f"the bench file cannot be checked: {error.strerror}", t)
        else:
            self._deadline = t + PATIENCE * SECOND
            self._reporter.info(t, "reload", file=str(self._file))

    def _look_after(self, process: Child, t: int) -> None:
        status = process.poll()
        if status is None:
            if t >= self._deadline:
                process.kill()
            return
        self._process = None
        if status:
            os.close(self._answer)
            self._refuse(f"the check of the bench file ended with status {status}", t)
        elif self._bench_archive is not None:
            self._parts = self._guarded(self._bench_archive)

    def _guarded(self, bench_archive: BenchArchive) -> Parts[str]:
        try:
            return (yield from self._adoption(bench_archive))
        except Exception as error:  # noqa: BLE001 - whatever it is, the bench goes on as it was
            return f"it could not be adopted: {error!r}"

    def _adoption(self, bench_archive: BenchArchive) -> Parts[str]:
        """Builds and adopts what the child found good; or the reason why not."""
        candidate = yield from take(self._answer)
        if isinstance(candidate, str):
            return candidate
        keys = needs_restart(self._bench.wiring.bench_files.file, candidate.bench_files.file)
        if keys:
            return f"needs restart: {', '.join(map(dotted, keys))}"
        yield
        wiring = self._bench.rewired(candidate.bench_files)
        while wiring.advance():
            yield
        archive = candidate.place.archive
        pieces = [archive[begin : begin + RELOAD_PART] for begin in range(0, len(archive), RELOAD_PART)]
        for number, piece in enumerate(pieces[:-1]):
            self._bench.boundary.reload(self._t, number, len(pieces), bench_archive.read(piece))
            yield
        if reason := self._forbidden():
            return reason
        self._bench.adopt(wiring, self._t)
        self._bench.boundary.reload(self._t, len(pieces) - 1, len(pieces), bench_archive.read(pieces[-1]))
        bench_archive.newest = candidate.place
        return ""

    def _end(self, reason: str, t: int) -> bool:
        """The bench has adopted what was built, or there is a reason why not."""
        self._parts = None
        os.close(self._answer)
        if reason:
            self._refuse(reason, t)
            return False
        self._count += 1
        self._reporter.info(t, "reloaded", file=str(self._file), longest_ms=round(self._longest / 1e6, 1))
        for warning in self._bench.warnings():
            self._reporter.warning(t, "frame plan", warning=warning)
        self._notifier.ready(f"{self._head()}, reloaded")
        return True

    def _refuse(self, reason: str, t: int) -> None:
        self._refused += 1
        self._reporter.error(t, "reload refused", reason=reason)
        self._notifier.ready(f"{self._head()}; reload refused: {reason.splitlines()[0]}")

    def _head(self) -> str:
        return headline(self._bench, self._reporter.missed)
