"""Runs of the real program that are killed at random moments while they record, and what is left of them."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from hilbridge.record.boundary_records import FRAME
from hilbridge.record.manifest import FIRST_SEGMENT, read
from hilbridge.record.recording import Recording
from hilbridge.run.replay import replay

from ..program import PATIENCE, demo_bench

SMALL = "control: {enabled: false}\nstate: none\nrealtime: {scheduler: other}\nrate: 100 "
PACE = "5"
"""Times real time: several runs at once, in the ordinary scheduler class, have room on a small machine."""

LONGEST = "300"
"""[s] of the run, after which it ends by itself, should nobody kill it."""

LATEST = 0.3
"""[s] after the recording was begun: 1.5 s of the run."""

AT_ONCE = 3


def kill_and_judge(folder: Path, numbers: Iterable[int]) -> Iterator[int]:
    """Kills a run for each number, several at the same time; each number is another moment. Yields its frames.

    Every recording opens, lacks nothing in its middle, and replays to the byte up to its end, which is not a good one.
    """
    bench = demo_bench(folder, ("rate: 1000 ", SMALL))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for directory in pool.map(lambda number: killed(bench, folder / f"killed {number}", number), numbers):
            yield judge(directory)
            shutil.rmtree(directory)


def killed(bench: Path, directory: Path, number: int) -> Path:
    """The directory, when nobody writes there any more.

    Of three runs one is killed with its observer, one alone, and one after its observer was killed.
    """
    chance = random.Random(number)
    command = [sys.executable, "-m", "hilbridge", "run", str(bench), "--pace", PACE, "--record", str(directory)]
    deadline = time.monotonic() + PATIENCE
    with subprocess.Popen(
        [*command, "--no-web", "--duration", LONGEST], stdout=subprocess.DEVNULL, start_new_session=True
    ) as process:
        while not (directory / FIRST_SEGMENT).exists():
            assert time.monotonic() < deadline, "the run does not begin"
            time.sleep(0.005)
        time.sleep(chance.uniform(0.0, LATEST))
        if number % 3 == 2:
            kill_observer(process.pid)
            time.sleep(chance.uniform(0.0, LATEST))
        if number % 3 == 1:
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    while number % 3 == 1 and "missing" not in read(directory):  # the observer writes what there is
        assert time.monotonic() < deadline, "the observer does not end"
        time.sleep(0.01)
    return directory


def kill_observer(pid: int) -> None:
    """The first child of a run that is no page."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    os.kill(int(children[0]), signal.SIGKILL)


def judge(directory: Path) -> int:
    """How many frames are in the recording."""
    recording = Recording(directory)
    frames = sum(crossing.kind == FRAME for crossing in recording.records())
    outcome = replay(recording)
    assert recording.gaps == 0
    assert (outcome.identical, outcome.frames) == (True, frames), (directory, outcome)
    assert outcome.end
    return frames
