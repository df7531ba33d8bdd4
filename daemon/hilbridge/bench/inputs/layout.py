"""Datagrams of games: the readings of the fields that a layout describes.

    value = reading · scale + add

Each size of a binary datagram has its own table of places, made once. A datagram of another size, one that is damaged,
and one with an invalid number are refused as a whole. So are one that is not newer than the last one, by the game's
own time, and one that is sent from a menu.
"""

import math
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from hilbridge.base.common.units import MILLISECOND, NEVER
from hilbridge.bench.inputs.formats.format import Readings, TextFormat, TextSettings
from hilbridge.bench.inputs.formats.lines import Columns, JsonLines, Pairs
from hilbridge.bench.inputs.signal_conditioner import GARBAGE, OUT_OF_RANGE, Reading, Refused
from hilbridge.files.settings.layouts import LayoutField, LayoutGap, LayoutSettings

WRONG_SIZE: Final = "wrong_size"
"""None of the lengths that a datagram of this layout has."""
PAUSED: Final = "paused"
"""Sent from a menu, by the layout's `when`."""
NOT_NEWER: Final = "not_newer"
"""The game's time is that of a datagram before, or earlier."""

RESTART: Final = 1.0
"""[s] by which the game's time goes back when it has been started anew."""

_TYPES: Final = {
    "u8": "B",
    "i8": "b",
    "u16": "H",
    "i16": "h",
    "u32": "I",
    "i32": "i",
    "u64": "Q",
    "i64": "q",
    "f32": "f",
    "f64": "d",
}
_TEXT_FORMS: Final[Mapping[str, Callable[[Sequence[str], TextSettings], TextFormat]]] = {
    "pairs": Pairs,
    "csv": Columns,
    "json": JsonLines,
}


class _Place(NamedTuple):
    """The place of a number or a text in datagrams of one size."""

    form: struct.Struct
    offset: int


class BinaryForm:
    """Fields at places; one that lies behind the end of a datagram is absent."""

    def __init__(self, layout: LayoutSettings, fields: Sequence[LayoutField]) -> None:
        order = "<" if layout.byte_order == "little" else ">"
        self._tables: Final = {
            size: [_place(field, order, size, layout.gaps.get(str(size))) for field in fields] for size in layout.sizes
        }

    def decode(self, datagram: bytes) -> Readings:
        """Return the readings of the fields. Refused: a datagram of another size."""
        table = self._tables.get(len(datagram))
        if table is None:
            raise Refused(WRONG_SIZE, f"{len(datagram)} bytes, not {' or '.join(map(str, self._tables))}")
        return [None if place is None else _read(place, datagram) for place in table]


def _place(field: LayoutField, order: str, size: int, gap: LayoutGap | None) -> _Place | None:
    assert field.offset is not None  # noqa: S101 - of a binary layout
    one = struct.Struct(f"{field.length}s" if field.type == "text" else order + _TYPES[field.type])
    offset = field.offset + (gap.length if gap is not None and field.offset >= gap.at else 0)
    return _Place(one, offset) if offset + one.size <= size else None


def _read(place: _Place, datagram: bytes) -> Reading:
    (reading,) = place.form.unpack_from(datagram, place.offset)
    if isinstance(reading, bytes):
        return reading.partition(b"\0")[0].decode("ascii", errors="replace").strip()
    number: float = reading
    return number


