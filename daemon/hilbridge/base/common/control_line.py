"""The limit of a command on the control socket, which the daemon and its clients keep."""

from typing import Final

LONGEST_LINE: Final = 64 << 10
"""[bytes] of one command, its end included; a tick has no time for more."""
