"""Sizes of packets, and bounds of what a master may allocate: told to masters, and in A2L files."""

from typing import Final

MAX_CTO: Final = 248
"""[byte] of a command or its answer."""

MAX_DTO: Final = 1400
"""[byte] of a packet with values: one Ethernet frame."""

MOST_LISTS: Final = 64
"""DAQ lists."""

LARGEST_ENTRY: Final = 255
"""[byte] of an entry of a DAQ list."""
