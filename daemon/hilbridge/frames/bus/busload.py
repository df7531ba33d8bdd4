"""Bus load: the time that a frame takes at worst, and the budget of time that own frames may take.

Classic CAN (ISO 11898-1), n data bytes, g = 34 bits open to stuffing before the data with 11-bit identifiers and 54
with 29-bit ones. After every 4 bits that follow the first a stuff bit may come; 13 bits (CRC delimiter, acknowledge,
end of frame, intermission) are never stuffed:

    bits = g + 8n + 13 + floor((g + 8n - 1) / 4)                     135 for 8 bytes, 11 bit

(K. W. Tindell, A. Burns: the worst case of stuffing.) CAN FD (ISO 11898-1:2015) switches the rate after the BRS bit:
17 or 36 bits before it and 13 after the CRC run at the nominal rate; ESI, DLC and data (5 + 8n, stuffed), stuff count
and CRC (4 + 17 up to 16 bytes, 4 + 21 above, with a fixed stuff bit before each 4) at the data rate.

The budget is kept over a sliding window of one second, in ticks:

    sum of the frames' times in the last second <= percent / 100 * 1 s
"""

from typing import Final

from hilbridge.base.common.units import SECOND
from hilbridge.frames.codec.frame import BRS, EXTENDED, FD, Frame

WINDOW: Final = SECOND
"""[ns]"""

_BEFORE_DATA: Final = {False: 34, True: 54}
_BEFORE_SWITCH: Final = {False: 17, True: 36}
_UNSTUFFED: Final = 13
_SHORT_CRC_BYTES: Final = 16


def classic_time(length: int, bitrate: int, *, extended: bool) -> float:
    """Return the time [s] that a classic frame of `length` bytes takes at worst."""
    stuffed = _BEFORE_DATA[extended] + 8 * length
    return (stuffed + _UNSTUFFED + (stuffed - 1) // 4) / bitrate


def fd_time(length: int, bitrate: int, data_bitrate: int, *, extended: bool) -> float:
    """Return the time [s] of a CAN FD frame at worst; one that does not switch has equal rates."""
    before = _BEFORE_SWITCH[extended]
    nominal = before + (before - 1) // 4 + _UNSTUFFED
    payload = 5 + 8 * length
    check = 4 + (17 if length <= _SHORT_CRC_BYTES else 21)
    data = payload + payload // 4 + check + -(-check // 4)
    return nominal / bitrate + data / data_bitrate


def frame_time(length: int, bitrate: int, data_bitrate: int, *, extended: bool, fd: bool) -> float:
    """Return the time [s] that a frame of either kind takes at worst."""
    if fd:
        return fd_time(length, bitrate, data_bitrate, extended=extended)
    return classic_time(length, bitrate, extended=extended)


class Budget:
    """The budget of one bus. Rates in bit/s, `tick` in ns; `data_bitrate` is for CAN FD frames that switch."""

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

    def admit(self, frame: Frame, t: int) -> bool:
        """Return whether the frame fits in at `t` [ns]; if so, enter it."""
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
        """Return the limit as text."""
        return f"at most {self._percent:g} % of {self._bitrate} bit/s"

    def _slide(self, now: int) -> None:
        taken = self._taken
        for tick in range(self._now + 1, min(now, self._now + len(taken)) + 1):
            slot = tick % len(taken)
            self._total -= taken[slot]
            taken[slot] = 0
        self._now = now

    def _time(self, frame: Frame) -> int:
        """Return the time [ns] of a frame, kept by length and flags: there are few kinds."""
        kind = len(frame.data), frame.can_id & EXTENDED, frame.flags
        time = self._times.get(kind)
        if time is None:
            data_bitrate = self._data_bitrate if frame.flags & BRS else self._bitrate
            extended, fd = bool(frame.can_id & EXTENDED), bool(frame.flags & FD)
            seconds = frame_time(len(frame.data), self._bitrate, data_bitrate, extended=extended, fd=fd)
            time = self._times[kind] = round(seconds * SECOND)
        return time
