"""The running daemon as the benchmarks see it: a bench in a process of its own, watched through rings and log."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from hilbridge.benchmarks.child import Model, environment
from hilbridge.benchmarks.result import UnavailableError
from hilbridge.common.statistics import Histogram
from hilbridge.common.units import SECOND
from hilbridge.observe.events import About
from hilbridge.observe.rings import Rings
from hilbridge.process.realtime import DMA_LATENCY

_PATIENCE: Final = 30.0
"""[s] for a start or an end."""

_SETTLING: Final = 0.1
"""[s] after a pause: the missed ticks were counted, the caches are warm again."""

_NAP: Final = 0.01
_KIB: Final = 1024


class Slice(NamedTuple):
    """What the daemon's own histograms counted meanwhile [ns]."""

    lateness: Histogram
    step_time: Histogram


class Conditions(NamedTuple):
    """What decides how punctual a process can be."""

    cpu: int
    policy: int
    priority: int
    memory_locked: bool
    dma_latency_held: bool


class Daemon:
    """`hilbridge run` on a bench file, up to its first tick; `start_up` [s] is how long that took.

    Its log is written beside the file. `options`: further words of the command line. `stop` ends it; should nobody do
    that, it ends with the thread that started it, or after `longest` [s]. UnavailableError when it does not start.
    """

    def __init__(self, file: Path, model: Model, *options: str, longest: int = 600) -> None:
        self._log, self._read, self._said = file.parent / "log", 0, list[dict[str, Any]]()
        words = ["run", str(file), "--duration", str(longest), *options]
        with ExitStack() as on_failure:
            with self._log.open("wb") as log:
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-m", "hilbridge.benchmarks.tethered", str(os.getpid()), *words],
                    env=environment(model),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    process_group=0,  # Ctrl-C is for whoever started it, and then stops it
                )
            on_failure.callback(self.stop)
            self.start_up: Final = self._wait_until_ready() / 1000
            self._rings = self._join_rings()
            self.period: Final = SECOND // About.decode(self._rings.about).rate
            on_failure.pop_all()

    def watch(self, seconds: float) -> Slice:
        """Waits; what was counted in that time."""
        histograms = (self._rings.lateness, self._rings.step_time)
        before = [each.copy() for each in histograms]
        time.sleep(seconds)
        return Slice(*(now.since(then) for now, then in zip(histograms, before, strict=True)))

    def statistics(self) -> dict[str, Any]:
        """All its counters, as it writes them into its log when it is asked."""
        known = len(self.said("statistics"))
        os.kill(self._process.pid, signal.SIGUSR1)
        return self._wait_for("statistics", known)

    def said(self, event: str) -> list[dict[str, Any]]:
        """The records of an event, of its log so far."""
        return [record for record in self.log() if record["event"] == event]

    def log(self) -> list[dict[str, Any]]:
        """Its whole log so far."""
        with self._log.open("rb") as log:
            log.seek(self._read)
            whole = log.read().rpartition(b"\n")[:2]  # a line that is still being written has no line feed yet
        lines = b"".join(whole)
        self._read += len(lines)
        self._said += [json.loads(line) for line in lines.splitlines() if line.startswith(b"{")]
        return self._said

    def slcan_port(self, bus: str) -> int:
        """The TCP port of a bus on loopback."""
        for record in self.said("bus open"):
            found = re.search(r"127\.0\.0\.1:(\d+)", record["link"])
            if record["bus"] == bus and found:
                return int(found[1])
        raise UnavailableError(f"bus {bus} has no TCP port")

    def pedal_port(self) -> str:
        """The name of the pseudo terminal for pedals."""
        for record in self.said("pedal port open"):
            if record["port"].startswith("pseudo terminal "):
                return str(record["port"].split()[-1])
        raise UnavailableError("the bench has no pseudo terminal for pedals")

    def scan_tool_terminal(self) -> str:
        """The name of the ELM327's pseudo terminal."""
        for record in self.said("scan tool port open"):
            if found := re.search(r"/dev/pts/\d+", record["port"]):
                return found[0]
        raise UnavailableError("the bench has no pseudo terminal for scan tools")

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Meanwhile the process stands still; afterwards some time passes, so that the pause is not measured."""
        os.kill(self._process.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self._process.pid, signal.SIGCONT)
            time.sleep(_SETTLING)

    def pin(self, cpu: int) -> None:
        """The tick process stays on one processor; the observer, which was started before, does not."""
        os.sched_setaffinity(self._process.pid, {cpu})

    def conditions(self) -> Conditions:
        """As the kernel says they are now."""
        pid = self._process.pid
        return Conditions(
            cpu=min(os.sched_getaffinity(pid)),
            policy=os.sched_getscheduler(pid) & ~os.SCHED_RESET_ON_FORK,
            priority=os.sched_getparam(pid).sched_priority,
            memory_locked=self._status("VmLck") > 0,
            dma_latency_held=self._descriptor(DMA_LATENCY) is not None,
        )

    @property
    def pid(self) -> int:
        """Of the tick process."""
        return self._process.pid

    def resident(self) -> int:
        """[byte] of the tick process that lie in memory, shared libraries included."""
        return self._status("VmRSS") * _KIB

    def stop(self) -> int:
        """Ends the process, in good order if it can; its exit status."""
        self._process.terminate()
        try:
            return self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()

    def _wait_until_ready(self) -> float:
        """[ms] that the start took, by the daemon's own account."""
        return float(self._wait_for("ready")["start_up_ms"])

    def _wait_for(self, event: str, known: int = 0) -> dict[str, Any]:
        """The first record of an event after those that are `known`."""
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            if len(records := self.said(event)) > known:
                return records[known]
            if self._process.poll() is not None:
                last_words = self._log.read_text(encoding="utf-8").strip().splitlines()
                raise UnavailableError(
                    f"the daemon does not run: {last_words[-1] if last_words else 'no reason given'}"
                )
            time.sleep(_NAP)
        raise UnavailableError(f"the daemon did not say {event!r} within {_PATIENCE:.0f} s")

    def _join_rings(self) -> Rings:
        descriptor = self._descriptor("/memfd:hilbridge-rings")
        if descriptor is None:
            raise UnavailableError("the rings of the daemon are not to be found")
        return Rings(os.open(descriptor, os.O_RDWR | os.O_CLOEXEC))

    def _descriptor(self, target: str) -> Path | None:
        """The descriptor of the process that leads to a file, as an entry of /proc."""
        for entry in Path(f"/proc/{self._process.pid}/fd").iterdir():
            try:
                if str(entry.readlink()).startswith(target):
                    return entry
            except OSError:  # closed meanwhile
                continue
        return None

    def _status(self, field: str) -> int:
        """A number of /proc/PID/status; sizes are in KiB."""
        for line in Path(f"/proc/{self._process.pid}/status").read_text(encoding="ascii").splitlines():
            name, _, value = line.partition(":")
            if name == field:
                return int(value.split()[0])
        raise UnavailableError(f"the kernel does not tell {field}")
