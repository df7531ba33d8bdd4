"""Another configuration for a bench that runs: read anew in a child, adopted between two ticks, or refused.

    asked for        a child reads the bench file, its databases and all else, and builds the bench once
    child: wrong     refused, with file and line; the bench goes on as it was
    child: good      compared with what runs: refused where a key needs a restart (changes.py)
    adopted          recorded, built and exchanged between two ticks, in one go

The tick goes on meanwhile. Only the adoption costs it time, some 20 ms; the ticks that are not done then are counted
here and not as missed. Who asks while a child reads gets another one after it: the file may have changed since.
"""

import gc
import os
import pickle
import subprocess
import time
from collections.abc import Callable
from typing import Any, Final

from hilbridge.app import Bench
from hilbridge.changes import needs_restart
from hilbridge.child_process import spawn
from hilbridge.errors import dotted
from hilbridge.materials import Candidate
from hilbridge.notify import Notifier
from hilbridge.observe.reporter import Reporter
from hilbridge.overview import headline
from hilbridge.record.boundary import MOST_TO_RELOAD
from hilbridge.settings import NANOSECONDS

PATIENCE: Final = 120
"""[s] of the run that a child may take."""


class Reload:
    """Reloads `bench` from its file when it is asked to; `poll` some ten times a second.

    `seed`: the one that the command line gave, over that of the file. `forbidden`: why nothing is reloaded at present,
    if anything stands in the way.
    """

    def __init__(
        self, bench: Bench, reporter: Reporter, notifier: Notifier, seed: int | None, forbidden: Callable[[], str]
    ) -> None:
        self._bench: Final = bench
        self._reporter: Final = reporter
        self._notifier: Final = notifier
        self._file: Final = bench.wiring.materials.file.path.absolute()
        self._seed: Final = seed
        self._forbidden: Final = forbidden
        self._requested = False
        self._process: subprocess.Popen[bytes] | None = None
        self._answer = -1
        self._deadline = 0
        self._count = 0
        self._refused = 0
        self._skipped = 0
        self._longest = 0  # [ns]
        self._adopted = False

    def request(self) -> None:
        """The file is to be read anew; may be called by a signal handler."""
        self._requested = True

    def poll(self, t: int) -> bool:
        """Goes on with what was asked for, after the tick of time `t` [ns]; True: the bench has just adopted it."""
        if self._process is not None:
            return self._look_after(self._process, t)
        if self._requested:
            self._requested = False
            self._begin(t)
        return False

    def excuse(self, missed: int) -> bool:
        """So many ticks were missed before the tick at hand; True: a reload took their time."""
        excused, self._adopted = self._adopted, False
        if excused:
            self._skipped += missed
        return excused

    def statistics(self) -> dict[str, Any]:
        """Adopted and refused reloads, the longest that an adoption kept the tick, and the ticks not done for it."""
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
            self._process = None
            os.close(self._answer)

    def _begin(self, t: int) -> None:
        self._notifier.reloading(time.monotonic_ns())
        if reason := self._forbidden():
            self._refuse(reason, t)
            return
        self._answer = os.memfd_create("hilbridge-reload")
        try:
            seed = "-" if self._seed is None else self._seed
            self._process = spawn("hilbridge.reload_check", [self._answer], self._file, seed)
        except OSError as error:
            os.close(self._answer)
            self._refuse(f"the bench file cannot be checked: {error.strerror}", t)
        else:
            self._deadline = t + PATIENCE * NANOSECONDS
            self._reporter.info(t, "reload", file=str(self._file))

    def _look_after(self, process: subprocess.Popen[bytes], t: int) -> bool:
        if process.poll() is None:
            if t >= self._deadline:
                process.kill()
            return False
        self._process = None
        begun = time.monotonic_ns()
        try:
            reason = self._decide(process.returncode, t)
        finally:
            os.close(self._answer)
        if reason:
            self._refuse(reason, t)
            return False
        gc.collect()
        elapsed = time.monotonic_ns() - begun
        self._longest = max(self._longest, elapsed)
        self._count += 1
        self._adopted = True
        self._reporter.info(t, "reloaded", file=str(self._file), took_ms=round(elapsed / 1e6, 1))
        for warning in self._bench.warnings():
            self._reporter.warning(t, "frame plan", warning=warning)
        self._notifier.ready(f"{self._head()}, reloaded")
        return True

    def _decide(self, status: int, t: int) -> str:
        """Adopts what the child found good; else the reason why not."""
        answer = os.pread(self._answer, os.fstat(self._answer).st_size, 0)
        if status or not answer:
            return f"the check of the bench file ended with status {status}"
        candidate: Candidate | str = pickle.loads(answer)  # noqa: S301 - of a child of ours, in memory that only it has
        if isinstance(candidate, str):
            return candidate
        if reason := self._forbidden():
            return reason
        keys = needs_restart(self._bench.wiring.materials.file, candidate.materials.file)
        if keys:
            return f"needs restart: {', '.join(map(dotted, keys))}"
        if self._bench.boundary.put is not None and len(candidate.archive) > MOST_TO_RELOAD:
            return f"needs restart: {len(candidate.archive)} bytes are too much for the recording"
        try:
            self._bench.adopt(candidate.materials, t)
        except Exception as error:  # noqa: BLE001 - whatever it is, the bench goes on as it was
            return f"it could not be adopted: {error!r}"
        self._bench.boundary.reload(t, candidate.archive)
        return ""

    def _refuse(self, reason: str, t: int) -> None:
        self._refused += 1
        self._reporter.error(t, "reload refused", reason=reason)
        self._notifier.ready(f"{self._head()}; reload refused: {reason.splitlines()[0]}")

    def _head(self) -> str:
        return headline(self._bench, self._reporter.missed)
