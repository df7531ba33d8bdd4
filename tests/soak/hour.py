"""An hour in real time at 1 kHz, with visitors, and with an observer that is killed every minute.

Beside the visitors cyclictest runs on the same processor, in the same class and at the same priority: where it wakes up
a period late or more, the machine was not there for the daemon either. So in that time the daemon may miss as many
ticks as it does, within three standard deviations. Ticks are missed in bursts, one for each time that the machine was
away, so that the variance is at most the expected number times the longest burst (a compound Poisson process). A run of
some minutes sees too few bursts for that: its missed ticks are told, and not judged.
"""

import json
import os
import random
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any, NamedTuple

from hilbridge.runs.benchmarks import cyclictest
from hilbridge.runs.benchmarks.child import Model
from hilbridge.runs.benchmarks.daemon import Daemon
from hilbridge.runs.benchmarks.result import UnavailableError

from ..bench.benches import FULL
from ..bench.load import BUS
from ..bench.turns import WakeUps
from .resources import WARM_UP, Held, children, growth, held
from .verdict import Part
from .visitors import Places, Visitors, plugged_in, viewer

SLICE = 5.0
"""[s] of cyclictest at a time."""

PRIORITY = 80
"""Of the daemon and of cyclictest: other programs in a real-time class are not what is looked at here."""

LONG_ENOUGH = 600.0
"""[s] from which on missed ticks are judged."""

HISTORY = 600.0
"""[s] until the page remembers as much of a run as it ever will (cockpit/history.py)."""

SETTLING = 5.0
"""[s] after visitors have left, until what they had is given back."""

LOOK_EVERY = 0.1
"""[s] while it settles."""


def bench_file(folder: Path) -> Path:
    """The full bench, with a pedal board and an SLCAN adapter that can be unplugged."""
    file = FULL.write(folder)
    content: dict[str, Any] = json.loads(file.read_text())
    serial = next(one for one in content["inputs"] if one["source"] == "serial")
    content["inputs"].insert(0, serial | {"port": str(folder / "board")})
    content["buses"]["adapter"] = {
        "interface": "slcan",
        "channel": str(folder / "adapter"),
        "bitrate": 500_000,
        "armed": True,
        "options": {"sleep_after_open": 0.1},
        "raw": {"Alive": {"id": 0x123, "data": "00 01", "period": 10}},
    }
    content["realtime"] = {"priority": PRIORITY}
    file.write_text(json.dumps(content))
    return file


class Processors(NamedTuple):
    """Which one is the daemon's, and where all others work who need not be there."""

    daemon: int
    others: set[int]


def processors() -> Processors:
    """The last one is the daemon's; with one alone, everybody's."""
    there = os.sched_getaffinity(0)
    return Processors(max(there), there - {max(there)} or there)


def descriptors(pid: int) -> int:
    """The fewest that are open at a time while it settles: a lost adapter is tried again and again, which takes one."""
    until, fewest = time.monotonic() + SETTLING, sys.maxsize
    while time.monotonic() < until:
        if (now := held(pid, 0.0)) is not None:
            fewest = min(fewest, now.descriptors)
        time.sleep(LOOK_EVERY)
    return fewest


class Baseline(threading.Thread):
    """cyclictest, slice after slice: its `wake_ups`; `trouble` where it cannot run."""

    def __init__(self, daemon: Daemon, folder: Path) -> None:
        super().__init__(daemon=True)
        self.wake_ups = WakeUps()
        self.trouble = ""
        self.ended = threading.Event()
        self._daemon = daemon
        self._conditions = daemon.conditions()
        self._folder = folder

    def run(self) -> None:
        period = self._daemon.period
        while not self.ended.is_set():
            try:
                report = cyclictest.report(self._conditions, period, SLICE, self._folder)
            except UnavailableError as reason:
                self.trouble = str(reason)
                return
            self.wake_ups = self.wake_ups.together(WakeUps.read(report, period))


