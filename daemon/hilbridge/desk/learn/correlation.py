"""Which bits carry a known value? Found by correlation over all places, widths, byte orders and signs.

A number is a weighted sum of its bits, so its correlation r with a value v follows from the covariances of the bits
with v (c) and among themselves (S), which are worked out once for each identifier:

    r² = (wᵀ c)² / (wᵀ S w · var v)          w: the weights 1, 2, 4 … of its bits, the sign's with a minus

Of places whose r² hardly differs the one that begins at a byte or half byte is taken. Scale and offset are those of
least squares, put to round numbers where that does not make the error greater.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hilbridge.desk.learn.certainty import Certainty
from hilbridge.desk.learn.field import Field
from hilbridge.desk.learn.known_values import Known
from hilbridge.desk.learn.log import Series

Matrix = NDArray[np.float64]

_MOST_FRAMES: Final = 4000
_FEWEST_FRAMES: Final = 30
_WIDEST: Final = 24
_LEAST: Final = 0.95
"""Correlation below which nothing is said."""

_GOOD: Final = 0.99
_SAME: Final = 0.05
"""Share of the error 1 − r² by which two places may differ and count as the same."""

_FEWEST_STEPS: Final = 64
"""Different numbers of a signal that is sure."""


class Signal(NamedTuple):
    """The place of a known value: value = number · scale + offset; its correlation r, and the rms error."""

    known: str
    unit: str
    field: Field
    signed: bool
    scale: float
    offset: float
    correlation: float
    error: float
    frames: int
    steps: int

    @property
    def certainty(self) -> Certainty:
        if self.steps >= _FEWEST_STEPS and self.error <= abs(self.scale):
            return Certainty.SURE
        return Certainty.LIKELY if abs(self.correlation) >= _GOOD else Certainty.UNKNOWN

    def settings(self) -> dict[str, Any]:
        """Return place and scale as a bench file has them."""
        settings = self.field.settings()
        if self.signed:
            settings["signed"] = True
        if self.scale != 1:
            settings["scale"] = self.scale
        return settings | ({"offset": self.offset} if self.offset else {})


class _Place(NamedTuple):
    error: float
    field: Field
    signed: bool
    correlation: float


def find_signals(series: Series, known: Sequence[Known], ignored: NDArray[np.uint8]) -> list[Signal]:
    """Return the signals of an identifier that carry known values, best first; `ignored`: bits that are filled."""
    if series.length == 0:
        return []
    found = [signal for one in known for signal in _signals(series, one, ignored)]
    chosen: list[Signal] = []
    for signal in sorted(found, key=lambda one: -abs(one.correlation)):
        if not any(signal.field.touches(other.field) for other in chosen):
            chosen.append(signal)
    return chosen


def _signals(series: Series, known: Known, ignored: NDArray[np.uint8]) -> Iterator[Signal]:
    """Yield the best place of a value, if there is one."""
    inside = np.flatnonzero((series.times >= known.times[0]) & (series.times <= known.times[-1]))
    if len(inside) < _FEWEST_FRAMES:
        return
    if len(inside) > _MOST_FRAMES:
        inside = inside[np.linspace(0, len(inside) - 1, _MOST_FRAMES).astype(np.intp)]
    data = series.data[inside]
    values = np.interp(series.times[inside].astype(np.float64), known.times, known.values)
    spread = float(values.std())
    if spread == 0:
        return
    bits = np.unpackbits(data, axis=1, bitorder="little").astype(np.float64)
    zero = ~bits.any(axis=0)
    bits -= bits.mean(axis=0)
    together = bits.T @ bits / len(bits)
    with_value = bits.T @ (values - values.mean()) / len(bits) / spread
    free = np.unpackbits(~ignored, bitorder="little").astype(bool)
    places = list(_places(together, with_value, free))
    if not places:
        return
    least = min(place.error for place in places)
    if 1 - least < _LEAST**2:
        return
    alike = [place for place in places if place.error <= least * (1 + _SAME) + 1e-9]
    best = min(
        alike, key=lambda one: (one.field.shift % 8 != 0, one.field.shift % 4 != 0, one.signed, -one.field.width)
    )
    field = best.field if best.signed else _filled_up(best.field, zero & free, series.length)
    yield _fitted(known, field, best, data, values)


def _places(together: Matrix, with_value: Matrix, free: NDArray[np.bool_]) -> Iterator[_Place]:
    """Yield every place whose lowest and highest bits change, with its error 1 − r²."""
    length = len(free) // 8
    moving = np.diag(together) > 0
    for big in (False, True):
        for start in np.flatnonzero(moving & free):
            byte, shift = divmod(int(start), 8)
            weighted = np.zeros(len(free))
            variance = covariance = 0.0
            for width in range(1, _WIDEST + 1):
                above = (shift + width - 1) // 8
                at = byte - above if big else byte + above
                if not 0 <= at < length or (big and above == 0 and width > 8 - shift):
                    break
                bit = 8 * at + (shift + width - 1) % 8
                if not free[bit]:
                    break
                weight = float(1 << width - 1)
                cross = 2 * weight * float(together[bit] @ weighted)
                own = weight * weight * float(together[bit, bit])
                if moving[bit] and width > 1:
                    signed = (variance - cross + own, covariance - weight * float(with_value[bit]))
                    plain = (variance + cross + own, covariance + weight * float(with_value[bit]))
                    for is_signed, (var, cov) in ((False, plain), (True, signed)):
                        if var > 0 and not (big and above == 0):
                            r = cov / var**0.5
                            yield _Place(max(1 - r * r, 0.0), Field(byte, shift, width, big), is_signed, r)
                variance += cross + own
                covariance += weight * float(with_value[bit])
                weighted[bit] = weight


def _filled_up(field: Field, zero: NDArray[np.bool_], length: int) -> Field:
    """Return a field with the bits above it in its highest byte, if these are always 0."""
    while (field.shift + field.width) % 8:
        wider = field._replace(width=field.width + 1)
        byte, shift, _, bits = list(wider.pieces())[-1]
        if not wider.fits(length) or not zero[8 * byte + shift + bits - 1]:
            break
        field = wider
    return field


def _fitted(known: Known, field: Field, place: _Place, data: NDArray[np.uint8], values: Matrix) -> Signal:
    numbers = field.read(data).astype(np.float64)
    if place.signed:
        numbers[numbers >= 1 << field.width - 1] -= 1 << field.width
    scale, offset = np.polyfit(numbers, values, 1)
    least = float(np.sqrt(np.mean((numbers * scale + offset - values) ** 2)))
    allowed = 1.02 * least + 0.05 * abs(scale)

    def error(one: float, other: float) -> float:
        return float(np.sqrt(np.mean((numbers * one + other - values) ** 2)))

    scale = next(
        (one for one in _rounded(scale) if error(one, values.mean() - one * numbers.mean()) <= allowed), float(scale)
    )
    middle = float(values.mean() - scale * numbers.mean())
    offset = next((one for one in (0.0, *_rounded(middle)) if error(scale, one) <= 1.05 * allowed), middle)
    steps = len(np.unique(numbers))
    rest = error(scale, offset)
    return Signal(
        known.name, known.unit, field, place.signed, scale, offset, place.correlation, rest, len(values), steps
    )


def _rounded(number: float) -> Iterator[float]:
    """Yield a number with ever more digits, and fractions of powers of two among them."""
    for digits in range(1, 6):
        yield float(f"{number:.{digits - 1}e}")
        power = 2.0 ** round(np.log2(abs(number))) if number else 0.0
        if digits == 2 and power:
            yield float(np.copysign(power, number))
