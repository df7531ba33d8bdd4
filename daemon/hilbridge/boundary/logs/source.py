"""The bytes of a log: as they are in the file, or unpacked from gzip, bzip2 or xz, piece by piece and bounded."""

import bz2
import lzma
import zlib
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, Final

from hilbridge.boundary.logs.account import LogError

_PIECE: Final = 1 << 20

_MOST_RATIO: Final = 300
"""Times that a packed log may grow; logs of a bus at rest grow a hundredfold."""

_ALLOWED: Final = 64 << 20
"""[byte] that a packed file may become in any case."""

_GZIP: Final = 31
"""zlib's `wbits` for gzip with its head."""

_ZSTD: Final = b"\x28\xb5\x2f\xfd"


class Source:
    """A log file. `head`: its first bytes, unpacked; `position`: bytes of the file that were read.

    `damage`: a description of what is wrong with the packed file; `taken`: bytes that `read` has handed out.

    A packed file that is cut off or damaged gives what is whole of it. LogError: packed as nothing here can unpack, or
    it becomes too large.
    """

    def __init__(self, path: Path) -> None:
        self.position = 0
        self.taken = 0
        self.damage = ""
        self.packed = ""
        self._path: Final = path
        self._size: Final = path.stat().st_size
        self._pieces = self._unpacked()
        self.head = next(self._pieces, b"")
        self._rest = self.head

    def pieces(self) -> Iterator[bytes]:
        """Yield all bytes, in pieces of about a mebibyte."""
        if self._rest:
            yield self._rest
        self._rest = b""
        yield from self._pieces

    def read(self, size: int) -> bytes:
        """Return the next bytes, fewer at the end."""
        parts = [self._rest]
        have = len(self._rest)
        while have < size and (piece := next(self._pieces, b"")):
            parts.append(piece)
            have += len(piece)
        whole = b"".join(parts)
        self._rest = whole[size:]
        self.taken += len(whole) - len(self._rest)
        return whole[:size]

    def close(self) -> None:
        """Close the file."""
        self._pieces.close()

    def _unpacked(self) -> Generator[bytes, None, None]:
        with self._path.open("rb") as file:
            piece = file.read(_PIECE)
            unpacker = self._unpacker(piece)
            if unpacker is None:
                while piece:
                    self.position += len(piece)
                    yield piece
                    piece = file.read(_PIECE)
                return
            made = 0
            while piece:
                self.position += len(piece)
                while piece or not (unpacker.eof or getattr(unpacker, "needs_input", True)):
                    try:
                        out, piece, unpacker = _step(unpacker, piece)
                    except (zlib.error, OSError, lzma.LZMAError, EOFError):
                        self.damage = f"the packed file is damaged before its byte {self.position}"
                        return
                    made += len(out)
                    if made > _MOST_RATIO * self._size + _ALLOWED:
                        raise LogError(f"it unpacks to more than {_MOST_RATIO} times its size")
                    if out:
                        yield out
                piece = file.read(_PIECE)
            if not unpacker.eof:
                self.damage = "the packed file is cut off"

    def _unpacker(self, begin: bytes) -> Any:
        if begin[:2] == b"\x1f\x8b":
            self.packed = "gzip"
            return zlib.decompressobj(_GZIP)
        if begin[:3] == b"BZh":
            self.packed = "bzip2"
            return bz2.BZ2Decompressor()
        if begin[:6] == b"\xfd7zXZ\x00":
            self.packed = "xz"
            return lzma.LZMADecompressor(memlimit=256 << 20)
        if begin[:4] == _ZSTD:
            raise LogError("it is packed by zstd: unpack it first (`zstd -d`)")
        if begin[:4] == b"PK\x03\x04":
            raise LogError("it is a zip archive: unpack it first")
        return None


def _step(unpacker: Any, piece: bytes) -> tuple[bytes, bytes, Any]:
    """Unpack up to a piece; return it, what is left of the input, and what unpacks that: of the next member."""
    if unpacker.eof:
        if not piece.strip(b"\x00"):
            return b"", b"", unpacker
        kind = type(unpacker)
        unpacker = zlib.decompressobj(_GZIP) if kind not in (bz2.BZ2Decompressor, lzma.LZMADecompressor) else kind()
    out = unpacker.decompress(piece, _PIECE)
    left = unpacker.unused_data if unpacker.eof else getattr(unpacker, "unconsumed_tail", b"")
    return out, left, unpacker