class Hour:
    """The running daemon and all who visit it, watched once a second."""

    def __init__(self, folder: Path, model: Model, seconds: float, kill_every: float) -> None:
        self.part = Part("in real time, with visitors")
        self.kills = 0
        self._folder = folder
        self._model = model
        self._seconds = seconds
        self._kill_every = kill_every
        self._samples: dict[str, list[Held]] = {"tick process": [], "page": []}

    def run(self, interrupted: threading.Event) -> None:
        """To its end, or until it is interrupted; then what was found is judged."""
        recording = self._folder / "recording"
        with plugged_in(self._folder / "adapter"):
            words = ("--record", str(recording))
            daemon = Daemon(bench_file(self._folder), self._model, *words, duration=round(self._seconds) + 600)
        try:
            self._watch(daemon, interrupted)
        finally:
            status = daemon.stop()
        self._judge(daemon, status)

    def _watch(self, daemon: Daemon, interrupted: threading.Event) -> None:
        daemon.pin(processors().daemon)
        places = Places.of(
            daemon, self._folder / "control.sock", board=self._folder / "board", adapter=self._folder / "adapter"
        )
        viewer(places, random.Random(0), interrupted)  # from the first one on the page has a line to the control socket
        before = descriptors(daemon.pid)
        baseline = Baseline(daemon, self._folder)
        first = daemon.statistics()
        baseline.start()
        begun = time.monotonic()
        with Visitors(places, seed=1) as visitors:
            next_kill = self._kill_every
            while (now := time.monotonic() - begun) < self._seconds and not interrupted.wait(1.0):
                self._sample(daemon, now)
                if now >= next_kill:
                    next_kill += self._kill_every
                    self._kill_observer(daemon)
        baseline.ended.set()
        baseline.join(2 * SLICE)
        self._compare(first, daemon.statistics(), baseline)
        after = descriptors(daemon.pid)
        self.part.complete = not interrupted.is_set()
        self.part.facts |= {
            "seconds": round(time.monotonic() - begun),
            "visits": dict(visitors.counts),
            "what visitors complained of": dict(visitors.troubles),
        }
        self.part.require(not visitors.troubles, "visitors were not served")
        self.part.facts["descriptors before and after"] = [before, after]
        self.part.require(after <= before, "descriptors were not given back")

    def _sample(self, daemon: Daemon, now: float) -> None:
        for name, pids in (("tick process", [daemon.pid]), ("page", children(daemon.pid, "hilbridge.faces.cockpit"))):
            if pids and (sample := held(pids[0], now)) is not None:
                self._samples[name].append(sample)

    def _kill_observer(self, daemon: Daemon) -> None:
        for pid in children(daemon.pid, "hilbridge.boundary.observe"):
            os.kill(pid, signal.SIGKILL)
            self.kills += 1

    def _compare(self, first: dict[str, Any], last: dict[str, Any], baseline: Baseline) -> None:
        """Judges the ticks that were missed from the first statistics to the last ones, while cyclictest ran."""
        missed = last["missed_ticks"] - first["missed_ticks"]
        due = missed + last["ticks"] - first["ticks"]
        self.part.facts |= {"ticks": due, "missed": missed, "lateness, us": last["lateness_us"]}
        machine = baseline.wake_ups
        if not machine.due:
            self.part.facts["cyclictest"] = baseline.trouble or "no slice came to its end"
            return
        self.part.facts |= {"missed by cyclictest": machine.missed, "of its periods": machine.due}
        self.part.facts["at once"] = machine.longest
        if self._seconds < LONG_ENOUGH:
            self.part.facts["missed ticks"] = "not judged: the run is too short"
        else:
            fault = f"{missed} ticks missed; by the machine's fault {machine.expected(due):.0f}"
            self.part.require(missed <= machine.bound(due), fault)

    def _judge(self, daemon: Daemon, status: int) -> None:
        part = self.part
        part.require_no_growth("tick process", growth(self._samples["tick process"]))
        if self._seconds * WARM_UP < HISTORY:
            part.facts["growth of page"] = "not judged: what it remembers of the run has just begun to fill"
        else:
            part.require_no_growth("page", growth(self._samples["page"]))
        part.require(status == 0, f"exit status {status}")
        ends = daemon.records("stopped")
        part.require(ends, "the daemon did not say how it ended")
        if not ends:
            return
        final = ends[-1]
        part.facts["observer killed, restarted"] = [self.kills, final["observer"]["restarts"]]
        part.require(final["observer"] == {"restarts": self.kills, "events_lost": 0}, f"observer: {final['observer']}")
        link = final["links"][BUS]
        part.facts["SLCAN clients came, left"] = [link["connected"], link.get("disconnected", 0)]
        for name, tools in final["scan_tools"].items():
            part.facts[f"came to {name}, left"] = [tools.get("connected", 0), tools.get("disconnected", 0)]
        part.facts["frames dropped for clients that do not read"] = link.get("dropped", 0)
        part.facts["adapter lost and back"] = final["links"]["adapter"].get("reopened", 0)
        errors = sorted({one["event"] for one in daemon.log() if one["level"] == "error"})
        part.require(not errors, f"the log has errors: {', '.join(errors)}")
        part.require(daemon.records("recording complete"), "the recording is not complete")
