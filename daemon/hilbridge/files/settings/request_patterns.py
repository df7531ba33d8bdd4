"""Patterns of requests, and templates of answers that repeat what a pattern has captured, in hexadecimal.

    21 01           these bytes
    21 0?  ..       ? is any half of a byte, .. any byte
    21 {id}         any byte, known as `id` to the answer; {key:4} four of them
    2E F1 98 *      any number of further bytes, none too; {rest*}: the same, captured

    61 {id} 00      an answer: bytes, and what was captured

A pattern begins with the whole byte of a service; an answer (bit 6) is no request.
"""

import re
from typing import Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError, quoted

LONGEST: Final = 4095
"""Bytes of a message that ISO-TP carries without an escape."""

_TOKEN: Final = re.compile(
    r"\s*(?:(?P<byte>[0-9A-Fa-f?]{2})|(?P<any>\.\.)|(?P<rest>\*)|\{(?P<name>[A-Za-z]\w*)(?::(?P<width>[0-9]{1,4})|(?P<all>\*))?\})"
)
_RESPONSE: Final = 0x40


class Pattern(NamedTuple):
    """The requests of `length` bytes, or `open` ones with at least so many, that have the bits `value` under `mask`.

    `captures`: the first byte of each, and how many; None: all to the end.
    """

    text: str
    value: int
    mask: int
    length: int
    open: bool
    captures: dict[str, tuple[int, int | None]]

    @property
    def service(self) -> int:
        """Its first byte."""
        return self.value >> 8 * (self.length - 1)

    def matches(self, request: bytes) -> bool:
        """Return whether a request fits."""
        if len(request) < self.length or (len(request) > self.length and not self.open):
            return False
        return int.from_bytes(request[: self.length], "big") & self.mask == self.value


class Template(NamedTuple):
    """An answer: bytes, and names of what the pattern captures; `shortest`, `longest`: number of bytes."""

    parts: tuple[bytes | str, ...]
    shortest: int
    longest: int


def parse_pattern(text: str) -> Pattern:
    """Return a pattern of requests. ConfigurationError: it is none."""
    pattern = parse_bytes_pattern(text)
    if not pattern.length or pattern.mask >> 8 * (pattern.length - 1) != 0xFF:
        raise ConfigurationError(f"{quoted(text)} begins with no service: its first byte has no wildcard")
    if pattern.service & _RESPONSE:
        raise ConfigurationError(f"{quoted(text)} is an answer, not a request")
    return pattern


def parse_bytes_pattern(text: str) -> Pattern:
    """Return a pattern of any bytes. ConfigurationError: it is none."""
    value = mask = length = 0
    is_open = False
    captures: dict[str, tuple[int, int | None]] = {}
    for found in _tokens(text):
        if is_open:
            raise ConfigurationError(f"nothing can follow in {quoted(text)} what takes all further bytes")
        if (name := found["name"]) is not None:
            if name in captures:
                raise ConfigurationError(f"{quoted(text)} captures {name!r} twice")
            is_open = found["all"] is not None
            width = 0 if is_open else int(found["width"] or 1)
            if not is_open and not 1 <= width <= LONGEST:
                raise ConfigurationError(f"{quoted(text)}: a capture has 1 to {LONGEST} bytes")
            captures[name] = (length, None if is_open else width)
            value, mask, length = value << 8 * width, mask << 8 * width, length + width
        elif found["rest"] is not None:
            is_open = True
        else:
            digits = found["byte"] or "??"
            value = value << 8 | int(digits.replace("?", "0"), 16)
            mask = mask << 8 | int("".join("0" if one == "?" else "F" for one in digits), 16)
            length += 1
        if length > LONGEST:
            raise ConfigurationError(f"is longer than {LONGEST} bytes, which no request is")
    return Pattern(text, value, mask, length, is_open, captures)


def parse_template(text: str, pattern: Pattern) -> Template:
    """Return the answer to the requests of a pattern. ConfigurationError: it is none, or is too long."""
    parts: list[bytes | str] = []
    shortest = longest = 0
    for found in _tokens(text):
        name = found["name"]
        if name is None:
            if found["byte"] is None or "?" in found["byte"]:
                raise ConfigurationError(f"{quoted(text)}: an answer has no wildcards")
            parts.append(bytes.fromhex(found["byte"]))
            shortest, longest = shortest + 1, longest + 1
            continue
        if found["width"] is not None or found["all"] is not None:
            raise ConfigurationError(f"{quoted(text)}: an answer names what is captured alone: {{{name}}}")
        if name not in pattern.captures:
            raise ConfigurationError(f"{quoted(text)}: {pattern.text!r} captures no {name!r}")
        first, width = pattern.captures[name]
        parts.append(name)
        shortest, longest = shortest + (width or 0), longest + (LONGEST - first if width is None else width)
    if shortest > LONGEST:
        raise ConfigurationError(f"has {shortest} bytes: an answer has {LONGEST} at most")
    return Template(_joined(parts), shortest, longest)


def _joined(parts: list[bytes | str]) -> tuple[bytes | str, ...]:
    """Return the parts with bytes that follow each other as one."""
    joined: list[bytes | str] = []
    run = bytearray()
    for part in parts:
        if isinstance(part, bytes):
            run += part
            continue
        if run:
            joined.append(bytes(run))
            run.clear()
        joined.append(part)
    return (*joined, bytes(run)) if run else tuple(joined)


def _tokens(text: str) -> list[re.Match[str]]:
    """Return the tokens of a text. ConfigurationError, with its position: something else is in it."""
    found: list[re.Match[str]] = []
    position = 0
    end = len(text.rstrip())
    while position < end:
        token = _TOKEN.match(text, position)
        if token is None:
            rest = text[position:].lstrip()
            raise ConfigurationError(
                f"{quoted(rest)} is neither two hexadecimal digits, a wildcard (?, .., *) nor a name in braces"
            )
        found.append(token)
        position = token.end()
    return found
