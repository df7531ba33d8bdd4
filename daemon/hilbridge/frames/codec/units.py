"""Units of measurement as databases spell them, and how one becomes another.

    y = x * factor + offset

Each unit has a dimension and a factor to that dimension's SI unit, kept as an exact fraction: the factor from m/s to
km/h is the float nearest to 18/5. Only temperatures have an offset. Spellings vary, so blanks, brackets
and the usual substitutes for typographic signs are ignored, and upper and lower case too where that leaves no doubt
(mW and MW do).

Sources: SI brochure (BIPM, 9th ed.); hp is 550 ft·lbf/s, PS is 75 kp·m/s; a year is 365.2425 days, a month its twelfth.
"""

import math
import re
from fractions import Fraction
from functools import cache
from typing import Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError, KeyPath

_INCH: Final = Fraction("0.0254")
_MILE: Final = 63360 * _INCH
_GALLON: Final = 231 * _INCH**3
_POUND_FORCE: Final = Fraction("0.45359237") * Fraction("9.80665")
_PI: Final = Fraction(math.pi)

_UNITS: Final[dict[str, tuple[tuple[Fraction | int | str, str], ...]]] = {
    "speed": (
        (1, "m/s mps m/sec"),
        (Fraction(5, 18), "km/h kmh kph kmph"),
        (_MILE / 3600, "mph mi/h mile/h miles/h"),
        (Fraction(1852, 3600), "kn kt knot knots"),
        (Fraction(1, 100), "cm/s"),
    ),
    "acceleration": ((1, "m/s2 m/s/s m/sec2"),),
    "angular velocity": (
        (1, "rad/s"),
        (_PI / 30, "rpm 1/min min-1 /min U/min r/min rev/min rpms"),
        (_PI / 180, "deg/s °/s degree/s degrees/s deg/sec degrees/second"),
    ),
    "angle": (
        (1, "rad radian radians"),
        ("0.001", "mrad"),
        (_PI / 180, "deg ° degree degrees grad °grad degs"),
    ),
    "torque": (
        (1, "Nm N.m N-m"),
        ("0.01", "cNm"),
        (1000, "kNm kN.m"),
        (12 * _INCH * _POUND_FORCE, "lbft lb.ft lb-ft ftlb ft.lb ft-lb lbfft"),
    ),
    "power": (
        (1, "W watt watts"),
        ("0.001", "mW"),
        (1000, "kW"),
        (1_000_000, "MW"),
        (550 * 12 * _INCH * _POUND_FORCE, "hp bhp"),
        (75 * Fraction("9.80665"), "PS ch cv"),
    ),
    "energy": (
        (1, "J Ws"),
        (1000, "kJ"),
        (1_000_000, "MJ"),
        (3600, "Wh watthour watthr watt.hour watt.hr"),
        (3_600_000, "kWh"),
    ),
    "force": (
        (1, "N"),
        (10, "daN"),
        (1000, "kN"),
    ),
    "ratio": (
        (1, "1 ratio"),
        ("0.01", "% percent pct"),
        ("0.001", "‰ permille"),
    ),
    "mass flow": (
        ("0.001", "g/s"),
        (1, "kg/s"),
        (Fraction(1, 3600), "kg/h"),
        (Fraction(1, 3_600_000), "g/h"),
        ("0.000001", "mg/s"),
    ),
    "volume flow": (
        (1, "m3/s"),
        (Fraction(1, 3600), "m3/h"),
        (Fraction(1, 3_600_000), "l/h lph"),
        (Fraction(1, 60_000), "l/min"),
        (_GALLON / 3600, "gal/h gph"),
    ),
    "volume per distance": (
        ("1e-8", "l/100km"),
        ("1e-6", "l/km"),
    ),
    "distance per volume": (
        (1_000_000, "km/l"),
        (_MILE / _GALLON, "mpg mi/gal"),
    ),
    "temperature": (
        (1, "K kelvin degK °K"),
        (1, "degC °C C celsius degreesC degreeC deg.C deg_C ℃ Cel ¡æ �C"),
        (Fraction(5, 9), "degF °F F fahrenheit degreesF degreeF deg.F deg_F ℉"),
    ),
    "time": (
        (1, "s sec secs second seconds sek"),
        ("0.001", "ms msec millisecond milliseconds"),
        ("0.000001", "us µs usec"),
        (60, "min mins minute minutes"),
        (3600, "h hr hrs hour hours"),
        (86400, "d day days"),
        (31_556_952, "year years"),
        (2_629_746, "month months"),
    ),
    "length": (
        (1, "m metre meter meters metres"),
        (1000, "km kilometer kilometers kilometre kilometres"),
        ("0.1", "dm"),
        ("0.01", "cm centimeter centimetre"),
        ("0.001", "mm millimeter millimeters millimetre"),
        (_INCH, "in inch"),
        (12 * _INCH, "ft feet"),
        (36 * _INCH, "yd yard yards"),
        (_MILE, "mi mile miles"),
    ),
    "volume": (
        (1, "m3"),
        ("0.001", "l liter liters litre litres ltr"),
        ("0.000001", "ml cm3"),
        ("1e-9", "mm3 µl ul"),
        (_GALLON, "gal gallon gallons"),
    ),
    "mass": (
        (1, "kg kilogram"),
        ("0.001", "g gram"),
        ("0.000001", "mg"),
        (1000, "t"),
        (Fraction("0.45359237"), "lb lbs"),
    ),
    "pressure": (
        (1, "Pa"),
        (100, "hPa mbar millibar"),
        (1000, "kPa kilopascal kPaG"),
        (Fraction("133.322387415"), "mmHg"),
        (1_000_000, "MPa"),
        (100_000, "bar"),
        (_POUND_FORCE / _INCH**2, "psi"),
    ),
    "voltage": (
        (1, "V volt volts"),
        ("0.001", "mV"),
        (1000, "kV"),
    ),
    "current": (
        (1, "A amp amps ampere"),
        ("0.001", "mA"),
    ),
    "charge": (
        (1, "As"),
        (3600, "Ah amphour amperehour ampere.hour"),
    ),
    "resistance": (
        (1, "Ohm Ω"),
        ("0.001", "mOhm milliohm"),
        (1000, "kOhm kΩ"),
    ),
    "level": ((1, "dB decibel"),),
    "radar cross section": ((1, "dBsm"),),
    "illuminance": ((1, "lx lux"),),
    "curvature": ((1, "1/m m-1 1/meter"),),
    "frequency": (
        (1, "Hz 1/s hertz /s"),
        (1000, "kHz"),
    ),
}

