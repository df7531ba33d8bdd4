"""OBD-II answers beside forty cyclic frames: how soon they come, and what 200 requests a second cost the tick.

Two testers over SLCAN, 100 requests a second each and both at the same time: one asks the engine for the VIN, the other
the transmission for its calibration. Either answer takes several frames of ISO-TP, so both sessions are under way at
once, frame by frame on the same bus. Slices with and without them take turns. Measured by the daemon: missed ticks, and
how many ticks after its request an answer began. Measured by the testers: request to the first frame of the answer,
with their own lateness in it.
"""

import select
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Final

from hilbridge.benchmarks.benches import BUSES
from hilbridge.benchmarks.daemon import Daemon
from hilbridge.benchmarks.result import Aim, Quantity, Result, UnavailableError
from hilbridge.benchmarks.rig import Measurement, Rig
from hilbridge.common.statistics import Histogram

INTERVAL: Final = 10_000_000
"""[ns] between two requests of a tester."""

_PATIENCE: Final = 1_000_000_000
"""[ns] for a whole answer."""

_TRIES: Final = 10

_ENGINE: Final = (0x7E0, bytes.fromhex("02 09 02"))
_TRANSMISSION: Final = (0x7E1, bytes.fromhex("02 09 04"))
_CONTINUE: Final = bytes.fromhex("30 00 00")
_FIRST, _CONSECUTIVE = 0x1, 0x2

_P50: Final = Quantity("answer_p50", "request to answer, p50", "µs")
_P99: Final = Quantity("answer_p99", "request to answer, p99", "µs", Aim("at most", 50_000.0))
_SAME_TICK: Final = Quantity("answer_same_tick", "begun in the tick of the request", "%", Aim("at least", 100.0))
_OVERLAPPING: Final = Quantity("answer_overlapping", "while the other tester's was under way", "%")
_UNANSWERED: Final = Quantity("answer_none", "requests without answer", "", Aim("at most", 0.0))
_BEYOND: Final = Quantity("answer_missed_beyond", "missed ticks, asked - not asked", "%", Aim("at most", 0.0))


@dataclass(slots=True)
class _Asked:
    """What became of the requests of a slice."""

    times: Histogram = field(default_factory=Histogram)
    requests: int = 0
    unanswered: int = 0
    overlapping: int = 0


class _Tester:
    """One client of the bus's SLCAN port, with one control unit that it asks.

    `busy` while an answer is under way, `overlapping` when the other tester's is or was meanwhile.
    """

    def __init__(self, daemon: Daemon, identifier: int, request: bytes) -> None:
        self.socket = socket.create_connection(("127.0.0.1", daemon.slcan_port(BUSES[0])), timeout=1)
        self.socket.sendall(b"O\r")
        self.socket.setblocking(False)
        self.busy = False
        self.overlapping = False
        self.due = 0  # [ns]
        self._request: Final = _line(identifier, request)
        self._flow_control: Final = _line(identifier, _CONTINUE)
        self._answer: Final = b"t%03X8" % (identifier + 8)
        self._begun = 0  # [ns]
        self._left = 0  # bytes of the answer
        self._rest = b""

    def ask(self, others: Sequence["_Tester"]) -> None:
        self.overlapping = bool(others)
        for other in others:
            other.overlapping = True
        self.busy, self._begun = True, time.monotonic_ns()
        self.socket.sendall(self._request)

    def hear(self, asked: _Asked) -> None:
        """Takes what has come, and asks for the rest of an answer."""
        try:
            data = self.socket.recv(1 << 16)
        except BlockingIOError:
            return
        if not data:
            raise UnavailableError("the daemon closed the connection")
        *lines, self._rest = (self._rest + data).split(b"\r")
        for line in lines:
            if self.busy and line.startswith(self._answer):
                self._take(bytes.fromhex(line[len(self._answer) :].decode("ascii")), asked)

    def give_up(self, asked: _Asked) -> None:
        """After _PATIENCE."""
        if self.busy and time.monotonic_ns() - self._begun > _PATIENCE:
            asked.unanswered += 1
            self._end(asked)

    def _take(self, frame: bytes, asked: _Asked) -> None:
        kind = frame[0] >> 4
        if kind == _FIRST:
            asked.times.record(time.monotonic_ns() - self._begun)
            self._left = ((frame[0] & 0x0F) << 8 | frame[1]) - 6
            self.socket.sendall(self._flow_control)
        elif kind == _CONSECUTIVE:
            self._left -= 7
            if self._left <= 0:
                self._end(asked)

    def _end(self, asked: _Asked) -> None:
        self.busy = False
        asked.overlapping += self.overlapping


