"""Cost of hands and boards for the daemon: a game, pedals, a display and a board with an engine's signals, all at once.

The game sends 100 datagrams a second, the pedal box 100 lines; the display reads 1,000 packets a second; the board is
the firmware's core on this machine, fed with angle and values every 10 ms, and its measurements come back. Slices with
and without them take turns; missed ticks are counted by the daemon itself.
"""

import os
import socket
import time
import tty
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Final

from hilbridge.runs.benchmarks.daemon import Daemon
from hilbridge.runs.benchmarks.result import Aim, Quantity, Result, UnavailableError
from hilbridge.runs.benchmarks.rig import MeasuredBench, Measurement, Rig, demo_content

from ..clients.board.host_board import HostBoard
from ..games import GameCar, outgauge
from .ports import free_port, game_port, pedal_port, pseudo_terminals
from .turns import by_turns

TURN: Final = 0.01
"""[s] from datagram to datagram, and from line to line."""

_NAP: Final = 0.001
"""[s]"""

_HEARD: Final = Quantity("hands_heard", "packets that the display got", "1/s")
_WORKS: Final = Quantity("hands_board", "packets that the board got", "1/s")
_MISSED: Final = Quantity("hands_missed", "missed ticks, everything connected", "%")
_IDLE: Final = Quantity("hands_missed_none", "missed ticks, nothing connected", "%")
_BEYOND: Final = Quantity("hands_missed_beyond", "missed ticks, everything - nothing", "%", Aim("at most", 0.0))


def content(folder: Path) -> dict[str, Any]:
    """Return the demo bench with a game that drives, a pedal box, a display and a board."""
    wheel = {"kind": "wheel", "pin": 6, "pattern": "60-2"}
    voltage = {"kind": "analog", "pin": 5, "value": {"from": "input.Throttle", "scale": 0.8, "offset": 0.1}}
    pedals = {
        "source": "serial",
        "port": "pty",
        "signals": {"Brake": {"field": "brake", "minimum": 0, "maximum": 1023}},
    }
    game = {"source": "udp", "port": free_port(socket.SOCK_DGRAM), "layout": "outgauge", "use": "driver"}
    values = {name: f"vehicle.{name}" for name in ("EngineRpm", "Speed", "GearboxGear")}
    return demo_content(folder) | {
        "inputs": [pedals, game, {"source": "demo-driver"}],
        "outputs": {"display": {"port": "pty", "period": 1, "format": "csv", "values": values}},
        "boards": {
            "stand": {
                "port": "pty",
                "channels": {"crank": wheel, "throttle": voltage},
                "measures": {"injection": {"kind": "width", "pin": 2}},
            }
        },
    }


HANDS: Final = MeasuredBench("hands", content)


class _Hands:
    """The game, the box, the display and the board, for some seconds at a time."""

    def __init__(self, daemon: Daemon) -> None:
        self.lines = 0
        self._game: Final = game_port(daemon)
        self._pedals: Final = pedal_port(daemon)
        self._display, self._board = pseudo_terminals(daemon, "output port open")

    def run(self, seconds: float) -> None:
        """Connect all, and leave when the time is over."""
        with ExitStack() as resources:
            game = resources.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            pedals, display, line = (self._open(name, resources) for name in (self._pedals, self._display, self._board))
            board, start, due = HostBoard(), time.monotonic(), 0.0
            while (elapsed := time.monotonic() - start) < seconds:
                if elapsed >= due:
                    due += TURN
                    car = GameCar(time=time.monotonic(), throttle=elapsed / seconds, gear=1)
                    game.sendto(outgauge(car), ("127.0.0.1", self._game))
                    with suppress(BlockingIOError):
                        os.write(pedals, b"brake=%d\n" % (100 * elapsed % 50))
                self.lines += _read(display).count(b"\n")
                board.hear(_read(line))
                board.advance(1000 * elapsed)
                with suppress(BlockingIOError):
                    os.write(line, board.said())
                time.sleep(_NAP)

    @staticmethod
    def _open(name: str, resources: ExitStack) -> int:
        terminal = os.open(name, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        resources.callback(os.close, terminal)
        tty.setraw(terminal)
        return terminal


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 14)
    except BlockingIOError:
        return b""


def _measure(rig: Rig) -> Iterator[Result]:
    daemon = rig.daemon(rig.default, HANDS)
    idle, busy, heard = [], [], []
    try:
        hands = _Hands(daemon)
        taken = daemon.statistics()["outputs"]["stand"].get("passed", 0)
        for _, at_rest, meanwhile in by_turns(rig.effort, daemon, lambda: hands.run(rig.effort.slice)):
            heard.append(hands.lines / rig.effort.slice)
            hands.lines = 0
            idle.append(at_rest)
            busy.append(meanwhile)
        taken = daemon.statistics()["outputs"]["stand"].get("passed", 0) - taken
    except OSError as error:
        raise UnavailableError(f"not everything can be connected: {error}") from error
    yield _HEARD.median(heard)
    yield _WORKS.median([taken / (rig.effort.slice * rig.effort.slices)])
    yield _MISSED.median(busy)
    yield _IDLE.median(idle)
    yield _BEYOND.median([more - less for more, less in zip(busy, idle, strict=True)])


MEASUREMENT: Final = Measurement("game, pedals, display and board", (_HEARD, _WORKS, _MISSED, _IDLE, _BEYOND), _measure)
