"""Where the parameters of an ODX request or response lie, and which value each has of its own.

place      given, or behind the parameter before it; bit 0 of BIT-POSITION is the lowest of its byte
value      a constant; the physical default; or the lowest one that the file allows, 0 where it says nothing
repeated   a field without a fixed number of items has its least number; of a multiplexer the first case, of a table
           the first row
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

from odxtools.dataobjectproperty import DataObjectProperty
from odxtools.diagcodedtype import DiagCodedType
from odxtools.dtcdop import DtcDop
from odxtools.dynamiclengthfield import DynamicLengthField
from odxtools.endofpdufield import EndOfPduField
from odxtools.multiplexer import Multiplexer
from odxtools.parameters.parameter import Parameter
from odxtools.staticfield import StaticField
from odxtools.structure import Structure

MOST_ITEMS: Final = 512
_LONGEST: Final = 4095
_FLOATS: Final = {"A_FLOAT32": 32, "A_FLOAT64": 64}
_NUMBERS: Final = ("A_UINT32", "A_INT32", *_FLOATS)
_CODECS: Final = {"A_ASCIISTRING": "latin-1", "A_UTF8STRING": "utf-8"}
_PLAIN: Final = {None, "NONE", "2C", "IEEE754", "ISO-8859-1", "UTF-8", "UCS-2"}
"""Encodings of numbers and texts that settings of fields know."""


class UnreadableError(ValueError):
    """A part of a service that keys of a control unit cannot say; its text is for the user."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A parameter at its place: `start` [bit] from the most significant one of the first byte, `width` [bit].

    `kind`: const, value, echo (of the request, from byte `source`), reserved. `raw`: its number, or its bytes.
    `keys`: settings of a field besides place and value; `valued`: the file says which value it has.
    """

    name: str
    start: int
    width: int
    kind: str
    raw: int | float | bytes = 0
    source: int = 0
    valued: bool = True
    keys: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Layout:
    """The parameters of a message in the order of their places. `length` [byte]; `open`: more may follow."""

    parts: list[Placed]
    length: int
    open: bool = False


def lay_out(parameters: Iterable[Parameter]) -> Layout:
    """Return where parameters lie. UnreadableError: one of them cannot be placed, or two share a bit."""
    builder = _Builder()
    end = builder.place(parameters, 0, "")
    parts = sorted(builder.parts, key=lambda one: one.start)
    for one, other in pairwise(parts):
        if one.start + one.width > other.start:
            raise UnreadableError(f"{one.name} and {other.name} share bits")
    return Layout(parts, max(end, *(-(-(one.start + one.width) // 8) for one in parts), 0), builder.open)


class _Builder:
    def __init__(self) -> None:
        self.parts: list[Placed] = []
        self.open = False
        self._rows: dict[str, Any] = {}

    def place(self, parameters: Iterable[Parameter], origin: int, prefix: str) -> int:
        """Place parameters from byte `origin` on; return the byte behind the last of them."""
        cursor = end = origin
        for one in parameters:
            if self.open:
                raise UnreadableError(f"{one.short_name} follows what has no fixed length")
            at = cursor if one.byte_position is None else origin + one.byte_position
            cursor = self._parameter(one, at, one.bit_position or 0, prefix)
            end = max(end, cursor)
            if end > _LONGEST:
                raise UnreadableError(f"is longer than {_LONGEST} bytes")
        return end

    def _parameter(self, one: Any, at: int, bit: int, prefix: str) -> int:
        name = prefix + one.short_name
        match one.parameter_type:
            case "CODED-CONST":
                return self._atom(name, at, bit, one.diag_coded_type, one.coded_value, "const", {})
            case "PHYS-CONST":
                raw = one.dop.compu_method.convert_physical_to_internal(one.physical_constant_value)
                return self._atom(name, at, bit, one.dop.diag_coded_type, raw, "const", {})
            case "RESERVED":
                return self._put(Placed(name, _start(at, bit, one.bit_length), one.bit_length, "reserved"))
            case "MATCHING-REQUEST-PARAM":
                if one.request_byte_position < 0:
                    raise UnreadableError(f"{name} is counted from the end of the request")
                source = one.request_byte_position
                return self._put(Placed(name, 8 * at, 8 * one.byte_length, "echo", source=source))
            case "TABLE-KEY":
                return self._row(name, one, at, bit)
            case "TABLE-STRUCT" if (row := self._rows.get(one.table_key.short_name)) is not None:
                return self._object(name, row.structure or row.dop, at, bit, None)
            case "VALUE":
                return self._object(name, one.dop, at, bit, one.physical_default_value)
        raise UnreadableError(f"{name} is of a kind that has no value of its own: {one.parameter_type}")

    def _row(self, name: str, one: Any, at: int, bit: int) -> int:
        """Place the key of a table, that of its first row; the row's data follow by a parameter of their own."""
        row = one.table_row or next(iter(one.table.table_rows), None)
        if row is None:
            raise UnreadableError(f"the table of {name} has no row")
        self._rows[one.short_name] = row
        key_dop = one.table.key_dop
        raw = key_dop.compu_method.convert_physical_to_internal(row.key)
        return self._atom(name, at, bit, key_dop.diag_coded_type, raw, "value", {})

    def _object(self, name: str, dop: Any, at: int, bit: int, default: Any) -> int:
        """Place what a data object describes; return the byte behind it."""
        match dop:
            case DtcDop():
                return self._atom(name, at, bit, dop.diag_coded_type, 0, "value", {}, valued=False)
            case DataObjectProperty():
                return self._number(name, dop, at, bit, default)
            case Structure():
                end = self.place(dop.parameters, at, f"{name}_")
                return max(end, at + (dop.byte_size or 0))
            case StaticField():
                for index in range(_bounded(name, dop.fixed_number_of_items)):
                    self.place(dop.structure.parameters, at + index * dop.item_byte_size, f"{name}{index + 1}_")
                return at + dop.fixed_number_of_items * dop.item_byte_size
            case EndOfPduField():
                for index in range(_bounded(name, dop.min_number_of_items or 0)):
                    at = self.place(dop.structure.parameters, at, f"{name}{index + 1}_")
                self.open = True
                return at
            case DynamicLengthField():
                count = dop.determine_number_of_items
                place = at + count.byte_position
                self._number(f"{name}_count", count.dop, place, count.bit_position or 0, None)
                self.open = True
                return at + dop.offset
            case Multiplexer():
                return self._case(name, dop, at)
        raise UnreadableError(f"{name} is a {type(dop).__name__}")

    def _case(self, name: str, mux: Multiplexer, at: int) -> int:
        case = next(iter(mux.cases), None)
        if case is None:
            raise UnreadableError(f"{name} is a multiplexer without a case")
        key = mux.switch_key
        raw = key.dop.compu_method.convert_physical_to_internal(case.lower_limit.value or 0)
        place = at + key.byte_position
        end = self._atom(f"{name}_key", place, key.bit_position or 0, key.dop.diag_coded_type, raw, "value", {})
        if case.structure is None:
            return end
        return max(end, self._object(f"{name}_{case.short_name}", case.structure, at + mux.byte_position, 0, None))

    def _number(self, name: str, dop: DataObjectProperty, at: int, bit: int, default: Any) -> int:
        """Place a simple data object: a number with its scale, a text, or bytes."""
        kind = dop.diag_coded_type.base_data_type.value
        keys = dict(_linear(dop)) if kind in _NUMBERS else {}
        if default is not None:
            raw: Any = dop.compu_method.convert_physical_to_internal(default)
        elif kind in _NUMBERS:
            raw = _lowest(dop)
        else:
            raw = None
        return self._atom(name, at, bit, dop.diag_coded_type, raw, "value", keys, valued=default is not None)

    def _atom(
        self,
        name: str,
        at: int,
        bit: int,
        coded: DiagCodedType,
        raw: Any,
        kind: str,
        keys: dict[str, Any],
        *,
        valued: bool = True,
    ) -> int:
        """Place a value as its coded type says."""
        encoding = None if coded.base_type_encoding is None else coded.base_type_encoding.value
        if encoding not in _PLAIN:
            raise UnreadableError(f"{name} is encoded as {encoding}")
        data_type, width = coded.base_data_type.value, coded.get_static_bit_length()
        if width is None:
            return self._of_any_length(name, at, coded, raw, valued=valued)
        if data_type in _NUMBERS:
            written = _writing(name, bit, width, coded)
            value = float(raw) if data_type in _FLOATS else int(raw)
            start = _start(at, bit, width)
            return self._put(Placed(name, start, width, kind, value, valued=valued, keys={**keys, **written}))
        if width <= 0 or width % 8 or bit:
            raise UnreadableError(f"{name} is a text that does not begin or end with a byte")
        content = _bytes(name, raw, coded).ljust(width // 8, b"\0")[: width // 8]
        return self._put(Placed(name, 8 * at, width, kind, content, valued=valued))

    def _of_any_length(self, name: str, at: int, coded: Any, raw: Any, *, valued: bool) -> int:
        """Place a text or bytes of a length that is in the message: the default, or the shortest one."""
        match coded.dct_type:
            case "LEADING-LENGTH-INFO-TYPE":
                if coded.bit_length % 8:
                    raise UnreadableError(f"the length of {name} is not whole bytes")
                content = _bytes(name, raw, coded)
                end = self._put(Placed(f"{name}_length", 8 * at, coded.bit_length, "const", len(content)))
            case "MIN-MAX-LENGTH-TYPE":
                content, end = _bytes(name, raw, coded).ljust(coded.min_length, b"\0"), at
                content += {"ZERO": b"\0", "HEX-FF": b"\xff"}.get(coded.termination.value, b"")
                self.open = coded.termination.value == "END-OF-PDU"
            case _:
                raise UnreadableError(f"the length of {name} is that of another parameter")
        if content:
            self._put(Placed(name, 8 * end, 8 * len(content), "value", content, valued=valued))
        return end + len(content)

    def _put(self, part: Placed) -> int:
        self.parts.append(part)
        if len(self.parts) > _LONGEST:
            raise UnreadableError(f"has more than {_LONGEST} parameters")
        return -(-(part.start + part.width) // 8)


def _writing(name: str, bit: int, width: int, coded: DiagCodedType) -> dict[str, Any]:
    """Return how a number is written, as settings of a field."""
    data_type = coded.base_data_type.value
    if not 0 < width <= _FLOATS.get(data_type, 64) or width < _FLOATS.get(data_type, 0):
        raise UnreadableError(f"{name} has {width} bits")
    if bit and data_type in _FLOATS:
        raise UnreadableError(f"{name} is a float that does not begin with a byte")
    keys: dict[str, Any] = {"float": True} if data_type in _FLOATS else {}
    if data_type == "A_INT32":
        keys["signed"] = True
    if coded.is_highlow_byte_order or bit + width <= 8:
        return keys
    if bit or width % 8:
        raise UnreadableError(f"{name} begins with its lowest byte and is not whole bytes")
    return {**keys, "order": "little"}


def _start(at: int, bit: int, width: int) -> int:
    """Return the place of the most significant bit of a number whose lowest one is number `bit` of its last byte."""
    return 8 * at + -(bit + width) % 8


def _bounded(name: str, number: int) -> int:
    if number > MOST_ITEMS:
        raise UnreadableError(f"{name} has {number} items")
    return number


def _bytes(name: str, raw: Any, coded: DiagCodedType) -> bytes:
    """Return the bytes of a text or of bytes; none of nothing."""
    if not isinstance(raw, str):
        return b"" if raw is None else bytes(raw)
    wide = "utf-16-be" if coded.is_highlow_byte_order else "utf-16-le"
    try:
        return raw.encode(_CODECS.get(coded.base_data_type.value, wide))
    except UnicodeEncodeError:
        raise UnreadableError(f"{name} is a text that its encoding does not have") from None


def _linear(dop: DataObjectProperty) -> Iterator[tuple[str, float]]:
    """Yield scale and offset of a linear conversion: physical = (offset + factor · raw) / divisor.

    Others are raw: a table of texts, a curve.
    """
    method: Any = dop.compu_method
    if method.category.value != "LINEAR":
        return
    segment = method.segment
    scale, offset = segment.factor / segment.denominator, segment.offset / segment.denominator
    if scale > 0:
        yield "scale", scale
        yield "offset", offset


def _lowest(dop: DataObjectProperty) -> int | float:
    """Return 0, or else the lowest raw value that the file allows."""
    method: Any = dop.compu_method
    limits = [] if dop.internal_constr is None else [dop.internal_constr.lower_limit]
    conversion = method.compu_internal_to_phys
    limits += [] if conversion is None else [scale.lower_limit for scale in conversion.compu_scales]
    known = [one.value for one in limits if one is not None and isinstance(one.value, int | float)]
    if dop.internal_constr is not None and known and known[0] > 0:
        return known[0]
    if method.category.value == "IDENTICAL" or method.is_valid_internal_value(0) or not known:
        return 0
    return min(known)
