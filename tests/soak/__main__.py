"""`make soak`: does it run for months? An hour, a week, a year on the virtual clock, a real hour, kills, 16,384 runs.

    python -m tests.soak [--minutes 60] [--report FILE]

With other minutes everything is as much shorter or longer, which the report says; year, kills and campaign are never
longer.
SOAK_MINUTES=600 is the ten hours: their recording takes some gigabytes in $TMPDIR, and its replay comes after them. The
virtual runs go on beside the real one, on the other processors. Ctrl-C ends it with what was found until then, and exit
status 130; otherwise it is 0 when all parts passed, 1 when one failed.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from hilbridge.base import model_build
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.record.recording import Recording
from hilbridge.runs.benchmarks.child import Model
from hilbridge.runs.benchmarks.result import UnavailableError
from hilbridge.runs.run.replay import replay

from ..scenarios.killed_campaign import SEEDS, disturb
from ..scenarios.killed_runs import kill_and_judge
from .hour import Hour, processors
from .resources import Held, growth
from .verdict import Part

FULL = 60.0
"""[min]"""

DAY = 24 * 3600.0
WEEK = 7 * DAY
HOUR = 3600.0
YEAR = 365
"""[days]"""
KILLS = 1000
FEWEST_KILLS = 5
POINTS = 8192
"""Of a campaign of 16,384 runs; Sobol's are a power of two."""
FEWEST_POINTS = 8
TELL_EVERY = 10.0
"""[s] between two lines of progress."""

ENDING = 60.0
"""[s] that the virtual runs may take after the real one."""


