"""Units are found as databases spell them, and convert by their definitions."""

import math

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.frames.codec.units import Conversion, convert, find_unit, has_unit


@pytest.mark.parametrize(
    ("source", "target", "value", "expected"),
    [
        ("m/s", "km/h", 10, 36),
        ("m/s", "mph", 0.44704, 1),
        ("rpm", "rad/s", 30, math.pi),
        ("rad/s", "1/min", math.pi, 30),
        ("rpm", "deg/s", 1, 6),
        ("Nm", "kNm", 1500, 1.5),
        ("Nm", "lb-ft", 1.3558179483314004, 1),
        ("kW", "PS", 0.73549875, 1),
        ("kW", "hp", 0.745699871582270, 1),
        ("kW", "W", 1.5, 1500),
        ("1", "%", 0.25, 25),
        ("%", "1", 25, 0.25),
        ("g/s", "kg/h", 10, 36),
        ("degC", "K", -273.15, 0),
        ("degF", "degC", 212, 100),
        ("degC", "degF", -40, -40),
        ("K", "degF", 273.15, 32),
        ("h", "s", 2, 7200),
        ("ms", "min", 60000, 1),
        ("kPa", "psi", 6.894757293168361, 1),
        ("bar", "hPa", 1, 1000),
        ("mi", "km", 1, 1.609344),
        ("l/h", "m3/s", 3.6e6, 1),
    ],
)
def test_values_convert_by_definition(source: str, target: str, value: float, expected: float) -> None:
    """y = x · factor + offset, with factors of the SI brochure and of the trade units' definitions."""
    factor, offset = convert(source, target)
    assert value * factor + offset == pytest.approx(expected, rel=1e-12, abs=1e-9)


INCH, POUND = 0.0254, 0.45359237
YARD, GALLON, MILE = 36 * INCH, 231 * INCH**3, 63360 * INCH
FACTORS: dict[str, dict[str, float]] = {
    "km/l": {"mpg": MILE / GALLON / 1e6},
    "J/m": {"Wh/km": 3.6, "kWh/100km": 36},
    "m/s": {"yd/s": YARD, "km/h": 1000 / 3600, "mph": 1609.344 / 3600, "kn": 1852 / 3600, "cm/s": 0.01},
    "rad/s": {"rpm": math.tau / 60, "deg/s": math.tau / 360},
    "rad": {"deg": math.tau / 360},
    "Nm": {"kNm": 1e3, "lbft": 12 * INCH * POUND * 9.80665},
    "W": {"mW": 1e-3, "kW": 1e3, "MW": 1e6, "hp": 550 * 12 * INCH * POUND * 9.80665, "PS": 75 * 9.80665},
    "J": {"Ws": 1, "kJ": 1e3, "MJ": 1e6, "Wh": 3600, "kWh": 3.6e6},
    "N": {"daN": 10, "kN": 1e3},
    "1": {"%": 1e-2, "‰": 1e-3},
    "kg/s": {"g/s": 1e-3, "kg/h": 1 / 3600, "g/h": 1e-3 / 3600, "mg/s": 1e-6},
    "m3/s": {"m3/h": 1 / 3600, "l/h": 1e-3 / 3600, "l/min": 1e-3 / 60, "gal/h": 231 * INCH**3 / 3600},
    "l/km": {"l/100km": 0.01},
    "s": {"ms": 1e-3, "us": 1e-6, "min": 60, "h": 3600, "d": 86400},
    "m": {"km": 1e3, "dm": 0.1, "cm": 1e-2, "mm": 1e-3, "in": INCH, "ft": 12 * INCH, "mi": 63360 * INCH},
    "m3": {"l": 1e-3, "ml": 1e-6, "mm3": 1e-9, "gal": 231 * INCH**3},
    "kg": {"g": 1e-3, "mg": 1e-6, "t": 1e3, "lb": POUND},
    "Pa": {"hPa": 100, "kPa": 1e3, "MPa": 1e6, "bar": 1e5, "psi": POUND * 9.80665 / INCH**2},
    "V": {"mV": 1e-3, "kV": 1e3},
    "A": {"mA": 1e-3},
    "As": {"Ah": 3600},
    "Ohm": {"kOhm": 1e3},
    "Hz": {"kHz": 1e3},
}
"""By the SI unit: SI brochure, 9th edition, tables 5 to 8; inch, pound and US gallon by NIST SP 811, appendix B."""


