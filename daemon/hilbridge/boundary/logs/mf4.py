"""ASAM MDF 4 with CAN bus logging, read by asammdf: data frames of all groups in the order of their times.

Groups of other buses, and such with signals in place of frames, are counted by their records.
"""

import heapq
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from hilbridge.base.common.remedies import extra_remedy
from hilbridge.boundary.logs.account import ERROR_FRAME, REMOTE_FRAME, Account, LogError
from hilbridge.boundary.logs.frames import Block, BlockBuilder, LogFrame, make_frame

_CHUNK: Final = 4096
_STEP: Final = 8192
_SECOND: Final = 10**9
_COUNTED: Final = {"CAN_ErrorFrame": ERROR_FRAME, "CAN_RemoteFrame": REMOTE_FRAME}
_OVERLOAD: Final = "CAN_OverloadFrame"


def read_mf4(path: Path, account: Account) -> Iterator[Block]:
    """Yield the data frames of an MDF 4 file. LogError: asammdf is not installed, or cannot read it."""
    account.format = "MF4"
    try:
        from asammdf import MDF
    except ImportError:
        raise LogError(f"MF4 files need a package: {extra_remedy('mf4')}") from None
    try:
        file: Any = MDF(path)
    except Exception as error:  # asammdf raises what its parts raise
        raise LogError("this is no MF4 file, or a damaged one") from error
    return _blocks(file, account)


def _blocks(file: Any, account: Account) -> Iterator[Block]:
    builder = BlockBuilder()
    try:
        start = round(file.header.start_time.timestamp() * 10**6) * 1000
        streams = [_frames(file, index, start, account) for index in _groups(file, account)]
        for frame in heapq.merge(*streams, key=lambda one: one.time):
            builder.add(frame)
            if len(builder) >= _STEP:
                yield builder.take(0).counted(account.channels)
        if len(builder):
            yield builder.take(0).counted(account.channels)
    finally:
        file.close()


def _groups(file: Any, account: Account) -> list[int]:
    """Return the groups with data frames; count the records of the others."""
    chosen = []
    for index, group in enumerate(file.groups):
        names = {channel.name for channel in group.channels}
        records = int(group.channel_group.cycles_nr)
        if not records:
            continue
        if "CAN_DataFrame" in names:
            chosen.append(index)
        else:
            reason = next((reason for name, reason in _COUNTED.items() if name in names), None)
            other = next((name.partition("_")[0] for name in sorted(names) if name.endswith("Frame")), "")
            account.left_out[reason or (f"{other} frame" if other else "record without a frame")] += records
    return chosen


def _frames(file: Any, index: int, start: int, account: Account) -> Iterator[LogFrame]:
    for offset in range(0, int(file.groups[index].channel_group.cycles_nr), _CHUNK):
        chunk = file.get("CAN_DataFrame", index, record_offset=offset, record_count=_CHUNK, raw=False)
        samples = chunk.samples
        names = samples.dtype.names

        def column(name: str, default: int = 0, samples: Any = samples, names: Any = names) -> list[int]:
            whole = f"CAN_DataFrame.{name}"
            return samples[whole].astype(np.int64).tolist() if whole in names else [default] * len(samples)

        columns = ("ID", "IDE", "EDL", "BRS", "DataLength")
        rows = zip(*map(column, columns), column("BusChannel", 1), strict=True)
        payloads = samples["CAN_DataFrame.DataBytes"]
        for time, row, payload in zip(chunk.timestamps.tolist(), rows, payloads, strict=True):
            identifier, extended, fd, switch, length, channel = row
            data = bytes(payload[:length])
            try:
                if len(data) != length:
                    raise ValueError("fewer bytes than the length says")
                yield make_frame(
                    start + round(time * _SECOND), identifier & 0x1FFF_FFFF, data, str(channel),
                    extended=bool(extended) or identifier > 0x7FF, fd=bool(fd) or length > 8, switch=bool(switch),
                )  # fmt: skip
            except ValueError:
                account.left_out["record that cannot be read"] += 1
