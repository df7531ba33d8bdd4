"""Telegrams of a serial bus to bytes, and bytes to telegrams that are believed.

    length byte = bytes of the data + length_adds
    checksum    = exclusive or, or sum modulo 256, of all bytes before it

Between telegrams there is no mark. A telegram begins where the bytes from there on make one with its checksum; a byte
where none begins is skipped, and counted once for each run of them.
"""

from collections.abc import Iterator
from typing import Final

from hilbridge.files.settings.lines import MOST_DATA, Telegram, TelegramLine


class Layout:
    """The layout of a line's telegrams."""

    def __init__(self, settings: TelegramLine) -> None:
        self._order: Final = tuple(settings.order)
        self._adds: Final = settings.length_adds
        self._place: Final = settings.order.index("length")
        self._others: Final = len(settings.order) - 1  # bytes of a telegram without its data
        self.check: Final = exclusive_or if settings.checksum == "xor" else total

    def encode(self, telegram: Telegram, data: bytes) -> bytes:
        """Return a telegram with its length and its checksum."""
        parts = {
            "source": bytes([telegram.source]),
            "destination": bytes([telegram.destination]),
            "length": bytes([len(data) + self._adds]),
            "data": data,
        }
        sent = b"".join(parts[part] for part in self._order[:-1])
        return sent + bytes([self.check(sent)])

    def size(self, heard: bytes) -> int | None:
        """Return how long the telegram is that begins here: 0: none can; None: not enough was heard to say."""
        if len(heard) <= self._place:
            return None
        data = heard[self._place] - self._adds
        return data + self._others if 1 <= data <= MOST_DATA else 0


class Splitter:
    """The bytes of a line that are not yet a telegram. `damaged` counts runs of bytes without one."""

    def __init__(self, layout: Layout) -> None:
        self.damaged = 0
        self._layout: Final = layout
        self._heard = b""
        self._is_lost = False  # in a run of bytes that are no telegram

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Take bytes; yield each telegram, without its checksum."""
        heard = self._heard + data
        while heard:
            size = self._layout.size(heard)
            if size is None or size > len(heard):
                break
            if size and self._layout.check(heard[: size - 1]) == heard[size - 1]:
                self._is_lost = False
                yield heard[: size - 1]
                heard = heard[size:]
            else:
                heard = self._skipped(heard)
        self._heard = heard

    def silence(self) -> Iterator[bytes]:
        """Take a silence: what was begun will not be completed; yield telegrams that were behind its first byte."""
        while self._heard:
            rest, self._heard = self._skipped(self._heard), b""
            yield from self.feed(rest)
        self._is_lost = False

    @property
    def is_empty(self) -> bool:
        """Whether no telegram was begun."""
        return not self._heard

    def _skipped(self, heard: bytes) -> bytes:
        self.damaged += not self._is_lost
        self._is_lost = True
        return heard[1:]


def exclusive_or(data: bytes) -> int:
    """Return the exclusive or of bytes."""
    whole, width = int.from_bytes(data, "little"), 1024
    while width >= 8:  # the upper half upon the lower one, down to a byte: no loop over bytes in the tick
        whole = (whole >> width) ^ (whole & ((1 << width) - 1))
        width //= 2
    return whole


def total(data: bytes) -> int:
    """Return the sum of bytes modulo 256."""
    return sum(data) & 0xFF
