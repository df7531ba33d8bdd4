"""A small dashboard, as its maker would write it: a control unit that reads the engine and lights two lamps.

    EngineData1 (100 Hz)  ->  0x5A0 DashboardLamps, 1 byte, every 100 ms and on every change
                              bit 0: shift lamp, from 4500 rpm on, off again below 4300 rpm
                              bit 1: engine lamp, no EngineData1 for 250 ms, or its speed is not available

It knows nothing of hilbridge but what a frame looks like: frames in, frames out, time as a parameter.
"""

from collections.abc import Iterable

from cantools.database.can import Message

from hilbridge.testing import Frame

LAMPS = 0x5A0
SHIFT_LAMP = 0x01
ENGINE_LAMP = 0x02

SHIFT_AT = 4500.0
SHIFT_OFF = 4300.0
"""[rpm]"""

SILENCE = 0.25
"""[s] without EngineData1 that light the engine lamp."""

PERIOD = 0.1
"""[s] of the lamps' frame."""


class Dashboard:
    """The control unit under test."""

    def __init__(self, engine_data: Message) -> None:
        self.lamps = 0
        self._engine_data = engine_data
        self._heard = 0.0
        self._due = 0.0

    def receive(self, frame: Frame, t: float) -> Iterable[Frame]:
        """A frame of the bus."""
        if frame.can_id != self._engine_data.frame_id:
            return ()
        self._heard = t
        speed = self._engine_data.decode_simple(frame.data)["EngineRpm"]
        if not isinstance(speed, int | float):  # the name of a value: SNA
            return self._show(ENGINE_LAMP, t)
        limit = SHIFT_OFF if self.lamps & SHIFT_LAMP else SHIFT_AT
        return self._show(SHIFT_LAMP if speed >= limit else 0, t)

    def tick(self, t: float) -> Iterable[Frame]:
        """Time has gone on."""
        if t - self._heard > SILENCE:
            return self._show(ENGINE_LAMP, t)
        return self._show(self.lamps, t)

    def _show(self, lamps: int, t: float) -> Iterable[Frame]:
        if lamps == self.lamps and t < self._due:
            return ()
        self.lamps = lamps
        self._due = t + PERIOD
        return (Frame(LAMPS, bytes((lamps,))),)