class Simulated(threading.Thread):
    """A run on the virtual clock in a process of its own; what it says last is the result."""

    def __init__(self, name: str, seconds: float, folder: Path, module: str, *words: float) -> None:
        """`seconds`: of the run, when it has come to its end; `words`: for the module, after the folder."""
        super().__init__(daemon=True)
        self.part = Part(name)
        self.last: dict[str, Any] = {}
        self._seconds = seconds
        self._samples: list[Held] = []
        folder.mkdir()
        command = [sys.executable, "-m", f"tests.soak.{module}", str(folder), *map(str, words)]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, process_group=0)
        os.sched_setaffinity(self.process.pid, processors().others)

    def run(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.last = json.loads(line)
            self._samples.append(Held(*self.last.pop("held")))

    @property
    def progress(self) -> str:
        return f"{100 * self.last.get('seconds', 0.0) / self._seconds:.0f} %"

    def judge(self) -> Part:
        """When it has ended, or is ended here."""
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait()
        self.join()
        part = self.part
        part.complete = self.last.get("seconds", 0.0) >= self._seconds
        part.facts |= self.last
        part.require_no_growth("memory", growth(self._samples))
        part.require(self.process.returncode in (0, -signal.SIGTERM), f"exit status {self.process.returncode}")
        part.require(not self.last.get("wrong counters"), "alive counters do not go on by one")
        part.require(not self.last.get("odometer turned back"), "the odometer turned back")
        part.require(not self.last.get("wrong"), f"not as it should be: {self.last.get('wrong')}")
        part.require(len({one.descriptors for one in self._samples}) <= 1, "descriptors come or go")
        return part


class Soak:
    """All parts, in a folder of their own."""

    def __init__(self, minutes: float, folder: Path) -> None:
        self.scale = minutes / FULL
        self.parts: list[Part] = []
        self._folder = folder
        self._interrupted = threading.Event()
        self._began = time.monotonic()
        self._model: Model = "compiled" if model_build.is_compiled() else "interpreted"

    def interrupt(self, *_: object) -> None:
        """The first time everything ends in good order; the second time at once."""
        signal.signal(signal.SIGINT, signal.default_int_handler)
        self._interrupted.set()

    @property
    def was_interrupted(self) -> bool:
        return self._interrupted.is_set()

    def run(self) -> None:
        hour, week = round(HOUR * self.scale, 3), round(WEEK * self.scale, 1)
        days = max(1, round(YEAR * min(self.scale, 1.0)))
        virtual = [
            Simulated("an hour on the virtual clock, 1 kHz", hour, self._folder / "hour", "simulated", 1000, hour),
            Simulated("a week on the virtual clock, 10 Hz", week, self._folder / "week", "simulated", 10, week),
            Simulated("a year of trips and nights, 100 Hz", days * DAY, self._folder / "year", "year", days),
        ]
        for one in virtual:
            one.start()
        self._real_hour(virtual)
        deadline = time.monotonic() + max(ENDING, ENDING * FULL * self.scale)
        while any(one.is_alive() for one in virtual) and time.monotonic() < deadline:
            if self._interrupted.wait(1.0):
                break
        self.parts += [one.judge() for one in virtual]
        self._repeat_the_hour()
        self._kills()
        self._campaign()

    def _real_hour(self, virtual: list[Simulated]) -> None:
        folder = self._folder / "real hour"
        folder.mkdir()
        hour = Hour(folder, self._model, HOUR * self.scale, kill_every=max(5.0, min(60.0, 60 * 10 * self.scale)))
        told = threading.Event()

        def tell() -> None:
            while not told.wait(TELL_EVERY):
                progress = ", ".join(f"{one.part.name}: {one.progress}" for one in virtual)
                self._tell(f"real time, observer killed {hour.kills} times; {progress}")

        teller = threading.Thread(target=tell, daemon=True)
        teller.start()
        try:
            hour.run(self._interrupted)
        except UnavailableError as reason:
            hour.part.failures.append(str(reason))
        finally:
            told.set()
            teller.join()
        self.parts.append(hour.part)

    def _repeat_the_hour(self) -> None:
        part = Part("the recording of the real time, replayed")
        self.parts.append(part)
        if self.was_interrupted:
            return
        self._tell("the recording of the real time is replayed")
        try:
            outcome = replay(Recording(self._folder / "real hour/recording"))
        except ConfigurationError as reason:
            part.failures.append(str(reason))
            return
        part.complete = True
        part.facts |= {"ticks": outcome.ticks, "frames": outcome.frames, "end": outcome.end}
        part.require(outcome.identical, f"it differs: {outcome.difference}")

    def _kills(self) -> None:
        count = max(FEWEST_KILLS, round(KILLS * min(self.scale, 1.0)))
        part = Part(f"{count} runs killed while they record and a tester writes")
        self.parts.append(part)
        folder = self._folder / "killed"
        folder.mkdir()
        remains = []
        try:
            for each in kill_and_judge(folder, range(count)):
                remains.append(each)
                if self.was_interrupted:
                    break
                if len(remains) % 10 == 0:
                    self._tell(f"{len(remains)} of {count} runs killed; nothing lost, all recordings replayed")
        except AssertionError as error:
            part.failures.append(str(error))
        part.complete = len(remains) == count
        part.facts |= {
            "recordings": len(remains),
            "frames in them": sum(one.frames for one in remains),
            "writings answered": sum(one.answered for one in remains),
        }

    def _campaign(self) -> None:
        points = 1 << (max(FEWEST_POINTS, round(POINTS * min(self.scale, 1.0))).bit_length() - 1)
        part = Part(f"a campaign of {SEEDS * points} runs, one in a hundred of which kills a worker")
        self.parts.append(part)
        if self.was_interrupted:
            return
        self._tell(f"{SEEDS * points} runs of a campaign")
        folder = self._folder / "campaign"
        folder.mkdir()
        try:
            seen = disturb(folder, points, every=1)
        except AssertionError as error:
            part.failures.append(str(error))
            return
        part.complete = True
        part.facts |= seen._asdict()

    def _tell(self, what: str) -> None:
        print(f"{time.monotonic() - self._began:6.0f} s  {what}", flush=True)

    def report(self) -> dict[str, Any]:
        """For programs."""
        return {
            "model": self._model,
            "scale": round(self.scale, 4),
            "load average": os.getloadavg()[0],
            "passed": all(part.passed for part in self.parts) and not self.was_interrupted,
            "interrupted": self.was_interrupted,
            "parts": {part.name: part.report() for part in self.parts},
        }


def main() -> int:
    parser = argparse.ArgumentParser(prog="soak", description="what a service must stand that runs for months")
    parser.add_argument("--minutes", type=float, default=FULL, help="of the part in real time; default: 60")
    parser.add_argument("--report", type=Path, help="where the report goes as JSON")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="hilbridge-soak-") as folder:
        soak = Soak(args.minutes, Path(folder))
        signal.signal(signal.SIGINT, soak.interrupt)
        if soak.scale != 1:
            print(f"scaled: everything is {soak.scale:.3g} times as long as its name says", flush=True)
        soak.run()
    report = soak.report()
    if args.report is not None:
        args.report.parent.mkdir(parents=True, exist_ok=True)
        args.report.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    for part in soak.parts:
        print(*part.lines(), sep="\n")
    if soak.was_interrupted:
        print("interrupted: this is what was found until then")
        return 128 + signal.SIGINT
    return 0 if report["passed"] else 1


if __name__ == "__main__":
    sys.exit(main())
