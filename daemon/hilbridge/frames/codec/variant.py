"""The signals that travel together in a frame, as straight-line code from values to bytes and back.

The frame is cut into fields, the shortest runs of whole bytes whose edges no signal crosses. The signals of a field are
joined into one integer, and `struct` packs the fields. For a message with a 16-bit Intel EngineRpm and two 2-bit flags
in its third byte the encoder from the data bus reads

    def generated(channels):
        bus1 = channels[1]
        return pack(
            (((v / 1000) / 0.25).__round__() if 0 <= (v := bus1[1]) <= 16000000 else limit0(v)),
            (v if 0 <= (v := bus1[2]) <= 1 else limit1(v)) + 4 * ((v if 0 <= (v := bus1[3]) <= 1 else limit2(v))))

Each condition holds for the values that need no limit, nearly all that occur. The others go through
`limited` of sources.py. (A sum and a factor of a power of two are quicker here than an `or` and a shift.)
"""

import math
import struct
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeAlias

from cantools.database.can import Signal

from hilbridge.frames.codec.generated import function
from hilbridge.frames.codec.layout import ByteOrder, ByteRun, Raw, SignalPart, fields
from hilbridge.frames.codec.signals import EXPRESSION_NAMES, SignalCodec
from hilbridge.frames.codec.sources import Channels, FixedSource, Held, SignalSource, encoding

Encoder: TypeAlias = Callable[[Channels], bytes]
"""A function from the channels of the data bus to a frame's bytes."""

_INTEGER_CODES: Final = {1: "B", 2: "H", 4: "I", 8: "Q"}
_FLOAT_CODES: Final = {2: "e", 4: "f", 8: "d"}


def _swap(number: int, width: int) -> int:
    """Return the little-endian reading of the bytes that hold `number` in big-endian order, and the reverse."""
    return int.from_bytes(number.to_bytes(width, "big"), "little")


def _float_to_bits(code: str) -> Callable[[float], int]:
    layout = struct.Struct(f">{code}")
    return lambda value: int.from_bytes(layout.pack(value), "big")


def _bits_to_float(code: str) -> Callable[[int], Any]:
    layout = struct.Struct(f">{code}")
    return lambda bits: layout.unpack(bits.to_bytes(layout.size, "big"))[0]


_HELPERS: Final[Mapping[str, Any]] = {
    "swap": _swap,
    "from_bytes": int.from_bytes,
    **{f"to_bits{8 * width}": _float_to_bits(code) for width, code in _FLOAT_CODES.items()},
    **{f"to_float{8 * width}": _bits_to_float(code) for width, code in _FLOAT_CODES.items()},
    **EXPRESSION_NAMES,
    "inf": math.inf,
    "nan": math.nan,
}


class _Slot(NamedTuple):
    """A field as an item of the struct.

    `direct`: the item is the raw number of the field's only signal. `filling`: the unused bits that are sent as 1.
    """

    field: ByteRun
    code: str
    direct: bool
    filling: int


def _slot(field: ByteRun, order: ByteOrder, fill: int) -> _Slot:
    width, whole = field.width, field.whole
    used = 0
    for part in field.parts:
        bits = ((1 << part.signal.length) - 1) << part.shift
        used |= _swap(bits, width) if part.swapped else bits
    filling = int.from_bytes(bytes([fill]) * width, "big") & ~used
    if not field.parts:
        return _Slot(field, f"{width}s" if filling else f"{width}x", direct=False, filling=filling)
    if width not in _INTEGER_CODES or (width > 1 and field.order != order):
        return _Slot(field, f"{width}s", direct=False, filling=filling)
    if whole is None:
        return _Slot(field, _INTEGER_CODES[width], direct=False, filling=filling)
    if whole.is_float:
        return _Slot(field, _FLOAT_CODES[width], direct=True, filling=0)
    code = _INTEGER_CODES[width]
    return _Slot(field, code.lower() if whole.is_signed else code, direct=True, filling=0)


