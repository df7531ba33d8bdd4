"""A closed loop: an engine control unit hears the crank, reads the throttle, injects; the engine lives of that.

The control unit is simulated and knows only its wires: edges of the crank, a voltage, and the pin of its injector. The
board between them is the firmware's core, compiled for this computer.
"""

from collections.abc import Iterator

import pytest

from hilbridge.testing import VirtualBench

from ..clients.board.host_board import TICKS, HostBoard

CRANK, THROTTLE, INJECTOR = 6, 5, 2
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

    def work(self, now: float) -> None:
        """Look at the wires at a time [ms]."""
        if self._end is not None and now >= self._end:
            self._board.pulse(INJECTOR, False)
            self._end = None
        for edge in self._board.edges().rising(CRANK).tolist():
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

    def __init__(self) -> None:
        self.bench = VirtualBench("ecu-stand")
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
