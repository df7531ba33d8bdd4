"""Service 24, read scaling data by identifier: what the bytes of a data identifier mean (ISO 14229-1, annex C).

    number       0n unsigned, 1n signed, 7n float, of n bytes
    scale        95 00 C0 C1: y = C0 · x + C1, each a decimal number of two bytes: 4 bits of exponent, 12 of mantissa
    text         6n: n characters, 15 at most; then the next
    other        2n: n bytes of bits, and a mask of those that there are
    fields       one after the other, where each has whole bytes; else bits

It follows from the settings of the identifier, unless they say it themselves. Constants have the nearest decimal
number; where none is near, nothing is known.

another length than one identifier           13
no such identifier, or nothing is known      31
security access needed                       33
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final

from hilbridge.bench.diagnostics.refusal import REQUEST_OUT_OF_RANGE, SECURITY_ACCESS_DENIED, Refusal
from hilbridge.bench.diagnostics.uds.dids import ConstantIdentifier, Identifiers
from hilbridge.bench.diagnostics.uds.service import DiagnosticSession, UdsService
from hilbridge.files.settings.data_records import ContentSettings, FieldSettings
from hilbridge.files.settings.uds import IdentifierSettings

_UNSIGNED, _SIGNED, _BITS, _ASCII, _FLOAT = 0x00, 0x10, 0x20, 0x60, 0x70
_FORMULA: Final = b"\x95\x00"
_MOST: Final = 15
_MANTISSA: Final = 2047
_EXPONENTS: Final = (0, -1, -2, -3, -4, -5, -6, -7, -8, 1, 2, 3, 4, 5, 6, 7)


class ReadScalingDataByIdentifier(UdsService):
    """Service 24; `settings`: of the identifiers, by four digits."""

    sid = 0x24

    def __init__(
        self, session: DiagnosticSession, identifiers: Identifiers, settings: Mapping[str, IdentifierSettings]
    ) -> None:
        super().__init__(session)
        self._identifiers: Final = identifiers
        self._scaling: Final = {int(key, 16): scaling_of(one) for key, one in settings.items()}

    def answer(self, subfunction: int, data: bytes, t: int) -> bytes:
        self.require_length(data, 2)
        number = int.from_bytes(data, "big")
        identifier = self._identifiers.supported(number)
        scaling = self._scaling.get(number, b"")
        if number not in self._scaling and type(identifier) is ConstantIdentifier:
            scaling = _repeated(_ASCII, len(identifier.data))
        if identifier is None or not scaling:
            raise Refusal(REQUEST_OUT_OF_RANGE)
        if not self._identifiers.permits(number):
            raise Refusal(SECURITY_ACCESS_DENIED)
        return data + scaling


def scaling_of(settings: IdentifierSettings) -> bytes:
    """Return the scaling bytes of an identifier; none where nothing is known."""
    if settings.scaling is not None:
        return bytes.fromhex(settings.scaling)
    if settings.hook is not None:
        return b""
    try:
        if settings.fields:
            return _of_fields(list(settings.fields.values()), settings.length)
        return _of_content(settings)
    except OverflowError:
        return b""


def _of_fields(fields: list[FieldSettings], length: int | None) -> bytes:
    ends = [_end(before, after) for before, after in pairwise(fields)]
    if all(field.width % 8 == 0 for field in fields) and all(ends) and fields[0].byte in (None, 0) and length is None:
        return b"".join(_of_content(field) * field.times for field in fields)
    taken, end = [], 0
    for field in fields:
        start = end if field.byte is None else 8 * field.byte + 7 - (7 if field.bit is None else field.bit)
        end = start + field.width * field.times
        taken.append((start, end))
    size = length or -(-max(end for _, end in taken) // 8)
    mask = sum((1 << end - start) - 1 << 8 * size - end for start, end in taken)
    return _bits(mask.to_bytes(size, "big"))


def _end(before: FieldSettings, after: FieldSettings) -> bool:
    """Return whether a field follows the one before it."""
    return after.byte is None and before.bit in (None, 7)


def _of_content(settings: ContentSettings) -> bytes:
    size = settings.width // 8
    if settings.text is not None:
        return _repeated(_ASCII, size)
    if settings.data is not None:
        return _bits(b"\xff" * size)
    kind = _FLOAT if settings.floating else _SIGNED if settings.signed else _UNSIGNED
    number = bytes((kind | size,))
    if settings.scale == 1 and settings.offset == 0:
        return number
    return number + _FORMULA + decimal(settings.scale) + decimal(settings.offset)


def _repeated(kind: int, size: int) -> bytes:
    return bytes(_chunks(kind, size))


def _bits(mask: bytes) -> bytes:
    parts = [mask[begin : begin + _MOST] for begin in range(0, len(mask), _MOST)]
    return b"".join(bytes((_BITS | len(part),)) + part for part in parts)


def _chunks(kind: int, size: int) -> Iterator[int]:
    for begin in range(0, size, _MOST):
        yield kind | min(_MOST, size - begin)


def decimal(number: float) -> bytes:
    """Return the nearest decimal number of two bytes: mantissa · 10^exponent, the exponent nearest to 0 of the best.

    OverflowError: the number is too large.
    """
    fitting = [(round(number / 10.0**exponent), exponent) for exponent in _EXPONENTS]
    fitting = [(mantissa, exponent) for mantissa, exponent in fitting if abs(mantissa) <= _MANTISSA]
    if not fitting:
        raise OverflowError(f"{number:g} is too large for a scaling constant")
    error = min(abs(mantissa * 10.0**exponent - number) for mantissa, exponent in fitting)
    tolerance = error + 1e-9 * abs(number)
    mantissa, exponent = next(one for one in fitting if abs(one[0] * 10.0 ** one[1] - number) <= tolerance)
    return ((exponent & 0xF) << 12 | mantissa & 0xFFF).to_bytes(2, "big")
