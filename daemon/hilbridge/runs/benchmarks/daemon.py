"""The daemon under measurement: a bench in a process of its own, observed through its rings and its log."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from hilbridge.base.common.statistics import Histogram
from hilbridge.base.common.units import SECOND
from hilbridge.base.process.child_process import die_with
from hilbridge.boundary.observe.events import About, Snapshot
from hilbridge.boundary.observe.rings import Rings
from hilbridge.runs.benchmarks.child import Model, environment
from hilbridge.runs.benchmarks.result import UnavailableError
from hilbridge.runs.run.realtime import DMA_LATENCY

_TIMEOUT: Final = 30.0
"""[s] for a start or an end."""

_SETTLING: Final = 0.1
"""[s] after a pause, until the missed ticks are counted and the caches are warm again."""

_NAP: Final = 0.01
_KIB: Final = 1024


class Slice(NamedTuple):
    """The part of the daemon's own histograms that was counted in a period of time [ns]."""

    lateness: Histogram
    step_time: Histogram


class Conditions(NamedTuple):
    """The settings of a process on which the lateness of its ticks depends."""

    cpu: int
    policy: int
    priority: int
    memory_locked: bool
    dma_latency_held: bool


class Daemon:
    """`hilbridge run` on a bench file, from its start to `stop`; `start_up` [s] is the time to its first tick.

    Its log is written beside the file. `options`: further words of the command line. Without `stop` it ends with the
    thread that started it, or after `duration` [s]. UnavailableError when it does not start.
    """

    def __init__(self, file: Path, model: Model, *options: str, duration: int = 600) -> None:
        self._log, self._read, self._records = file.parent / "log", 0, list[dict[str, Any]]()
        words = ["run", str(file), "--duration", str(duration), *options]
        with ExitStack() as on_failure:
            with self._log.open("wb") as log:
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-m", "hilbridge", *words],
                    env=environment(model),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    process_group=0,  # Ctrl-C is for the parent, which then stops it
                    preexec_fn=partial(die_with, os.getpid(), signal.SIGTERM),  # noqa: PLW1509 - no other thread runs
                )
            on_failure.callback(self.stop)
            self.start_up: Final = self._wait_until_ready() / 1000
            self._rings = self._join_rings()
            self.period: Final = SECOND // About.decode(self._rings.about).rate
            on_failure.pop_all()

    def watch(self, seconds: float) -> Slice:
        """Wait, and return what was counted in that time."""
        histograms = (self._rings.lateness, self._rings.step_time)
        before = [each.copy() for each in histograms]
        time.sleep(seconds)
        return Slice(*(now.since(then) for now, then in zip(histograms, before, strict=True)))

    def counted(self) -> Snapshot:
        """Return the newest snapshot, some milliseconds old at most: it costs the tick nothing, and needs no log."""
        content = self._rings.snapshots.get()
        if content is None:
            raise UnavailableError("the daemon has written no snapshot")
        return Snapshot.decode(content)

    def statistics(self) -> dict[str, Any]:
        """Return all its counters, which it writes into its log on SIGUSR1."""
        known = len(self.records("statistics"))
        os.kill(self.pid, signal.SIGUSR1)
        return self._wait_for("statistics", known)

    def records(self, event: str) -> list[dict[str, Any]]:
        """Return the log records of an event so far."""
        return [record for record in self.log() if record["event"] == event]

    def log(self) -> list[dict[str, Any]]:
        """Return all log records so far."""
        with self._log.open("rb") as log:
            log.seek(self._read)
            complete = log.read().rpartition(b"\n")[:2]  # a line that is still being written has no line feed yet
        lines = b"".join(complete)
        self._read += len(lines)
        self._records += [json.loads(line) for line in lines.splitlines() if line.startswith(b"{")]
        return self._records

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Stop the process meanwhile; afterwards wait for some time, so that the pause is not measured."""
        os.kill(self.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self.pid, signal.SIGCONT)
            time.sleep(_SETTLING)

    def pin(self, cpu: int) -> None:
        """Bind the tick process to one processor; the observer, which was started before, is not bound."""
        os.sched_setaffinity(self.pid, {cpu})

    def conditions(self) -> Conditions:
        """Read the present conditions from the kernel."""
        pid = self.pid
        return Conditions(
            cpu=min(os.sched_getaffinity(pid)),
            policy=os.sched_getscheduler(pid) & ~os.SCHED_RESET_ON_FORK,
            priority=os.sched_getparam(pid).sched_priority,
            memory_locked=self._status("VmLck") > 0,
            dma_latency_held=self._descriptor(DMA_LATENCY) is not None,
        )

    @property
    def pid(self) -> int:
        """Number of the tick process."""
        return self._process.pid

    def resident(self) -> int:
        """Return the resident memory of the tick process [byte], shared libraries included."""
        return self._status("VmRSS") * _KIB

    def stop(self) -> int:
        """End the process by SIGTERM, or by SIGKILL after the time-out; return its exit status."""
        self._process.terminate()
        try:
            return self._process.wait(_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()

    def _wait_until_ready(self) -> float:
        """Return the duration of the start [ms], measured by the daemon itself."""
        return float(self._wait_for("ready")["start_up_ms"])

    def _wait_for(self, event: str, known: int = 0) -> dict[str, Any]:
        """Wait for the first log record of an event after the number that is `known`."""
        deadline = time.monotonic() + _TIMEOUT
        while time.monotonic() < deadline:
            if len(records := self.records(event)) > known:
                return records[known]
            if self._process.poll() is not None:
                lines = self._log.read_text(encoding="utf-8").strip().splitlines() or ["no reason given"]
                raise UnavailableError(f"the daemon does not run: {lines[-1]}")
            time.sleep(_NAP)
        raise UnavailableError(f"the daemon did not log {event!r} within {_TIMEOUT:.0f} s")

    def _join_rings(self) -> Rings:
        descriptor = self._descriptor("/memfd:hilbridge-rings")
        if descriptor is None:
            raise UnavailableError("the rings of the daemon are not found")
        return Rings(os.open(descriptor, os.O_RDWR | os.O_CLOEXEC))

    def _descriptor(self, target: str) -> Path | None:
        """Return the descriptor of the process that refers to a file, as an entry of /proc."""
        for entry in Path(f"/proc/{self.pid}/fd").iterdir():
            try:
                if str(entry.readlink()).startswith(target):
                    return entry
            except OSError:  # closed meanwhile
                continue
        return None

    def _status(self, field: str) -> int:
        """Return a number of /proc/PID/status; sizes are in KiB."""
        for line in Path(f"/proc/{self.pid}/status").read_text(encoding="ascii").splitlines():
            name, _, value = line.partition(":")
            if name == field:
                return int(value.split()[0])
        raise UnavailableError(f"the kernel does not report {field}")