class Layout:
    """The decoder of one layout for the fields that are wanted: names of the layout, each of which it has."""

    def __init__(self, settings: LayoutSettings, wanted: Sequence[str]) -> None:
        """ConfigurationError: a text of columns lacks the column of a field."""
        self._wanted: Final = [(settings.fields[name], name) for name in wanted]
        parts = [part for field, _ in self._wanted for part in field.parts]
        timed = [] if settings.time is None else [settings.time]
        names = [*wanted, *parts, *settings.when, *timed]
        plain = [name for name in dict.fromkeys(names) if not settings.fields[name].is_made]
        fields = [settings.fields[name] for name in plain]
        self._plain: Final = list(zip(plain, fields, strict=True))
        self._form: Final[BinaryForm | TextFormat] = (
            BinaryForm(settings, fields)
            if settings.form == "binary"
            else _TEXT_FORMS[settings.form]([field.name or name for name, field in self._plain], settings)
        )
        self._binary: Final = settings.form == "binary"
        self._when: Final = settings.when
        self._time: Final = settings.time
        self._newest = -math.inf  # the game's time [s]
        self._held: Final[dict[str, tuple[float, int]]] = {}  # of fields with `hold`: the last value that was not 0

    def decode(self, datagram: bytes, t: int) -> Readings:
        """Return the readings of the wanted fields of a datagram of the time `t` [ns]. Refused: it cannot be used."""
        readings = self._form.decode(datagram if self._binary else datagram.strip())  # a text may end its line
        found = {
            name: None if reading is None else _value(field, name, reading)
            for (name, field), reading in zip(self._plain, readings, strict=True)
        }
        for name, value in self._when.items():
            if found[name] not in (value, None):
                raise Refused(PAUSED, f"{name} is {found[name]}")
        if self._time is not None:
            self._advance(found[self._time])
        return [self._wanted_value(field, name, found, t) for field, name in self._wanted]

    def _wanted_value(
        self, field: LayoutField, name: str, found: Mapping[str, Reading | None], t: int
    ) -> Reading | None:
        if field.constant is not None:
            return field.constant
        value = _combine(field, name, found) if field.parts else found[name]
        return value if field.hold is None or value is None else self._hold(field.hold, name, value, t)

    def _hold(self, hold: float, name: str, value: Reading, t: int) -> Reading:
        """Return the last value that was not 0, for as long as it stays."""
        if isinstance(value, str):
            return value
        if value != 0.0:
            self._held[name] = (value, t)
            return value
        last, since = self._held.get(name, (0.0, -NEVER))
        return last if t - since <= hold * MILLISECOND else 0.0

    def _advance(self, now: Reading | None) -> None:
        """Note the game's time [s], if it says any."""
        if not isinstance(now, float | int) or now == 0.0:
            return
        if self._newest - RESTART <= now <= self._newest:
            raise Refused(NOT_NEWER, f"the game's time goes from {self._newest:g} s to {now:g} s")
        self._newest = now


def _value(field: LayoutField, name: str, reading: Reading) -> Reading:
    if isinstance(reading, str):
        if field.scale != 1.0 or field.add != 0.0:
            raise Refused(GARBAGE, f"{name} is {reading!r}, and no number")
        return reading
    if field.bit is not None:
        if not isinstance(reading, int):  # of a text
            if not math.isfinite(reading) or reading < 0.0:
                raise Refused(OUT_OF_RANGE, f"{name} is {reading}")
            reading = int(reading)
        reading = reading >> field.bit & (1 << field.bits) - 1
    return _checked(field, name, reading * field.scale + field.add)


def _checked(field: LayoutField, name: str, value: float) -> float:
    """Return a value that can be one of the field. Refused: it is no number, or beyond the field's range."""
    lowest, highest = field.range or (-math.inf, math.inf)
    if not math.isfinite(value) or not lowest <= value <= highest:
        raise Refused(OUT_OF_RANGE, f"{name} is {value:g}")
    return value


def _combine(field: LayoutField, name: str, found: Mapping[str, Reading | None]) -> float | None:
    """Return the length of a field's vector, or its sum; None where a datagram lacks a part of it."""
    parts = [found[part] for part in field.parts]
    numbers = [part for part in parts if isinstance(part, float | int)]
    if len(numbers) < len(parts):
        if None in parts:
            return None
        raise Refused(GARBAGE, f"a part of {name} is no number")
    if field.magnitude:
        value = math.sqrt(sum(number * number for number in numbers))
    else:
        value = sum(number * weight for number, weight in zip(numbers, field.sum.values(), strict=True))
    return _checked(field, name, value * field.scale + field.add)
