"""A board behind its line: the daemon's side and the firmware's core, which is compiled for this computer, talk.

What comes out of the board is judged by its edges alone: their times, with code that knows nothing of slots.
"""

import math
import os
import struct
import tty
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest
from cobs import cobs  # type: ignore[import-untyped]
from crccheck.crc import Crc16Ibm3740  # type: ignore[import-untyped]

from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.outputs.board import Board
from hilbridge.boundary.links.serial_output import OutputTerminal
from hilbridge.files.settings.boards import BoardSettings
from vehiclesim.channels import VEHICLE, VehicleData
from vehiclesim.databus import DataBus
from vehiclesim.entries import STANDARD

from .board.host_board import TICKS, HostBoard

CRANK: Final = 6
CAM: Final = 7
RPM: Final = STANDARD.channels[VEHICLE][VehicleData.ENGINE_RPM].resolution
WHEELS: Final = {
    "crank": {"kind": "wheel", "pin": CRANK},
    "cam": {"kind": "wheel", "pin": CAM, "pattern": "1100000000000000", "per": "cycle"},
}
GAUGES: Final = {
    "speed": {"kind": "frequency", "pin": 5, "value": {"constant": 123.5}},
    "fuel": {"kind": "resistance", "pin": 10, "value": {"constant": 0.25}, "safe": 1},
    "lamp": {"kind": "digital", "pin": 4, "value": {"constant": 7}},
}


class Bench:
    """A board of the bench file and a board, tick by tick; what one says the other hears a moment later."""

    is_open = True

    def __init__(
        self,
        start: int = 0,
        *,
        step: int = 1,
        armed: bool = True,
        delay: Callable[[int], float] = lambda _: 0.2,
        **keys: Any,
    ) -> None:
        settings = BoardSettings.model_validate({"port": "pty", "channels": WHEELS} | keys)
        self.daemon = Board("desk", settings, step * MILLISECOND, ("boards", "desk"))
        self.daemon.armed = armed
        self.board = HostBoard(start)
        self.data = DataBus()
        self.tick = 0
        self.deaf = False
        self._delay = delay
        self._step = step
        self._line: list[tuple[float, bytes]] = []

    def write(self, packet: bytes, t: int) -> bool:
        """Take a packet: the line delays it, and keeps the order."""
        arrives = t / MILLISECOND + self._delay(self.tick)
        self._line.append((max(arrives, self._line[-1][0] if self._line else 0), packet))
        return True

    def run(self, milliseconds: int, rpm: Callable[[float], float] | float = 0) -> None:
        for _ in range(0, milliseconds, self._step):
            self.tick += self._step
            t = self.tick * MILLISECOND
            now = rpm if isinstance(rpm, float | int) else rpm(self.tick / 1000)
            self.data.vehicle[VehicleData.ENGINE_RPM] = round(now * RPM)
            self.daemon.hear(self.board.said(), t)
            if not self.deaf:
                self.daemon.publish(self.data.channels, self, t)
            while self._line and self._line[0][0] < self.tick + self._step:
                arrives, packet = self._line.pop(0)
                self.board.advance(arrives)
                self.board.hear(packet)
            self.board.advance(self.tick + self._step)


def gaps_of(rising: np.ndarray[Any, np.dtype[np.int64]]) -> list[int]:
    """The numbers of the teeth behind which one and a half distances or more are empty."""
    distances = np.diff(rising)
    around = np.lib.stride_tricks.sliding_window_view(np.pad(distances, 8, mode="edge"), 17)
    return [int(i) for i in np.flatnonzero(distances > 1.5 * np.median(around, axis=1))]


