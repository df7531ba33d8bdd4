"""Reading of many lines of `candump -L` at once, as arrays of bytes: `(1700000000.123456) can0 123#1122`.

Only plain data frames are read here, classic and CAN FD; every other line goes to the parser of the format.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hilbridge.base.common.units import SECOND
from hilbridge.boundary.logs.frames import Block, BlockBuilder
from hilbridge.frames.codec.frame import BRS, EXTENDED, EXTENDED_MASK, FD, STANDARD_MASK

Places = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Mask = NDArray[np.bool_]

_HEX: Final = np.full(256, 255, np.uint8)
for _text in ("0123456789abcdef", "0123456789ABCDEF"):
    _HEX[np.frombuffer(_text.encode(), np.uint8)] = np.arange(16)
_DIGIT: Final = np.full(256, 255, np.uint8)
_DIGIT[48:58] = np.arange(10)

_SHORTEST: Final = len("(0.0) c 123#")
_SECOND_DIGITS: Final = 10
_FRACTION_DIGITS: Final = 9
_CHANNEL: Final = 16
_STANDARD: Final = 3
_ID_DIGITS: Final = 8
"""Characters of a field at most; of a standard identifier exactly."""

_MOST_OF_CLASSIC: Final = 16
_MOST_OF_FD: Final = 128
"""Characters of the data."""

_SCATTERED: Final = 8
"""If every so manieth line or more is of another form, the parser reads all of them."""


def read_fast(piece: bytes, builder: BlockBuilder, position: int) -> Iterator[Block | bytes]:
    """Yield the lines of a piece in their order: as blocks, and as bytes those of other forms, or without an end.

    `builder` knows the channels; `position` is that of the blocks.
    """
    buffer = np.frombuffer(piece, np.uint8)
    ends = np.flatnonzero(buffer == ord("\n"))
    whole = int(ends[-1]) + 1 if len(ends) else 0
    if whole:
        yield from _runs(piece, buffer, np.concatenate(([0], ends[:-1] + 1)), ends, builder, position)
    if whole < len(piece):
        yield piece[whole:]


def _runs(
    piece: bytes, buffer: Bytes, starts: Places, ends: Places, builder: BlockBuilder, position: int
) -> Iterator[Block | bytes]:
    plain, block = _plain_lines(buffer, starts, ends, builder, position)
    others = np.flatnonzero(~plain)
    if len(others) * _SCATTERED > len(plain):
        yield piece[: int(ends[-1]) + 1]
        return
    if not len(others):
        yield block
        return
    row = offset = 0
    for begin, end in _ranges(others):
        count = begin - int(np.searchsorted(others, begin)) - row
        if count:
            size = int(block.lengths[row : row + count].sum(dtype=np.int64))
            yield _part(block, row, count, offset, size)
            row, offset = row + count, offset + size
        yield piece[int(starts[begin]) : int(ends[end - 1]) + 1]
    if row < len(block.times):
        yield _part(block, row, len(block.times) - row, offset, len(block.data) - offset)


def _ranges(rows: Places) -> Iterator[tuple[int, int]]:
    """Yield runs of consecutive numbers as begin and end."""
    cuts = np.flatnonzero(np.diff(rows) > 1) + 1
    for run in np.split(rows, cuts):
        yield int(run[0]), int(run[-1]) + 1


def _part(block: Block, row: int, count: int, offset: int, size: int) -> Block:
    parts = [one[row : row + count] for one in block[:5]]
    return Block._make([*parts, block.data[offset : offset + size], block.names, block.position])


class _Fields(NamedTuple):
    """Where the fields of lines are, a row for each line; `lines`: their numbers in the piece."""

    lines: Places
    starts: Places
    dots: Places
    closes: Places
    hashes: Places
    firsts: Places
    characters: Places
    is_standard: Mask
    is_fd: Mask

    def only(self, chosen: Mask) -> "_Fields":
        """Return the rows that are chosen."""
        return _Fields._make(one[chosen] for one in self)


def _plain_lines(
    buffer: Bytes, starts: Places, ends: Places, builder: BlockBuilder, position: int
) -> tuple[Mask, Block]:
    """Return which lines are plain data frames, and these as a block."""
    fields = _fields(buffer, starts, ends)
    times, good = _times(buffer, fields)
    identifiers, is_identifier = _identifiers(buffer, fields)
    data, is_data = _data(buffer, fields)
    names, is_name = _channels(buffer, fields, builder)
    good &= is_identifier & is_data & is_name
    if not good.all():
        data = data[np.repeat(good, fields.characters // 2)]
        times, identifiers, names, fields = times[good], identifiers[good], names[good], fields.only(good)
    plain = np.zeros(len(starts), np.bool_)
    plain[fields.lines] = True
    flags = np.where(fields.is_fd, FD | (_HEX[buffer[fields.hashes + 2 * fields.is_fd]] & BRS), 0).astype(np.uint8)
    lengths = (fields.characters // 2).astype(np.uint8)
    return plain, Block(times, identifiers, flags, lengths, names, data, builder.names, position)


def _fields(buffer: Bytes, starts: Places, ends: Places) -> _Fields:
    """Return the lines that have the punctuation of a data frame in its order."""
    stops = ends - (buffer[ends - 1] == ord("\r"))
    stops = stops - 2 * ((buffer[stops - 2] == ord(" ")) & np.isin(buffer[stops - 1], (ord("R"), ord("T"))))
    dots, closes, hashes = (_first(buffer, letter, starts, stops) for letter in b".)#")
    good = (stops - starts >= _SHORTEST) & (buffer[starts] == ord("("))
    good &= (starts < dots) & (dots < closes) & (closes < hashes) & (hashes < stops)
    good &= (dots - starts - 1 <= _SECOND_DIGITS) & (closes - dots - 1 <= _FRACTION_DIGITS)
    is_standard = buffer[np.maximum(hashes - _STANDARD - 1, 0)] == ord(" ")
    sizes = hashes - np.where(is_standard, _STANDARD, _ID_DIGITS) - closes - 3
    good &= (buffer[np.minimum(closes + 1, stops - 1)] == ord(" ")) & (sizes >= 1) & (sizes <= _CHANNEL)
    is_fd = good & (stops > hashes + 2) & (buffer[np.minimum(hashes + 1, stops - 1)] == ord("#"))
    firsts = hashes + 1 + 2 * is_fd
    characters = stops - firsts
    good &= (characters % 2 == 0) & (characters <= np.where(is_fd, _MOST_OF_FD, _MOST_OF_CLASSIC))
    good &= ~is_fd | (_HEX[buffer[np.minimum(hashes + 2, stops - 1)]] < 16)
    lines = np.arange(len(starts))
    return _Fields(lines, starts, dots, closes, hashes, firsts, characters, is_standard, is_fd).only(good)


def _first(buffer: Bytes, letter: int, starts: Places, stops: Places) -> Places:
    """Return the place of a letter's first occurrence in each line; the line's end where there is none."""
    found = np.append(np.flatnonzero(buffer == letter), len(buffer))
    places = found[np.searchsorted(found, starts)]
    first: Places = np.minimum(places, stops)
    return first


def _times(buffer: Bytes, fields: _Fields) -> tuple[NDArray[np.int64], Mask]:
    """Return the times [ns], and which are numbers."""
    places = fields.dots[:, None] - np.arange(_SECOND_DIGITS, 0, -1)
    inside = places > fields.starts[:, None]
    seconds = _DIGIT[buffer[np.maximum(places, 0)]]
    seconds[~inside] = 0
    places = fields.dots[:, None] + np.arange(1, _FRACTION_DIGITS + 1)
    inside = places < fields.closes[:, None]
    fraction = _DIGIT[buffer[np.minimum(places, len(buffer) - 1)]]
    fraction[~inside] = 0
    times = _number(seconds) * SECOND + _number(fraction)
    good = (seconds < 10).all(axis=1) & (fraction < 10).all(axis=1) & (fields.dots > fields.starts + 1)
    return times, good & (times >= 0)


def _number(digits: Bytes) -> NDArray[np.int64]:
    """Return the numbers of rows of at most 15 digits, which are exact as doubles: a product of matrices is quick."""
    powers = 10.0 ** np.arange(digits.shape[1] - 1, -1, -1)
    return (digits.astype(np.float64) @ powers).astype(np.int64)


def _identifiers(buffer: Bytes, fields: _Fields) -> tuple[NDArray[np.uint32], Mask]:
    """Return the identifiers with their flag, and which are those of data frames."""
    digits = _HEX[buffer[fields.hashes[:, None] - np.arange(_ID_DIGITS, 0, -1)]]
    digits[fields.is_standard, : _ID_DIGITS - _STANDARD] = 0
    identifiers = np.zeros(len(digits), np.uint32)
    for column in range(_ID_DIGITS):
        identifiers = (identifiers << np.uint32(4)) | digits[:, column]
    good = (digits < 16).all(axis=1) & (identifiers <= np.where(fields.is_standard, STANDARD_MASK, EXTENDED_MASK))
    return identifiers | np.where(fields.is_standard, 0, EXTENDED).astype(np.uint32), good


def _data(buffer: Bytes, fields: _Fields) -> tuple[Bytes, Mask]:
    """Return the bytes of all lines one after the other, and which lines have no other letters."""
    ends = np.cumsum(fields.characters)
    places = np.repeat(fields.firsts - ends + fields.characters, fields.characters) + np.arange(
        ends[-1] if len(ends) else 0
    )
    digits = _HEX[buffer[places]]
    good = np.ones(len(ends), np.bool_)
    if (wrong := np.flatnonzero(digits > 15)).size:
        good[np.searchsorted(ends, wrong, side="right")] = False
    return (digits[0::2] << 4) | (digits[1::2] & 15), good


def _channels(buffer: Bytes, fields: _Fields, builder: BlockBuilder) -> tuple[NDArray[np.uint16], Mask]:
    """Return the channels, and which are one word."""
    begins = fields.closes + 2
    sizes = fields.hashes - np.where(fields.is_standard, _STANDARD, _ID_DIGITS) - 1 - begins
    widest = int(sizes.max(initial=0))
    letters = np.zeros((len(begins), _CHANNEL), np.uint8)
    letters[:, :widest] = buffer[np.minimum(begins[:, None] + np.arange(widest), len(buffer) - 1)]
    letters[np.arange(_CHANNEL) >= sizes[:, None]] = 0
    good = ((letters > 32) & (letters < 127) | (letters == 0)).all(axis=1)
    words = letters.view(np.uint64).reshape(-1, 2)
    channels = np.zeros(len(words), np.uint16)
    left = good.copy()
    while left.any():
        first = int(np.argmax(left))
        same = left & (words == words[first]).all(axis=1)
        channels[same] = builder.place_of(letters[first, : int(sizes[first])].tobytes().decode())
        left &= ~same
    return channels, good