class Variant:
    """One layout of `length` bytes; unused bits come from the byte `fill` (0x00 or 0xFF).

    Functions are compiled when they are first asked for. Of signals that overlap all can be read; what is sent has
    none (`CompiledMessage.choose`).
    """

    def __init__(
        self,
        signals: Sequence[Signal],
        codecs: Mapping[str, SignalCodec],
        length: int,
        fill: int = 0,
        names: Mapping[str, str] | None = None,
    ) -> None:
        """`names`: what values are called that are read, where that is not the signal's name."""
        self._names = names or {}
        self.codecs = {signal.name: codecs[signal.name] for signal in signals}
        cut = fields(signals, length)
        orders = [field.order for field in cut if field.width > 1 and field.parts]
        order: ByteOrder = "big" if orders.count("big") > orders.count("little") else "little"
        self._slots = [_slot(field, order, fill) for field in cut]
        self._struct = struct.Struct((">" if order == "big" else "<") + "".join(slot.code for slot in self._slots))

    @cached_property
    def encode(self) -> Callable[[Mapping[str, Any]], bytes]:
        """The encoder from the physical values of all signals, as numbers."""
        texts: dict[str, str] = {}
        limits: dict[str, Any] = {}
        for index, (name, codec) in enumerate(self.codecs.items()):
            (low, high), limit = codec.span, f"limit{index}"
            texts[name] = f"({codec.expression('v')} if {low!r} <= (v := values[{name!r}]) <= {high!r} else {limit}(v))"
            limits[limit] = codec.to_raw
        return self._packer("values", texts, limits)

    @cached_property
    def pack(self) -> Callable[[Mapping[str, Raw]], bytes]:
        """The encoder from the raw numbers of all signals."""
        return self._packer("raws", {name: f"raws[{name!r}]" for name in self.codecs}, {})

    def bus_encoder(self, sources: Mapping[str, SignalSource], held: Held | None = None) -> Encoder:
        """Return the encoder from the data bus; `sources` has the source of every signal, `held` as of the message."""
        texts: dict[str, str] = {}
        names: dict[str, Any] = {}
        channels: set[int] = set()
        for index, (name, codec) in enumerate(self.codecs.items()):
            source = sources[name]
            if isinstance(source, FixedSource):
                texts[name] = f"({source.raw!r})"
                continue
            way = encoding(source, codec, held)
            texts[name] = f"({way.text(index)})"
            names |= way.names(index)
            channels.update(way.channels)
        prelude = "; ".join(f"bus{channel} = channels[{channel}]" for channel in sorted(channels))
        return self._packer("channels", texts, names, prelude or "pass")

    @cached_property
    def decode(self) -> Callable[[bytes], dict[str, Any]]:
        """The decoder to physical values."""
        return self._unpacker({name: codec.physical_expression for name, codec in self.codecs.items()})

    @cached_property
    def unpack(self) -> Callable[[bytes], dict[str, Raw]]:
        """The decoder to raw numbers."""
        return self._unpacker({})

    def _packer(
        self, parameter: str, raws: Mapping[str, str], names: Mapping[str, Any], prelude: str = "pass"
    ) -> Callable[..., bytes]:
        arguments = ", ".join(_item(slot, raws) for slot in self._slots if not slot.code.endswith("x"))
        return function(parameter, f"pack({arguments})", {**_HELPERS, **names, "pack": self._struct.pack}, prelude)

    def _unpacker(self, conversions: Mapping[str, Callable[[str], str]]) -> Callable[[bytes], dict[str, Any]]:
        items = [slot for slot in self._slots if not slot.code.endswith("x")]
        entries: list[str] = []
        for index, slot in enumerate(items):
            for part in slot.field.parts:
                raw = _raw(slot, part, f"field{index}")
                name = part.signal.name
                key = self._names.get(name, name) if conversions else name
                entries.append(f"{key!r}: {conversions[name](raw) if conversions else raw}")
        names = {**_HELPERS, "unpack": self._struct.unpack_from}
        targets = "".join(f"field{index}, " for index in range(len(items)))
        return function("data", f"{{{', '.join(entries)}}}", names, f"{targets}= unpack(data)" if targets else "pass")


def _item(slot: _Slot, raws: Mapping[str, str]) -> str:
    """Return the text of what is packed for a slot; `raws` has the text of each signal's raw number."""
    field = slot.field
    if slot.direct:
        return raws[field.parts[0].signal.name]
    terms = [f"swap({_joined([part], raws)}, {field.width})" for part in field.parts if part.swapped]
    if straight := [part for part in field.parts if not part.swapped]:
        terms.append(_joined(straight, raws))
    if slot.filling:
        terms.append(str(slot.filling))
    text = " + ".join(terms)
    return f"({text}).to_bytes({field.width}, {field.order!r})" if slot.code.endswith("s") else text


def _joined(parts: Sequence[SignalPart], raws: Mapping[str, str]) -> str:
    """Return the bits of some signals in one number, by Horner's rule: what is multiplied stays small."""
    text, above = "", 0
    for part in sorted(parts, key=lambda part: part.shift, reverse=True):
        bits = _bits(part.signal, raws[part.signal.name])
        text = f"{bits} + {1 << above - part.shift} * ({text})" if text else bits
        above = part.shift
    return f"({text}) * {1 << above}" if above else text


def _bits(signal: Signal, raw: str) -> str:
    if signal.is_float:
        return f"to_bits{signal.length}({raw})"
    return f"({raw} & {(1 << signal.length) - 1})" if signal.is_signed else raw


def _raw(slot: _Slot, part: SignalPart, item: str) -> str:
    """Return the text of a signal's raw number, in a slot that was unpacked as `item`."""
    if slot.direct:
        return item
    signal, field = part.signal, slot.field
    text = f"from_bytes({item}, {field.order!r})" if slot.code.endswith("s") else item
    if part.swapped:
        text = f"swap({text}, {field.width})"
    shifted = f"{text} >> {part.shift}" if part.shift else text
    text = f"({shifted} & {(1 << signal.length) - 1})"
    if signal.is_float:
        return f"to_float{signal.length}{text}"
    sign = 1 << (signal.length - 1)
    return f"(({text} ^ {sign}) - {sign})" if signal.is_signed else text
