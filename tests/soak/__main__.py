"""`make soak`: does it run for months? An hour and a week on the virtual clock, an hour in real time, 200 kills.

    python -m tests.soak [--minutes 60] [--report FILE]

With fewer minutes everything is scaled down, which the report says. The virtual runs go on beside the real one, on the
other processors. Ctrl-C ends it with what was found until then, and exit status 130; otherwise
it is 0 when all parts passed, 1 when one failed.
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

from hilbridge import model_build
from hilbridge.benchmarks.child import Model
from hilbridge.benchmarks.result import UnavailableError
from hilbridge.common.errors import ConfigurationError
from hilbridge.record.recording import Recording
from hilbridge.run.replay import replay

from ..scenarios.killed_runs import kill_and_judge
from .hour import Hour, processors
from .resources import Held, growth
from .verdict import Part

FULL = 60.0
"""[min]"""

WEEK = 7 * 24 * 3600.0
HOUR = 3600.0
KILLS = 200
FEWEST_KILLS = 20
TELL_EVERY = 10.0
"""[s] between two lines of progress."""

ENDING = 60.0
"""[s] that the virtual runs may take after the real one."""


class Simulated(threading.Thread):
    """A run on the virtual clock in a process of its own; what it says last is the result."""

    def __init__(self, name: str, rate: int, seconds: float, folder: Path) -> None:
        super().__init__(daemon=True)
        self.part = Part(name)
        self.last: dict[str, Any] = {}
        self._seconds = seconds
        self._samples: list[Held] = []
        folder.mkdir()
        command = [sys.executable, "-m", "tests.soak.simulated", str(folder), str(rate), str(seconds)]
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
        virtual = [
            Simulated("an hour on the virtual clock, 1 kHz", 1000, HOUR * self.scale, self._folder / "virtual hour"),
            Simulated("a week on the virtual clock, 10 Hz", 10, WEEK * self.scale, self._folder / "virtual week"),
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
        count = max(FEWEST_KILLS, round(KILLS * self.scale))
        part = Part(f"{count} runs killed while they record")
        self.parts.append(part)
        folder = self._folder / "killed"
        folder.mkdir()
        frames = []
        try:
            for each in kill_and_judge(folder, range(count)):
                frames.append(each)
                if self.was_interrupted:
                    break
                if len(frames) % 10 == 0:
                    self._tell(f"{len(frames)} of {count} runs killed; all recordings replayed to their ends")
        except AssertionError as error:
            part.failures.append(str(error))
        part.complete = len(frames) == count
        part.facts |= {"recordings": len(frames), "frames in them": sum(frames)}

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
        if soak.scale < 1:
            print(
                f"scaled down: {args.minutes:g} minutes of every hour, and as much less of the week and the kills",
                flush=True,
            )
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
