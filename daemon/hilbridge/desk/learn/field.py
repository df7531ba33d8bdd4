"""The bits of a number in a frame: read out of all frames at once."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hilbridge.desk.learn.log import Payloads

Numbers = NDArray[np.int64]


class Field(NamedTuple):
    """Bits of a frame: `width` of them, the lowest is bit `shift` of byte `byte`.

    Wider ones go on upwards in the bytes behind it, or, if it is `big`, in those before it.
    """

    byte: int
    shift: int
    width: int
    big: bool = False

    def pieces(self) -> Iterator[tuple[int, int, int, int]]:
        """Yield (byte, its lowest bit, the number's bit there, bits) of each byte that it touches."""
        done, byte, shift = 0, self.byte, self.shift
        while done < self.width:
            bits = min(8 - shift, self.width - done)
            yield byte, shift, done, bits
            done, shift, byte = done + bits, 0, byte + (-1 if self.big else 1)

    def read(self, data: Payloads) -> Numbers:
        """Return the number of each frame."""
        result = np.zeros(len(data), np.int64)
        for byte, shift, done, bits in self.pieces():
            result |= (data[:, byte].astype(np.int64) >> shift & (1 << bits) - 1) << done
        return result

    def mask(self, length: int) -> NDArray[np.uint8]:
        """Return the bits that it takes of each byte of a frame."""
        taken = np.zeros(length, np.uint8)
        for byte, shift, _, bits in self.pieces():
            taken[byte] |= ((1 << bits) - 1) << shift
        return taken

    @property
    def whole_bytes(self) -> set[int]:
        """The bytes that it fills alone."""
        return {byte for byte, _, _, bits in self.pieces() if bits == 8}

    def fits(self, length: int) -> bool:
        """Return whether a frame of `length` bytes has all its bits."""
        return all(0 <= byte < length for byte, *_ in self.pieces())

    def touches(self, other: "Field") -> bool:
        """Return whether both have a bit in common."""
        mine = {(byte, shift + bit) for byte, shift, _, bits in self.pieces() for bit in range(bits)}
        return any((byte, shift + bit) in mine for byte, shift, _, bits in other.pieces() for bit in range(bits))

    def settings(self) -> dict[str, Any]:
        """Return it as a bench file has it."""
        if self.big and self.width > 8 - self.shift:
            byte, shift, _, bits = list(self.pieces())[-1]
            return {"bit": 8 * byte + shift + bits - 1, "width": self.width, "order": "big"}
        return {"bit": 8 * self.byte + self.shift, "width": self.width}

    def __str__(self) -> str:
        touched = sorted(byte for byte, *_ in self.pieces())
        if len(touched) > 1:
            return f"bytes {touched[0]} to {touched[-1]}{', Motorola' if self.big else ''}"
        if self.width == 8:
            return f"byte {self.byte}"
        if self.width == 1:
            return f"byte {self.byte}, bit {self.shift}"
        return f"byte {self.byte}, bits {self.shift} to {self.shift + self.width - 1}"


def distinct(data: Payloads) -> NDArray[np.intp]:
    """Return the index of the first frame of each different payload, in the order of the log."""
    count, length = data.shape
    if length == 0:
        return np.zeros(min(count, 1), np.intp)
    padded = np.zeros((count, -(-length // 8) * 8), np.uint8)
    padded[:, :length] = data
    words = padded.view(np.uint64)
    keys = words[:, 0] if words.shape[1] == 1 else padded.view(f"V{padded.shape[1]}")[:, 0]
    _, first = np.unique(keys, return_index=True)
    return np.sort(first)