@pytest.mark.parametrize("rpm", [60.0, 812.0, 3000.0, 7950.0])
def test_a_60_2_wheel_has_its_tooth_frequency_and_its_gap(rpm: float) -> None:
    """Teeth pass at rpm / 60 * 60 a second within 0.1 %; after each 58 teeth two are missing."""
    bench = Bench()
    bench.run(3000, rpm)
    bench.board.edges()
    bench.run(max(2000, round(4 * 60_000 / rpm)), rpm)
    rising = bench.board.edges().rising(CRANK)
    gaps = gaps_of(rising)
    assert set(np.diff(gaps)) == {58}
    turns = (rising[gaps[-1]] - rising[gaps[0]]) / (1000 * TICKS)
    assert (len(gaps) - 1) / turns * 60 == pytest.approx(rpm, rel=1e-3)
    tooth = 1000 * TICKS / rpm  # [counts], of which each edge has a whole number
    distances = np.diff(rising[gaps[0] + 1 : gaps[1] + 1])
    assert distances == pytest.approx(np.full(57, tooth), abs=1 + 1e-3 * tooth)
    assert rising[gaps[0] + 1] - rising[gaps[0]] == pytest.approx(3 * tooth, abs=1 + 3e-3 * tooth)


def test_crank_and_cam_turn_together_over_ten_minutes_of_driving() -> None:
    """Speeds from 700 to 6,700 rpm, 3,000 rpm/s at most, packets 0.1 to 1.6 ms late.

    The turns of the crank are the integral of the speed within two teeth, at the end as in every minute.
    """
    rng = np.random.default_rng(17)
    lateness = rng.uniform(0.1, 1.6, 602_000)
    bench = Bench(0xFFFF0000, step=5, delay=lambda tick: float(lateness[tick]))

    def rpm(t: float) -> float:
        return 3700 + 2000 * math.sin(0.31 * t) + 1000 * math.sin(1.7 * t)

    bench.run(1000, rpm(0))
    bench.board.edges()
    errors = []
    origin = None
    for _ in range(10):
        begin = bench.tick
        bench.run(60_000, lambda t: rpm(t - 1.0))
        edges = bench.board.edges()
        rising = edges.rising(CRANK)
        assert set(np.diff(gaps_of(rising))) == {58}
        firsts = rising[np.array(gaps_of(rising)) + 1] / (1000 * TICKS)  # [s] the first tooth of each turn
        turned = 3700 * firsts - 2000 / 0.31 * np.cos(0.31 * (firsts - 1)) - 1000 / 1.7 * np.cos(1.7 * (firsts - 1))
        phase = turned / 60
        phase -= np.arange(len(phase)) + round(float(phase[0]))
        origin = float(np.median(phase)) if origin is None else origin
        assert np.ptp(phase) < 2 / 60 * 2, "within a minute"
        errors.append(float(np.median(phase)) - origin)
        cams = edges.rising(CAM)
        assert len(cams) == pytest.approx(len(firsts) / 2, abs=1)
        assert bench.tick == begin + 60_000
    errors = [(error + 0.5) % 1 - 0.5 for error in errors]
    assert max(map(abs, errors)) < 2 / 60, errors


@pytest.mark.parametrize(
    ("pattern", "groups"),
    [("36-1", [35]), ("36-2-2-2", [1, 13, 16]), ("36-2-2-2-h6", [1, 10, 19]), ([3, 1, 5, 2], [3, 5])],
)
def test_teeth_between_the_gaps(pattern: object, groups: list[int]) -> None:
    bench = Bench(channels={"crank": {"kind": "wheel", "pin": CRANK, "pattern": pattern}})
    bench.run(2000, 2400)
    bench.board.edges()
    bench.run(1000, 2400)
    gaps = gaps_of(bench.board.edges().rising(CRANK))
    assert sorted(set(np.diff(gaps))) == groups


