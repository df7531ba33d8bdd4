"""Runs in which everything happens at random: the recordings replay to the byte, however the runs end."""

import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from hilbridge.boundary.record.boundary_records import FRAME
from hilbridge.boundary.record.manifest import read
from hilbridge.boundary.record.recording import Recording
from hilbridge.client import Client, ConfigurationError
from hilbridge.runs.run.replay import replay

from ..program import PATIENCE, Program, demo_bench, running
from ..soak.resources import children

OBSERVER = "hilbridge.boundary.observe.observer"

RATES = (100, 500, 1000)

ACTS = 15

PAUSE = 0.2
"""[s] between two acts, and of a freeze, at most."""

SCENARIO = {"steps": [{"set": {"input.Key": 1}}, {"after": 1, "set": {"input.Key": 0}}]}


class Mischief:
    """What may happen to a run, and how often each has happened."""

    def __init__(self, folder: Path, rate: int, chance: random.Random) -> None:
        self.happened: Counter[str] = Counter()
        self._chance = chance
        self._socket = folder / "control.sock"
        control = f"control: {{socket: {self._socket}}}\nstate: none\nrealtime: {{scheduler: other}}\nrate: {rate} "
        self.bench = demo_bench(folder, ("rate: 1000 ", control))
        self._text = self.bench.read_text(encoding="utf-8")

    def happen(self, program: Program) -> None:
        """One act."""
        acts: tuple[Callable[[int], None], ...] = (
            self.reload, self.refused_reload, self.freeze, self.kill_observer, self.set, self.scenario, self.fault
        )  # fmt: skip
        act = self._chance.choice(acts)
        with suppress(ConfigurationError):  # what is asked for while a scenario is played, or a reload is under way
            act(program.process.pid)
            self.happened[act.__name__] += 1

    def reload(self, pid: int) -> None:
        timeout = self._chance.randrange(100, 1000)
        self.bench.write_text(self._text.replace("timeout: 500", f"timeout: {timeout}"), encoding="utf-8")
        os.kill(pid, signal.SIGHUP)

    def refused_reload(self, pid: int) -> None:
        self.bench.write_text("rate: many\n", encoding="utf-8")
        os.kill(pid, signal.SIGHUP)

    def freeze(self, pid: int) -> None:
        os.kill(pid, signal.SIGSTOP)
        time.sleep(self._chance.uniform(0.0, PAUSE))
        os.kill(pid, signal.SIGCONT)

    def kill_observer(self, pid: int) -> None:
        for observer in children(pid, OBSERVER):
            os.kill(observer, signal.SIGKILL)

    def set(self, pid: int) -> None:
        with Client(self._socket) as client:
            client.set("input.Throttle", self._chance.random(), seconds=self._chance.uniform(0.1, 1.0))

    def scenario(self, pid: int) -> None:
        with Client(self._socket) as client:
            try:
                client.command("scenario-start", name="random", scenario=SCENARIO)
            except ConfigurationError:
                client.command("scenario-stop")

    def fault(self, pid: int) -> None:
        with Client(self._socket) as client:
            client.fault({"kind": "frame", "bus": "powertrain", "message": "EngineData1", "effect": "drop", "for": 0.3})


def run(folder: Path, rate: int) -> tuple[Path, Counter[str]]:
    """The recording of a run, and what has happened in it; of three runs two are killed, one is stopped."""
    folder.mkdir()
    chance = random.Random(rate)
    mischief = Mischief(folder, rate, chance)
    directory = folder / "recording"
    with running(mischief.bench, "--record", directory) as program:
        program.wait_for("ready")
        for _ in range(ACTS):
            mischief.happen(program)
            time.sleep(chance.uniform(0.0, PAUSE))
        deadline = time.monotonic() + PATIENCE
        while not children(program.process.pid, OBSERVER):  # a run that has lost both is closed by nobody
            assert time.monotonic() < deadline, "the observer is not started again"
            time.sleep(0.01)
        program.process.send_signal(signal.SIGTERM if rate == RATES[0] else signal.SIGKILL)
        program.process.wait(PATIENCE)
    deadline = time.monotonic() + PATIENCE
    while "missing" not in read(directory):  # the observer of a run that was killed writes what there is
        assert time.monotonic() < deadline, "the observer does not end"
        time.sleep(0.01)
    return directory, mischief.happened


def test_whatever_happens_to_a_run_its_recording_replays_to_the_byte(tmp_path: Path) -> None:
    """Reloads, good and wrong, freezes, killed observers, commands, scenarios and faults, at three rates at once."""
    with ThreadPoolExecutor(len(RATES)) as pool:
        runs = list(pool.map(lambda rate: run(tmp_path / str(rate), rate), RATES))
    happened = Counter[str]()
    for directory, counted in runs:
        happened += counted
        recording = Recording(directory)
        frames = sum(crossing.kind == FRAME for crossing in recording.records())
        outcome = replay(recording)
        assert (recording.gaps, outcome.identical, outcome.frames) == (0, True, frames), (
            directory.parent.name,
            outcome,
        )
        assert frames > 100
    assert len(happened) >= 6, happened
