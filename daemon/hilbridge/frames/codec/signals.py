"""One signal: from physical values to raw numbers and back.

    raw = round((physical - offset) / scale)        physical = raw * scale + offset

rounded half to even, and computed with the very operations of cantools, so that both give the same bits. A raw
number is what lies in the frame: an integer, or for IEEE 754 signals the float itself (not rounded).

Where cantools raises, a value is limited: first to the signal's minimum and maximum, then to what its bits hold. It
never wraps, and it never lands on a value that is reserved for "not available" or "error" unless asked for by name
or by its very number.

In J1939 (SAE J1939-71, transmitted signal ranges) the highest numbers of every unsigned signal are reserved, and all
ones mean "not available":
  from 8 bits on   values end where the top byte is 0xFA: 0xFA, 0xFAFF, 0xFAFFFFFF
  2 to 7 bits      the last two states mean "error" and "not available": 2 bits have 0 and 1

Not available. NaN is sent as, in this order:
  1. the named value that says so, alone or at the end of the name, however it is spelt: SNA, GEAR_SNA, N/A,
     NotAvailable, signal not available, unavailable, ...;
  2. the database's own invalid value (ARXML), then a value named "invalid";
  3. all ones in J1939;
  4. the substitute of the bench file;
  5. NaN itself in a float signal; else 0, limited.
A value named "error" or "fault" is reserved but never chosen: an unknown value is no failure.
"""

import math
import re
import struct
import sys
from collections.abc import Collection
from typing import Final

from cantools.database.can import Signal

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.frames.codec.layout import Raw

_NOT_AVAILABLE: Final = re.compile(
    r"^n ?[av]$|(^| )(sna|snv|(signal ?|data ?)?not ?avail(able)?|unavail(able)?)$", re.IGNORECASE
)
_INVALID: Final = re.compile(r"(^| )(in|not ?)valid( value)?$", re.IGNORECASE)
_ERROR: Final = re.compile(r"^(?!no )(\w+ )*(error|fault|failure)( indicator)?$", re.IGNORECASE)

_LARGEST_FLOAT: Final[dict[int, float]] = {
    16: 65504.0,
    32: struct.unpack("<f", b"\xff\xff\x7f\x7f")[0],
    64: sys.float_info.max,
}
"""The largest finite float by length [bit]."""

_EXACT_BITS: Final = 53
"""Integers of up to so many bits are exact as floats."""


_HALF: Final = 0.5 + 1e-6
"""Steps by which rounding changes a value, and a little for that of floats."""

_ROUNDING: Final = 1e-9
"""Share by which the arithmetic of floats changes one."""

_J1939_VALUES: Final = 0xFB
"""Numbers of a byte, of 256, that are values."""


def _words(name: str) -> str:
    """Return `GearSNA`, `GEAR_SNA` and `gear/SNA` as words with a blank between them."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return re.sub(r"[^A-Za-z0-9]+", " ", apart).strip()


def _quotient(difference: float, scale: int) -> int:
    """Return `round(difference / scale)`, exact even where more than a float's 53 bits divide without remainder."""
    whole, remainder = divmod(difference, scale)
    return round(whole if remainder == 0 else difference / scale)


EXPRESSION_NAMES: Final = {"quotient": _quotient}
"""The names that texts of `SignalCodec.expression` refer to."""


