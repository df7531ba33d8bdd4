"""What the check of a reload hands to the tick process, in a memfd, to be taken a part at a time.

    lengths [byte] of the buffers | number of messages | message ... | Candidate | buffer ...

All but the buffers is pickled. The messages of the databases come one by one; the candidate, which holds them, follows
as little more than references. Buffers (the frames of rest buses) stay where they are: the memory is mapped.
"""

import io
import os
import pickle
from mmap import ACCESS_READ, mmap
from typing import NamedTuple

from hilbridge.bench.bench_files import BenchFiles
from hilbridge.common.incremental import Parts
from hilbridge.observe.bench_archive import ArchivePlace


class Candidate(NamedTuple):
    """A bench that can be built. `place`: of its files, in the dossier of the run."""

    bench_files: BenchFiles
    place: ArchivePlace


def hand_over(candidate: Candidate | str, descriptor: int) -> None:
    """Writes it into an empty memfd; or the words of what is wrong."""
    buffers: list[pickle.PickleBuffer] = []
    content = io.BytesIO()
    pickler = pickle.Pickler(content, pickle.HIGHEST_PROTOCOL, buffer_callback=buffers.append)
    messages = [] if isinstance(candidate, str) else _messages(candidate.bench_files)
    pickler.dump(len(messages))
    for message in messages:
        pickler.dump(message)
    pickler.dump(candidate)
    with os.fdopen(descriptor, "wb", closefd=False) as memory:
        pickle.dump([buffer.raw().nbytes for buffer in buffers], memory, pickle.HIGHEST_PROTOCOL)
        memory.write(content.getbuffer())
        for buffer in buffers:
            memory.write(buffer.raw())


def take(descriptor: int) -> Parts[Candidate | str]:
    """Reads what was handed over, message by message. EOFError: nothing was."""
    with os.fdopen(os.dup(descriptor), "rb") as memory:
        memory.seek(0)
        lengths: list[int] = pickle.load(memory)  # noqa: S301 - of a child of ours, in memory that only it has
        unpickler = pickle.Unpickler(memory, buffers=_mapped(descriptor, lengths))  # noqa: S301
        for _ in range(unpickler.load()):
            unpickler.load()
            yield
        candidate: Candidate | str = unpickler.load()
    return candidate


def _messages(bench_files: BenchFiles) -> list[object]:
    return [message for database in bench_files.databases.values() for message in database.messages]


def _mapped(descriptor: int, lengths: list[int]) -> list[memoryview]:
    """The buffers, which are the end of the memory."""
    if not lengths:
        return []
    whole = memoryview(mmap(descriptor, 0, access=ACCESS_READ))
    ends = [len(whole) - sum(lengths[i + 1 :]) for i in range(len(lengths))]
    return [whole[end - length : end] for end, length in zip(ends, lengths, strict=True)]
