"""A checksum that a Python function of the user calculates: `module:function`.

    def checksum(data: bytes, identifier: int, count: int) -> int

gets the frame with the checksum's bits at 0, the identifier without flag bits and the number of the counter (0 without
one). The module is found as Python finds any other, on PYTHONPATH for instance. What the function raises while
frames are sent is its own failure and must not end the bridge: the checksum is 0 then, and it is counted.
"""

from typing import Final

from hilbridge.codec.frame import EXTENDED_MASK
from hilbridge.common.errors import ConfigurationError, KeyPath
from hilbridge.common.user_function import imported
from hilbridge.protection.position import Position


class Hook:
    """Calls the function. `failures` counts what it raised, or returned that is no whole number."""

    def __init__(self, name: str, position: Position, can_id: int, length: int, place: KeyPath) -> None:
        """ConfigurationError: no such module or function, or one that fails on a frame of zeros."""
        self.failures = 0
        self._function: Final = imported(name, place)
        self._identifier: Final = can_id & EXTENDED_MASK
        self._position: Final = position
        self(bytes(length), 0)
        if self.failures:
            raise ConfigurationError(f"{name} makes no whole number of {length} bytes of 0", place)

    def __call__(self, data: bytes | bytearray, number: int) -> int:
        """The checksum of a frame."""
        blank = bytearray(data)
        self._position.write(blank, 0)
        try:
            return int(self._function(bytes(blank), self._identifier, number).__index__())
        except Exception:  # noqa: BLE001 - a function of the user may raise anything
            self.failures += 1
            return 0