@pytest.mark.parametrize(("base", "unit"), [(base, unit) for base, units in FACTORS.items() for unit in units])
def test_every_unit_is_that_many_of_its_si_unit(base: str, unit: str) -> None:
    """And the other way round."""
    factor = FACTORS[base][unit]
    there, back = convert(unit, base), convert(base, unit)
    assert there.factor == pytest.approx(factor, rel=1e-12)
    assert back.factor == pytest.approx(1 / factor, rel=1e-12)
    assert (there.offset, back.offset) == (0.0, 0.0)


def test_exact_factors_are_exact() -> None:
    """From m/s to km/h it is 3.6, not 3.5999999999999996; a temperature keeps its decimals."""
    assert convert("m/s", "km/h") == Conversion(3.6, 0.0)
    assert convert("1", "%") == Conversion(100.0, 0.0)
    assert convert("degC", "K") == Conversion(1.0, 273.15)


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("KM/H", "km/h"), ("kph", "km/h"), ("[km/h]", "km/h"), ("km / h", "km/h"), ("Unit_KiloMeterPerHour", "km/h"),
        ("RPM", "rpm"), ("1/min", "rpm"), ("U/min", "rpm"), ("min^-1", "rpm"),
        ("NM", "Nm"), ("N.m", "Nm"), ("N*m", "Nm"), ("N·m", "Nm"),
        ("\N{DEGREE SIGN}C", "degC"), ("Â\N{DEGREE SIGN}C", "degC"), ("deg C", "degC"), ("DegC", "degC"),
        ("L/100km", "l/100km"), ("l/100 km", "l/100km"), ("Percent", "%"), ("m/s²", "m/s2"), ("KPA", "kPa"),
        ("Sec", "s"), ("volts", "V"), ("℃", "degC"), ("deg_C", "degC"), ("degK", "K"), ("meters/sec", "m/s"),
        ("km/hour", "km/h"), ("km/hr", "km/h"), ("kilometer/hour", "km/h"), ("Unit_Hertz", "Hz"), ("¡æ", "degC"),
        ("liters/hr", "l/h"), ("meters per second", "m/s"), ("Grad/sec", "deg/s"), ("kilometers/liter", "km/l"),
        ("watt*hour/km", "Wh/km"), ("Unit_BarPerSecon", "bar/s"), ("litre/100km", "l/100km"),
    ],
)  # fmt: skip
def test_spellings_of_databases_are_known(spelling: str, name: str) -> None:
    """Blanks, brackets, upper and lower case and mangled degree signs do not matter."""
    unit = find_unit(spelling)
    assert unit is not None
    assert unit == find_unit(name)


def test_case_matters_where_it_changes_the_unit() -> None:
    """A milliwatt is no megawatt, and `mw` could be either."""
    assert convert("MW", "mW") == Conversion(1e9, 0.0)
    assert find_unit("mw") is None


@pytest.mark.parametrize("nothing", [None, "", "-", "[-]", "none", "Number"])
def test_a_side_without_unit_takes_the_other_as_it_is(nothing: str | None) -> None:
    """A database that names no unit means the data bus's."""
    assert not has_unit(nothing)
    assert convert("m/s", nothing) == convert(nothing, "km/h") == Conversion(1.0, 0.0)


def test_other_dimensions_and_unknown_units_are_refused() -> None:
    """The error names both units, or the one that nobody knows, and where it stands."""
    with pytest.raises(ConfigurationError, match="'m/s' is a unit of speed, 'Nm' one of torque") as raised:
        convert("m/s", "Nm", ("buses", "a"))
    assert raised.value.place == ("buses", "a")
    with pytest.raises(ConfigurationError, match="unknown unit 'parsec/h'; 'unit: \"m/s\"' in the bench file takes"):
        convert("m/s", "parsec/h")


def test_the_same_unknown_unit_on_both_sides_needs_no_conversion() -> None:
    """Whatever it is, the values are the same."""
    assert convert("furlong", "furlong") == Conversion(1.0, 0.0)
