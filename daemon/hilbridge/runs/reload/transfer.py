"""The result of the check of a reload, handed to the tick process in a memfd.

    lengths [byte] of the buffers | Candidate or reason | buffer ...

All but the buffers is pickled. Buffers (the frames of rest buses) are not copied: the reader maps the memory.
"""

import os
import pickle
from mmap import ACCESS_READ, mmap
from typing import NamedTuple

from hilbridge.bench.bench_files import BenchFiles
from hilbridge.boundary.observe.bench_archive import ArchivePlace


class Candidate(NamedTuple):
    """A checked bench file, and the place of its files in the archive of the run."""

    bench_files: BenchFiles
    place: ArchivePlace


def write(result: Candidate | str, descriptor: int) -> None:
    """Write a candidate, or the reason why there is none, into an empty memfd."""
    buffers: list[pickle.PickleBuffer] = []
    content = pickle.dumps(result, pickle.HIGHEST_PROTOCOL, buffer_callback=buffers.append)
    with os.fdopen(descriptor, "wb", closefd=False) as memory:
        pickle.dump([buffer.raw().nbytes for buffer in buffers], memory, pickle.HIGHEST_PROTOCOL)
        memory.write(content)
        for buffer in buffers:
            memory.write(buffer.raw())


def read(descriptor: int) -> Candidate | str:
    """Read what `write` wrote. EOFError: nothing was written."""
    with os.fdopen(os.dup(descriptor), "rb") as memory:
        memory.seek(0)
        lengths: list[int] = pickle.load(memory)  # noqa: S301 - written by a child of this process, in private memory
        result: Candidate | str = pickle.load(memory, buffers=_mapped(descriptor, lengths))  # noqa: S301
    return result


def _mapped(descriptor: int, lengths: list[int]) -> list[memoryview]:
    """Map the buffers, which are the end of the memory."""
    if not lengths:
        return []
    whole = memoryview(mmap(descriptor, 0, access=ACCESS_READ))
    ends = [len(whole) - sum(lengths[i + 1 :]) for i in range(len(lengths))]
    return [whole[end - length : end] for end, length in zip(ends, lengths, strict=True)]
