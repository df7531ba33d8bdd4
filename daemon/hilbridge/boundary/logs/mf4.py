"""ASAM MDF 4 with CAN bus logging, read by asammdf: data frames of all groups in the order of their times.

Groups of other buses, and such with signals in place of frames, are counted by their records.

Loggers write the description of the records first and count them at the end, or never: the first block of the file
says so (`UnFinMF`), and asammdf counts what is there. A file that was finished and then cut off is read in the same
way, from a copy that says so. One whose description lay behind its records has lost it.
"""

import heapq
import io
import shutil
import struct
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, Final

import numpy as np

from hilbridge.base.common.remedies import extra_remedy
from hilbridge.boundary.logs.account import ERROR_FRAME, REMOTE_FRAME, Account, LogError
from hilbridge.boundary.logs.frames import Block, BlockBuilder, LogFrame, make_frame

_CHUNK: Final = 4096
_STEP: Final = 8192
_SECOND: Final = 10**9
_COUNTED: Final = {"CAN_ErrorFrame": ERROR_FRAME, "CAN_RemoteFrame": REMOTE_FRAME}

_FINISHED: Final = b"MDF     "
_UNFINISHED: Final = b"UnFinMF "
_FLAGS: Final = 60
_TO_COUNT: Final = 0x01 | 0x04
"""Block IDBLOCK of ASAM MDF 4.1: its first 8 bytes, and the flags of what is not final at byte 60: numbers of records
(bit 0) and the length of the last data block (bit 2)."""
_HEADER: Final = 64
"""Place of HDBLOCK."""
_HEAD: Final = 24
"""[bytes] Name, length and number of links of every block; its links follow."""


def read_mf4(path: Path, account: Account) -> Iterator[Block]:
    """Yield the data frames of an MDF 4 file. LogError: asammdf is not installed, or cannot read it."""
    account.format = "MF4"
    try:
        from asammdf import MDF
    except ImportError:
        raise LogError(f"MF4 files need a package: {extra_remedy('mf4')}") from None
    with ExitStack() as opened:
        source: Any = opened.enter_context(path.open("rb"))
        head = source.read(len(_UNFINISHED))
        if head not in (_FINISHED, _UNFINISHED):
            raise LogError("this is no MF4 file")
        try:
            ends = _ends(source, head == _UNFINISHED)
            if ends or head == _UNFINISHED:
                source = opened.enter_context(_counting_copy(source, ends))
            source.seek(0)
            file: Any = MDF(source)
        except Exception as error:  # asammdf raises what its parts raise
            raise LogError("it is damaged, or cut off before the description of its records") from error
        if head == _UNFINISHED:
            account.notes.append("its logger did not finish it: whole records are counted as they lie there")
        elif ends:
            account.cut = "it was cut off: records after the cut, or the one within it, are missing"
        yield from _blocks(file, account)


def _ends(file: IO[bytes], unfinished: bool) -> dict[int, int]:
    """Return the blocks of records that the end of the file ends, by their places: the length [bytes] of each.

    Whole records alone count, where all of a block are of one length: asammdf does not end with a part of one.
    """
    size = file.seek(0, io.SEEK_END)
    ends = {}
    for place, record in _record_blocks(file):
        name, length = _unpacked(file, "<4s4xQ", place)
        if name == b"##DT" and (place + length > size or (unfinished and length == _HEAD)):
            ends[place] = size - place - (size - place - _HEAD) % record
    return ends


def _record_blocks(file: IO[bytes]) -> Iterator[tuple[int, int]]:
    """Yield where the records of each data group begin, and the length of one [bytes]; 1: they are of several lengths.

        HDBLOCK -> DGBLOCK -> next DGBLOCK ...    DGBLOCK -> CGBLOCK, and the block of records

    struct.error: the file ends before that.
    """
    place, seen = _unpacked(file, "<Q", _HEADER + _HEAD)[0], set[int]()
    while place and place not in seen:
        seen.add(place)
        following, group, data, _, identified = _unpacked(file, "<4QB", place + _HEAD)
        if data:
            another, length, invalidation = _unpacked(file, "<Q64xII", group + _HEAD)
            yield data, 1 if another or identified else max(1, length + invalidation)
        place = following


def _unpacked(file: IO[bytes], form: str, place: int) -> tuple[Any, ...]:
    file.seek(place)
    return struct.unpack(form, file.read(struct.calcsize(form)))


def _counting_copy(source: IO[bytes], ends: Mapping[int, int]) -> IO[bytes]:
    """Return a copy, without a name, with these lengths of blocks, which says that its records are to be counted."""
    copy = tempfile.TemporaryFile()  # noqa: SIM115 - asammdf reads it
    source.seek(0)
    shutil.copyfileobj(source, copy)
    if ends:
        copy.truncate(max(place + length for place, length in ends.items()))
    flags = _unpacked(source, "<H", _FLAGS)[0] | _TO_COUNT
    patches = {0: _UNFINISHED, _FLAGS: struct.pack("<H", flags)}
    patches |= {place + 8: struct.pack("<Q", length) for place, length in ends.items()}
    for place, patch in patches.items():
        copy.seek(place)
        copy.write(patch)
    return copy


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
