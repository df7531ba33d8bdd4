"""Reading of a log into the form of frames/codec/frame.py, in a process of its own.

    python -P -m hilbridge.boundary.logs.packing FILE [CHANNEL]

writes the data frames to its standard output, with times from the first one that never decrease, and what was left out
or is wrong to its standard error, as a line of JSON.
"""

import json
import sys
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.words import counted
from hilbridge.boundary.logs.account import Account, LogError
from hilbridge.boundary.logs.frames import MOST_FRAMES, Block
from hilbridge.boundary.logs.process import accounted, bound, grant_time
from hilbridge.boundary.logs.reading import of_one_bus, read_here
from hilbridge.frames.codec.frame import LOGGED

_HEAD: Final = np.dtype([("time", "<i8"), ("can_id", "<u4"), ("flags", "u1"), ("length", "u1")])
"""LOGGED, for numpy."""


class _Clock:
    """The time of a log from its first frame on, which stands still where the log's goes back."""

    def __init__(self) -> None:
        self.back = 0
        self._start: int | None = None
        self._latest = 0

    def ascending(self, times: NDArray[np.int64]) -> NDArray[np.int64]:
        if not len(times):
            return times
        self._start = int(times[0]) if self._start is None else self._start
        wanted = np.concatenate(([self._latest], times - self._start))
        ascending: NDArray[np.int64] = np.maximum.accumulate(wanted)[1:]
        self.back += int((ascending > wanted[1:]).sum())
        self._latest = int(ascending[-1])
        return ascending


def _packed(block: Block, times: NDArray[np.int64]) -> bytes:
    """Return frames with their heads one after the other."""
    count = len(times)
    heads = np.empty(count, _HEAD)
    heads["time"], heads["can_id"] = times, block.can_ids
    heads["flags"], heads["length"] = block.flags, block.lengths
    offsets = block.offsets
    places = offsets + np.arange(count) * LOGGED.size
    packed = np.empty(count * LOGGED.size + len(block.data), np.uint8)
    packed[places[:, None] + np.arange(LOGGED.size)] = heads.view(np.uint8).reshape(count, LOGGED.size)
    packed[np.repeat(places + LOGGED.size - offsets, block.lengths) + np.arange(len(block.data))] = block.data
    return packed.tobytes()


def main() -> int:
    path = Path(sys.argv[1])
    channel = sys.argv[2] if len(sys.argv) > 2 else None
    bound(path)
    account = Account()
    clock = _Clock()
    count = 0
    refused = ""
    with accounted(account):
        for block in of_one_bus(read_here(path, account), channel):
            count += len(block.times)
            if count > MOST_FRAMES:
                raise LogError(f"the log has more than {MOST_FRAMES} frames; cut it, or choose a channel")
            sys.stdout.buffer.write(_packed(block, clock.ascending(block.times)))
            grant_time()
    if not account.error:
        try:
            account.require_one_channel(str(path), channel)
        except ConfigurationError as error:
            refused = error.message
    words = account.words()
    if clock.back:
        words.append(f"{counted(clock.back, 'frame')} with a time before the frame before: at the time of that one")
    whole = f"{account.format}: {counted(count, 'frame')}"
    said = {
        "refused": refused,
        "error": account.error,
        "left_out": "; ".join(words),
        "summary": "; ".join((whole, *words)),
    }
    sys.stderr.write(f"{json.dumps(said)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
