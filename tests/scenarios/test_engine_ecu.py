"""A closed loop: an engine control unit hears the crank, reads the throttle, injects; the engine lives of that.

The control unit is simulated and knows only its wires: edges of the crank, a voltage, and the pin of its injector. The
board between them is the firmware's core, compiled for this computer.
"""

import statistics
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from hilbridge.testing import VirtualBench

from ..clients.board.host_board import TICKS, HostBoard

CRANK, CAM, THROTTLE, INJECTOR = 6, 7, 5, 2
LIMIT = 4000


class ControlUnit:
    """Sixty teeth less two; one injection a turn, at its gap. `fuel` False: its pump relay is off."""

    def __init__(self, board: HostBoard) -> None:
        self.fuel = True
        self.rpm = 0.0
        self._board = board
        self._last = self._distance = 0
        self._cut = False
        self._end: float | None = None
        self.teeth: list[int] = []
        self.cams: list[int] = []

    def work(self, now: float) -> None:
        """Look at the wires at a time [ms]."""
        if self._end is not None and now >= self._end:
            self._board.pulse(INJECTOR, False)
            self._end = None
        edges = self._board.edges()
        self.cams += edges.rising(CAM).tolist()
        for edge in edges.rising(CRANK).tolist():
            self.teeth.append(edge)
            distance = edge - self._last
            if self._distance and distance > 2 * self._distance:
                self._turn(now)
            else:
                self._distance = distance
                self.rpm = 1000 * TICKS / distance
            self._last = edge
        if now * TICKS - self._last > 200 * TICKS:
            self.rpm = 0.0

    def _turn(self, now: float) -> None:
        self._cut = self.rpm > LIMIT - (100 if self._cut else 0)
        width = self._width()
        if self.fuel and not self._cut and width > 0 and self._end is None:
            self._board.pulse(INJECTOR, True)
            self._end = now + width

    def _width(self) -> float:
        """Of the injection [ms]: the pedal's; at its rest what holds 900 rpm."""
        pedal = (self._board.value(THROTTLE) / 65535 - 0.1) / 0.8
        return 2 + 6 * pedal if pedal > 0.02 else min(max(2 + 0.01 * (900 - self.rpm), 0.5), 6)


class Stand:
    """The bench, the board and the control unit, a millisecond at a time."""

    def __init__(self, **settings: Any) -> None:
        self.bench = VirtualBench("ecu-stand", set=settings)
        self.board = HostBoard()
        self.unit = ControlUnit(self.board)
        self.now = 0

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds * 1000)):
            self.now += 1
            self.bench.write_serial(self.board.said(), "stand")
            self.bench.advance(0.001)
            self.board.hear(self.bench.read_serial("stand"))
            for tenth in (0.25, 0.5, 0.75, 1.0):
                self.board.advance(self.now + tenth)
                self.unit.work(self.now + tenth)

    @property
    def rpm(self) -> float:
        return self.bench.read("vehicle.EngineRpm")


@pytest.fixture
def stand() -> Iterator[Stand]:
    made = Stand()
    yield made
    made.bench.close()


def test_an_engine_lives_of_what_the_control_unit_injects(stand: Stand) -> None:
    """Started, idling, revved up to the unit's limit, dead without its fuel."""
    stand.run(1.0)
    stand.bench.set("input.Key", 1)
    stand.run(1.5)
    stand.bench.set("input.Key", 0)
    stand.run(2.5)
    assert stand.rpm == pytest.approx(900, abs=200)
    assert stand.unit.rpm == pytest.approx(stand.rpm, rel=0.02)
    stand.bench.set("input.Throttle", 1)
    stand.run(2.0)
    assert LIMIT - 500 < stand.rpm < LIMIT + 500
    stand.bench.set("input.Throttle", 0)
    stand.unit.fuel = False
    stand.run(6.0)
    assert stand.rpm < 100
    status = stand.bench.obey(b'{"command": "status", "parts": ["outputs"]}')
    assert b'"trouble": ""' in status


def roughness(unit: ControlUnit) -> dict[int, float]:
    """By cylinder, how much longer [ms] the half turn of its power stroke is than the one before: the mean.

    The first tooth behind the gap begins a turn, the cam is high in the first eighth of a cycle; 1-3-4-2 fire in turn.
    """
    turns = [k for k in range(2, len(unit.teeth)) if _gap(unit.teeth, k)]
    halves: list[tuple[int, int]] = []
    for first, second in pairwise(turns):
        if second - first != 58:
            continue
        start = unit.teeth[first]
        begins = any(abs(cam - start) < 2 * TICKS for cam in unit.cams)
        halves += [(0 if begins else 2, start), (1 if begins else 3, unit.teeth[first + 30])]
    times = [(place, (b - a) / TICKS) for (place, a), (_, b) in pairwise(halves)]
    growth: dict[int, list[float]] = {1: [], 3: [], 4: [], 2: []}
    for (_, before), (place, after) in pairwise(times):
        growth[(1, 3, 4, 2)[place]].append(after - before)
    return {cylinder: statistics.fmean(values) for cylinder, values in growth.items()}


def _gap(teeth: list[int], k: int) -> bool:
    return teeth[k] - teeth[k - 1] > 2 * (teeth[k - 1] - teeth[k - 2])


def test_a_control_unit_finds_the_cylinder_that_misfires_by_its_teeth() -> None:
    """By the edges of crank and cam alone: the half turn behind a misfire is the longest, beside that before it."""
    stand = Stand(**{"vehicle.engine.firing_pulses": True})
    try:
        stand.run(0.5)
        stand.bench.set("input.Key", 1)
        stand.run(1.5)
        stand.bench.set("input.Key", 0)
        stand.run(2.0)
        stand.unit.teeth.clear()
        stand.unit.cams.clear()
        stand.run(1.5)
        even = roughness(stand.unit)
        stand.bench.set("fault.Misfire", 0.25)
        stand.bench.set("fault.MisfireCylinder", 3)
        stand.run(1.0)
        stand.unit.teeth.clear()
        stand.unit.cams.clear()
        stand.run(1.5)
        rough = roughness(stand.unit)
    finally:
        stand.bench.close()
    assert max(rough, key=lambda number: rough[number]) == 3
    assert rough[3] > 3.0 * max(abs(value) for value in even.values())
