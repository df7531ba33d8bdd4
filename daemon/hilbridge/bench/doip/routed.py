"""A control unit beyond a bus, behind the DoIP gateway: a real one, or one that a program on the bus plays.

    diagnostic message -> ISO-TP on the bus, by the gate as all frames -> the control unit
    the tester that asked last <- its answers, "response pending" and what comes unasked too

One request is on its way at a time; another one meanwhile is refused (05, out of memory), as by a gateway whose buffer
for that unit is taken. While the bus is not armed the unit cannot be reached (06).
"""

from typing import Any, Final

from hilbridge.bench.diagnostics.isotp.address import address_of
from hilbridge.bench.diagnostics.isotp.client import IsoTpClient
from hilbridge.bench.diagnostics.isotp.parameters import IsoTpParameters
from hilbridge.files.settings.doip import RoutedSettings
from hilbridge.frames.bus.bus import Bus


class RoutedUnit:
    """The way to one control unit on a bus, which it joins."""

    vin: Final = None

    def __init__(self, settings: RoutedSettings, bus: Bus, parameters: IsoTpParameters) -> None:
        self.longest: Final = parameters.longest
        self._bus: Final = bus
        self._address: Final = address_of(settings.unit)
        self._client: Final = IsoTpClient(bus, [self._address], parameters)
        self._asker: Any = None

    def is_powered(self) -> bool:
        """Return whether requests can leave."""
        return self._bus.is_armed

    def join(self, connection: Any) -> Any:
        """Return the way to it for a tester: the connection by which it is answered."""
        return connection

    def request(self, channel: Any, payload: bytes, functional: bool, t: int) -> bool:
        """Send a request at `t` [ns]; return False while another one is being sent."""
        if not self._client.request(payload, self._address, t):
            return False
        self._asker = channel
        return True

    def poll(self, t: int) -> None:
        """Send what is due, and hand on answers; called once a tick."""
        self._client.poll(t)
        for answer in self._client.take():
            if self._asker is not None:
                self._asker.send(answer.payload, t)
