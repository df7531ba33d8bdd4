"""Some minutes of the demo bench, recorded, while everybody comes and goes: by CAN, serial line, scan tool and command.

    python -m tests.compiled.visited_drive FOLDER MINUTES

A program of its own, for either build. The ports are real, the clock is virtual: a visitor takes its turn before every
tick, so that a machine which is busy with other things misses none.
"""

import json
import os
import random
import re
import socket
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from hilbridge.base import model_build

model_build.honour_environment()

from hilbridge.base.clock import Clock  # noqa: E402
from hilbridge.bench.bench import Bench  # noqa: E402 - only now is it settled which build is imported
from hilbridge.boundary.lockstep.lockstep import Lockstep  # noqa: E402
from hilbridge.files.configuration.benchfile import load_bench  # noqa: E402
from hilbridge.runs.loop import Stages  # noqa: E402
from hilbridge.runs.run.preparation import RunOptions  # noqa: E402
from hilbridge.runs.run.run import Run  # noqa: E402

from ..bench.load import driver_frame  # noqa: E402
from ..control_door import ControlDoor  # noqa: E402
from ..program import demo_bench  # noqa: E402
from ..soak.visitors import FRAMES_LOST, plugged_in  # noqa: E402

RATE = 100
BUS = "powertrain"

OFTEN = RATE // 10
"""Ticks between two requests of one visitor."""

Turns = Iterator[None]


def pause(chance: random.Random, seconds: float) -> Turns:
    for _ in range(chance.randrange(round(seconds * RATE)) + 1):
        yield


def heard(client: socket.socket) -> bytes:
    """What has come meanwhile."""
    with suppress(BlockingIOError):
        return client.recv(1 << 16)
    return b""


def joined(port: int) -> socket.socket:
    client = socket.create_connection(("127.0.0.1", port))
    client.setblocking(False)
    return client


def driver(port: int, chance: random.Random) -> Turns:
    """A program on the bus that starts the engine, drives, and asks for the engine speed at the same time."""
    while True:
        with joined(port) as client:
            client.sendall(b"O\r")
            for turn in range(chance.randrange(5 * RATE, 40 * RATE)):
                if turn % OFTEN == 0:
                    cranking = turn < 3 * RATE
                    client.sendall(driver_frame(0 if cranking else chance.randrange(100), key=int(cranking)))
                    client.sendall(b"t7DF802010C0000000000\r")
                heard(client)
                yield
        yield from pause(chance, 20.0)


def tester(port: int, chance: random.Random) -> Turns:
    """Asks for the vehicle identification number, which takes three frames, and sometimes lets two of them not come."""
    while True:
        with joined(port) as client:
            client.sendall(b"O\r")
            for _ in range(chance.randrange(5, 20)):
                client.sendall(b"t7E080209020000000000\r")
                for _ in range(5 * OFTEN):
                    if b"t7E8810" in heard(client) and chance.random() < 0.9:
                        client.sendall(b"t7E083000000000000000\r")
                    yield
        yield from pause(chance, 10.0)


def scan_tool(port: int, chance: random.Random) -> Turns:
    """Asks one thing after the other, and may leave before the last answer."""
    while True:
        with joined(port) as tool:
            for request in (b"ATZ\r", b"ATE0\r", b"0100\r", b"010C\r", b"0902\r", b"03\r"):
                tool.sendall(request)
                answer = b""
                while not answer.endswith(b">") and chance.random() < 0.99:
                    answer += heard(tool)
                    yield
        yield from pause(chance, 10.0)


def board(name: Path, chance: random.Random) -> Turns:
    """A pedal board that is plugged in and out, in the middle of a line too."""
    while True:
        with plugged_in(name) as own:
            for turn in range(chance.randrange(5 * RATE, 30 * RATE)):
                if turn % 2 == 0:
                    with suppress(BlockingIOError):
                        os.write(own, b"throttle=%d clutch=0 key=0\n" % chance.randrange(1024))
                yield
            with suppress(BlockingIOError):
                os.write(own, b"throttle=5")
            yield
        yield from pause(chance, 10.0)


def commander(path: Path, chance: random.Random) -> Turns:
    """Brakes, breaks and mends, through the control socket."""
    commands = (
        {"command": "set", "entry": "input.Brake", "value": 0.5, "seconds": 2.0},
        {"command": "fault-add", "fault": FRAMES_LOST},
        {"command": "fault-clear"},
        {"command": "release"},
    )
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))
        client.setblocking(False)
        while True:
            client.sendall(json.dumps(chance.choice(commands)).encode() + b"\n")
            answer = b""
            while not answer.endswith(b"\n"):
                yield
                answer += heard(client)
            assert "error" not in json.loads(answer), answer
            yield from pause(chance, 5.0)


class VisitedRun(Run):
    """A run in whose ticks visitors take their turns, and which serves a control socket on the virtual clock too."""

    def __init__(self, folder: Path, bench: Bench, file: Path, seconds: float) -> None:
        options = RunOptions(None, seconds, folder / "recording", web=False)
        super().__init__(load_bench(str(file)), options, bench, Lockstep())
        path = folder / "control.sock"
        self._door = ControlDoor(path)
        (tools,) = bench.ports["scan tool port"]
        self._visits = (
            driver(port_of(bench.links[BUS].describe()), random.Random(1)),
            tester(port_of(bench.links[BUS].describe()), random.Random(2)),
            scan_tool(port_of(tools.describe()), random.Random(3)),
            board(folder / "board", random.Random(4)),
            commander(path, random.Random(5)),
        )

    def _stages(self) -> Stages:
        return VisitedStages(super()._stages(), self._visits, lambda: self._door.turn(self._receive))


class VisitedStages:
    """The stages of a run on the virtual clock, and those who come before and after a tick."""

    def __init__(self, stages: Stages, visits: Iterable[Turns], command: Callable[[], None]) -> None:
        self.step, self.serve, self.publish = stages.step, stages.serve, stages.publish
        self._stages = stages
        self._visits = visits
        self._command = command

    def sample(self, t: int) -> None:
        self._stages.sample(t)  # the ports listen from the first tick on
        for visit in self._visits:
            next(visit)

    def write(self, clock: Clock) -> None:
        self._stages.write(clock)
        self._command()


def port_of(description: str) -> int:
    found = re.search(r"127\.0\.0\.1:(\d+)", description)
    assert found
    return int(found[1])


def main(folder: Path, seconds: float) -> int:
    own = ("rate: 1000 ", f"state: none\nrate: {RATE} ")
    file = demo_bench(folder, own, ("port: pty ", f"port: {folder}/board "))
    bench = Bench(load_bench(str(file)))
    bench.open(waits=True)
    return VisitedRun(folder, bench, file, seconds).execute()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), 60.0 * int(sys.argv[2])))
