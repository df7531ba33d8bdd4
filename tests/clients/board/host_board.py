"""The firmware's core, compiled for this computer, as a board on a line."""

import ctypes
import subprocess
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ...program import CHECKOUT

SOURCES: Final = CHECKOUT / "config/boards/hilbridge_board"
HERE: Final = Path(__file__).parent
STRICT: Final = ("-std=c99", "-Wall", "-Wextra", "-Wconversion", "-Werror", f"-I{SOURCES}")
TICKS: Final = 2000
"""Counts of the board's clock in a millisecond."""
_MOST: Final = 4_000_000


class Edges(NamedTuple):
    """Edges in their order: times [counts of 0.5 us], pins, levels."""

    times: npt.NDArray[np.uint32]
    pins: npt.NDArray[np.uint8]
    levels: npt.NDArray[np.uint8]

    def rising(self, pin: int) -> npt.NDArray[np.int64]:
        chosen: npt.NDArray[np.bool_] = (self.pins == pin) & (self.levels == 1)
        return np.asarray(self.times[chosen], np.int64)


@cache
def library() -> ctypes.CDLL:
    target = Path(mkdtemp()) / "board.so"
    command = ["cc", "-O2", "-shared", "-fPIC", *STRICT, str(SOURCES / "hb_core.c"), str(HERE / "host.c")]
    subprocess.run([*command, "-o", str(target)], check=True, timeout=120)
    return ctypes.CDLL(str(target))


class HostBoard:
    """One board; the core has one state, so there is one at a time. Times are in milliseconds from its start."""

    def __init__(self, start: int = 0) -> None:
        self._start: Final = start
        self._core: Final = library()
        self._core.host_begin(ctypes.c_uint32(start))

    def hear(self, data: bytes) -> None:
        self._core.host_hear(data, len(data))

    def advance(self, until: float) -> None:
        self._core.host_advance(ctypes.c_uint32(self._start + round(until * TICKS)))

    def said(self) -> bytes:
        buffer = ctypes.create_string_buffer(1 << 16)
        count = self._core.host_sent(buffer)
        return buffer.raw[:count]

    def edges(self) -> Edges:
        times, pins, levels = np.empty(_MOST, np.uint32), np.empty(_MOST, np.uint8), np.empty(_MOST, np.uint8)
        count = self._core.host_edges(*(ctypes.c_void_p(one.ctypes.data) for one in (times, pins, levels)))
        times = times[:count] - np.uint32(self._start & 0xFFFFFFFF)
        return Edges(times, pins[:count], levels[:count])

    def value(self, pin: int) -> int:
        return int(self._core.host_value(pin))

    def read(self, pin: int, value: int) -> None:
        """Put a level on an input."""
        self._core.host_read(pin, value)

    def pulse(self, pin: int, high: bool) -> None:
        """Change an input of pulses, now."""
        self._core.host_pulse(pin, high)
