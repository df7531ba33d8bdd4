"""Reading of text logs: lines become frames by the parser of their format, a piece of the file at a time.

The last line of a file that breaks off may lack bytes and look whole. It is believed only if it ends in a whole byte,
and has as many as its length says or, where the format has no length, as many as there can be.
"""

from collections.abc import Iterator
from typing import Final

from hilbridge.base.common.errors import quoted
from hilbridge.boundary.logs.account import Account, LogError
from hilbridge.boundary.logs.candump_lines import read_fast
from hilbridge.boundary.logs.formats import candump
from hilbridge.boundary.logs.formats.catalogue import FORMATS, find_format
from hilbridge.boundary.logs.frames import Block, BlockBuilder, LogFrame
from hilbridge.boundary.logs.lines import text_head, whole_lines
from hilbridge.boundary.logs.parser import Parsed, Parser, TextFormat
from hilbridge.boundary.logs.source import Source
from hilbridge.frames.codec.frame import ERROR, REMOTE

_STEP: Final = 8192
"""Frames of a block at most that is made line by line."""

_OF_NUMBERS: Final = tuple("(-.0123456789")
"""The beginning of a line that may become a frame."""


def read_text(source: Source, account: Account) -> Iterator[Block]:
    """Yield the data frames of a text log. LogError: no format of the catalogue, or hardly a line can be read."""
    head = text_head(source)
    found = find_format(head)
    if found is None:
        raise LogError(f"this is none of the logs that are text: {', '.join(one.name for one in FORMATS)}")
    account.format = found.name if not source.packed else f"{found.name} in {source.packed}"
    return _TextReader(source, account, found, head).blocks()


class _TextReader:
    def __init__(self, source: Source, account: Account, found: TextFormat, head: list[str]) -> None:
        self._source: Final = source
        self._account: Final = account
        try:
            self._parser: Final[Parser] = found.parser(head)
        except (ValueError, IndexError, KeyError, StopIteration) as error:
            raise LogError(f"its head cannot be read: {error}") from error
        self._fast: Final = found is candump.FORMAT and not getattr(self._parser, "differences", True)
        self._builder: Final = BlockBuilder()
        self._number = 0

    def blocks(self) -> Iterator[Block]:
        try:
            for piece in whole_lines(self._source):
                yield from self._blocks_of(piece)
        finally:
            self._account.notes = [*self._parser.notes]
        if self._source.damage:
            self._account.cut = self._source.damage

    def _blocks_of(self, piece: bytes) -> Iterator[Block]:
        if self._fast:
            for part in read_fast(piece, self._builder, self._source.position):
                if isinstance(part, Block):
                    self._number += len(part.times)
                    yield part.counted(self._account.channels)
                else:
                    yield from self._slow(part)
        else:
            yield from self._slow(piece)

    def _slow(self, piece: bytes) -> Iterator[Block]:
        lines = piece.decode("utf-8", "replace").split("\n")
        last = lines.pop()
        for line in lines:
            self._number += 1
            self._take(line)
            if len(self._builder) >= _STEP:
                yield self._finished()
        if len(self._builder):
            yield self._finished()
        if last.strip("\r\0 "):
            self._number += 1
            if (frame := self._last(last)) is not None:
                self._deliver(frame)
                yield self._finished()
        elif last.strip("\r "):
            self._account.cut = f"it ends in NUL bytes behind line {self._number}"

    def _finished(self) -> Block:
        return self._builder.take(self._source.position).counted(self._account.channels)

    def _parsed(self, line: str) -> Parsed:
        try:
            return self._parser.parse(line)
        except LogError as error:
            raise LogError(f"line {self._number}: {error}") from None

    def _take(self, line: str) -> None:
        try:
            parsed = self._parsed(line.rstrip("\r"))
            if parsed is not None:
                self._deliver(parsed)
        except LogError:
            raise
        except (ValueError, IndexError, KeyError, OverflowError):
            self._account.refuse(f"line {self._number}", line.strip(), len(self._builder))

    def _deliver(self, parsed: LogFrame | str) -> None:
        if isinstance(parsed, str):
            self._account.left_out[parsed] += 1
        elif self._account.has_data(parsed.can_id):
            self._builder.add(parsed)

    def _last(self, line: str) -> LogFrame | None:
        """Return the frame of a last line without an end, if it is whole beyond doubt."""
        try:
            parsed = self._parsed(line)
        except (ValueError, IndexError, KeyError, OverflowError):
            parsed = ""
        if parsed is None and not line.lstrip().startswith(_OF_NUMBERS):  # the end of a head, a comment
            return None
        if (
            isinstance(parsed, LogFrame)
            and not parsed.can_id & (ERROR | REMOTE)
            and self._parser.is_whole(line, parsed)
        ):
            return parsed
        self._account.cut = f"its last line, {self._number}, has no end and is left out: {quoted(line.strip())}"
        return None