_ZERO_POINTS: Final = {"degC": Fraction("273.15"), "degF": Fraction("459.67") * Fraction(5, 9)}
"""[K] what 0 of the unit is."""

_VOLKSWAGEN: Final = {
    "Unit_KiloMeterPerHour": "km/h",
    "Unit_MeterPerSecon": "m/s",
    "Unit_MeterPerSeconSquar": "m/s2",
    "Unit_MinutInver": "1/min",
    "Unit_DegreOfArcPerSecon": "deg/s",
    "Unit_DegreOfArc": "deg",
    "Unit_NewtoMeter": "Nm",
    "Unit_Watt": "W",
    "Unit_KiloWatt": "kW",
    "Unit_PerCent": "%",
    "Unit_DegreCelsi": "degC",
    "Unit_Secon": "s",
    "Unit_MilliSecon": "ms",
    "Unit_Minut": "min",
    "Unit_Hours": "h",
    "Unit_Meter": "m",
    "Unit_KiloMeter": "km",
    "Unit_MilliMeter": "mm",
    "Unit_Liter": "l",
    "Unit_MilliLiter": "ml",
    "Unit_Bar": "bar",
    "Unit_MilliBar": "mbar",
    "Unit_Volt": "V",
    "Unit_MilliVolt": "mV",
    "Unit_Amper": "A",
    "Unit_Ohm": "Ohm",
    "Unit_Hertz": "Hz",
    "Unit_KiloGram": "kg",
    "Unit_Gram": "g",
    "Unit_Centimeter": "cm",
    "Unit_MicroLiter": "ul",
    "Unit_KiloNewto": "kN",
    "Unit_Newto": "N",
    "Unit_centiNewtoMeter": "cNm",
    "Unit_WattHour": "Wh",
    "Unit_AmperHour": "Ah",
    "Unit_MilliAmper": "mA",
    "Unit_Day": "d",
    "Unit_Month": "month",
    "Unit_Year": "year",
    "Unit_Lux": "lx",
    "Unit_MeterPerSecond": "m/s",
    "Unit_MeterPerSquareSecond": "m/s2",
    "Unit_DegreOfArcPerSecond": "deg/s",
    "Unit_DegreePerSecond": "deg/s",
    "Unit_DegreeOfArc": "deg",
}
"""The names that databases of this group use."""

_NO_UNIT: Final = frozenset(
    [
        "-",
        "--",
        "n/a",
        "none",
        "unit_none",
        "unitless",
        "number",
        "count",
        "counts",
        "bit",
        "bits",
        "unit_bit",
        "unit_objectid",
        "cnt",
        "zaehler",
        "pulse",
        "pulses",
        "pulsecount",
        "steps",
        "detents",
        "sed",
        "ses",
        "ascii",
        "bcd",
        "mixed",
        "flag",
        "on/off",
        "undefined",
        "encrypted",
        "discrete",
        "deprecated",
        "colorindex",
        "tbd",
        "?",
        "??",
        "x",
        "bool",
        "boolean",
        "binary",
        "yes/no",
        "enum",
    ]
) | {""}
"""Spellings of "a number without unit"."""

