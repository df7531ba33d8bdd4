"""Units are found as databases spell them, and convert by their definitions."""

import math

import pytest

from hilbridge.codec.units import Conversion, convert, find_unit, has_unit
from hilbridge.common.errors import ConfigurationError


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
        ("Sec", "s"), ("volts", "V"),
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
