"""Messages of diagnostic services, as ODX lays them out: parts with a name, a place and a meaning."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from cantools.database.can import Signal

from hilbridge.files.settings.request_patterns import Pattern, Template
from hilbridge.frames.codec.data_record import PlacedBytes
from hilbridge.frames.codec.layout import extent

_NIBBLE: Final = 4


class Number(NamedTuple):
    """How a number is written, and what it means: value = raw · scale + offset."""

    width: int
    signed: bool = False
    floating: bool = False
    little: bool = False
    scale: float = 1
    offset: float = 0
    unit: str = ""


class Part(NamedTuple):
    """A part of a message at bit `start`, from the most significant one of the first byte on.

    `kind`: const; value, of a `number` or of bytes; echo, from byte `source` of the request; rest, all that follows;
    codes, as many trouble codes of `width` as follow, three bytes with a status.
    """

    name: str
    start: int
    width: int
    kind: str = "value"
    raw: bytes = b""
    number: Number | None = None
    source: int = 0


@dataclass(frozen=True, slots=True)
class Service:
    """A service: its request, its positive response, and the sessions in which it is there; none: all."""

    name: str
    semantic: str
    request: Sequence[Part]
    response: Sequence[Part]
    sessions: frozenset[int] = field(default_factory=frozenset)


def constant(name: str, content: bytes, at: int = 0) -> Part:
    """Return constant bytes at byte `at`."""
    return Part(name, 8 * at, 8 * len(content), "const", content)


def head(content: bytes, subfunction: bool) -> list[Part]:
    """Return the constant bytes that a message begins with: service, sub-function, and what follows as one."""
    parts = [constant("sid", content[:1])]
    end = 2 if subfunction else 1
    if subfunction:
        parts.append(constant("subfunction", content[1:2], 1))
    if len(content) > end:
        parts.append(constant("id", content[end:], end))
    return parts


def number(name: str, at: int, width: int) -> Part:
    """Return an unsigned number of whole bytes at byte `at`."""
    return Part(name, 8 * at, width, number=Number(width))


def rest(at: int, name: str = "data") -> Part:
    """Return all bytes from byte `at` on."""
    return Part(name, 8 * at, 0, "rest")


def fields(signals: Iterable[Signal], constants: Iterable[PlacedBytes], at: int) -> list[Part]:
    """Return the fields of a data record that begins at byte `at`."""
    parts = [_numeric(one, 8 * at) for one in signals]
    parts += [Part(one.name, 8 * (at + one.start), 8 * len(one.content), raw=one.content) for one in constants]
    return sorted(parts, key=lambda part: part.start)


def _numeric(signal: Signal, origin: int) -> Part:
    little = signal.byte_order == "little_endian"
    first, last = extent(signal)
    start = origin + first if not little else origin + first // 8 * 8 + 7 - last % 8
    written = Number(
        signal.length,
        signal.is_signed,
        signal.is_float,
        little and signal.length > 8,
        float(signal.scale),
        float(signal.offset),
        signal.unit or "",
    )
    return Part(signal.name, start, signal.length, number=written)


def filled(parts: Sequence[Part], length: int) -> list[Part]:
    """Return the parts of a message, with a constant where its last bytes have none."""
    end = max((-(-(part.start + part.width) // 8) for part in parts), default=0)
    if any(part.kind in ("rest", "codes") for part in parts) or end >= length:
        return list(parts)
    return [*parts, constant("unused", bytes(length - end), end)]


def of_pattern(pattern: Pattern) -> list[Part]:
    """Return the request that a pattern describes: constant bytes, and values where it has wildcards."""
    parts: list[Part] = []
    captured = {start: (name, width) for name, (start, width) in pattern.captures.items()}
    at = 0
    while at < pattern.length:
        shift = 8 * (pattern.length - 1 - at)
        mask, value = pattern.mask >> shift & 0xFF, pattern.value >> shift & 0xFF
        if at in captured and captured[at][1]:
            name, width = captured[at]
            parts.append(number(name, at, 8) if width == 1 else Part(name, 8 * at, 8 * (width or 1)))
            at += width or 1
            continue
        parts += _byte(at, mask, value)
        at += 1
    open_name = next((name for name, (_, width) in pattern.captures.items() if width is None), "data")
    return [*parts, *([rest(pattern.length, open_name)] if pattern.open else [])]


def _byte(at: int, mask: int, value: int) -> list[Part]:
    if mask == 0xFF:
        return [constant("sid" if at == 0 else f"byte{at}", bytes((value,)), at)]
    if mask == 0:
        return [number(f"byte{at}", at, 8)]
    return [
        Part(f"byte{at}_{end}", 8 * at + shift, _NIBBLE, "const", bytes((value >> (_NIBBLE - shift) & 0xF,)))
        if mask >> (_NIBBLE - shift) & 0xF
        else Part(f"byte{at}_{end}", 8 * at + shift, _NIBBLE, number=Number(_NIBBLE))
        for end, shift in (("high", 0), ("low", _NIBBLE))
    ]


def of_template(template: Template, pattern: Pattern) -> list[Part]:
    """Return the bytes of an answer that come before its fields: constant ones, and parts of the request."""
    parts: list[Part] = []
    at = 0
    for index, one in enumerate(template.parts):
        if isinstance(one, bytes):
            parts.append(constant("sid" if index == 0 else f"constant{index}", one, at))
            at += len(one)
            continue
        source, width = pattern.captures[one]
        if width is None:
            return [*parts, rest(at, one)]
        parts.append(Part(one, 8 * at, 8 * width, "echo", source=source))
        at += width
    return parts
