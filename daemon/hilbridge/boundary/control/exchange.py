"""The datagrams between the control process and the tick process.

    to the tick      number | line             a command, checked and in its shortest form
                     number                    no one waits for this answer any more
                     0 | counter               clients turned away so far
                     0 | counter | text        the same, and what has happened to the file of the socket
    from the tick    number | 0 or 1 | piece   a piece of an answer; 1: the last one

Numbers have 32 bits, little-endian, and count the commands from 1 on.
"""

import struct
from typing import Final

REQUEST: Final = struct.Struct("<I")
COUNTER: Final = struct.Struct("<I")
ANSWER: Final = struct.Struct("<IB")

NOTICE: Final = 0
"""The number of a datagram that is no command."""

LONGEST_PIECE: Final = 32 << 10
"""[bytes] of an answer in one datagram; the kernel's buffer holds several of them."""
