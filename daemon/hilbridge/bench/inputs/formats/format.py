"""The contract of a serial format: which bytes end a packet, and which readings a packet holds.

To add a format: write its class in lines.py (text) or binary.py, name it in the table at the end of that file, and add
that name to `SerialInput.format` in files/settings/inputs.py. Its constructor takes the wanted fields and the settings
of the input.
"""

from collections.abc import Sequence
from typing import Final, Protocol, TypeAlias

from hilbridge.bench.inputs.signal_conditioner import Reading
from hilbridge.files.settings import SerialInput

Readings: TypeAlias = Sequence[Reading | None]
"""One reading per wanted field, None for a field that the packet does not hold."""

INCOMPLETE: Final = "incomplete"
"""The packet holds no wanted field, or not as many cells as columns."""
CHECKSUM: Final = "wrong_checksum"
"""The packet was damaged on its way."""

_LONGEST_QUOTE: Final = 40


class Format(Protocol):
    """A way to write readings."""

    ends: bytes
    """The bytes that end a packet, each by itself."""

    def decode(self, packet: bytes) -> Readings | None:
        """Return the readings of a packet without its end, None for one that is meant for others.

        Refused: the packet cannot be used.
        """


class TextFormat(Protocol):
    """A way to write readings as text, in a line or in a datagram."""

    def decode(self, packet: bytes) -> Readings:
        """Return the readings of a text. Refused: it cannot be used."""


class TextSettings(Protocol):
    """The keys of a text: the names of its columns."""

    @property
    def columns(self) -> list[str]: ...


class MakeFormat(Protocol):
    """The constructor of a format."""

    def __call__(self, fields: Sequence[str], settings: SerialInput) -> Format:
        """Make the format that reads these fields. ConfigurationError: the settings do not describe one of them."""


def shown(packet: bytes) -> str:
    """Quote the beginning of a packet for a message."""
    return repr(packet[:_LONGEST_QUOTE].decode("ascii", errors="replace"))