def _line(identifier: int, data: bytes) -> bytes:
    """A frame of eight bytes in SLCAN."""
    return b"t%03X8%s\r" % (identifier, data.ljust(8, b"\xcc").hex().upper().encode("ascii"))


def _ask_for(testers: Sequence[_Tester], seconds: float) -> _Asked:
    """A slice in which each tester asks at its time, or as soon as it has its last answer."""
    asked = _Asked()
    start = time.monotonic_ns()
    end = start + round(seconds * 1e9)
    for tester in testers:
        tester.due = start
    while (now := time.monotonic_ns()) < end or any(tester.busy for tester in testers):
        for tester in testers:
            if now < end and now >= tester.due and not tester.busy:
                asked.requests += 1
                tester.due += INTERVAL
                tester.ask([other for other in testers if other.busy])
        waiting = [tester.due for tester in testers if not tester.busy and tester.due < end]
        pause = max(0, min(waiting, default=now + INTERVAL) - time.monotonic_ns())
        select.select([tester.socket for tester in testers], [], [], pause / 1e9)
        for tester in testers:
            tester.hear(asked)
            tester.give_up(asked)
    return asked


def _wait_for_key(testers: Sequence[_Tester]) -> None:
    """The demo driver turns it on in the first seconds; a control unit without power does not answer."""
    for _ in range(_TRIES):
        if _ask_for(testers, INTERVAL / 1e9).unanswered == 0:
            return
    raise UnavailableError("the control units do not answer")


def _measure(rig: Rig) -> Iterator[Result]:
    daemon = rig.daemon(rig.default, "forty")
    slices: list[_Asked] = []
    beyond = []
    try:
        with ExitStack() as stack:
            testers = [_Tester(daemon, *each) for each in (_ENGINE, _TRANSMISSION)]
            for tester in testers:
                stack.callback(tester.socket.close)
            _wait_for_key(testers)
            for asked, at_rest, meanwhile in rig.by_turns(daemon, lambda: _ask_for(testers, rig.effort.slice)):
                slices.append(asked)
                beyond.append(meanwhile - at_rest)
    except OSError as error:
        raise UnavailableError(f"the control units cannot be asked: {error}") from error
    units = daemon.statistics()["diagnostics"]
    begun: list[int] = [
        sum(counts) for counts in zip(*(units[name]["answered_after_ticks"] for name in _UNITS), strict=True)
    ]
    requests = sum(each.requests for each in slices)
    yield _P50.percentile(50, [each.times for each in slices])
    yield _P99.percentile(99, [each.times for each in slices])
    yield _SAME_TICK.median([100 * begun[0] / sum(begun)], sum(begun))
    yield _OVERLAPPING.median([100 * each.overlapping / each.requests for each in slices], requests)
    yield _UNANSWERED.median([sum(each.unanswered for each in slices)], requests)
    yield _BEYOND.median(beyond)


_UNITS: Final = ("engine", "transmission")

MEASUREMENT: Final = Measurement(
    "200 OBD-II requests a second of two testers, 40 frames",
    (_P50, _P99, _SAME_TICK, _OVERLAPPING, _UNANSWERED, _BEYOND),
    _measure,
)