class SignalCodec:
    """The numbers of one signal.

    `lowest`…`highest` limit the raw number, `floor`…`ceiling` the physical value; within `span` (physical) no limit
    is at work. `absent` is the raw number of "not available" or None, `reserved` holds it and those of errors.
    `rest` is the raw number that is sent while nothing drives the signal, for `rest_reason`. `bounds` are the
    database's minimum and maximum where they hold values; either may be missing.
    """

    def __init__(self, signal: Signal, *, j1939: bool = False, ranged: bool = True) -> None:
        """`ranged`: values are held inside the database's minimum and maximum, else only inside what the bits hold."""
        self.name = signal.name
        self.spn = signal.spn
        self.unit = signal.unit
        self.length = signal.length
        self.floating = signal.is_float
        self.signed = signal.is_signed and not self.floating
        if signal.scale == 0:
            raise ConfigurationError("it has scale 0")
        if not _is_finite(signal):
            raise ConfigurationError("its scale and offset are too large for any number")
        if self.floating and self.length not in _LARGEST_FLOAT:
            raise ConfigurationError(f"it is a float of {self.length} bits")
        self._whole = not self.floating and float(signal.scale).is_integer() and float(signal.offset).is_integer()
        self.scale = int(signal.scale) if self._whole else signal.scale
        self.offset = int(signal.offset) if self._whole else signal.offset

        if self.floating:
            self.lowest, self.highest = -_LARGEST_FLOAT[self.length], _LARGEST_FLOAT[self.length]
        else:
            self.lowest = -(1 << self.length - 1) if self.signed else 0
            self.highest = self.lowest + (1 << self.length) - 1
        self._bits = (self.lowest, self.highest)
        self.names = {
            number: str(name)
            for number, name in (signal.choices or {}).items()
            if self.lowest <= number <= self.highest
        }
        self.numbers: dict[str, int] = {}
        for number, name in self.names.items():
            self.numbers.setdefault(name, number)
        self.absent, self.reserved = _reserved(self.names, signal.raw_invalid)
        self._last_value = self.highest
        if j1939 and self.length > 1 and not self.signed and not self.floating:
            self._last_value = _last_value(self.length)
            self.absent = self._bits[1] if self.absent is None else self.absent
        self.bounds = _bounds(signal) if ranged else None
        self._set_limits(*self.bounds or (None, None))
        self.rest = self._rest(signal.raw_initial, j1939=j1939)
        self.rest_reason = _rest_reason(signal, j1939=j1939)

    def _set_limits(self, minimum: float | None, maximum: float | None) -> None:
        self._range = self._physical_range()

        # One step beyond the raw limits rounds to outside of them; huge and infinite values are held there.
        step = abs(self.scale)
        self.floor, self.ceiling = self._range[0] - step, self._range[1] + step
        self.floor = self.floor if minimum is None else max(self.floor, minimum)
        self.ceiling = self.ceiling if maximum is None else min(self.ceiling, maximum)

        self.highest = min(self.highest, self._last_value)
        while self.highest in self.reserved and self.highest > self.lowest:
            self.highest -= 1
        while self.lowest in self.reserved and self.lowest < self.highest:
            self.lowest += 1
        first, last = self._physical_range()
        first, last = max(first, self.floor), min(last, self.ceiling)
        inside = first <= last and all(self.lowest <= self._convert(edge) <= self.highest for edge in (first, last))
        if not self._whole:  # floats compare quicker with floats
            first, last = float(first), float(last)
        self.span = (first, last) if inside else (1, 0)

    def _physical_range(self) -> tuple[float, float]:
        one, other = self.to_physical(self.lowest), self.to_physical(self.highest)
        return (one, other) if one <= other else (other, one)

    def _rest(self, initial: float | None, *, j1939: bool) -> Raw:
        """Return the start value of the database; in J1939 all ones (not available); else 0, limited."""
        if initial is not None:
            raw = initial if self.floating else round(initial)
            return raw if raw in self.names else min(max(raw, self.lowest), self.highest)
        if j1939 and not self.floating:
            return -1 if self.signed else (1 << self.length) - 1
        return self.limit(0)

    def expression(self, x: str, *, integral: bool = False) -> str:
        """Return Python text for the raw number of the physical value `x`, right for values within `span`.

        `integral`: `x` is an integer. `x.__round__()` is what `round(x)` calls, in half the time.
        """
        difference = f"({x} - {self.offset!r})" if self.offset != 0 else x
        if self.floating:
            return difference if self.scale == 1 else f"{difference} / {self.scale!r}"
        if self.scale == 1:
            return difference if integral and self._whole else f"{difference}.__round__()"
        if self._whole and self.length > _EXACT_BITS:
            return f"quotient({difference}, {self.scale!r})"
        return f"({difference} / {self.scale!r}).__round__()"

    def _convert(self, value: float) -> Raw:
        """Return what `expression` computes."""
        difference = value - self.offset if self.offset != 0 else value
        if self.floating:
            return difference if self.scale == 1 else difference / self.scale
        if self.scale == 1:
            return round(difference)
        if self._whole and self.length > _EXACT_BITS:
            return _quotient(difference, int(self.scale))
        return round(difference / self.scale)

    def limit(self, value: float, keep: Collection[int] = ()) -> Raw:
        """Return the raw number of any value but NaN; one that is in `keep` stands though it is beyond a limit."""
        if keep and self._range[0] <= value <= self._range[1] and (raw := self._convert(value)) in keep:
            return raw
        raw = self._convert(min(max(value, self.floor), self.ceiling))
        return min(max(raw, self.lowest), self.highest)

    def differs(self, raw: Raw, value: float) -> bool:
        """Return whether a raw number stands for another value than `value`, beyond rounding: a limit was at work."""
        sent = self.to_physical(raw)
        return abs(sent - value) > (_ROUNDING * max(abs(value), 1.0) if self.floating else _HALF * abs(self.scale))

    @property
    def range_text(self) -> str:
        """The database's range where it holds values: `[0|100]`; else nothing."""
        return "" if self.bounds is None else f"[{'|'.join('' if one is None else f'{one:g}' for one in self.bounds)}]"

    def to_exact(self, value: float) -> float:
        """Return the raw number of a value without rounding and limits."""
        return (value - self.offset) / self.scale

    def unavailable(self, substitute: float | None = None) -> Raw:
        """Return the raw number that says "not available"; `substitute` is the physical value that stands in for it."""
        if self.absent is not None:
            return self.absent
        if substitute is not None:
            return self.limit(substitute)
        return float("nan") if self.floating else self.limit(0)

    def to_raw(self, value: float) -> Raw:
        """Return the raw number of any value, a reserved one too where it is within minimum and maximum.

        As in cantools, named values need not lie there.
        """
        if value != value:
            return self.unavailable()
        if self.floor <= value <= self.ceiling and self._bits[0] <= (raw := self._convert(value)) <= self._bits[1]:
            return raw
        return self.limit(value, self.names)

    def available(self, raw: Raw) -> bool:
        """Return whether a raw number is a value: not reserved for "not available", "error" or the like."""
        return raw == raw and raw not in self.reserved and (raw <= self._last_value or raw in self.names)

    def named(self, name: str) -> Raw:
        """Return the raw number of a named value. ValueError: the signal has none of this name, or several."""
        if name not in self.numbers:
            raise ValueError(f"signal {self.name} has no value named {name!r} (it has {', '.join(self.numbers)})")
        if len(numbers := [number for number, one in self.names.items() if one == name]) > 1:
            several = ", ".join(map(str, sorted(numbers)))
            raise ValueError(f"signal {self.name} has several values named {name!r} ({several}): write the number")
        return self.numbers[name]

    def name_of(self, raw: Raw) -> str | None:
        """Return the name of a raw number, if it has one."""
        return self.names.get(int(raw)) if math.isfinite(raw) else None

    def physical_expression(self, raw: str) -> str:
        """Return Python text for the physical value of a raw number."""
        scaled = raw if self.scale == 1 else f"{raw} * {self.scale!r}"
        return scaled if self.offset == 0 and self.scale > 0 and not self.floating else f"{scaled} + {self.offset!r}"

    def to_physical(self, raw: Raw) -> float:
        """Return the physical value of a raw number."""
        return raw * self.scale + self.offset


