"""The memory of a control unit: regions with what they hold, how testers reach them, and what is kept over restarts.

It is not the memory of this computer. Every place that a tester names lies inside one region:

    addressAndLengthFormat   one byte: sizes of length (upper half) and address (lower half) in bytes
    address, length          in these sizes, high byte first

What differs from the content of the bench file is kept in pieces of 16 KiB: only pieces that have changed since are
stored again. A region of flash is `valid` while it holds a complete image.
"""

import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.bench.diagnostics.refusal import INCORRECT_LENGTH, REQUEST_OUT_OF_RANGE, Refusal
from hilbridge.bench.diagnostics.uds.dids import ConstantIdentifier, Identifiers
from hilbridge.bench.diagnostics.uds.memory_file import Segment
from hilbridge.files.settings.uds_memory import LARGEST, MemorySettings

PIECE: Final = 16 * 1024
"""[byte] What is stored at once; it fits into an event of the ring."""

_SLICE: Final = 64 * 1024
"""[byte] What is erased in one tick, in some 20 µs."""

Piece = str | int
"""A piece as JSON: its bytes in base 64, or the one byte of which all of it consists."""

_LENGTH_SIZES: Final = range(1, 5)
_ADDRESS_SIZES: Final = range(1, 6)


class MemoryRegion:
    """A region of memory with content of its own.

    `security` is the level for reading, `writing_level` for writing; `valid` means that flash holds a complete image.
    `check`: CRC-32 of its content in the bench file.
    """

    def __init__(self, address: int, content: bytes, settings: MemorySettings) -> None:
        self.address: Final = address
        self.length: Final = len(content)
        self.initial: Final = content
        self.check: Final = zlib.crc32(content)
        self.content: Final = bytearray(content)
        self.readable: Final = settings.read
        self.writable: Final = settings.write
        self.flash: Final = settings.flash
        self._erased: Final = bytes((settings.fill,)) * _SLICE
        self.security: Final = settings.security
        self.writing_level: Final = settings.writing_level
        self.valid = True
        self.changed: Final[dict[int, None]] = {}  # pieces by number, in the order in which they changed

    def read(self, start: int, length: int) -> bytes:
        """Return the bytes from `start`, counted from the beginning of the region."""
        return bytes(self.content[start : start + length])

    def write(self, start: int, data: bytes) -> None:
        """Replace the bytes from `start` on; they lie inside the region."""
        self.content[start : start + len(data)] = data
        for number in range(start // PIECE, (start + len(data) - 1) // PIECE + 1):
            self.changed[number] = None

    def erase(self, start: int, length: int) -> Iterator[None]:
        """Fill a part of the region, a slice with each step."""
        for begin in range(start, start + length, _SLICE):
            self.write(begin, self._erased[: start + length - begin])
            yield

    def pieces(self) -> range:
        """Return where each piece begins, counted from the beginning of the region."""
        return range(0, self.length, PIECE)

    def is_erased(self, start: int, length: int) -> bool:
        """Return whether a part of the region holds nothing but its fill."""
        end = start + length
        return all(
            self.content[begin : min(begin + _SLICE, end)] == self._erased[: end - begin]
            for begin in range(start, end, _SLICE)
        )


class IdentifierRegion(MemoryRegion):
    """A region that shows the bytes of a data identifier; it can only be read."""

    def __init__(self, address: int, identifier: ConstantIdentifier, settings: MemorySettings) -> None:
        super().__init__(address, identifier.data, settings)
        self._identifier: Final = identifier

    def read(self, start: int, length: int) -> bytes:
        return self._identifier.read()[start : start + length]


class Place(NamedTuple):
    """A part of a region. `start` counts from the beginning of the region."""

    region: MemoryRegion
    start: int
    length: int


class Memory:
    """All regions of a control unit, none on top of another.

    `changes` counts what is worth storing, `application` is False while flash was erased and not found valid since.
    """

    def __init__(self, regions: Sequence[MemoryRegion]) -> None:
        self.regions: Final = tuple(regions)
        self.changes = 0
        self.application = True

    def only_place(self, request: bytes) -> Place:
        """Return the place that a request names. Refusal: as `place_of` and `find`, and for further bytes (13)."""
        address, length, rest = place_of(request)
        if rest:
            raise Refusal(INCORRECT_LENGTH)
        return self.find(address, length)

    def find(self, address: int, length: int) -> Place:
        """Return a place. Refusal: it lies not inside one region, or has no byte (31)."""
        for region in self.regions:
            start = address - region.address
            if 0 <= start < start + length <= region.length:
                return Place(region, start, length)
        raise Refusal(REQUEST_OUT_OF_RANGE)

    @property
    def flash(self) -> list[MemoryRegion]:
        """The regions of flash."""
        return [region for region in self.regions if region.flash]

    def invalidate(self, region: MemoryRegion) -> None:
        """Note that a region of flash is being changed, so that there is no application any more."""
        region.valid = self.application = False
        self.changes += 1

    # -- kept over restarts -----------------------------------------------------------------------------------

    def export(self) -> dict[str, Any]:
        """Return as JSON data what is known of the regions, without their pieces."""
        return {
            "application": self.application,
            "regions": {
                _key(region.address): {"initial": region.check, "valid": region.valid}
                for region in self.regions
                if region.flash or region.writable
            },
        }

    def changed_piece(self) -> tuple[str, Piece | None] | None:
        """Return a piece that is to be stored, by the address of its first byte; None: no piece has changed.

        The piece is None if it is again as the bench file gives it.
        """
        for region in self.regions:
            for number in region.changed:
                begin = number * PIECE
                data = region.content[begin : begin + PIECE]
                key = _key(region.address + begin)
                if data == region.initial[begin : begin + PIECE]:
                    return key, None
                alike = data.count(data[0]) == len(data)
                return key, data[0] if alike else b64encode(data).decode("ascii")
        return None

    def piece_stored(self) -> None:
        """Go on to the next piece of `changed_piece`."""
        for region in self.regions:
            for number in region.changed:
                del region.changed[number]
                return

    def store_all(self) -> None:
        """Count all pieces that differ from the bench file as changed: they may not have been stored."""
        for region in self.regions:
            for begin in region.pieces():
                if region.content[begin : begin + PIECE] != region.initial[begin : begin + PIECE]:
                    region.changed[begin // PIECE] = None

    def restore(self, kept: Any) -> None:
        """Restore `known`, which `export` returned, and `pieces` by address, each from `changed_piece`.

        A region with other content in the bench file than before is left out. ValueError, TypeError, KeyError: the data
        cannot be used; nothing has changed then.
        """
        known, pieces = kept["known"], kept["pieces"]
        regions = {
            region: known["regions"][_key(region.address)]["valid"] is True
            for region in self.regions
            if known["regions"].get(_key(region.address), {}).get("initial") == region.check
        }
        contents = [(region, begin, _stored(pieces, region, begin)) for region in regions for begin in region.pieces()]
        for region, begin, content in contents:
            region.content[begin : begin + len(content)] = content
        for region, valid in regions.items():
            region.valid = valid
        if all(region in regions for region in self.flash):
            self.application = known["application"] is True

    def take_over(self, before: "Memory") -> None:
        """Keep the content of another memory, as far as its regions are the same."""
        kept = {(region.address, region.length, region.check): region for region in before.regions}
        for region in self.regions:
            old = kept.get((region.address, region.length, region.check))
            if old is not None:
                region.content[:] = old.content
                region.valid = old.valid
                region.changed.update(old.changed)
        self.application = before.application


def place_of(request: bytes) -> tuple[int, int, bytes]:
    """Return the address and length that a request begins with, and what follows them.

    Refusal: there is no such format (31), or half of it is missing (13).
    """
    if not request:
        raise Refusal(INCORRECT_LENGTH)
    length_size, address_size = divmod(request[0], 16)
    if length_size not in _LENGTH_SIZES or address_size not in _ADDRESS_SIZES:
        raise Refusal(REQUEST_OUT_OF_RANGE)
    middle = 1 + address_size
    end = middle + length_size
    if len(request) < end:
        raise Refusal(INCORRECT_LENGTH)
    return int.from_bytes(request[1:middle], "big"), int.from_bytes(request[middle:end], "big"), request[end:]


def build_memory(
    settings: Sequence[MemorySettings],
    identifiers: Identifiers,
    images: Mapping[str, Sequence[Segment]],
    place: KeyPath,
) -> Memory:
    """Return the memory. `images`: what the files hold that the settings name.

    ConfigurationError: two regions overlap, one refers to an identifier without bytes of its own, or to a file without
    bytes for it, or they are too large.
    """
    regions: list[MemoryRegion] = []
    for index, one in enumerate(settings):
        here = (*place, index)
        if one.identifier is not None:
            region: MemoryRegion = _identifier_region(one, identifiers, here)
        else:
            region = MemoryRegion(*_content(one, images, here), one)
        if any(
            region.address < other.address + other.length and other.address < region.address + region.length
            for other in regions
        ):
            raise ConfigurationError("overlaps with an earlier piece", (*here, "address"))
        regions.append(region)
        if sum(other.length for other in regions) > LARGEST:
            raise ConfigurationError(f"the memory is larger than {LARGEST >> 20} MiB in all", here)
    return Memory(regions)


def _identifier_region(settings: MemorySettings, identifiers: Identifiers, place: KeyPath) -> IdentifierRegion:
    identifier = identifiers.find(int(settings.identifier or "", 16))
    if not isinstance(identifier, ConstantIdentifier) or settings.address is None:
        raise ConfigurationError("is no identifier with 'text' or 'data'", (*place, "identifier"))
    return IdentifierRegion(settings.address, identifier, settings)


def _content(settings: MemorySettings, images: Mapping[str, Sequence[Segment]], place: KeyPath) -> tuple[int, bytes]:
    """Return address and content of a region."""
    segments = images[settings.image] if settings.image is not None else [Segment(settings.address, settings.content)]
    if settings.address is None and segments[0].address is None:
        raise ConfigurationError("is missing: a file of plain bytes has none", (*place, "address"))
    placed = [(settings.address or 0 if one.address is None else one.address, one.data) for one in segments]
    begin = placed[0][0] if settings.address is None else settings.address
    end = max(address + len(data) for address, data in placed) if settings.length is None else begin + settings.length
    if not 0 < end - begin <= LARGEST:
        raise ConfigurationError(f"has {end - begin} bytes from {begin:X}; at most {LARGEST} are possible", place)
    content = bytearray((settings.fill,)) * (end - begin)
    for address, data in placed:
        first, last = max(address, begin), min(address + len(data), end)
        if first < last:
            content[first - begin : last - begin] = data[first - address : last - address]
    if settings.image is not None and not any(begin < a + len(data) and a < end for a, data in placed):
        raise ConfigurationError(f"has no byte between {begin:X} and {end:X}", (*place, "image"))
    return begin, bytes(content)


def _key(address: int) -> str:
    return f"{address:010X}"


def _stored(pieces: Mapping[str, Piece], region: MemoryRegion, begin: int) -> bytes:
    """Return the stored content of a piece, none if it was never changed. ValueError: it is of another length."""
    piece, length = pieces.get(_key(region.address + begin)), min(PIECE, region.length - begin)
    if piece is None:
        return b""
    content = bytes((piece,)) * length if isinstance(piece, int) else b64decode(piece, validate=True)
    if len(content) != length:
        raise ValueError("a piece has another length")
    return content
