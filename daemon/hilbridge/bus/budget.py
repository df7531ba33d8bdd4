"""How much of a bus's time own frames take: a sliding window of one second, in ticks.

    sum of the frames' times in the last second <= percent / 100 * 1 s

The time of a frame is that of the worst stuffing (busload.py).
"""

from typing import Final

from hilbridge.bus.busload import frame_time
from hilbridge.codec.frame import BRS, EXTENDED, FD, Frame
from hilbridge.common.units import SECOND

WINDOW: Final = SECOND
"""[ns]"""


class Budget:
    """The window of one bus. Rates in bit/s, `tick` in ns; `data_bitrate` is for CAN FD frames that switch."""

    def __init__(self, percent: float, bitrate: int, data_bitrate: int, tick: int) -> None:
        self._percent = percent
        self._bitrate = bitrate
        self._data_bitrate = data_bitrate
        self._tick = tick
        self._limit = round(percent / 100 * WINDOW)
        self._taken = [0] * max(1, WINDOW // tick)  # [ns] in each tick of the window
        self._total = 0
        self._now = 0  # [ticks]
        self._times: dict[tuple[int, int, int], int] = {}

    def takes(self, frame: Frame, t: int) -> bool:
        """Whether the frame fits in at `t` [ns]; if so, it is entered."""
        now = t // self._tick
        if now != self._now:
            self._slide(now)
        time = self._time(frame)
        if self._total + time > self._limit:
            return False
        self._taken[now % len(self._taken)] += time
        self._total += time
        return True

    def describe(self) -> str:
        return f"at most {self._percent:g} % of {self._bitrate} bit/s"

    def _slide(self, now: int) -> None:
        taken = self._taken
        for tick in range(self._now + 1, min(now, self._now + len(taken)) + 1):
            place = tick % len(taken)
            self._total -= taken[place]
            taken[place] = 0
        self._now = now

    def _time(self, frame: Frame) -> int:
        """[ns]; there are few kinds of frames, by length and flags."""
        kind = len(frame.data), frame.can_id & EXTENDED, frame.flags
        time = self._times.get(kind)
        if time is None:
            data_bitrate = self._data_bitrate if frame.flags & BRS else self._bitrate
            extended, fd = bool(frame.can_id & EXTENDED), bool(frame.flags & FD)
            seconds = frame_time(len(frame.data), self._bitrate, data_bitrate, extended=extended, fd=fd)
            time = self._times[kind] = round(seconds * SECOND)
        return time
