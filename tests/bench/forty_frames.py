"""Forty cyclic frames (10 to 1000 ms) on two buses, each with counter and checksum, in real time on embedded buses.

Measured by the daemon itself: a whole tick. Measured by a client on either bus: how far the interval between two frames
of an identifier is from its period, |t(k) - t(k - 1) - T|, which includes the client's own lateness.
"""

import selectors
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Final

from hilbridge.base.common.statistics import Histogram
from hilbridge.base.common.units import MILLISECOND
from hilbridge.runs.benchmarks.child import Model
from hilbridge.runs.benchmarks.daemon import Daemon
from hilbridge.runs.benchmarks.result import Aim, Quantity, Result, UnavailableError
from hilbridge.runs.benchmarks.rig import Measurement, Rig

from .benches import BUSES, FIRST_IDENTIFIER, FORTY, PERIODS
from .ports import slcan_port

_TICK: Final = 1000.0
"""[µs]"""

_P50: Final[dict[Model, Quantity]] = {
    "interpreted": Quantity("tick_forty_interpreted_p50", "tick, interpreted, p50", "µs", Aim("at most", 120.0)),
    "compiled": Quantity("tick_forty_compiled_p50", "tick, compiled, p50", "µs"),
}
_ERROR_P50: Final = Quantity("period_error_p50", "error of the period, p50", "µs")
_ERROR_P99: Final = Quantity("period_error_p99", "error of the period, p99", "µs", Aim("at most", _TICK))


class _Listener:
    """A client of one bus that records when frames arrive."""

    def __init__(self, daemon: Daemon, bus: str) -> None:
        self.socket = socket.create_connection(("127.0.0.1", slcan_port(daemon, bus)), timeout=10)
        self.socket.sendall(b"O\r")
        self._rest = b""
        self._last: dict[int, int] = {}

    def receive(self, now: int, errors: Histogram) -> None:
        """Read the frames that arrived by `now` [ns]; the first frame of each identifier begins an interval."""
        data = self.socket.recv(1 << 16)
        if not data:
            raise UnavailableError("the daemon closed the connection")
        *lines, self._rest = (self._rest + data).split(b"\r")
        for line in lines:
            if line.startswith(b"t"):
                identifier = int(line[1:4], 16)
                if identifier in self._last:
                    period = PERIODS[identifier - FIRST_IDENTIFIER] * MILLISECOND
                    errors.record(abs(now - self._last[identifier] - period))
                self._last[identifier] = now


def _errors(daemon: Daemon, slices: int, seconds: float) -> list[Histogram]:
    """Return the errors of all identifiers of both buses [ns], by slice."""
    found = [Histogram() for _ in range(slices)]
    with ExitStack() as stack:
        selector = stack.enter_context(selectors.DefaultSelector())
        for bus in BUSES:
            listener = _Listener(daemon, bus)
            stack.callback(listener.socket.close)
            selector.register(listener.socket, selectors.EVENT_READ, listener)
        for errors in found:
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                for key, _ in selector.select(0.1):
                    key.data.receive(time.monotonic_ns(), errors)
    return [errors for errors in found if errors.count]


def _measure(rig: Rig) -> Iterator[Result]:
    for model, quantity in _P50.items():
        if reason := rig.reason_against(model):
            yield quantity.missing(reason)
        else:
            daemon = rig.daemon(model, FORTY)
            slices = [daemon.watch(rig.effort.slice).step_time for _ in range(rig.effort.slices)]
            yield quantity.percentile(50, slices)
    try:
        errors = _errors(rig.daemon(rig.default, FORTY), rig.effort.slices, rig.effort.slice)
    except OSError as error:
        raise UnavailableError(f"the bus cannot be listened to: {error}") from error
    yield _ERROR_P50.percentile(50, errors)
    yield _ERROR_P99.percentile(99, errors)


MEASUREMENT: Final = Measurement("40 protected frames, two buses", (*_P50.values(), _ERROR_P50, _ERROR_P99), _measure)
