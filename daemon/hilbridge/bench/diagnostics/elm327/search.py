"""The automatic protocol search: a functional request 01 00 in one CAN protocol after another, until an ECU answers.

Every ECU may take P2 = 50 ms for its answer (ISO 15765-4). So the search ends 50 ms after the first answer, and the
client's request receives no answers to the request of the search. An adapter that does not wait like the chip ends it
with the tick of that answer.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.diagnostics.elm327.exchange import Exchange
from hilbridge.bench.diagnostics.elm327.request import ObdRequest
from hilbridge.bench.diagnostics.elm327.session import AdapterActivity, AdapterSession, AdaptiveTiming, Setup
from hilbridge.frames.codec.frame import Frame

SEARCHING: Final = "SEARCHING..."
UNABLE: Final = "UNABLE TO CONNECT"

_PROBE: Final = ObdRequest(b"\x01\x00")
_P2: Final = 50 * MILLISECOND


class ProtocolSearch:
    """Searches the protocol that works; `found` then returns the activity that follows."""

    def __init__(self, session: AdapterSession, found: Callable[[int], AdapterActivity | None], t: int) -> None:
        setup = session.setup
        self.done = False
        self._answers: Final[list[str]] = []  # lines of the answers to the request of the search
        self._tester: Final = replace(
            session,
            setup=Setup(tester=setup.tester, timeout=setup.timeout, timer_factor=setup.timer_factor),
            timing=AdaptiveTiming(),
            write_line=self._answers.append,
        )
        self._selection: Final = session.selection
        self._write_line: Final = session.write_line
        self._found: Final = found
        self._candidates: Final = self._selection.candidates()
        self._number = ""
        self._first_answer: int | None = None  # [ns]
        self._probe: Exchange | None = None
        self._write_line(SEARCHING)
        self._next(t)

    def receive(self, frame: Frame, t: int) -> None:
        """Take the first answer to the request of the search; later answers do not extend it."""
        if self._probe is None or self._first_answer is not None or self.done:
            return
        self._probe.receive(frame, t)
        if self._answers:
            self._first_answer = t

    def poll(self, t: int) -> None:
        """Try the next protocol when no answer came, and end 50 ms after the first answer."""
        if self._first_answer is not None:
            self.done = self._tester.eager or t - self._first_answer >= _P2
        elif self._probe is not None:
            self._probe.poll(t)
            if self._probe.done:
                self._next(t)

    def successor(self, t: int) -> AdapterActivity | None:
        if self._first_answer is None:
            return None
        self._selection.number = self._number
        self._selection.active = True
        return self._found(t)

    def _next(self, t: int) -> None:
        """Send the request in the next protocol that the bus can carry."""
        while self._candidates:
            self._number = self._candidates.pop(0)
            protocol = self._selection.layout(self._number)
            if protocol is None:
                continue
            self._answers.clear()
            probe = Exchange(_PROBE, protocol, self._tester, t)
            if not probe.done:
                self._probe = probe
                return
        self._write_line(UNABLE)
        self.done = True
