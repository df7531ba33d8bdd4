"""Powers, logarithms, the bias function, sine and cosine, from operations that are the same on every machine.

A step may only add, subtract, multiply, divide and take square roots: IEEE 754 rounds these correctly everywhere,
while `pow`, `exp`, `log` and `sin` of a C library differ in the last bit between processors. `frexp` and `ldexp` only
move the binary point and are exact. Source of the expansions: Abramowitz and Stegun, 4.1.27, 4.2.1, 4.3.65 and 4.3.66.
"""

from math import frexp, ldexp
from typing import Final

_SQRT_HALF: Final = 0.7071067811865476
_LN_2: Final = 0.6931471805599453
_TWO_BY_LN_2: Final = 2.8853900817779268
_COARSE: Final = 1048576.0
_ONE_BY_E: Final = 0.36787944117144233

_FALLING: Final[list[float]] = [float(k) for k in range(14, 0, -1)]
_ODD_RECIPROCALS: Final[list[float]] = [1.0 / k for k in range(23, 0, -2)]
_COSINE_STEPS: Final[list[float]] = [float(k * (k - 1)) for k in range(22, 1, -2)]  # 21·22, … 3·4, 1·2
_SINE_STEPS: Final[list[float]] = [float(k * (k - 1)) for k in range(23, 1, -2)]  # 22·23, … 4·5, 2·3
"""Divisors or factors of the terms of the series, the last one first."""


def clamp(value: float, minimum: float, maximum: float) -> float:
    """Return the value held between two bounds; not-a-number counts as the lower one."""
    if value > minimum:
        return value if value < maximum else maximum
    return minimum


def log2(x: float) -> float:
    """Return the logarithm to base 2 of x > 0, relative error below 1e-15."""
    if x <= 0.0:
        raise ValueError(f"{x} has no logarithm")
    mantissa, octave = frexp(x)
    if mantissa < _SQRT_HALF:
        mantissa *= 2.0
        octave -= 1
    return octave + _log2_near_one(mantissa)


def power(base: float, exponent: float) -> float:
    """base^exponent = 2^(exponent·log2 base) for base >= 0 and 0 <= exponent < 1000; relative error below 1e-14.

    With base = m·2^e the large part exponent·e is kept apart from the small one: a coarse exponent of 20 binary
    digits times e is exact, so that no digit is lost where the result is tiny or huge. A square, which many curves
    are, is a product.
    """
    if base <= 0.0:
        return 1.0 if exponent == 0.0 else 0.0
    if exponent == 2.0:
        return base * base
    mantissa, octave = frexp(base)
    if mantissa < _SQRT_HALF:
        mantissa *= 2.0
        octave -= 1
    coarse = int(exponent * _COARSE) / _COARSE
    octaves = coarse * octave
    whole = _nearest(octaves)
    rest = (octaves - whole) + (exponent - coarse) * octave + exponent * _log2_near_one(mantissa)
    whole_rest = _nearest(rest)
    return ldexp(_exp((rest - whole_rest) * _LN_2), whole + whole_rest)


def bias(x: float, b: float) -> float:
    """x^(ln b / ln ½), x held in 0..1 and 0 < b < 1: a curve from (0, 0) through (½, b) to (1, 1)."""
    return power(clamp(x, 0.0, 1.0), -log2(b))


def sine(x: float) -> float:
    """sin x = x·(1 - x²/(2·3)·(1 - x²/(4·5)·(…))) for x in rad, |x| <= ½·π; absolute error below 3e-16."""
    return x * _alternating(x * x, _SINE_STEPS)


def cosine(x: float) -> float:
    """cos x = 1 - x²/(1·2)·(1 - x²/(3·4)·(…)) for x in rad, |x| <= ½·π; absolute error below 3e-16."""
    return _alternating(x * x, _COSINE_STEPS)


def _alternating(z: float, steps: list[float]) -> float:
    """1 - z/s_n·(1 - z/s_(n-1)·(… 1 - z/s_1)): a series whose terms fall by z/s each."""
    total = 1.0
    for step in steps:
        total = 1.0 - total * z / step
    return total


def relaxation(x: float) -> float:
    """(1 - e^-x)/x for x >= 0, 1 at 0: the mean of what decays from 1 to e^-x; relative error below 1e-14."""
    if x >= 1.0:
        return (1.0 - power(_ONE_BY_E, x)) / x if x < 100.0 else 1.0 / x
    total = 1.0
    k = 20.0
    while k > 1.0:  # 1 - x/2·(1 - x/3·(1 - …))
        total = 1.0 - x * total / k
        k -= 1.0
    return total


def _log2_near_one(m: float) -> float:
    """log2 m = 2/ln 2 · (s + s³/3 + s⁵/5 + …), s = (m-1)/(m+1), for √½ <= m < √2."""
    s = (m - 1.0) / (m + 1.0)
    z = s * s
    total = 0.0
    for reciprocal in _ODD_RECIPROCALS:
        total = total * z + reciprocal
    return _TWO_BY_LN_2 * s * total


def _exp(x: float) -> float:
    """e^x = 1 + x·(1 + x/2·(1 + x/3·(…))) for |x| <= ½·ln 2."""
    total = 1.0
    for k in _FALLING:
        total = 1.0 + total * x / k
    return total


def _nearest(x: float) -> int:
    return int(x + 0.5) if x >= 0.0 else -int(0.5 - x)
