"""The things that a master may change, where the bench file lets it write: inputs, and the parameters of the engine."""

from typing import NamedTuple

from hilbridge.bench.xcp.memory_map import MemoryMap
from hilbridge.faces.xcp.calibration import Calibration
from hilbridge.faces.xcp.packets import Error, XcpError
from hilbridge.faces.xcp.pages import Pages


class Writing(NamedTuple):
    """The inputs and the pages of one bench; `pages`: None where it has no engine."""

    inputs: Calibration
    pages: Pages | None = None

    def begin(self, master: str) -> None:
        """Begin the session of a master."""
        self.inputs.begin(master)
        if self.pages is not None:
            self.pages.begin()

    def renew(self) -> None:
        """Hold what the master has written; take over what others have made of the engine."""
        self.inputs.renew()
        if self.pages is not None:
            self.pages.refresh()

    def read(self, address: int, length: int) -> bytes | None:
        """Return a range of the calibration segment; None: it lies elsewhere."""
        return None if self.pages is None else self.pages.read(address, length)

    def write(self, memory_map: MemoryMap, address: int, data: bytes) -> int:
        """Write a range of memory; return the number of values. XcpError: it may not be written, or not so."""
        count = None if self.pages is None else self.pages.write(address, data)
        if count is not None:
            return count
        entries = memory_map.entries_at(address, len(data))
        if entries is None:
            raise XcpError(Error.ACCESS_DENIED)
        self.inputs.write(entries, data)
        return len(entries)
