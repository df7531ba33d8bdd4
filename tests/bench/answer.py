"""OBD-II answers beside forty cyclic frames: response time, and cost of 200 requests a second for the tick.

Two testers over SLCAN, some 100 requests a second each and both at the same time: one asks the engine for the VIN, the
other the transmission for its calibration. Either answer takes several frames of ISO-TP, so both sessions are under way
at once, frame by frame on the same bus. Slices with and without them take turns. Measured by the daemon: missed ticks,
and the ticks from a request to the begin of its answer. Measured by the testers: time from a request to the first frame
of the answer, including their own lateness.
"""

import select
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Final

from hilbridge.base.common.statistics import Histogram
from hilbridge.runs.benchmarks.daemon import Daemon
from hilbridge.runs.benchmarks.result import Aim, Quantity, Result, UnavailableError
from hilbridge.runs.benchmarks.rig import Measurement, Rig

from .benches import BUSES, FORTY
from .ports import slcan_port
from .turns import by_turns

INTERVAL: Final = 10_070_000
"""[ns] between two requests of a tester: no whole number of ticks, so that they come at all moments between two."""

_TIMEOUT: Final = 1_000_000_000
"""[ns] for a whole answer."""

_TRIES: Final = 10

_ENGINE: Final = (0x7E0, bytes.fromhex("02 09 02"))
_TRANSMISSION: Final = (0x7E1, bytes.fromhex("02 09 04"))
_CONTINUE: Final = bytes.fromhex("30 00 00")
_FIRST, _CONSECUTIVE = 0x1, 0x2

_P50: Final = Quantity("answer_p50", "request to answer, p50", "µs", Aim("at most", 400.0))
_P99: Final = Quantity("answer_p99", "request to answer, p99", "µs", Aim("at most", 1_200.0))
_SAME_TICK: Final = Quantity("answer_same_tick", "begun in the tick of the request", "%", Aim("at least", 100.0))
_OVERLAPPING: Final = Quantity("answer_overlapping", "while the other tester's was under way", "%")
_UNANSWERED: Final = Quantity("answer_none", "requests without answer", "", Aim("at most", 0.0))
_BEYOND: Final = Quantity("answer_missed_beyond", "missed ticks, asked - not asked", "%", Aim("at most", 0.0))


@dataclass(slots=True)
class _Requests:
    """Counters of the requests of a slice."""

    times: Histogram = field(default_factory=Histogram)
    count: int = 0
    unanswered: int = 0
    overlapping: int = 0


class _Tester:
    """A client of the bus's SLCAN port that sends requests to one control unit.

    `busy` while an answer is under way; `overlapping` if an answer to the other tester was under way meanwhile.
    """

    def __init__(self, daemon: Daemon, identifier: int, request: bytes) -> None:
        self.socket = socket.create_connection(("127.0.0.1", slcan_port(daemon, BUSES[0])), timeout=1)
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

    def send_request(self, others: Sequence["_Tester"]) -> None:
        """Send the request, and note the other testers whose answers are under way."""
        self.overlapping = bool(others)
        for other in others:
            other.overlapping = True
        self.busy, self._begun = True, time.monotonic_ns()
        self.socket.sendall(self._request)

    def receive(self, requests: _Requests) -> None:
        """Read frames, and send flow control after a first frame."""
        try:
            data = self.socket.recv(1 << 16)
        except BlockingIOError:
            return
        if not data:
            raise UnavailableError("the daemon closed the connection")
        *lines, self._rest = (self._rest + data).split(b"\r")
        for line in lines:
            if self.busy and line.startswith(self._answer):
                self._evaluate(bytes.fromhex(line[len(self._answer) :].decode("ascii")), requests)

    def check_timeout(self, requests: _Requests) -> None:
        """Count the request as unanswered after the time-out."""
        if self.busy and time.monotonic_ns() - self._begun > _TIMEOUT:
            requests.unanswered += 1
            self._end(requests)

    def _evaluate(self, frame: bytes, requests: _Requests) -> None:
        kind = frame[0] >> 4
        if kind == _FIRST:
            requests.times.record(time.monotonic_ns() - self._begun)
            self._left = ((frame[0] & 0x0F) << 8 | frame[1]) - 6
            self.socket.sendall(self._flow_control)
        elif kind == _CONSECUTIVE:
            self._left -= 7
            if self._left <= 0:
                self._end(requests)

    def _end(self, requests: _Requests) -> None:
        self.busy = False
        requests.overlapping += self.overlapping


def _line(identifier: int, data: bytes) -> bytes:
    """Return the SLCAN line of a frame of eight bytes."""
    return b"t%03X8%s\r" % (identifier, data.ljust(8, b"\xcc").hex().upper().encode("ascii"))


def _run_testers(testers: Sequence[_Tester], seconds: float) -> _Requests:
    """Send the requests of a slice: each at its time, or as soon as the previous one is answered."""
    requests = _Requests()
    start = time.monotonic_ns()
    end = start + round(seconds * 1e9)
    for tester in testers:
        tester.due = start
    while (now := time.monotonic_ns()) < end or any(tester.busy for tester in testers):
        for tester in testers:
            if now < end and now >= tester.due and not tester.busy:
                requests.count += 1
                tester.due += INTERVAL
                tester.send_request([other for other in testers if other.busy])
        waiting = [tester.due for tester in testers if not tester.busy and tester.due < end]
        pause = max(0, min(waiting, default=now + INTERVAL) - time.monotonic_ns())
        select.select([tester.socket for tester in testers], [], [], pause / 1e9)
        for tester in testers:
            tester.receive(requests)
            tester.check_timeout(requests)
    return requests


def _wait_for_key(testers: Sequence[_Tester]) -> None:
    """Wait until the demo driver has turned the key on; a control unit without power does not answer."""
    for _ in range(_TRIES):
        if _run_testers(testers, INTERVAL / 1e9).unanswered == 0:
            return
    raise UnavailableError("the control units do not answer")


def _measure(rig: Rig) -> Iterator[Result]:
    daemon = rig.daemon(rig.default, FORTY)
    slices: list[_Requests] = []
    beyond = []
    try:
        with ExitStack() as stack:
            testers = [_Tester(daemon, *each) for each in (_ENGINE, _TRANSMISSION)]
            for tester in testers:
                stack.callback(tester.socket.close)
            _wait_for_key(testers)
            for outcome, at_rest, meanwhile in by_turns(
                rig.effort, daemon, lambda: _run_testers(testers, rig.effort.slice)
            ):
                slices.append(outcome)
                beyond.append(meanwhile - at_rest)
    except OSError as error:
        raise UnavailableError(f"the control units cannot be reached: {error}") from error
    units = daemon.statistics()["diagnostics"]
    begun: list[int] = [
        sum(counts) for counts in zip(*(units[name]["answered_after_ticks"] for name in _UNITS), strict=True)
    ]
    requests = sum(each.count for each in slices)
    yield _P50.percentile(50, [each.times for each in slices])
    yield _P99.percentile(99, [each.times for each in slices])
    yield _SAME_TICK.median([100 * begun[0] / sum(begun)], sum(begun))
    yield _OVERLAPPING.median([100 * each.overlapping / each.count for each in slices], requests)
    yield _UNANSWERED.median([sum(each.unanswered for each in slices)], requests)
    yield _BEYOND.median(beyond)


_UNITS: Final = ("engine", "transmission")

MEASUREMENT: Final = Measurement(
    "200 OBD-II requests a second of two testers, 40 frames",
    (_P50, _P99, _SAME_TICK, _OVERLAPPING, _UNANSWERED, _BEYOND),
    _measure,
)
