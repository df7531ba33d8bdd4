"""The memory between the tick and the XCP process: a ring of samples, and 64-bit cells for what is wanted and counted.

    offset 0     number of the newest sample, written by the tick
    64           cells of the XCP process: CELLS, in their order
    4096         the ring: SLOTS samples, so many ticks may pass until one is overwritten

The tick writes a sample of constant size while a master is connected, whatever the master asks for, and reads nothing
but numbers: no byte of a master reaches it.
"""

import fcntl
import mmap
import os
from typing import Final, Self

from hilbridge.base.common.errors import LinkError
from hilbridge.bench.xcp.memory_map import SAMPLE
from hilbridge.boundary.observe.rings import allocated
from hilbridge.boundary.observe.snapshot_ring import SnapshotRing, size_of

SLOTS: Final = 4096
"""Samples in the ring: four seconds at 1 kHz."""

COUNTERS: Final = ("commands", "errors", "refused", "ignored", "sent", "overruns", "written", "stimulated", "late")
"""The counters of the process:

| counter | counts |
|---|---|
| commands | commands of the connected master |
| errors | those that were answered by an error, and values of STIM lists that the bench has refused |
| refused | connections and CONNECTs of further masters, of strangers, and wrong keys |
| ignored | bytes that are no packets, packets of others than the master, of any on a CAN bus that is not armed, and of
STIM lists where they are no values within the limits |
| sent | samples of DAQ lists |
| overruns | samples of DAQ lists that the master did not get |
| written | values that it has changed |
| stimulated | STIM lists whose values the bench got at their event |
| late | events of STIM lists that had no values, or for which the bench had no time |
"""

CELLS: Final = ("wanted", "lists", *COUNTERS, "armed")
"""`wanted`: 1 while a master is connected; `lists`: DAQ lists that run; `armed`: 1 while the slave may send on CAN."""

_CELLS: Final = 64
_RING: Final = 4096
_SIZE: Final = _RING + size_of(SAMPLE.size, SLOTS)
_SEALS: Final = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL


class SampleMemory:
    """Both ends of the memory: made by `create`, found again through its descriptor."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor: Final = descriptor
        self._map: Final = mmap.mmap(descriptor, _SIZE, flags=mmap.MAP_SHARED | mmap.MAP_POPULATE)
        whole = memoryview(self._map)
        cells = whole[:_RING].cast("Q")
        ring = whole[_RING:_SIZE]
        number = cells[:1]
        self._cells: Final = cells[_CELLS // 8 : _CELLS // 8 + len(CELLS)]
        self.ring: Final = SnapshotRing(ring, number, SAMPLE.size, SLOTS)
        self._views: Final = (self._cells, number, ring, cells, whole)

    @classmethod
    def create(cls) -> Self:
        """Create the memory, whose size no one can change. LinkError: the machine has none."""
        try:
            descriptor = allocated(_SIZE, "hilbridge-xcp")
            try:
                fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _SEALS)
                return cls(descriptor)
            except BaseException:
                os.close(descriptor)
                raise
        except OSError as error:
            raise LinkError(f"no {_SIZE / 1e6:.1f} MB of shared memory: {error.strerror}") from error

    @property
    def is_wanted(self) -> bool:
        """Whether samples are read at present."""
        return bool(self._cells[0])

    def read(self, cell: str) -> int:
        """Return the number in a cell."""
        number: int = self._cells[CELLS.index(cell)]
        return number

    def write(self, cell: str, number: int) -> None:
        """Put a number into a cell."""
        self._cells[CELLS.index(cell)] = number

    def count(self, cell: str, number: int = 1) -> None:
        """Add to a cell, of which the process is the only writer."""
        self._cells[CELLS.index(cell)] += number

    def reset(self) -> None:
        """Want nothing: the process has ended, or has no master."""
        self.write("wanted", 0)
        self.write("lists", 0)

    def close(self) -> None:
        """Unmap the memory; no part of it may be used afterwards."""
        for view in self._views:
            view.release()
        self._map.close()
        os.close(self.descriptor)
