"""Sizes of packets, and bounds of what a master may allocate: told to masters, and in A2L files."""

from typing import Final, NamedTuple

from hilbridge.base.common.units import MICROSECOND


class PacketLayout(NamedTuple):
    """The packets of a transport layer; `most_command`, `most_data` [byte]: of a command or its answer, and of values.

    A packet with values begins with the number of its ODT and that of its list, a byte each; where `is_absolute`, with
    the number of the ODT among those of all lists. The first of a list has the time, `stamp` bytes in `unit` [ns].
    """

    most_command: int
    most_data: int
    is_absolute: bool
    stamp: int
    unit: int

    @property
    def head(self) -> int:
        """[byte] before the time or the values."""
        return 1 if self.is_absolute else 2


ETHERNET: Final = PacketLayout(248, 1400, is_absolute=False, stamp=4, unit=MICROSECOND)
"""A packet with values fits into one Ethernet frame."""

CAN: Final = PacketLayout(8, 8, is_absolute=True, stamp=2, unit=100 * MICROSECOND)
"""A frame with the time has room for one entry, as the others have."""

MOST_LISTS: Final = 64
"""DAQ lists."""

LARGEST_ENTRY: Final = 255
"""[byte] of an entry of a DAQ list."""

LARGEST_STIM_ENTRY: Final = 252
"""[byte] of an entry of a STIM list, which consists of whole entries of the data bus."""