def test_a_missing_and_a_doubled_tooth_are_faults() -> None:
    """Of 58: without tooth 20 there are 57 and a gap in their midst; tooth 40 split in two gives one more."""
    bench = Bench(channels={"crank": WHEELS["crank"] | {"missing": [20], "doubled": [40]}})
    bench.run(2000, 1200)
    bench.board.edges()
    bench.run(1000, 1200)
    rising = bench.board.edges().rising(CRANK)
    tooth = 1000 * TICKS / 1200
    places = np.round(np.diff(rising) / tooth * 2) / 2
    turn = [1.0] * 18 + [2.0] + [1.0] * 19 + [0.5, 0.5] + [1.0] * 17 + [3.0]
    start = int(np.flatnonzero(places == 3)[0]) + 1
    assert places[start : start + len(turn)].tolist() == turn


def test_it_turns_the_other_way_round() -> None:
    """Forwards the short group comes before the long one of 36-2-2-2; backwards behind it."""
    orders = []
    for other_way in (False, True):
        bench = Bench(channels={"crank": WHEELS["crank"] | {"pattern": "36-2-2-2", "reversed": other_way}})
        bench.run(2000, 2400)
        bench.board.edges()
        bench.run(1000, 2400)
        groups = [int(one) for one in np.diff(gaps_of(bench.board.edges().rising(CRANK)))]
        orders.append(groups[groups.index(1) + 1])
    assert orders == [13, 16]


def test_gauges_lamps_and_resistances() -> None:
    """123.5 Hz; a quarter of 65535; whatever is not 0 is on."""
    bench = Bench(channels=GAUGES)
    bench.run(1000)
    bench.board.edges()
    bench.run(4000)
    assert len(bench.board.edges().rising(5)) == pytest.approx(4 * 123.5, abs=1)
    assert (bench.board.value(10), bench.board.value(4)) == (round(65535 / 4), 1)
    assert bench.daemon.trouble == ""


def test_a_stepper_seeks_its_stop_and_goes_where_it_is_told() -> None:
    """315 steps down from wherever it was, then 100 up, never faster than 200 a second; beyond its end it waits."""
    channel = {"kind": "stepper", "pin": 22, "steps": 315, "speed": 200, "value": {"from": "vehicle.EngineRpm"}}
    bench = Bench(channels={"needle": channel})
    bench.run(4000, 100)
    edges = bench.board.edges()
    steps, ways = edges.rising(22), edges.rising(23)
    assert len(steps) == 315 + 100
    assert np.diff(steps).min() >= 1000 * TICKS / 200
    assert len(ways) == 1
    assert (steps < ways[0]).sum() == 315
    bench.run(4000, 8000)
    assert len(bench.board.edges().rising(22)) == 315 - 100


def test_a_silent_daemon_makes_the_outputs_safe() -> None:
    """After the watchdog the wheel stands, the speed has no pulses, the fuel is at its safe end; then all is back."""
    bench = Bench(channels=GAUGES | WHEELS, watchdog=300)
    bench.run(2000, 3000)
    bench.deaf = True
    bench.run(250, 3000)
    assert bench.board.value(10) == round(65535 / 4)
    bench.run(100, 3000)
    assert (bench.board.value(10), bench.board.value(4)) == (65535, 0)
    bench.board.edges()
    bench.run(500, 3000)
    assert len(bench.board.edges().times) == 0
    assert "outputs are safe" in bench.daemon.trouble
    bench.deaf = False
    bench.run(1000, 3000)
    assert bench.daemon.trouble == ""
    assert bench.board.value(10) == round(65535 / 4)
    assert len(bench.board.edges().rising(CRANK)) > 0


def test_a_board_that_is_not_armed_hears_nothing() -> None:
    bench = Bench(armed=False)
    bench.run(1000, 3000)
    assert bench.daemon.statistics.passed == 0
    assert bench.daemon.statistics.unarmed == 101
    bench.daemon.armed = True
    bench.run(1000, 3000)
    assert len(bench.board.edges().rising(CRANK)) > 0
    bench.daemon.armed = False
    bench.run(1000, 3000)
    bench.board.edges()
    bench.run(100, 3000)
    assert len(bench.board.edges().times) == 0