_SUBSTITUTES: Final = str.maketrans("º*·×²³μ", "°...23µ", " []()^Â")
"""`Â` is what is left of a UTF-8 degree or micro sign that was read as Windows-1252."""


class PhysicalUnit(NamedTuple):
    """SI value = value * factor + offset."""

    name: str
    dimension: str
    factor: Fraction
    offset: Fraction


class Conversion(NamedTuple):
    """y = x * factor + offset."""

    factor: float
    offset: float

    def apply(self, value: float) -> float:
        """Return the converted value."""
        return value * self.factor + self.offset

    def invert(self, value: float) -> float:
        """Return the value that is converted into `value`."""
        return (value - self.offset) / self.factor


IDENTITY: Final = Conversion(1.0, 0.0)


def _spellings() -> dict[str, PhysicalUnit]:
    exact: dict[str, PhysicalUnit] = {}
    for dimension, rows in _UNITS.items():
        for factor, text in rows:
            names = text.split()
            unit = PhysicalUnit(names[0], dimension, Fraction(factor), _ZERO_POINTS.get(names[0], Fraction(0)))
            exact.update((name, unit) for name in names)
    exact.update((name, exact[unit]) for name, unit in _VOLKSWAGEN.items())
    folded: dict[str, set[PhysicalUnit]] = {}
    for name, unit in exact.items():
        folded.setdefault(name.casefold(), set()).add(unit)
    return {name: next(iter(units)) for name, units in folded.items() if len(units) == 1} | exact


_SPELLINGS: Final = _spellings()


_RATIOS: Final = {
    ("length", "time"): "speed",
    ("speed", "time"): "acceleration",
    ("angle", "time"): "angular velocity",
    ("mass", "time"): "mass flow",
    ("volume", "time"): "volume flow",
    ("volume", "length"): "volume per distance",
    ("length", "volume"): "distance per volume",
}
"""The dimension of one unit per another one, where it has a name."""


@cache
def find_unit(text: str) -> PhysicalUnit | None:
    """Return the unit that a database or a bench file writes as `text`, or None.

    Any unit over another one is a unit too: `km/hour`, `watt*hour/km`, `meters per second`, `Unit_BarPerSecon`.
    """
    plain = text.translate(_SUBSTITUTES).replace("**", "")
    return _simple(plain) or _ratio(plain)


def _simple(text: str) -> PhysicalUnit | None:
    return _SPELLINGS.get(text) or _SPELLINGS.get(text.casefold())


def _ratio(text: str) -> PhysicalUnit | None:
    prefix = "Unit_" if text.startswith("Unit_") else ""
    above, _, below = re.sub(r"(?<=\w)(?:per(?=[a-z])|Per(?=[A-Z]))", "/", text.removeprefix("Unit_")).rpartition("/")
    if not above or not below:
        return None
    number = re.match(r"\d*", below)
    times = number[0] if number is not None else ""
    one, other = (_SPELLINGS.get(prefix + part) or _simple(part) for part in (above, below.removeprefix(times)))
    if one is None or other is None or one.offset or other.offset or one.dimension == other.dimension:
        return None
    name = f"{one.name}/{times}{other.name}"
    dimension = _RATIOS.get((one.dimension, other.dimension), f"{one.dimension} per {other.dimension}")
    factor = one.factor / (other.factor * int(times or 1))
    return _SPELLINGS.get(name) or PhysicalUnit(name, dimension, factor, Fraction(0))


def unit_names() -> list[str]:
    """Return the first spelling of each unit, by dimension."""
    return [text.split()[0] for rows in _UNITS.values() for _, text in rows]


def has_unit(text: str | None) -> bool:
    """Return whether `text` names a unit at all, known or not."""
    return text is not None and text.translate(_SUBSTITUTES).casefold() not in _NO_UNIT


def convert(source: str | None, target: str | None, place: KeyPath = ()) -> Conversion:
    """Return the conversion from values in `source` to values in `target`.

    Where one side has no unit, values pass as they are: a database signal without unit takes the data bus's, and a
    number or flag fits every signal. ConfigurationError: an unknown unit, or two of different dimensions.
    """
    if source is None or target is None or not has_unit(source) or not has_unit(target) or source == target:
        return IDENTITY
    origin, result = _known(source, target, place), _known(target, source, place)
    if origin.dimension != result.dimension:
        raise ConfigurationError(
            f"{source!r} is a unit of {origin.dimension}, {target!r} one of {result.dimension}", place
        )
    return Conversion(float(origin.factor / result.factor), float((origin.offset - result.offset) / result.factor))


def _known(text: str, other: str, place: KeyPath) -> PhysicalUnit:
    unit = find_unit(text)
    if unit is None:
        hint = f"'unit: \"{other}\"' in the bench file takes the numbers as they are"
        raise ConfigurationError(f"unknown unit {text!r}; {hint}", place)
    return unit
