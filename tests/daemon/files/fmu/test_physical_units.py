"""A value in base units is `factor * value + offset` (FMI 2.0.4, 2.2.2); the examples are of the standard and of SI."""

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.fmu.physical_units import BASE, Line, base_unit, conversion
from vehiclesim import ENTRIES

OWN = {
    "rad/s": base_unit({"rad": 1, "s": -1}),
    "1/s": base_unit({"s": -1}),
    "K": base_unit({"K": 1}),
    "degF": base_unit({"K": 1, "factor": 5 / 9, "offset": 273.15 - 32 * 5 / 9}),
    "bar": base_unit({"kg": 1, "m": -1, "s": -2, "factor": 1e5}),
    "km/h": base_unit({"m": 1, "s": -1, "factor": 1 / 3.6}),
    "W": base_unit({"kg": 1, "m": 2, "s": -3}),
}


@pytest.mark.parametrize(
    ("value", "given", "wanted", "expected"),
    [
        (6000.0, "rpm", "rad/s", 628.3185307179587),
        (6000.0, "rpm", "1/s", 628.3185307179587),
        (100.0, "km/h", "m/s", 27.77777777777778),
        (20.0, "°C", "K", 293.15),
        (68.0, "degF", "°C", 20.0),
        (1.01325, "bar", "kPa", 101.325),
        (75.0, "kW", "W", 75000.0),
    ],
)
def test_a_value_is_converted(value: float, given: str, wanted: str, expected: float) -> None:
    assert conversion(given, wanted, OWN).of(value) == pytest.approx(expected, rel=1e-12)
    assert conversion(wanted, given, OWN).of(expected) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(("given", "wanted"), [("rpm", "rpm"), ("", "rpm"), ("rpm", ""), ("furlong", "furlong")])
def test_without_two_units_a_value_stays_to_the_bit(given: str, wanted: str) -> None:
    assert conversion(given, wanted, {}) == Line()
    assert Line().of(0.1 + 0.2) == 0.1 + 0.2


@pytest.mark.parametrize(
    ("given", "wanted", "words"),
    [
        ("rpm", "K", "no 'rpm' can become 'K'"),
        ("furlong", "m", "'furlong' is declared by no base units, so that nothing can become 'm'"),
        ("m", "furlong", "'furlong' is declared by no base units, so that nothing can become 'm'"),
    ],
)
def test_quantities_are_not_mixed(given: str, wanted: str, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        conversion(given, wanted, OWN)


def test_every_unit_of_the_data_bus_is_known() -> None:
    units = {entry.unit for entries in ENTRIES for entry in entries} - {""}
    assert units <= BASE.keys()