def _is_finite(signal: Signal) -> bool:
    """Return whether scale, offset, and what they make of the ends of what the bits hold are finite floats."""
    end = 1 if signal.is_float else 1 << signal.length
    try:
        return all(math.isfinite(float(raw * signal.scale + signal.offset)) for raw in (-end, end))
    except OverflowError:
        return False


def _bounds(signal: Signal) -> tuple[float | None, float | None] | None:
    """Return the database's minimum and maximum; None: it has none, or they are the wrong way round."""
    minimum, maximum = signal.minimum, signal.maximum
    if minimum is None and maximum is None:
        return None
    return None if minimum is not None and maximum is not None and minimum > maximum else (minimum, maximum)


def _rest_reason(signal: Signal, *, j1939: bool) -> str:
    if signal.raw_initial is not None:
        return "start value of the database"
    return "not available, as in J1939" if j1939 and not signal.is_float else "the database has no start value"


def _last_value(length: int) -> int:
    """Return the highest number of an unsigned J1939 signal of so many bits that is a value."""
    return (_J1939_VALUES << length - 8) - 1 if length >= 8 else (1 << length) - 3


def _reserved(names: dict[int, str], invalid: float | None) -> tuple[Raw | None, frozenset[int]]:
    """Return the raw number of "not available", and all those that are reserved for this and for errors."""
    found: dict[re.Pattern[str], list[int]] = {_NOT_AVAILABLE: [], _INVALID: [], _ERROR: []}
    for number, name in sorted(names.items()):
        for pattern, numbers in found.items():
            if pattern.search(_words(name)):
                numbers.append(number)
                break
    unavailable, invalids, _ = found.values()
    if unavailable:
        absent: Raw | None = unavailable[-1]
    elif invalid is None and invalids:
        absent = invalids[-1]
    else:
        absent = invalid
    reserved = {number for numbers in found.values() for number in numbers}
    return absent, frozenset(reserved if absent is None else reserved | {int(absent)})
