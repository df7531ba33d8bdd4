"""The automatic search for a protocol: 01 00 to all, in one CAN protocol after another, until something answers.

An ECU has P2 = 50 ms for its answer (ISO 15765-4), so that after the first answer the search stays silent for that
long: the request it was made for hears none of the others'.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from hilbridge.codec.frame import Frame
from hilbridge.common.units import MILLISECOND
from hilbridge.diagnostics.elm327.exchange import Exchange
from hilbridge.diagnostics.elm327.request import ObdRequest
from hilbridge.diagnostics.elm327.session import AdapterActivity, AdapterSession, AdaptiveTiming, Setup

SEARCHING: Final = "SEARCHING..."
UNABLE: Final = "UNABLE TO CONNECT"

_PROBE: Final = ObdRequest(b"\x01\x00")
_P2: Final = 50 * MILLISECOND


class ProtocolSearch:
    """Finds the protocol that works; then `found` makes what follows."""

    def __init__(self, session: AdapterSession, found: Callable[[int], AdapterActivity | None], t: int) -> None:
        setup = session.setup
        self.done = False
        self._said: Final[list[str]] = []  # by those who answer the probe
        self._tester: Final = replace(
            session,
            setup=Setup(tester=setup.tester, timeout=setup.timeout, timer_factor=setup.timer_factor),
            timing=AdaptiveTiming(),
            show=self._said.append,
        )
        self._selection: Final = session.selection
        self._show: Final = session.show
        self._found: Final = found
        self._candidates: Final = list(self._selection.candidates())
        self._number = ""
        self._heard: int | None = None  # [ns]
        self._probe: Exchange | None = None
        self._show(SEARCHING)
        self._next(t)

    def receive(self, frame: Frame, t: int) -> None:
        """Listens for the first answer to the probe; whoever talks on afterwards does not make the search longer."""
        if self._probe is None or self._heard is not None or self.done:
            return
        self._probe.receive(frame, t)
        if self._said:
            self._heard = t

    def poll(self, t: int) -> None:
        """Goes on to the next protocol when it is time."""
        if self._heard is not None:
            self.done = t - self._heard >= _P2
        elif self._probe is not None:
            self._probe.poll(t)
            if self._probe.done:
                self._next(t)

    def successor(self, t: int) -> AdapterActivity | None:
        if self._heard is None:
            return None
        self._selection.number = self._number
        self._selection.active = True
        return self._found(t)

    def _next(self, t: int) -> None:
        """Probes the next protocol that the bus can carry."""
        while self._candidates:
            self._number = self._candidates.pop(0)
            protocol = self._selection.layout(self._number)
            if protocol is None:
                continue
            self._said.clear()
            probe = Exchange(_PROBE, protocol, self._tester, t)
            if not probe.done:
                self._probe = probe
                return
        self._show(UNABLE)
        self.done = True
