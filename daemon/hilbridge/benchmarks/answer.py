"""OBD-II answers beside forty cyclic frames: how soon they come, and what 200 requests a second cost the tick.

Two testers ask over SLCAN, each 100 times a second: engine speed and vehicle speed, by turns. Slices with and without
them take turns (A B A B ...) in one run, so that whatever else the machine does falls on both. Measured by the daemon:
missed ticks, and how many ticks after its request an answer began. Measured by the testers: request to answer, with
their own lateness in it.
"""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Final

from hilbridge.benchmarks.benches import BUSES
from hilbridge.benchmarks.daemon import Daemon
from hilbridge.benchmarks.result import Aim, Quantity, Result, UnavailableError
from hilbridge.benchmarks.rig import Measurement, Rig
from hilbridge.statistics import Histogram

TESTERS: Final = 2
INTERVAL: Final = 5_000_000
"""[ns] between two requests, of either tester by turns."""

_REQUESTS: Final = (b"t7E0802010C0000000000\r", b"t7E0802010D0000000000\r")
_ANSWER: Final = b"t7E8"
_PATIENCE: Final = 1.0
"""[s] for an answer."""

_TRIES: Final = 10

_P50: Final = Quantity("answer_p50", "request to answer, p50", "µs")
_P99: Final = Quantity("answer_p99", "request to answer, p99", "µs", Aim("at most", 50_000.0))
_SAME_TICK: Final = Quantity("answer_same_tick", "begun in the tick of the request", "%", Aim("at least", 100.0))
_UNANSWERED: Final = Quantity("answer_none", "requests without answer", "", Aim("at most", 0.0))
_BEYOND: Final = Quantity("answer_missed_beyond", "missed ticks, asked - not asked", "%", Aim("at most", 0.0))


class _Tester:
    """One client of the bus's SLCAN port."""

    def __init__(self, daemon: Daemon) -> None:
        self.socket = socket.create_connection(("127.0.0.1", daemon.slcan_port(BUSES[0])), timeout=_PATIENCE)
        self.socket.sendall(b"O\r")
        self._asked = 0
        self._rest = b""

    def ask(self) -> int | None:
        """[ns] from a request to its answer; None without one. What came before it is none."""
        self._drain()
        self._asked += 1
        begun = time.monotonic_ns()
        self.socket.sendall(_REQUESTS[self._asked % len(_REQUESTS)])
        while time.monotonic_ns() - begun < _PATIENCE * 1e9:
            if any(line.startswith(_ANSWER) for line in self._lines()):
                return time.monotonic_ns() - begun
        return None

    def _drain(self) -> None:
        self.socket.setblocking(False)
        try:
            while self._lines():
                pass
        except BlockingIOError:
            pass
        self.socket.settimeout(_PATIENCE)

    def _lines(self) -> list[bytes]:
        data = self.socket.recv(1 << 16)
        if not data:
            raise UnavailableError("the daemon closed the connection")
        *lines, self._rest = (self._rest + data).split(b"\r")
        return lines


def _ask_for(testers: list[_Tester], seconds: float) -> tuple[Histogram, int]:
    """Answer times of a slice, and how many requests had none."""
    times, unanswered = Histogram(), 0
    due = time.monotonic_ns()
    for number in range(int(seconds * 1e9 / INTERVAL)):
        time.sleep(max(0, due - time.monotonic_ns()) / 1e9)
        due += INTERVAL
        answer = testers[number % TESTERS].ask()
        if answer is None:
            unanswered += 1
        else:
            times.record(answer)
    return times, unanswered


def _wait_for_key(tester: _Tester) -> None:
    """The demo driver turns it on in the first seconds; a control unit without power does not answer."""
    if not any(tester.ask() is not None for _ in range(_TRIES)):
        raise UnavailableError("the control unit does not answer")


def _missed(daemon: Daemon) -> tuple[int, int]:
    """Ticks missed, and all that should have been."""
    statistics = daemon.statistics()
    return statistics["missed_ticks"], statistics["missed_ticks"] + statistics["ticks"]


def _share(before: tuple[int, int], after: tuple[int, int]) -> float:
    """[%] of ticks missed between two looks."""
    return 100 * (after[0] - before[0]) / (after[1] - before[1])


def _measure(rig: Rig) -> Iterator[Result]:
    daemon = rig.daemon(rig.default, "forty")
    slices: list[Histogram] = []
    unanswered, beyond = 0, []
    try:
        with ExitStack() as stack:
            testers = [_Tester(daemon) for _ in range(TESTERS)]
            for tester in testers:
                stack.callback(tester.socket.close)
            _wait_for_key(testers[0])
            for _ in range(rig.effort.slices):
                marks = [_missed(daemon)]
                time.sleep(rig.effort.slice)
                marks.append(_missed(daemon))
                times, without = _ask_for(testers, rig.effort.slice)
                marks.append(_missed(daemon))
                slices.append(times)
                unanswered += without
                beyond.append(_share(marks[1], marks[2]) - _share(marks[0], marks[1]))
    except OSError as error:
        raise UnavailableError(f"the control unit cannot be asked: {error}") from error
    begun: list[int] = daemon.statistics()["diagnostics"]["engine"]["answered_after_ticks"]
    yield _P50.percentile(50, slices)
    yield _P99.percentile(99, slices)
    yield _SAME_TICK.median([100 * begun[0] / sum(begun)], sum(begun))
    yield _UNANSWERED.median([unanswered], unanswered + sum(times.count for times in slices))
    yield _BEYOND.median(beyond)


MEASUREMENT: Final = Measurement(
    "200 OBD-II requests a second, 40 frames", (_P50, _P99, _SAME_TICK, _UNANSWERED, _BEYOND), _measure
)
