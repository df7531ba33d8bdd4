"""A memory for the tests of this folder."""

from typing import Any

from hilbridge.bench.diagnostics.uds.memory import Memory, MemoryRegion
from hilbridge.files.settings.uds_memory import MemorySettings


def region(address: int, content: str, **options: Any) -> MemoryRegion:
    settings = MemorySettings(address=address, data=content, **options)
    return MemoryRegion(address, bytes.fromhex(content), settings)


def memory() -> Memory:
    """Open RAM, RAM behind level 1, flash, a place that nobody reads."""
    return Memory(
        (
            region(0x1000, "00112233445566778899", write=True),
            region(0x2000, "CAFE", write=True, security=1),
            region(0x3000, "DEADBEEF", flash=True),
            region(0x4000, "55", read=False),
        )
    )