def test_a_board_that_was_reset_is_set_up_anew() -> None:
    bench = Bench(channels=GAUGES)
    bench.run(1000)
    bench.board = HostBoard()
    bench.board.advance(bench.tick + 1)
    assert bench.board.value(10) == 0
    bench.run(3000)
    assert bench.board.value(10) == round(65535 / 4)
    assert bench.daemon.statistics.greeted >= 2
    assert bench.daemon.trouble == ""


def test_a_board_without_room_for_a_wheel_says_so_and_the_others_work() -> None:
    """Five trains where the board has four are refused; a channel that the board refuses is named, the rest goes on."""
    many = {f"wheel{pin}": {"kind": "wheel", "pin": pin} for pin in range(20, 25)}
    bench = Bench(channels=many)
    bench.run(1000, 1000)
    assert "4 frequencies and wheels" in bench.daemon.trouble
    bench = Bench(channels=GAUGES)
    line = bench.write

    def lossy(packet: bytes, t: int) -> bool:
        """Lose the setup of the lamp."""
        lost = bench.tick < 3000 and cobs.decode(packet[:-1])[:2] == bytes([2, 2])
        return lost or line(packet, t)

    bench.write = lossy  # type: ignore[method-assign]
    bench.run(2000)
    assert bench.daemon.trouble == "the board has set up 2 of 3 channels"
    assert bench.board.value(10) == round(65535 / 4)
    bench.run(11_000)
    assert bench.daemon.trouble == ""
    assert bench.board.value(4) == 1


def test_what_it_measures_comes_back_as_published() -> None:
    """The packet, read with the packages cobs and crccheck: pulses of 2.5 ms each 20 ms, a voltage, a switch."""
    measures = {
        "injection": {"kind": "width", "pin": 2},
        "ignition": {"kind": "period", "pin": 3},
        "pedal": {"kind": "voltage", "pin": 14},
        "button": {"kind": "switch", "pin": 8},
    }
    bench = Bench(channels={}, measures=measures)
    bench.run(1000)
    bench.board.read(14, 40_000)
    bench.board.read(8, 1)
    base = float(bench.tick + 1)
    for pulse in range(10):
        for at, high in ((0.0, True), (2.5, False)):
            bench.board.advance(base + 20 * pulse + at)
            bench.board.pulse(2, high)
            bench.board.pulse(3, high)
    frames = [cobs.decode(one) for one in bench.board.said().split(b"\0") if one]
    assert all(Crc16Ibm3740.calc(frame[:-2]) == int.from_bytes(frame[-2:], "little") for frame in frames)
    newest = [frame for frame in frames if frame[0] == 5][-1]
    assert struct.unpack("<4I", newest[1:-2]) == (2500, 20_000, 40_000, 1)


def test_it_works_over_a_pty() -> None:
    """The bytes cross a real terminal, both ways; none blocks."""
    port = OutputTerminal()
    line = os.open(port.name, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    tty.setraw(line)
    daemon = Board("desk", BoardSettings.model_validate({"port": "pty", "channels": WHEELS}), MILLISECOND, ())
    board, data = HostBoard(), DataBus()
    data.vehicle[VehicleData.ENGINE_RPM] = 1800 * RPM
    for tick in range(1, 6001):
        os.write(line, board.said())
        daemon.hear(port.poll(tick * MILLISECOND), tick * MILLISECOND)
        daemon.publish(data.channels, port, tick * MILLISECOND)
        board.advance(tick)
        try:
            board.hear(os.read(line, 4096))
        except BlockingIOError:
            continue
    rising = board.edges().rising(CRANK)
    gaps = gaps_of(rising)[1:]
    assert set(np.diff(gaps)) == {58}
    turns = (rising[gaps[-1]] - rising[gaps[0]]) / (1000 * TICKS)
    assert (len(gaps) - 1) / turns * 60 == pytest.approx(1800, rel=1e-3)
    os.close(line)
    port.close()
