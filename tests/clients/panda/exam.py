"""Runs of a bench with the cars of several makers, each judged by the firmware of its own, and what the firmware said.

One vehicle moves all cars, so that a run costs little more than one car would. Verdicts come in a file of each client:
the log has 50 lines a second at most, and thirty cars that start say more.
"""

import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml

from ...program import CHECKOUT
from .makers import CHECKSUM, COUNTER, PACKAGE, QUALITY, RATE, TICK, Car

SOURCE: Final = Path(__file__).with_name("board.c")
HEADER: Final = CHECKOUT / "daemon/hilbridge/boundary/lockstep"
UNSEEN: Final = "unseen"
ORDER: Final = (UNSEEN, COUNTER, CHECKSUM, QUALITY, RATE)
"""Of the verdicts in a line of the firmware."""

ALLOWED, BRAKES, ACCELERATES, MOVES, INVALID = 1, 2, 4, 8, 16

PATIENCE: Final = 1500.0
"""[s] for a run of all cars, which takes a minute of processor, on a machine that others use too."""

BRAKE: Final = (1.0, 1.3)
"""[s] from when to when, before the faults."""

CUSTOM: Final = {
    "Kmh": "max(vehicle.Speed, 0) * 3.6",
    "Brakes": "input.Brake > 0.01",
    "Cruise": "vehicle.Speed > 5",
    "Set": "vehicle.Speed > 3 and vehicle.Speed <= 5",
}
"""Cruise control stays engaged while the driver brakes: it is for the firmware to take its control back."""


class Report(NamedTuple):
    """The firmware's verdicts from `t` [s] on: pairs of what has failed and the number of a check, and its state."""

    t: float
    failed: frozenset[tuple[str, int]]
    state: int


def compiled(target: Path, package: Path = PACKAGE.parent, *, sanitizers: bool = True) -> None:
    """Compile the firmware, with the sanitizers with which its own tests run; `package` has its sources."""
    words = ["cc", "-std=gnu11", "-Wall", "-Wextra", "-Werror"]
    words += ["-O1", "-g", "-fsanitize=undefined,address"] if sanitizers else []
    subprocess.run([*words, "-isystem", package, "-I", HEADER, "-o", target, SOURCE], check=True)


class Run(NamedTuple):
    """What the firmware of each client said, in a run of so many seconds."""

    seconds: float
    said: Mapping[str, Sequence[Report]]

    def reports(self, client: str, start: float, end: float) -> Iterator[Report]:
        """Yield what held of a client from `start` up to `end`, the first with the state before."""
        reports = self.said[client]
        for index, report in enumerate(reports):
            until = reports[index + 1].t if index + 1 < len(reports) else self.seconds
            if report.t < end and until > start:
                yield report


def drive(folder: Path, cars: Sequence[Car], seconds: float, *more: object) -> Run:
    """Let the demo driver drive all cars; `more` words of the command."""
    return _run(folder, cars, seconds, {}, "--duration", seconds, *more)


def disturb(folder: Path, cars: Sequence[Car], listeners: Mapping[str, Any], *more: object) -> Run:
    """Let the driver brake, and then the faults of each car come one after the other; `listeners` are more clients."""
    scenario: list[dict[str, Any]] = [
        {"name": "The driver brakes", "at": BRAKE[0], "set": {"input.Brake": 0.1}},
        {"name": "No longer", "at": BRAKE[1], "set": {"input.Brake": 0}},
    ]
    taken: set[int] = set()
    end = max(window.over for car in cars for window in car.windows())
    for car in cars:
        for window, fault in zip(car.windows(), car.faults(), strict=True):
            ahead = next(tick for tick in range(30, 200) if round(window.start * 1000 / TICK) - tick not in taken)
            taken.add(round(window.start * 1000 / TICK) - ahead)  # a scenario does one thing a tick
            before = ahead * TICK / 1000
            name = f"{car.name}: {window.kind} of {window.check.message}"
            scenario.append({"name": name, "at": round(window.start - before, 3), "fault": {**fault, "at": before}})
    scenario.sort(key=lambda step: step["at"])
    scenario.append({"name": "The car drives on", "at": end, "expect": "vehicle.Speed > 1"})
    file = folder / "faults.yaml"
    file.write_text(yaml.safe_dump({"start": {"speed": 80, "gear": 3}, "steps": scenario}), encoding="utf-8")
    return _run(folder, cars, end, listeners, "--scenario", file, *more)


def _run(folder: Path, cars: Sequence[Car], seconds: float, listeners: Mapping[str, Any], *words: object) -> Run:
    bench: dict[str, Any] = {
        "name": "panda",
        "rate": 1000 // TICK,
        "state": "none",
        "vehicle": "compact",
        "custom": {name: {"expression": expression} for name, expression in CUSTOM.items()},
        "inputs": [{"source": "demo-driver"}],
        "buses": {name: bus for car in cars for name, bus in car.buses.items()},
        "lockstep": {**{car.name: car.client for car in cars}, **listeners},
    }
    file = folder / "drive.yaml"  # the same for all: its path is in what the run says, so in positions of records
    file.write_text(yaml.safe_dump(bench), encoding="utf-8")
    command = [Path(sys.executable).with_name("hilbridge"), "run", file, "--pace", "lockstep", "--trust", *words]
    run = subprocess.run(
        list(map(str, command)), cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-4000:]
    return Run(seconds, {name: _reports(Path(client["arguments"][2])) for name, client in bench["lockstep"].items()})


def _reports(file: Path) -> list[Report]:
    lines = file.read_text(encoding="ascii").splitlines()
    file.unlink()  # each belongs to one run
    return [_report(line) for line in lines]


def _report(line: str) -> Report:
    milliseconds, *verdicts, state = line.split()
    failed = {
        (kind, number)
        for kind, bits in zip(ORDER, verdicts, strict=True)
        for number in range(int(bits, 16).bit_length())
        if int(bits, 16) >> number & 1
    }
    return Report(int(milliseconds) / 1000, frozenset(failed), int(state, 16))
