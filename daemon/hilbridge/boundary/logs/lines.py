"""The lines of a text log, in pieces of many: UTF-8 with or without its mark, or UTF-16; ended by CR, LF or both."""

import codecs
from collections.abc import Iterator
from typing import Final

from hilbridge.boundary.logs.account import LogError
from hilbridge.boundary.logs.source import Source

LONGEST: Final = 65_536
"""[byte] of a line; a frame of 64 bytes needs some hundreds."""

_HEAD: Final = 262_144


def text_head(source: Source) -> list[str]:
    """Return the first whole lines, by which a format is recognized and its dialect told."""
    head = _as_utf8(source.head[:_HEAD])
    if len(head) >= _HEAD // 2 and b"\n" in head:
        head = head[: head.rindex(b"\n")]
    return head.decode("utf-8", "replace").splitlines()


def whole_lines(source: Source) -> Iterator[bytes]:
    """Yield pieces that end with a line's end; the last one lacks it if the file does. LogError: a line without end."""
    utf16 = _encoding(source.head)
    decoder = codecs.getincrementaldecoder(utf16)("replace") if utf16 else None
    only_cr = b"\n" not in source.head and b"\r" in source.head
    rest = b""
    first = True
    for piece in source.pieces():
        text = decoder.decode(piece).encode() if decoder is not None else piece
        if first:
            text, first = text.removeprefix(codecs.BOM_UTF8), False
        if only_cr:
            text = text.replace(b"\r", b"\n")
        begin = len(rest)
        rest += text
        end = rest.rfind(b"\n", begin)
        if end >= 0:
            yield rest[: end + 1]
            rest = rest[end + 1 :]
        if len(rest) > LONGEST and rest.strip(b"\0"):
            raise LogError(f"it has a line of more than {LONGEST} characters: this is no log of lines")
        if not rest.strip(b"\0"):  # what a power cut leaves behind
            rest = rest[:1]
    if rest:
        yield rest


def _encoding(head: bytes) -> str:
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    return ""


def _as_utf8(head: bytes) -> bytes:
    encoding = _encoding(head)
    text = head.decode(encoding, "replace").encode() if encoding else head
    text = text.removeprefix(codecs.BOM_UTF8)
    return text if b"\n" in text else text.replace(b"\r", b"\n")
